/// File names as text and back, byte for byte.
///
/// A name is UTF-8 mostly, but a file system may hold any bytes. Those that are no UTF-8 become
/// characters of their own, U+10FE80 to U+10FEFF, which stand for the bytes 80 to FF; so does every
/// byte of a name that holds such characters itself. Every name then has one text, and every function
/// of this module that takes a path finds its file.
package enum FileName {
  /// The character for the byte 0.
  private static let base: UInt32 = 0x10_FE00

  /// The text of a name or a path.
  package static func text(_ bytes: some Collection<UInt8>) -> String {
    let bytes = Array(bytes)
    var result: [UInt8] = []
    result.reserveCapacity(bytes.count)
    var index = 0
    while index < bytes.count {
      let count = sequenceLength(bytes[index...])
      if count > 0, !isStandIn(bytes[index..<index + count]) {
        result += bytes[index..<index + count]
        index += count
      } else {
        let low = bytes[index]
        result += [0xF4, 0x8F, 0xB8 | low >> 6, 0x80 | low & 0x3F]
        index += 1
      }
    }
    return String(decoding: result, as: UTF8.self)
  }

  /// The bytes of a name or a path.
  package static func bytes(of text: String) -> [UInt8] {
    let text = Array(text.utf8)
    var result: [UInt8] = []
    result.reserveCapacity(text.count)
    var index = 0
    while index < text.count {
      if isStandIn(text[index..<min(index + 4, text.count)]) {
        result.append((text[index + 2] & 0x03) << 6 | text[index + 3] & 0x3F)
        index += 4
      } else {
        result.append(text[index])
        index += 1
      }
    }
    return result
  }

  /// The text as it can be shown and written down: U+FFFD stands for bytes that are no UTF-8.
  package static func repaired(_ text: String) -> String {
    var result = String.UnicodeScalarView()
    for scalar in text.unicodeScalars { result.append(isStandIn(scalar) ? "\u{FFFD}" : scalar) }
    return String(result)
  }

  /// Whether a character stands for a byte.
  package static func isStandIn(_ scalar: Unicode.Scalar) -> Bool {
    (base + 0x80...base + 0xFF).contains(scalar.value)
  }

  /// Whether these bytes are such a character.
  private static func isStandIn(_ bytes: ArraySlice<UInt8>) -> Bool {
    let start = bytes.startIndex
    return bytes.count == 4 && bytes[start] == 0xF4 && bytes[start + 1] == 0x8F
      && (bytes[start + 2] == 0xBA || bytes[start + 2] == 0xBB)
  }

  /// How many bytes the character takes that bytes begin with; 0 where they begin with none.
  ///
  /// Source: The Unicode Standard, table 3-7.
  private static func sequenceLength(_ bytes: ArraySlice<UInt8>) -> Int {
    let start = bytes.startIndex
    func isIn(_ offset: Int, _ range: ClosedRange<UInt8> = 0x80...0xBF) -> Bool {
      start + offset < bytes.endIndex && range.contains(bytes[start + offset])
    }
    switch bytes[start] {
    case 0x00...0x7F: return 1
    case 0xC2...0xDF: return isIn(1) ? 2 : 0
    case 0xE0: return isIn(1, 0xA0...0xBF) && isIn(2) ? 3 : 0
    case 0xED: return isIn(1, 0x80...0x9F) && isIn(2) ? 3 : 0
    case 0xE1...0xEF: return isIn(1) && isIn(2) ? 3 : 0
    case 0xF0: return isIn(1, 0x90...0xBF) && isIn(2) && isIn(3) ? 4 : 0
    case 0xF1...0xF3: return isIn(1) && isIn(2) && isIn(3) ? 4 : 0
    case 0xF4: return isIn(1, 0x80...0x8F) && isIn(2) && isIn(3) ? 4 : 0
    default: return 0
    }
  }
}

extension String {
  /// The path as the system takes it, with a zero at its end.
  var systemPath: [CChar] {
    var bytes = FileName.bytes(of: self)
    bytes.append(0)
    // Of either sign, as the platform has it.
    return bytes.map { CChar(truncatingIfNeeded: $0) }
  }
}

internal import DiceGeometry

/// A scan header: which components a scan carries, and which part of their coefficients.
struct JPEGScan {
  struct Component {
    /// Index into the frame's components.
    let index: Int
    let dcTable: Int
    let acTable: Int
  }

  let components: [Component]
  let spectralStart: Int
  let spectralEnd: Int
  let approximationHigh: Int
  let approximationLow: Int
}

/// Walks over the markers of a JPEG file and keeps the tables they define.
///
/// As other decoders do, it skips bytes that are no marker where one should stand.
///
/// Source: ITU-T T.81, annex B.
struct JPEGParser {
  let bytes: [UInt8]
  /// The next byte to look at.
  var position = 0
  var frame: JPEGFrame?
  /// In natural order, 64 values each.
  var quantizationTables: [[UInt16]?] = [nil, nil, nil, nil]
  var dcTables: [JPEGHuffmanTable?] = [nil, nil, nil, nil]
  var acTables: [JPEGHuffmanTable?] = [nil, nil, nil, nil]
  /// Units between restart markers, 0 for none.
  var restartInterval = 0
  var arithmeticConditioning = JPEGArithmeticConditioning()
  /// What an EXIF block says, and what XMP says.
  var exifOrientation: ImageOrientation?
  var xmpOrientation: ImageOrientation?
  /// The segments that hold parts of a colour profile.
  var profileParts: [Range<Int>] = []
  var hasJFIF = false
  var adobeTransform: UInt8?

  init(_ bytes: [UInt8]) throws(JPEGError) {
    guard bytes.count >= 2, bytes[0] == 0xFF, bytes[1] == 0xD8 else {
      throw .missingStartOfImage
    }
    self.bytes = bytes
    position = 2
  }

  /// Reads segments up to and including the next scan header.
  ///
  /// - Returns: the scan, whose data begins at `position`, or nil at the end of the image.
  mutating func nextScan() throws(JPEGError) -> JPEGScan? {
    while true {
      let marker = try nextMarker()
      let markerOffset = position - 2
      switch marker {
      case 0x01, 0xD0...0xD7: continue
      case 0xD9: return nil
      case 0xD8: throw .unexpectedMarker(marker: marker, offset: markerOffset)
      default: break
      }
      let segment = try segment(of: marker)
      position = segment.upperBound
      switch marker {
      case 0xC0, 0xC1, 0xC2, 0xC9, 0xCA: try readFrame(segment, marker: marker)
      case 0xC3, 0xCB: throw .unsupportedLosslessCoding
      case 0xC5, 0xC6, 0xC7, 0xCD, 0xCE, 0xCF, 0xDE, 0xDF: throw .unsupportedHierarchicalCoding
      case 0xC4: try readHuffmanTables(segment)
      case 0xCC: try readArithmeticConditioning(segment)
      case 0xDB: try readQuantizationTables(segment)
      case 0xDD: try readRestartInterval(segment)
      case 0xDA: return try readScan(segment)
      case 0xE0: readJFIF(segment)
      case 0xE1: readMetadata(segment)
      case 0xE2: readProfilePart(segment)
      case 0xEE: readAdobe(segment)
      // DNL, which repeats the height; the other application segments, the reserved JPG range and
      // comments.
      case 0xDC, 0xE3...0xFE: break
      default: throw .unexpectedMarker(marker: marker, offset: markerOffset)
      }
    }
  }

  /// What the components stand for, or why they are not supported.
  ///
  /// JFIF demands YCbCr; without it, the transform of an Adobe segment decides; without that, the
  /// components' identifiers do. Four components are CMYK unless an Adobe segment names a transform.
  /// Needs a frame.
  func colorModel() throws(JPEGError) -> JPEGColorModel {
    let components = frame?.components ?? []
    switch components.count {
    case 1: return .gray
    case 3:
      if hasJFIF { return .yCbCr }
      if let adobeTransform { return adobeTransform == 0 ? .rgb : .yCbCr }
      let identifiers = components.map { $0.identifier }
      return identifiers == [0x52, 0x47, 0x42] ? .rgb : .yCbCr
    case 4: return (adobeTransform ?? 0) == 0 ? .cmyk : .ycck
    default: throw .unsupportedComponentCount(components.count)
    }
  }

  /// Finds the next marker and steps behind it.
  private mutating func nextMarker() throws(JPEGError) -> UInt8 {
    while position < bytes.count {
      guard bytes[position] == 0xFF else {
        position += 1
        continue
      }
      while position < bytes.count, bytes[position] == 0xFF { position += 1 }
      guard position < bytes.count else { break }
      position += 1
      if bytes[position - 1] != 0 { return bytes[position - 1] }
    }
    throw .truncated(offset: bytes.count)
  }

  /// The content of the segment that begins at `position`, without its length.
  private func segment(of marker: UInt8) throws(JPEGError) -> Range<Int> {
    guard position + 2 <= bytes.count else { throw .truncated(offset: bytes.count) }
    let length = word(position)
    guard length >= 2 else { throw .invalidSegmentLength(marker: marker, length: length) }
    guard position + length <= bytes.count else { throw .truncated(offset: bytes.count) }
    return position + 2..<position + length
  }

  /// The big-endian 16-bit number at an offset, which must be inside the bytes.
  func word(_ offset: Int) -> Int { Int(bytes[offset]) << 8 | Int(bytes[offset + 1]) }
}

extension JPEGParser {
  /// How the stored rows must be turned to stand upright.
  var orientation: ImageOrientation { exifOrientation ?? xmpOrientation ?? .up }

  private mutating func readRestartInterval(_ segment: Range<Int>) throws(JPEGError) {
    guard segment.count == 2 else {
      throw .invalidSegmentLength(marker: 0xDD, length: segment.count + 2)
    }
    restartInterval = word(segment.lowerBound)
  }

  private mutating func readFrame(_ segment: Range<Int>, marker: UInt8) throws(JPEGError) {
    guard frame == nil else { throw .repeatedFrame }
    let start = segment.lowerBound
    guard segment.count >= 6, segment.count == 6 + 3 * Int(bytes[start + 5]) else {
      throw .invalidSegmentLength(marker: marker, length: segment.count + 2)
    }
    guard bytes[start] == 8 else { throw .unsupportedPrecision(bits: Int(bytes[start])) }
    let height = word(start + 1)
    let width = word(start + 3)
    guard width > 0 else { throw .zeroWidth }
    guard height > 0 else { throw .unsupportedLineCountMarker }
    let count = Int(bytes[start + 5])
    guard count == 1 || count == 3 || count == 4 else { throw .unsupportedComponentCount(count) }
    var components: [JPEGComponent] = []
    for index in 0..<count {
      let offset = start + 6 + 3 * index
      let horizontal = Int(bytes[offset + 1] >> 4)
      let vertical = Int(bytes[offset + 1] & 15)
      guard (1...4).contains(horizontal), (1...4).contains(vertical) else {
        throw .invalidSamplingFactors(horizontal: horizontal, vertical: vertical)
      }
      guard bytes[offset + 2] < 4 else {
        throw .missingQuantizationTable(index: Int(bytes[offset + 2]))
      }
      // The factors of a single component mean nothing: its scans carry plain rows of blocks.
      components.append(
        JPEGComponent(
          identifier: bytes[offset], horizontal: count == 1 ? 1 : horizontal,
          vertical: count == 1 ? 1 : vertical, quantizationIndex: Int(bytes[offset + 2])))
    }
    let process: JPEGProcess =
      switch marker {
      case 0xC0: .baseline
      case 0xC2, 0xCA: .progressive
      default: .extendedSequential
      }
    frame = JPEGFrame(
      process: process, coding: marker >= 0xC9 ? .arithmetic : .huffman, width: width,
      height: height, components: components)
  }

  private func readScan(_ segment: Range<Int>) throws(JPEGError) -> JPEGScan {
    guard let frame else {
      throw .unexpectedMarker(marker: 0xDA, offset: segment.lowerBound - 4)
    }
    let start = segment.lowerBound
    guard segment.count >= 1, segment.count == 4 + 2 * Int(bytes[start]) else {
      throw .invalidSegmentLength(marker: 0xDA, length: segment.count + 2)
    }
    let count = Int(bytes[start])
    guard count >= 1, count <= frame.components.count else { throw .invalidScan(offset: start) }
    var components: [JPEGScan.Component] = []
    for index in 0..<count {
      let offset = start + 1 + 2 * index
      let taken = components.map { $0.index }
      guard
        let component = frame.components.indices.first(where: {
          frame.components[$0].identifier == bytes[offset] && !taken.contains($0)
        })
      else { throw .invalidScan(offset: start) }
      let dcTable = Int(bytes[offset + 1] >> 4)
      let acTable = Int(bytes[offset + 1] & 15)
      guard dcTable < 4, acTable < 4 else {
        throw .missingHuffmanTable(index: max(dcTable, acTable))
      }
      components.append(.init(index: component, dcTable: dcTable, acTable: acTable))
    }
    let offset = start + 1 + 2 * count
    let scan = JPEGScan(
      components: components, spectralStart: Int(bytes[offset]),
      spectralEnd: Int(bytes[offset + 1]), approximationHigh: Int(bytes[offset + 2] >> 4),
      approximationLow: Int(bytes[offset + 2] & 15))
    guard frame.process != .progressive || Self.isLegalProgressive(scan) else {
      throw .invalidScan(offset: start)
    }
    return scan
  }

  /// The rules of T.81, G.1.1.1, for the parameters of a progressive scan.
  private static func isLegalProgressive(_ scan: JPEGScan) -> Bool {
    let high = scan.approximationHigh
    guard scan.approximationLow <= 13, high == 0 || high == scan.approximationLow + 1 else {
      return false
    }
    return scan.spectralStart == 0
      ? scan.spectralEnd == 0
      : scan.components.count == 1 && scan.spectralStart <= scan.spectralEnd
        && scan.spectralEnd <= 63
  }

  private mutating func readJFIF(_ segment: Range<Int>) {
    if segment.count >= 14, bytes[segment].starts(with: [0x4A, 0x46, 0x49, 0x46, 0]) {
      hasJFIF = true
    }
  }

  private mutating func readAdobe(_ segment: Range<Int>) {
    if segment.count >= 12, bytes[segment].starts(with: [0x41, 0x64, 0x6F, 0x62, 0x65]) {
      adobeTransform = bytes[segment.lowerBound + 11]
    }
  }

  private mutating func readMetadata(_ segment: Range<Int>) {
    if exifOrientation == nil, bytes[segment].starts(with: ExifOrientation.prefix) {
      exifOrientation = ExifOrientation.value(in: bytes[segment])
    } else if xmpOrientation == nil, bytes[segment].starts(with: XMPOrientation.prefix) {
      xmpOrientation = XMPOrientation.value(in: bytes[segment])
    }
  }
}

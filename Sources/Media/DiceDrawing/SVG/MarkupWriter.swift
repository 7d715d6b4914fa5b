package import DiceImaging

/// Writes SVG or HTML, byte by byte.
///
/// Whatever comes from outside goes through ``escaped(_:)``; numbers are decimal, with two decimals
/// at most, and never anything that is no number.
package struct MarkupWriter: Hashable, Sendable {
  /// What was written so far, UTF-8.
  package private(set) var bytes: [UInt8] = []

  /// An empty text.
  package init() {}

  /// Adds markup as it is.
  package mutating func raw(_ text: StaticString) {
    text.withUTF8Buffer { buffer in unsafe bytes.append(contentsOf: buffer) }
  }

  /// Adds bytes as they are.
  package mutating func raw(_ other: [UInt8]) { bytes.append(contentsOf: other) }

  /// Adds text from anywhere, such that it stays text: between tags, and between quotes of an
  /// attribute.
  package mutating func text(_ text: String) {
    for scalar in text.unicodeScalars {
      switch scalar.value {
      case 0x26: raw("&amp;")
      case 0x3C: raw("&lt;")
      case 0x3E: raw("&gt;")
      case 0x22: raw("&quot;")
      case 0x27: raw("&#39;")
      case 0x9, 0xA: bytes.append(UInt8(scalar.value))
      // XML allows no other control characters, nor these two; some change the direction of what
      // follows.
      case 0..<0x20, 0x7F...0x9F, 0xFFFE, 0xFFFF, 0x202A...0x202E, 0x2066...0x2069:
        raw("\u{FFFD}")
      default: bytes.append(contentsOf: Array(UTF8.encode(scalar)!))
      }
    }
  }

  /// Adds a number: NaN as 0, at most ±1e9.
  package mutating func number(_ value: Double) {
    let limited = value.isNaN ? 0 : min(max(value, -1e9), 1e9)
    var hundredths = Int((limited * 100).rounded())
    if hundredths < 0 {
      bytes.append(UInt8(ascii: "-"))
      hundredths = -hundredths
    }
    digits(hundredths / 100)
    let rest = hundredths % 100
    if rest == 0 { return }
    bytes.append(UInt8(ascii: "."))
    bytes.append(UInt8(48 + rest / 10))
    if rest % 10 > 0 { bytes.append(UInt8(48 + rest % 10)) }
  }

  /// Adds several numbers with spaces between them.
  package mutating func numbers(_ values: Double...) {
    for (index, value) in values.enumerated() {
      if index > 0 { bytes.append(0x20) }
      number(value)
    }
  }

  /// Adds an attribute with a number: ` name="12.5"`.
  package mutating func attribute(_ name: StaticString, _ value: Double) {
    bytes.append(0x20)
    raw(name)
    raw("=\"")
    number(value)
    raw("\"")
  }

  /// Adds an attribute with text.
  package mutating func attribute(_ name: StaticString, _ value: String) {
    bytes.append(0x20)
    raw(name)
    raw("=\"")
    text(value)
    raw("\"")
  }

  /// Adds an attribute with a colour, and one with its opacity where it is not opaque.
  package mutating func paint(
    _ name: StaticString, _ opacityName: StaticString, _ color: PixelColor
  ) {
    bytes.append(0x20)
    raw(name)
    raw("=\"")
    self.color(color)
    raw("\"")
    if color.alpha < 255 { attribute(opacityName, Double(color.alpha) / 255) }
  }

  /// Adds a colour without its opacity: `#16c172`.
  package mutating func color(_ color: PixelColor) {
    bytes.append(UInt8(ascii: "#"))
    for sample in [color.red, color.green, color.blue] {
      for half in [sample >> 4, sample & 15] {
        bytes.append(half < 10 ? 48 + half : 87 + half)
      }
    }
  }

  private mutating func digits(_ value: Int) {
    if value >= 10 { digits(value / 10) }
    bytes.append(UInt8(48 + value % 10))
  }

  /// Text from anywhere as text of markup, as ``text(_:)`` writes it.
  package static func escaped(_ text: String) -> String {
    var writer = MarkupWriter()
    writer.text(text)
    return String(decoding: writer.bytes, as: UTF8.self)
  }
}

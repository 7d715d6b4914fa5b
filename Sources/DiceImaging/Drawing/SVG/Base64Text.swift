/// Bytes as text of 64 letters (RFC 4648, section 4), as addresses that hold data have them.
package enum Base64Text {
  private static let alphabet: [UInt8] = Array(
    "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/".utf8)

  /// The text of bytes, padded with `=` to a multiple of four letters.
  package static func encode(_ bytes: [UInt8]) -> [UInt8] {
    var text: [UInt8] = []
    text.reserveCapacity((bytes.count + 2) / 3 * 4)
    var index = 0
    while index < bytes.count {
      let count = min(3, bytes.count - index)
      var group = 0
      for offset in 0..<3 {
        group = group << 8 | (offset < count ? Int(bytes[index + offset]) : 0)
      }
      for letter in 0..<4 {
        text.append(
          letter <= count ? alphabet[group >> (18 - 6 * letter) & 63] : UInt8(ascii: "="))
      }
      index += 3
    }
    return text
  }
}

internal import DiceGeometry

/// The orientation in XMP metadata, as the attribute or element `tiff:Orientation`.
///
/// Source: XMP specification, part 2, 2.6 (TIFF namespace).
enum XMPOrientation {
  /// What stands before XMP in a JPEG file: `http://ns.adobe.com/xap/1.0/` and a zero.
  static let prefix = Array("http://ns.adobe.com/xap/1.0/\0".utf8)
  /// The keyword of XMP in a PNG file.
  static let keyword = Array("XML:com.adobe.xmp".utf8)

  private static let property = Array("tiff:Orientation".utf8)

  /// The orientation that the text gives, or nil where there is none: a picture never fails for its
  /// metadata.
  ///
  /// - Complexity: linear in the bytes.
  static func value(in text: ArraySlice<UInt8>) -> ImageOrientation? {
    var start = text.startIndex
    while let found = text[start...].firstIndex(of: property[0]) {
      let rest = text[found...]
      if rest.starts(with: property), let value = value(behind: rest.dropFirst(property.count)) {
        return value
      }
      start = found + 1
    }
    return nil
  }

  /// The digit in `="6"`, `='6'` or `>6<`, with white space between.
  private static func value(behind text: ArraySlice<UInt8>) -> ImageOrientation? {
    let words = text.lazy.filter { !($0 == 32 || $0 >= 9 && $0 <= 13) }.prefix(4)
    let signs = Array(words)
    let isElement = signs.first == UInt8(ascii: ">")
    let place = isElement ? 1 : 2
    guard signs.count > place + 1,
      isElement
        ? signs[2] == UInt8(ascii: "<")
        : signs[0] == UInt8(ascii: "=") && signs[1] == signs[3]
          && (signs[1] == UInt8(ascii: "\"") || signs[1] == UInt8(ascii: "'")),
      signs[place] >= UInt8(ascii: "0")
    else { return nil }
    return ImageOrientation(rawValue: signs[place] - UInt8(ascii: "0"))
  }
}

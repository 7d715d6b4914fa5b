public import DiceImaging

/// Writes portable graymaps and pixmaps: the binary formats `P5` and `P6` of Netpbm.
///
/// Source: Netpbm, formats PGM and PPM.
public enum PortableMapEncoder {
  /// The bytes of a file with the given picture and the maximum 255.
  ///
  /// A gray picture becomes a graymap and any other one a pixmap. The formats have neither alpha
  /// nor orientation: alpha is left out, the colours stay as they are, and rows are written as
  /// stored.
  ///
  /// - Complexity: O(n) in the samples.
  public static func encode(_ image: PixelImage) -> [UInt8] {
    var bytes = Array("P\(image.format == .gray ? 5 : 6)\n".utf8)
    bytes.append(contentsOf: "\(image.width) \(image.height)\n255\n".utf8)
    if image.format != .rgba {
      bytes.append(contentsOf: image.samples)
      return bytes
    }
    bytes.reserveCapacity(bytes.count + image.samples.count / 4 * 3)
    for pixel in stride(from: 0, to: image.samples.count, by: 4) {
      bytes.append(image.samples[pixel])
      bytes.append(image.samples[pixel + 1])
      bytes.append(image.samples[pixel + 2])
    }
    return bytes
  }
}

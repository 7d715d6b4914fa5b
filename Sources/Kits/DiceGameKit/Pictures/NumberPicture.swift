/// A picture in which numbers are looked for: gray samples in memory, from a photo, a scan or a canvas.
public struct NumberPicture: Hashable, Sendable {
  /// The longest side of a picture.
  public static let maximumSide = 16_384

  /// Columns, at least 1.
  public let width: Int
  /// Rows, at least 1.
  public let height: Int
  /// The samples row by row from the upper left, 0 (black) to 255 (white).
  public let samples: [UInt8]

  /// A picture of gray samples.
  ///
  /// - Parameters:
  ///   - width: columns.
  ///   - height: rows.
  ///   - gray: `[height, width]` samples without padding.
  /// - Throws: the rule that the size or the number of samples breaks.
  public init(width: Int, height: Int, gray: [UInt8]) throws(NumberPictureError) {
    try Self.check(width, height, found: gray.count, channelCount: 1)
    self.width = width
    self.height = height
    samples = gray
  }

  /// A picture of a canvas' pixels: red, green, blue and alpha, not premultiplied.
  ///
  /// What is transparent counts as white, or as black where what is drawn is bright.
  ///
  /// - Parameters:
  ///   - width: columns.
  ///   - height: rows.
  ///   - rgba: `[height, width, 4]` samples without padding.
  /// - Throws: the rule that the size or the number of samples breaks.
  public init(width: Int, height: Int, rgba: [UInt8]) throws(NumberPictureError) {
    try Self.check(width, height, found: rgba.count, channelCount: 4)
    self.width = width
    self.height = height
    let count = width * height
    var gray = [UInt8](repeating: 0, count: count)
    var (sum, weight) = (0, 0)
    for index in 0..<count {
      let place = 4 * index
      // BT.601, as whole numbers.
      let value =
        77 * Int(rgba[place]) + 150 * Int(rgba[place + 1]) + 29 * Int(rgba[place + 2])
      gray[index] = UInt8((value + 128) >> 8)
      sum += Int(gray[index]) * Int(rgba[place + 3])
      weight += Int(rgba[place + 3])
    }
    let ground = weight > 0 && sum >= 128 * weight ? 0 : 255
    for index in 0..<count where rgba[4 * index + 3] < 255 {
      let alpha = Int(rgba[4 * index + 3])
      gray[index] = UInt8((Int(gray[index]) * alpha + ground * (255 - alpha) + 127) / 255)
    }
    samples = gray
  }

  private static func check(
    _ width: Int, _ height: Int, found: Int, channelCount: Int
  ) throws(NumberPictureError) {
    guard (1...maximumSide).contains(width), (1...maximumSide).contains(height) else {
      throw .size(width: width, height: height)
    }
    let required = width * height * channelCount
    guard found == required else { throw .sampleCount(found: found, required: required) }
  }
}

/// Why numbers cannot be looked for in a picture.
public enum NumberPictureError: Error, Hashable, Sendable, CustomStringConvertible {
  /// A side is not in 1...``NumberPicture/maximumSide``.
  case size(width: Int, height: Int)
  /// There are more or fewer samples than the size says.
  case sampleCount(found: Int, required: Int)

  /// One sentence that says what was found and what is required.
  public var description: String {
    switch self {
    case .size(let width, let height):
      "The picture is \(width) by \(height) pixels; a side has 1 to \(NumberPicture.maximumSide)."
    case .sampleCount(let found, let required):
      "The picture has \(found) samples; its size requires \(required)."
    }
  }
}

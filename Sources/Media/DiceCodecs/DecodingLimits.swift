public import DiceGeometry

/// Bounds on what a decoder will produce, so that a small hostile file cannot claim a large picture.
public struct DecodingLimits: Hashable, Sendable {
  /// The most pixels (width times height) a file may claim.
  public var pixelCount: Int
  /// The longest side a file may claim, in pixels.
  public var sideLength: Int

  /// Limits with the given numbers of pixels.
  ///
  /// - Parameters:
  ///   - pixelCount: In all; 100 million unless told.
  ///   - sideLength: Along each side; 16,777,216 unless told, as much as geometry counts.
  public init(pixelCount: Int = 100_000_000, sideLength: Int = ImageTransform.maximumSide) {
    self.pixelCount = pixelCount
    self.sideLength = sideLength
  }

  /// Whether both sides are short enough.
  func allowSides(_ width: Int, _ height: Int) -> Bool { max(width, height) <= sideLength }
}

/// Bounds on what a decoder will produce, so that a small hostile file cannot claim a large picture.
public struct DecodingLimits: Hashable, Sendable {
  /// The most pixels (width times height) a file may claim.
  public var pixelCount: Int

  /// Limits with the given number of pixels; 100 million unless told.
  public init(pixelCount: Int = 100_000_000) {
    self.pixelCount = pixelCount
  }
}

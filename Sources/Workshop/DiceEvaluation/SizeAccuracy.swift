/// How well dice of a size are read: size is the longer side of a die's box, as a share of the photo's
/// longer side or in pixels.
public struct SizeAccuracy: Hashable, Sendable {
  /// The dice of a range of sizes.
  public struct Bin: Hashable, Sendable {
    /// The least size in it.
    public var lowerBound: Double
    /// The least size that is in the next one.
    public var upperBound: Double
    /// How many dice were read right.
    public var rightCount = 0
    /// How many were read as another value.
    public var confusedCount = 0
    /// How many have no reading.
    public var missedCount = 0

    /// How many dice there are.
    public var dieCount: Int { rightCount + confusedCount + missedCount }
    /// The share of dice read right.
    public var right: Proportion { Proportion(rightCount, of: dieCount) }
  }

  /// Where bins meet; the first begins at 0, the last has no end.
  public static let bounds = [0.01, 0.015, 0.02, 0.03, 0.04, 0.06, 0.08, 0.12, 0.16, 0.24]

  /// The bins from small to large.
  public private(set) var bins: [Bin]

  /// Measures the dice of the photos whose size is known; the others are passed over.
  ///
  /// - Parameters:
  ///   - images: the photos.
  ///   - confidenceThreshold: the lowest confidence that is shown.
  public init(measuring images: [EvaluatedImage], confidenceThreshold: Double) {
    self.init(
      images, confidenceThreshold, bounds: Self.bounds,
      unit: { image in
        guard let width = image.width, let height = image.height, width > 0, height > 0 else {
          return nil
        }
        return Double(max(width, height))
      })
  }

  /// Measures the dice of the photos by their sizes in pixels.
  ///
  /// - Parameters:
  ///   - images: the photos.
  ///   - confidenceThreshold: the lowest confidence that is shown.
  ///   - bounds: where bins meet, in pixels, ascending.
  public init(
    measuring images: [EvaluatedImage], confidenceThreshold: Double, pixelBounds bounds: [Double]
  ) {
    self.init(images, confidenceThreshold, bounds: bounds, unit: { _ in 1 })
  }

  /// - Parameter unit: how many pixels of a photo are a size of 1; nil passes it over.
  private init(
    _ images: [EvaluatedImage], _ confidenceThreshold: Double, bounds: [Double],
    unit: (EvaluatedImage) -> Double?
  ) {
    let bounds = [0] + bounds + [.infinity]
    bins = zip(bounds, bounds.dropFirst()).map { Bin(lowerBound: $0, upperBound: $1) }
    for image in images {
      guard let unit = unit(image) else { continue }
      for outcome in image.outcomes(confidenceThreshold: confidenceThreshold) {
        guard let box = outcome.truth?.boundingBox else { continue }
        let size = max(box.width, box.height) / unit
        guard let index = bins.firstIndex(where: { size >= $0.lowerBound && size < $0.upperBound })
        else { continue }
        switch outcome.kind {
        case .right: bins[index].rightCount += 1
        case .confused: bins[index].confusedCount += 1
        case .missed: bins[index].missedCount += 1
        case .falsePositive: break
        }
      }
    }
  }
}

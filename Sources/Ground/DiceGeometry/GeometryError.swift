/// Why an ``ImageTransform`` cannot be made.
public enum GeometryError: Error, Hashable, Sendable {
  /// A side of the stored picture is not in `1...ImageTransform.maximumSide`.
  case storedSizeOutOfRange(width: Int, height: Int)
  /// A side of the network's input is not in `1...ImageTransform.maximumSide`.
  case inputSizeOutOfRange(width: Int, height: Int)
  /// The region of interest holds a NaN or an infinity.
  case regionOfInterestNotFinite(NormalizedRect)
  /// A side of the region of interest is below `ImageTransform.minimumRegionSide`.
  case regionOfInterestEmpty(NormalizedRect)
  /// The region of interest reaches outside the picture, 0…1 on both axes.
  case regionOfInterestOutsideImage(NormalizedRect)
}

extension GeometryError: CustomStringConvertible {
  /// One sentence that says what was found and what was required.
  public var description: String {
    switch self {
    case .storedSizeOutOfRange(let width, let height):
      "The picture is \(width) by \(height) pixels; each side must be from 1 to "
        + "\(ImageTransform.maximumSide)."
    case .inputSizeOutOfRange(let width, let height):
      "The network's input is \(width) by \(height) pixels; each side must be from 1 to "
        + "\(ImageTransform.maximumSide)."
    case .regionOfInterestNotFinite(let region):
      "The region of interest \(Self.text(region)) holds a number that is not finite."
    case .regionOfInterestEmpty(let region):
      "The region of interest \(Self.text(region)) is empty; each side must be at least "
        + "\(ImageTransform.minimumRegionSide)."
    case .regionOfInterestOutsideImage(let region):
      "The region of interest \(Self.text(region)) reaches outside the picture, which is 0 to 1 on "
        + "both axes."
    }
  }

  private static func text(_ region: NormalizedRect) -> String {
    "(x \(region.x), y \(region.y), width \(region.width), height \(region.height))"
  }
}

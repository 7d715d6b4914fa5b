/// Where the origin of a picture's coordinates lies, and so which way y grows.
public enum CoordinateOrigin: UInt8, CaseIterable, Hashable, Sendable {
  /// Bottom-left corner, y upwards: Vision's convention for normalized coordinates.
  case lowerLeft = 0
  /// Top-left corner, y downwards: the convention of pixels, and of ``BoundingBox``.
  case upperLeft = 1
}

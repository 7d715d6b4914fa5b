/// How a phone or tablet is held.
///
/// Raw values are those of `UIDeviceOrientation`.
public enum DeviceOrientation: Int, CaseIterable, Hashable, Sendable {
  /// Not known.
  case unknown = 0
  /// Upright.
  case portrait = 1
  /// Upright, head down.
  case portraitUpsideDown = 2
  /// On its side, with its top to the left.
  case landscapeLeft = 3
  /// On its side, with its top to the right.
  case landscapeRight = 4
  /// Lying on its back.
  case faceUp = 5
  /// Lying on its screen.
  case faceDown = 6

  /// How the back camera's frames must be turned to stand upright.
  ///
  /// Portrait is `.right`, upside down `.left`, landscape left `.up` and landscape right `.down`. A
  /// device that lies flat, or whose orientation is unknown, does not say; the previous one is kept.
  ///
  /// - Parameter previous: The orientation of the frames so far.
  public func imageOrientation(previous: ImageOrientation = .right) -> ImageOrientation {
    switch self {
    case .portrait: .right
    case .portraitUpsideDown: .left
    case .landscapeLeft: .up
    case .landscapeRight: .down
    case .faceUp, .faceDown, .unknown: previous
    }
  }
}

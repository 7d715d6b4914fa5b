/// Tells from frame to frame how the camera moved, and whether the picture changed at all.
///
/// Each frame is reduced to a small plane of luminance, upright, 128 by 64 samples or 64 by 128; the
/// planes are registered by phase correlation (``ImageRegistration``).
public struct FrameMotion: Sendable {
  /// A sample of the reduced plane that differs by more than this, of 255, is a change.
  ///
  /// A sample is the mean over hundreds of pixels of a camera's frame, so its noise is far below.
  static let changeThreshold: Int16 = 3
  private static let longSide = 128
  private static let shortSide = 64

  private var registration: ImageRegistration?
  private var sampler = InputSampler()
  private var samples: [UInt8] = []
  private var plane: [UInt8] = []
  private var remembered: [UInt8] = []

  /// A comparison that has seen no frame.
  public init() {}

  /// Takes in a frame.
  ///
  /// - Parameters:
  ///   - frame: The frame.
  ///   - orientation: How the stored rows must be turned to stand upright; nil takes the frame's.
  /// - Returns: How far the upright picture moved since the last frame, in its pixels; ``CameraMotion/zero``
  ///   for the first frame, after a change of size, and for pictures too small to tell.
  public mutating func update(
    _ frame: borrowing RawFrame, orientation: ImageOrientation? = nil
  ) -> CameraMotion {
    let orientation = orientation ?? frame.orientation
    let size = orientation.uprightSize(storedWidth: frame.width, storedHeight: frame.height)
    let isTall = size.height > size.width
    let columns = isTall ? Self.shortSide : Self.longSide
    let rows = isTall ? Self.longSide : Self.shortSide
    guard
      let transform = try? ImageTransform(
        storedWidth: frame.width, storedHeight: frame.height, orientation: orientation,
        cropAndScale: .scaleFill, inputWidth: columns, inputHeight: rows)
    else { return .zero }
    let count = columns * rows
    if registration?.width != columns {
      registration = try? ImageRegistration(width: columns, height: rows)
      remembered.removeAll(keepingCapacity: true)
    }
    if samples.count != 3 * count {
      samples = [UInt8](repeating: 0, count: 3 * count)
      plane = [UInt8](repeating: 0, count: count)
    }
    sampler.sample(
      frame, through: transform, into: &samples, layout: .interleaved(width: columns))
    for index in 0..<count {
      // Rec. 601 luma in 8-bit fixed point.
      let sum =
        77 * Int(samples[3 * index]) + 150 * Int(samples[3 * index + 1])
        + 29 * Int(samples[3 * index + 2])
      plane[index] = UInt8(sum >> 8)
    }
    let motion = try? registration?.update(
      luminance: plane, pixelsPerColumn: Double(size.width) / Double(columns),
      pixelsPerRow: Double(size.height) / Double(rows))
    return motion ?? .zero
  }

  /// Whether the last frame differs from the remembered one; true where none is remembered.
  public var hasChanged: Bool {
    guard remembered.count == plane.count, !plane.isEmpty else { return true }
    for index in plane.indices
    where abs(Int16(plane[index]) - Int16(remembered[index])) > Self.changeThreshold {
      return true
    }
    return false
  }

  /// Remembers the last frame for ``hasChanged``.
  public mutating func remember() {
    remembered.removeAll(keepingCapacity: true)
    remembered.append(contentsOf: plane)
  }

  /// Forgets all frames.
  public mutating func reset() {
    registration?.reset()
    remembered.removeAll(keepingCapacity: true)
  }
}

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
  /// The reduced plane, rows as stored.
  private var stored: [UInt8] = []
  /// The reduced plane, upright.
  private var plane: [UInt8] = []
  private var remembered: [UInt8] = []

  /// A comparison that has seen no frame.
  public init() {}

  /// Takes in a frame.
  ///
  /// - Parameters:
  ///   - frame: The frame.
  ///   - orientation: How the stored rows must be turned to stand upright; nil takes the frame's.
  /// - Returns: How far the upright picture moved since the last frame, in its pixels;
  ///   `CameraMotion.zero` for the first frame, after a change of size, and for pictures smaller
  ///   than the reduced plane.
  public mutating func update(
    _ frame: borrowing RawFrame, orientation: ImageOrientation? = nil
  ) -> CameraMotion {
    let orientation = orientation ?? frame.orientation
    let size = orientation.uprightSize(storedWidth: frame.width, storedHeight: frame.height)
    let isTall = size.height > size.width
    let columns = isTall ? Self.shortSide : Self.longSide
    let rows = isTall ? Self.longSide : Self.shortSide
    guard size.width >= columns, size.height >= rows else {
      reset()
      plane.removeAll()
      return .zero
    }
    if registration?.width != columns {
      registration = try? ImageRegistration(width: columns, height: rows)
      remembered.removeAll(keepingCapacity: true)
    }
    if plane.isEmpty {
      stored = [UInt8](repeating: 0, count: columns * rows)
      plane = stored
    }
    let storedColumns = orientation.swapsAxes ? rows : columns
    frame.reduceLuminance(
      into: &stored, columns: storedColumns, rows: columns * rows / storedColumns)
    turn(storedColumns: storedColumns, columns: columns, rows: rows, orientation)
    let motion = try? registration?.update(
      luminance: plane, pixelsPerColumn: Double(size.width) / Double(columns),
      pixelsPerRow: Double(size.height) / Double(rows))
    return motion ?? .zero
  }

  /// Turns the stored plane upright.
  private mutating func turn(
    storedColumns: Int, columns: Int, rows: Int, _ orientation: ImageOrientation
  ) {
    let storedRows = columns * rows / storedColumns
    let map = orientation.uprightToStored(
      storedWidth: Double(storedColumns), storedHeight: Double(storedRows))
    for row in 0..<rows {
      // Centres lie at halves, so that rounding down gives the sample.
      let start = map.map(PixelPoint(x: 0.5, y: Double(row) + 0.5))
      let next = map.map(PixelPoint(x: 1.5, y: Double(row) + 0.5))
      let first = Int(start.y) * storedColumns + Int(start.x)
      let step = Int(next.y) * storedColumns + Int(next.x) - first
      for column in 0..<columns { plane[row * columns + column] = stored[first + column * step] }
    }
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

/// Tells from frame to frame how the camera moved, and whether the picture changed at all.
///
/// Each frame is reduced to a small plane of luminance, upright, 128 by 64 samples or 64 by 128; the
/// planes are registered by phase correlation (``ImageRegistration``).
package struct FrameMotion: Sendable {
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
  package init() {}

  /// Takes in a frame.
  ///
  /// - Parameters:
  ///   - frame: The frame.
  ///   - orientation: How the stored rows must be turned to stand upright; nil takes the frame's.
  /// - Returns: How far the upright picture moved since the last frame, in its pixels;
  ///   `CameraMotion.zero` for the first frame, after a change of size, and for pictures smaller
  ///   than the reduced plane.
  package mutating func update(
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
  package var hasChanged: Bool {
    guard remembered.count == plane.count, !plane.isEmpty else { return true }
    for index in plane.indices
    where abs(Int16(plane[index]) - Int16(remembered[index])) > Self.changeThreshold {
      return true
    }
    return false
  }

  /// Whether the picture behind some things moved as told since the remembered frame.
  ///
  /// On a plain table dice are most of what the registration sees, and one that rolls looks like a
  /// camera that moves. What is left without them decides: it must fit the remembered frame clearly
  /// better where the motion is made up for than where it is not.
  ///
  /// - Parameters:
  ///   - motion: In pixels of the upright picture, from the remembered frame to the last one.
  ///   - boxes: What is left out, where it was and where it is, in pixels of the upright picture.
  ///   - width: The columns of the upright picture.
  ///   - height: Its rows.
  /// - Returns: false where nothing is remembered.
  package func background(
    without boxes: [BoundingBox], movedBy motion: CameraMotion, width: Int, height: Int
  ) -> Bool {
    guard remembered.count == plane.count, !plane.isEmpty, width > 0, height > 0 else {
      return false
    }
    let columns = height > width ? Self.shortSide : Self.longSide
    let rows = plane.count / columns
    let (scaleX, scaleY) = (Double(columns) / Double(width), Double(rows) / Double(height))
    var isCovered = [Bool](repeating: false, count: plane.count)
    for box in boxes where box.isProper {
      // A die's shadow and blur reach a little farther than its top face.
      let reach = 0.5 * max(box.width, box.height)
      let (left, right) = ((box.minX - reach) * scaleX, (box.maxX + reach) * scaleX)
      let (top, bottom) = ((box.minY - reach) * scaleY, (box.maxY + reach) * scaleY)
      guard right > 0, bottom > 0, left < Double(columns), top < Double(rows) else { continue }
      for row in Int(max(top, 0))..<Int(min(bottom, Double(rows - 1))) + 1 {
        for column in Int(max(left, 0))..<Int(min(right, Double(columns - 1))) + 1 {
          isCovered[row * columns + column] = true
        }
      }
    }
    let (shiftX, shiftY) = (motion.x * scaleX, motion.y * scaleY)
    guard shiftX.magnitude < Double(columns), shiftY.magnitude < Double(rows) else { return false }
    let (wholeX, wholeY) = (shiftX.rounded(.down), shiftY.rounded(.down))
    let (partX, partY) = (shiftX - wholeX, shiftY - wholeY)
    var still = 0.0
    var moved = 0.0
    for row in 0..<rows {
      // The sample came from between four of the remembered frame.
      let above = row - Int(wholeY) - 1
      guard above >= 0, above + 1 < rows else { continue }
      for column in 0..<columns {
        let before = column - Int(wholeX) - 1
        guard before >= 0, before + 1 < columns else { continue }
        let index = row * columns + column
        let place = above * columns + before
        guard
          !isCovered[index], !isCovered[place], !isCovered[place + 1],
          !isCovered[place + columns], !isCovered[place + columns + 1]
        else { continue }
        let upper =
          Double(remembered[place]) * partX + Double(remembered[place + 1]) * (1 - partX)
        let lower =
          Double(remembered[place + columns]) * partX
          + Double(remembered[place + columns + 1]) * (1 - partX)
        let expected = upper * partY + lower * (1 - partY)
        let value = Double(plane[index])
        moved += (value - expected) * (value - expected)
        let change = value - Double(remembered[index])
        still += change * change
      }
    }
    return moved < 0.7 * still
  }

  /// Remembers the last frame for ``hasChanged``.
  package mutating func remember() {
    remembered.removeAll(keepingCapacity: true)
    remembered.append(contentsOf: plane)
  }

  /// Forgets all frames.
  package mutating func reset() {
    registration?.reset()
    remembered.removeAll(keepingCapacity: true)
  }
}

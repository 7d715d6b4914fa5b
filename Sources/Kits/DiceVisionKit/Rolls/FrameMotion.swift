internal import DiceRegistration

/// Tells from frame to frame how the camera moved, and whether the picture changed at all.
///
/// Each frame is reduced to a small plane of luminance and one of colours, upright, 128 by 64 samples or 64 by 128.
/// Luminance is registered by phase correlation (``ImageRegistration``).
package struct FrameMotion: Sendable {
  /// A sample of the reduced plane that differs by more than this, of 255, is a change.
  ///
  /// A sample is the mean over hundreds of pixels of a camera's frame, so its noise is far below.
  static let changeThreshold: Int16 = 3
  private static let longSide = 128
  private static let shortSide = 64
  /// How long before a die was first seen the table must have been bare at the earliest.
  static let earliestBare = Duration.milliseconds(300)

  private var registration: ImageRegistration?
  /// A reduced plane, rows as stored.
  private var stored: [UInt8] = []
  /// The reduced frame.
  private var reduced = ReducedFrame(luminance: [])
  /// The luminance of an earlier frame.
  private var remembered: [UInt8] = []
  private var history = FrameHistory()

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
      reduced = ReducedFrame(luminance: [])
      return .zero
    }
    if registration?.width != columns {
      registration = try? ImageRegistration(width: columns, height: rows)
      remembered.removeAll(keepingCapacity: true)
      history.reset()
    }
    if reduced.luminance.isEmpty {
      stored = [UInt8](repeating: 0, count: columns * rows)
      reduced = ReducedFrame(luminance: stored)
    }
    let storedColumns = orientation.swapsAxes ? rows : columns
    let storedRows = columns * rows / storedColumns
    frame.reduceLuminance(into: &stored, columns: storedColumns, rows: storedRows)
    Self.turn(stored, into: &reduced.luminance, columns: columns, rows: rows, orientation)
    frame.reduceColors(into: &stored, columns: storedColumns, rows: storedRows)
    Self.turn(stored, into: &reduced.colors, columns: columns, rows: rows, orientation)
    let motion = try? registration?.update(
      luminance: reduced.luminance, pixelsPerColumn: Double(size.width) / Double(columns),
      pixelsPerRow: Double(size.height) / Double(rows))
    return motion ?? .zero
  }

  /// Turns a plane with rows as stored upright.
  private static func turn(
    _ stored: [UInt8], into plane: inout [UInt8], columns: Int, rows: Int,
    _ orientation: ImageOrientation
  ) {
    let storedColumns = orientation.swapsAxes ? rows : columns
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
    let plane = reduced.luminance
    guard remembered.count == plane.count, !plane.isEmpty else { return true }
    for index in plane.indices
    where abs(Int16(plane[index]) - Int16(remembered[index])) > Self.changeThreshold {
      return true
    }
    return false
  }

  /// What the picture behind some things says of a motion since the remembered frame.
  ///
  /// Whatever flies or rolls over the table looks to the registration like a camera that moves, most of
  /// all on a plain one. The parts of the picture decide, each for itself (``Background/votes``).
  ///
  /// - Parameters:
  ///   - motion: In pixels of the upright picture, from the remembered frame to the last one.
  ///   - boxes: What is left out, where it was and where it is, in pixels of the upright picture.
  ///   - width: The columns of the upright picture.
  ///   - height: Its rows.
  /// - Returns: No votes where nothing is remembered.
  package func background(
    without boxes: [BoundingBox], movedBy motion: CameraMotion, width: Int, height: Int
  ) -> Background.Votes {
    let plane = reduced.luminance
    guard remembered.count == plane.count, !plane.isEmpty, width > 0, height > 0 else {
      return Background.Votes()
    }
    return comparison(width: width, height: height).votes(
      plane: plane, earlier: remembered, without: boxes, movedBy: motion)
  }

  /// Whether a die came faster than a hand can lay it down: 0.14 s to 0.3 s before it was first seen, the
  /// picture was as it is now but for the dice.
  ///
  /// So neither then nor now is there a hand, and what lies under the box was bare: three samples of ten
  /// have changed there. Of the die with its surroundings four fifths lie in the picture, and no more than half of the
  /// surroundings has changed, since a shadow falls to one side and a hand covers most of them. Elsewhere no more has
  /// changed than three squares over the box's longer side
  /// cover, as much as the shadow of the die and another one in flight do; a hand is larger.
  ///
  /// - Parameters:
  ///   - box: The die now, in pixels of the upright picture.
  ///   - boxes: All dice that came or moved since, this one among them. Those that lay there all the time must look
  ///     as they did.
  ///   - time: When it was first seen.
  ///   - width: The columns of the upright picture.
  ///   - height: Its rows.
  /// - Returns: false where no frame of that time is kept, or less than half of the picture can be compared.
  package func showsArrival(
    of box: BoundingBox, among boxes: [BoundingBox], firstSeenAt time: Duration, width: Int,
    height: Int
  ) -> Bool {
    let surroundings = box.scaledAboutCenter(by: 2)
    let picture = BoundingBox(x: 0, y: 0, width: Double(width), height: Double(height))
    guard width > 0, height > 0, !reduced.luminance.isEmpty,
      surroundings.intersection(with: picture)?.area ?? 0 >= 0.8 * surroundings.area,
      let bare = history.frame(in: time - Self.earliestBare...time - .milliseconds(140))
    else { return false }
    let comparison = comparison(width: width, height: height)
    let side = max(box.width, box.height)
    func isArrival(_ motion: CameraMotion) -> Bool {
      let change = comparison.change(
        reduced, since: bare, at: box, among: boxes, movedBy: motion)
      return change.share ?? 0 >= 0.3 && change.surroundingShare <= 0.5
        && change.comparedShare >= 0.5 && change.area <= 3 * side * side
    }
    if isArrival(.fixed) { return true }
    // The camera may have moved since, by less than the die's size. A motion that explains the picture is one,
    // however it was found; but a farther one may carry a hand out of it.
    guard let motion = registered(bare.luminance, to: reduced.luminance, comparison),
      motion.distance <= side
    else {
      return false
    }
    return isArrival(motion)
  }

  /// How the picture moved from one plane to another; nil where nothing tells.
  private func registered(
    _ earlier: [UInt8], to later: [UInt8], _ comparison: Background
  ) -> CameraMotion? {
    guard earlier.count == later.count,
      var registration = try? ImageRegistration(width: columns, height: later.count / columns)
    else { return nil }
    func update(_ plane: [UInt8]) -> CameraMotion? {
      try? registration.update(
        luminance: plane, pixelsPerColumn: comparison.pixelsPerColumn,
        pixelsPerRow: comparison.pixelsPerRow)
    }
    _ = update(earlier)
    return update(later).flatMap { (motion) in motion.confidence > 0 ? motion : nil }
  }

  private var columns: Int { registration?.width ?? Self.longSide }

  private func comparison(width: Int, height: Int) -> Background {
    Background(
      columns: columns, rows: reduced.luminance.count / columns,
      pixelsPerColumn: Double(width) / Double(columns),
      pixelsPerRow: Double(height * columns) / Double(reduced.luminance.count))
  }

  /// Keeps the last frame for ``showsArrival(of:among:firstSeenAt:width:height:)``.
  package mutating func keep(at time: Duration) {
    guard !reduced.luminance.isEmpty else { return }
    history.add(reduced, at: time)
  }

  /// Remembers the last frame for ``hasChanged``.
  package mutating func remember() {
    remembered.removeAll(keepingCapacity: true)
    remembered.append(contentsOf: reduced.luminance)
  }

  /// Forgets all frames.
  package mutating func reset() {
    registration?.reset()
    remembered.removeAll(keepingCapacity: true)
    history.reset()
  }
}

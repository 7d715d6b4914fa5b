package import DiceGeometry

/// What two luminance planes of one camera show of the table behind the dice.
///
/// Planes are reduced frames, upright, row by row; boxes and motions are in pixels of the upright
/// picture. `earlier` and `plane` are as large as one another.
package struct Background: Sendable {
  /// How many parts of the picture speak for a motion of the camera, and how many against it.
  package struct Votes: Hashable, Sendable {
    /// Parts that fit the earlier plane clearly better where the motion is made up for.
    package var moved = 0
    /// Parts that fit it clearly better where it is not.
    package var still = 0
    /// Parts that fit it better, by however little, where the motion is made up for.
    package var leaningMoved = 0
    /// Parts that fit it better, by however little, where it is not.
    package var leaningStill = 0

    /// No votes.
    package init() {}

    /// Whether the picture moved: more than twice as many parts say so as deny it, and enough of them; or
    /// so many of a quarter of the picture or more lean to it as chance makes of noise once in 700 times.
    ///
    /// What moves over the table can speak for itself where it was and where it is; a camera moves
    /// everything. On a plain table the parts that lean are all there is: each of them says little, and
    /// where only noise is seen they lean either way alike.
    package var isMotion: Bool {
      if moved >= 8, moved > 2 * still { return true }
      let count = leaningMoved + leaningStill
      let surplus = leaningMoved - leaningStill
      return count >= 32 && surplus > 0 && surplus * surplus >= 9 * count
    }

    /// Whether more than twice as many parts clearly say that the picture moved as deny it, and an eighth of all: noise
    /// does not, however many motions are tried.
    package var isClearMotion: Bool { moved >= 16 && moved > 2 * still }

    /// Whether enough parts deny a motion, and more than say so: where a camera moves nearly all parts do, but for
    /// a hand, which moves over the table.
    package var isRest: Bool { still >= 8 && still > moved }
  }

  /// What has changed under a box, around it, and apart from all boxes.
  package struct Change: Hashable, Sendable {
    /// The share of the box that changed, 0...1; nil where the earlier plane does not show it as a whole.
    package var share: Double?
    /// The share of its surroundings that changed, 0...1, other boxes left out.
    package var surroundingShare = 0.0
    /// The area that changed outside all boxes and their surroundings, in square pixels.
    package var area = 0.0
    /// How much of the picture was compared outside the boxes, 0...1.
    package var comparedShare = 0.0
  }

  /// A part of the picture is so many samples wide and high.
  static let partSide = 8
  /// Sums of squares are as good as equal within this.
  private static let roundingError = 1e-9
  /// How far the surroundings of a box reach, in its longer sides: a die's shadow and blur lie farther out than its
  /// top face.
  private static let surroundingReach = 0.5

  private let columns: Int
  private let rows: Int
  package let pixelsPerColumn: Double
  package let pixelsPerRow: Double

  /// A comparison of planes.
  ///
  /// - Precondition: All are positive.
  package init(columns: Int, rows: Int, pixelsPerColumn: Double, pixelsPerRow: Double) {
    precondition(columns > 0 && rows > 0 && pixelsPerColumn > 0 && pixelsPerRow > 0)
    self.columns = columns
    self.rows = rows
    self.pixelsPerColumn = pixelsPerColumn
    self.pixelsPerRow = pixelsPerRow
  }

  /// Lets each part of the picture behind some things say whether the camera moved as told.
  ///
  /// On a plain table dice are most of what a registration sees, and one that rolls looks like a camera
  /// that moves.
  ///
  /// A sample where the motion is made up for lies between four of the earlier plane, and their mean is
  /// smoother than each: noise then fits it better than its own place, and fine texture worse. So the
  /// sample at rest is compared with a mean of the earlier plane, too, that noise is the same in:
  ///
  ///     s(c) = w e(c − 1) + (1 − 2w) e(c) + w e(c + 1),    w = (1 − √(1 − 3p (1 − p))) / 3
  ///
  /// along columns and rows, with `p` the part of a sample by which the picture is displaced. The squares
  /// of the weights add up to those of `p` and `1 − p`.
  ///
  /// - Parameters:
  ///   - plane: The samples now.
  ///   - earlier: The samples then.
  ///   - boxes: What is left out, where it was and where it is.
  ///   - motion: From the earlier plane to this one.
  /// - Returns: No votes where the planes are not as large as told, or nothing is left to compare.
  /// - Complexity: O(samples).
  package func votes(
    plane: [UInt8], earlier: [UInt8], without boxes: [BoundingBox], movedBy motion: CameraMotion
  ) -> Votes {
    var votes = Votes()
    guard plane.count == columns * rows, earlier.count == plane.count,
      let shift = Shift(motion, pixelsPerColumn, pixelsPerRow, columns, rows)
    else { return votes }
    let isCovered = cover(boxes, reach: Self.surroundingReach)
    let (sideX, sideY) = (Self.sideWeight(shift.partX), Self.sideWeight(shift.partY))
    func smoothed(_ index: Int) -> Double {
      Double(earlier[index]) * (1 - 2 * sideX)
        + (Double(earlier[index - 1]) + Double(earlier[index + 1])) * sideX
    }
    for partRow in stride(from: 0, to: rows, by: Self.partSide) {
      for partColumn in stride(from: 0, to: columns, by: Self.partSide) {
        var still = 0.0
        var moved = 0.0
        var count = 0.0
        for row in partRow..<min(partRow + Self.partSide, rows) {
          // The sample came from between four of the earlier plane.
          let above = row - shift.wholeY - 1
          guard above >= 0, above + 1 < rows, row > 0, row + 1 < rows else { continue }
          for column in partColumn..<min(partColumn + Self.partSide, columns) {
            let before = column - shift.wholeX - 1
            guard before >= 0, before + 1 < columns, column > 0, column + 1 < columns else {
              continue
            }
            let index = row * columns + column
            let place = above * columns + before
            guard
              !isCovered[index], !isCovered[place], !isCovered[place + 1],
              !isCovered[place + columns], !isCovered[place + columns + 1]
            else { continue }
            let upper =
              Double(earlier[place]) * shift.partX + Double(earlier[place + 1]) * (1 - shift.partX)
            let lower =
              Double(earlier[place + columns]) * shift.partX
              + Double(earlier[place + columns + 1]) * (1 - shift.partX)
            let value = Double(plane[index])
            let difference = value - (upper * shift.partY + lower * (1 - shift.partY))
            let rest =
              smoothed(index) * (1 - 2 * sideY)
              + (smoothed(index - columns) + smoothed(index + columns)) * sideY
            let change = value - rest
            moved += difference * difference
            still += change * change
            count += 1
          }
        }
        // A part that is mostly covered has no say; one that differs by no more than rounding of samples leans. One
        // of a single level, as where light burns out, fits both ways but for rounding of the sums.
        guard count >= 16 else { continue }
        if moved < still - Self.roundingError {
          votes.leaningMoved += 1
        } else if still < moved - Self.roundingError {
          votes.leaningStill += 1
        }
        guard max(still, moved) > 0.4 * count else { continue }
        if moved < 0.7 * still { votes.moved += 1 } else if still < 0.7 * moved { votes.still += 1 }
      }
    }
    return votes
  }

  /// The weight of each neighbour in a mean of three in which noise is as strong as in one of two with the
  /// weights `part` and `1 − part`.
  private static func sideWeight(_ part: Double) -> Double {
    (1 - (1 - 3 * part * (1 - part)).squareRoot()) / 3
  }

  /// Tells what has changed since an earlier plane under a box, around it and elsewhere.
  ///
  /// A sample has changed where one of its planes is below or above all of the earlier one's samples around its place,
  /// by a twentieth of its level and by four to ten levels: an error of the motion by a fraction of a sample changes
  /// nothing, nor does an exposure that varies a little. A hand as bright as the table shows in the colours.
  ///
  /// - Parameters:
  ///   - frame: The samples now.
  ///   - earlier: The samples then.
  ///   - box: The die that is asked for, as it lies now.
  ///   - boxes: All that is there now and came or moved since, the die among it.
  ///   - motion: From the earlier plane to this one.
  /// - Complexity: O(samples).
  package func change(
    _ frame: ReducedFrame, since earlier: ReducedFrame, at box: BoundingBox,
    among boxes: [BoundingBox], movedBy motion: CameraMotion
  ) -> Change {
    var change = Change()
    guard frame.hasPlanes(of: columns * rows), earlier.hasPlanes(of: columns * rows),
      let shift = Shift(motion, pixelsPerColumn, pixelsPerRow, columns, rows),
      let inside = samples(of: box, reach: 0),
      let around = samples(of: box, reach: Self.surroundingReach)
    else { return change }
    let isDie = cover(boxes, reach: 0)
    let isCovered = cover(boxes, reach: Self.surroundingReach)
    var (insideCount, surroundingCount, surrounding, compared, count) = (0, 0, 0, 0, 0)
    for row in 0..<rows {
      let above = row - shift.wholeY - 1
      guard above >= 0, above + 1 < rows else { continue }
      for column in 0..<columns {
        let before = column - shift.wholeX - 1
        guard before >= 0, before + 1 < columns else { continue }
        let place = above * columns + before
        let index = row * columns + column
        let isChange =
          isOutside(frame.luminance[index], earlier.luminance, place)
          || isOutside(frame.colors[index], earlier.colors, place)
        if !isCovered[index] {
          compared += 1
          if isChange { count += 1 }
        } else if inside.contains(row, column) {
          if isChange { insideCount += 1 }
        } else if around.contains(row, column), !isDie[index] {
          surrounding += 1
          if isChange { surroundingCount += 1 }
        }
      }
    }
    change.area = Double(count) * pixelsPerColumn * pixelsPerRow
    change.comparedShare = Double(compared) / Double(columns * rows)
    if surrounding > 0 { change.surroundingShare = Double(surroundingCount) / Double(surrounding) }
    let isWhole =
      inside.rows.lowerBound > shift.wholeY && inside.rows.upperBound - shift.wholeY <= rows
      && inside.columns.lowerBound > shift.wholeX
      && inside.columns.upperBound - shift.wholeX <= columns
    if isWhole { change.share = Double(insideCount) / Double(inside.count) }
    return change
  }

  /// Whether a sample is clearly below or above the four of an earlier plane that begin at a place.
  @inline(__always)
  private func isOutside(_ sample: UInt8, _ earlier: [UInt8], _ place: Int) -> Bool {
    let (a, b) = (earlier[place], earlier[place + 1])
    let (c, d) = (earlier[place + columns], earlier[place + columns + 1])
    let value = Int(sample)
    let threshold = min(max(value / 20, 4), 10)
    return value > Int(max(max(a, b), max(c, d))) + threshold
      || value < Int(min(min(a, b), min(c, d))) - threshold
  }

  /// A motion in samples: whole ones, and the rest.
  private struct Shift {
    let wholeX: Int
    let wholeY: Int
    let partX: Double
    let partY: Double

    /// nil for a motion by more than the plane.
    init?(
      _ motion: CameraMotion, _ pixelsPerColumn: Double, _ pixelsPerRow: Double, _ columns: Int,
      _ rows: Int
    ) {
      let (x, y) = (motion.x / pixelsPerColumn, motion.y / pixelsPerRow)
      guard x.magnitude < Double(columns), y.magnitude < Double(rows) else { return nil }
      let (left, top) = (x.rounded(.down), y.rounded(.down))
      wholeX = Int(left)
      wholeY = Int(top)
      partX = x - left
      partY = y - top
    }
  }

  /// Neighbouring rows and columns.
  private struct Samples {
    let rows: Range<Int>
    let columns: Range<Int>

    var count: Int { rows.count * columns.count }

    func contains(_ row: Int, _ column: Int) -> Bool {
      rows.contains(row) && columns.contains(column)
    }
  }

  /// The samples that lie in a box, made larger by a share of its size; nil where there are none.
  @inline(never)
  private func samples(of box: BoundingBox, reach share: Double) -> Samples? {
    guard box.isProper else { return nil }
    let reach = share * max(box.width, box.height)
    let left = (box.minX - reach) / pixelsPerColumn
    let right = (box.maxX + reach) / pixelsPerColumn
    let top = (box.minY - reach) / pixelsPerRow
    let bottom = (box.maxY + reach) / pixelsPerRow
    guard right > 0, bottom > 0, left < Double(columns), top < Double(rows) else { return nil }
    return Samples(
      rows: Int(max(top, 0))..<Int(min(bottom, Double(rows - 1))) + 1,
      columns: Int(max(left, 0))..<Int(min(right, Double(columns - 1))) + 1)
  }

  /// Which samples lie in boxes or near them.
  @inline(never)
  private func cover(_ boxes: [BoundingBox], reach: Double) -> [Bool] {
    var result = [Bool](repeating: false, count: columns * rows)
    for box in boxes {
      guard let samples = samples(of: box, reach: reach) else { continue }
      for row in samples.rows {
        for column in samples.columns { result[row * columns + column] = true }
      }
    }
    return result
  }
}

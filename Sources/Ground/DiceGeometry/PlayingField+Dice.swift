internal import DiceNumerics

extension PlayingField {
  /// The focal length that is taken where none is told, as a share of the picture's longer side: that of
  /// a phone's main camera.
  public static let usualFocalLength = 0.85

  /// A square on the table that dice lie on, estimated from their boxes.
  ///
  /// A simple estimate. The ratio of the sides of a level top face's box is the sine of the angle at which
  /// the camera looks at it, and its size tells the distance in edges of a die (``DieStance``); the medians
  /// of all boxes count, at the mean place of the dice. The camera is taken to be held upright, with square
  /// pixels and its axis in the middle of the picture.
  ///
  /// - Parameters:
  ///   - topFaces: The boxes of the dice's top faces, in pixels of the upright picture; those without an
  ///     area do not count.
  ///   - center: Where the middle of the square is seen.
  ///   - side: The length of the square's sides in edges of a die.
  ///   - edgeLength: The length of a die's edge in centimetres.
  ///   - pictureWidth: Columns of the upright picture.
  ///   - pictureHeight: Its rows.
  ///   - focalLength: In pixels; nil takes ``usualFocalLength`` times the longer side.
  ///   - playerSide: Where the player sits.
  /// - Returns: nil without a box that counts, and where the square would reach the table's horizon or a
  ///   number is out of its range.
  public init?(
    aroundDice topFaces: [BoundingBox], center: PixelPoint, side: Double,
    edgeLength: Double = 1.6, pictureWidth: Int, pictureHeight: Int, focalLength: Double? = nil,
    playerSide: Side = .lower
  ) {
    var (ratios, edges): ([Double], [Double]) = ([], [])
    var sum = SIMD2<Double>.zero
    for box in topFaces {
      let stance = DieStance(topFace: box)
      guard stance.edge > 0, stance.edge.isFinite, stance.foot.isFinite else { continue }
      ratios.append(stance.foreshortening)
      edges.append(stance.edge)
      sum += SIMD2(stance.foot.x, stance.foot.y)
    }
    let focal = focalLength ?? Self.usualFocalLength * Double(max(pictureWidth, pictureHeight))
    guard !edges.isEmpty, focal > 0, focal.isFinite, side > 0, side.isFinite else { return nil }
    let place = sum / Double(edges.count)
    let ratio = min(Self.median(ratios), 0.998)
    let principal = SIMD2(Double(pictureWidth), Double(pictureHeight)) / 2
    let ray = (place - principal) / focal
    // How far the optical axis points down: the angle of the ray to the dice less that within the picture.
    let pitch =
      arctangent(y: ratio, x: (1 - ratio * ratio).squareRoot()) - arctangent(y: ray.y, x: 1)
    let (sine, cosine) = sineAndCosine(turns: pitch / (2 * .pi))
    let distance = focal / Self.median(edges)
    // The plane in edges of a die: its origin below the dice, x to the right and y towards the camera.
    let third = SIMD3(0, -cosine, distance)
    let map = Homography(
      first: SIMD3(focal, 0, focal * distance * ray.x) + principal.x * third,
      second: SIMD3(0, focal * sine, focal * distance * ray.y) + principal.y * third,
      third: third)
    guard let inverse = map.inverse, inverse.weight(at: SIMD2(center.x, center.y)) > 0 else {
      return nil
    }
    let middle = inverse.map(SIMD2(center.x, center.y))
    var corners = Quadrilateral(
      BoundingBox(midX: middle.x, midY: middle.y, width: side, height: side))
    for index in 0..<4 {
      guard map.weight(at: SIMD2(corners[index].x, corners[index].y)) > 0.05 * distance else {
        return nil
      }
    }
    corners = map.map(corners)
    let length = side * edgeLength
    do throws(PlayingFieldError) {
      try self.init(
        corners: corners, size: Size(width: length, height: length), playerSide: playerSide)
    } catch { return nil }
  }

  /// The middle number, or the mean of the middle two; not called for none.
  private static func median(_ numbers: [Double]) -> Double {
    var sorted = numbers
    sorted.heapSort(by: <)
    let middle = sorted.count / 2
    return sorted.count % 2 == 1 ? sorted[middle] : (sorted[middle - 1] + sorted[middle]) / 2
  }
}

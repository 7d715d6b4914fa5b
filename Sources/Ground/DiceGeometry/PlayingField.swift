/// Where one plays, as a camera sees it: the corners of a rectangle on the table, its real size where that
/// is known, and the side at which the player sits.
///
/// Shares of the field run from its first corner, 0, to 1: x along the side to the second corner, y along
/// the side to the fourth one. Centimetres run the same way; any unit will do if it is used throughout.
public struct PlayingField: Hashable, Sendable {
  /// A side of the field, by the corners in their order.
  public enum Side: UInt8, Hashable, Sendable, CaseIterable {
    /// From the third corner to the fourth: the lower side where corners go clockwise from the upper left.
    case lower
    /// From the fourth corner to the first.
    case left
    /// From the first corner to the second.
    case upper
    /// From the second corner to the third.
    case right
  }

  /// The real size of a field.
  public struct Size: Hashable, Sendable {
    /// The length of the side from the first corner to the second, in centimetres.
    public var width: Double
    /// The length of the side from the second corner to the third, in centimetres.
    public var height: Double

    /// A size in centimetres.
    public init(width: Double, height: Double) {
      self.width = width
      self.height = height
    }
  }

  /// The lengths that a side may have, in centimetres.
  public static let lengths = 0.01...1e6
  /// How far corners may lie from the picture's origin, in pixels.
  public static let reach = 1e7

  /// The corners in pixels of the upright picture, clockwise as one sees it; convex.
  public let corners: Quadrilateral
  /// The real size; nil where it is not known.
  public let size: Size?
  /// Where the player sits.
  public let playerSide: Side
  /// From shares of the field to pixels of the upright picture.
  package let homography: Homography
  /// From pixels of the upright picture to shares of the field.
  package let inverse: Homography

  /// A field with the given corners.
  ///
  /// - Parameters:
  ///   - corners: In pixels of the upright picture, clockwise as one sees it.
  ///   - size: The real size; nil where it is not known.
  ///   - playerSide: Where the player sits.
  /// - Throws: ``PlayingFieldError`` for the first rule that is broken.
  public init(
    corners: Quadrilateral, size: Size? = nil, playerSide: Side = .lower
  ) throws(PlayingFieldError) {
    for index in 0..<4 {
      let corner = corners[index]
      // A NaN is not within reach.
      guard corner.x.magnitude <= Self.reach, corner.y.magnitude <= Self.reach else {
        throw .cornerOutOfRange(index: index)
      }
    }
    if let size {
      guard Self.lengths.contains(size.width), Self.lengths.contains(size.height) else {
        throw .sizeOutOfRange(width: size.width, height: size.height)
      }
    }
    guard corners.isConvex else { throw .notConvex }
    guard corners.signedArea > 0 else { throw .notClockwise }
    guard let map = Homography(rectangleWidth: 1, height: 1, to: corners),
      let inverse = map.inverse, map.isFinite, inverse.isFinite
    else { throw .notConvex }
    self.corners = corners
    self.size = size
    self.playerSide = playerSide
    homography = map
    self.inverse = inverse
  }

  /// The field around four points of its border's corners, in any order, such as those a player taps.
  ///
  /// The first corner is the one nearest the picture's upper left.
  ///
  /// - Throws: ``PlayingFieldError``: `wrongCornerCount` unless there are four points, and the rules of
  ///   ``init(corners:size:playerSide:)``.
  public init(
    tapped points: [PixelPoint], size: Size? = nil, playerSide: Side = .lower
  ) throws(PlayingFieldError) {
    guard let corners = Quadrilateral(corners: points) else {
      throw .wrongCornerCount(points.count)
    }
    try self.init(
      corners: corners.clockwiseFromUpperLeft(), size: size, playerSide: playerSide)
  }

  /// The same field where the picture has moved, by pixels to the right and down.
  ///
  /// - Returns: nil where the field would be out of reach.
  public func moved(x: Double, y: Double) -> PlayingField? {
    func move(_ point: PixelPoint) -> PixelPoint { PixelPoint(x: point.x + x, y: point.y + y) }
    let moved = Quadrilateral(
      upperLeft: move(corners.upperLeft), upperRight: move(corners.upperRight),
      lowerRight: move(corners.lowerRight), lowerLeft: move(corners.lowerLeft))
    return try? PlayingField(corners: moved, size: size, playerSide: playerSide)
  }

  /// The same field with other corners.
  ///
  /// - Throws: ``PlayingFieldError``.
  public func replacing(corners: Quadrilateral) throws(PlayingFieldError) -> PlayingField {
    try PlayingField(corners: corners, size: size, playerSide: playerSide)
  }

  // MARK: - Places

  /// Where a pixel of the upright picture lies on the field's plane, in shares of the field.
  ///
  /// Below 0 or above 1 beside the field. Nil beyond the plane's horizon, and where a number is not finite.
  public func shares(of point: PixelPoint) -> SIMD2<Double>? {
    guard point.isFinite else { return nil }
    let center = corners.center
    let weight = inverse.weight(at: SIMD2(point.x, point.y))
    guard weight * inverse.weight(at: SIMD2(center.x, center.y)) > 0 else { return nil }
    let place = inverse.map(SIMD2(point.x, point.y))
    return place.x.magnitude <= 1e9 && place.y.magnitude <= 1e9 ? place : nil
  }

  /// Where a pixel of the upright picture lies on the field's plane, in centimetres.
  ///
  /// Nil without a size, beyond the plane's horizon, and where a number is not finite.
  public func position(of point: PixelPoint) -> SIMD2<Double>? {
    guard let size, let shares = shares(of: point) else { return nil }
    return shares * SIMD2(size.width, size.height)
  }

  /// Shares of the field as the player sees them: x from their left, 0, to their right, 1; y from their
  /// own side, 0, to the far one, 1.
  public func playerView(of shares: SIMD2<Double>) -> SIMD2<Double> {
    switch playerSide {
    case .lower: SIMD2(shares.x, 1 - shares.y)
    case .left: SIMD2(shares.y, shares.x)
    case .upper: SIMD2(1 - shares.x, shares.y)
    case .right: SIMD2(1 - shares.y, 1 - shares.x)
    }
  }

  /// How far a point lies inside, in pixels: its distance from the nearest of the four sides' lines,
  /// negative outside.
  ///
  /// Negative infinity where a number is not finite.
  public func depth(of point: PixelPoint) -> Double {
    guard point.isFinite else { return -.infinity }
    var least = Double.infinity
    for index in 0..<4 {
      let (from, to) = (corners[index], corners[(index + 1) & 3])
      let (dx, dy) = (to.x - from.x, to.y - from.y)
      let cross = dx * (point.y - from.y) - dy * (point.x - from.x)
      least = min(least, cross / (dx * dx + dy * dy).squareRoot())
    }
    return least
  }

  /// Whether a point lies inside or on the border.
  public func contains(_ point: PixelPoint) -> Bool { depth(of: point) >= 0 }
}

// MARK: - The board's place

extension PlayingField {
  /// The largest square in the middle of the field, with its corners in the order of the field's.
  ///
  /// A field without a size is taken to be a square itself.
  public var centralSquare: Quadrilateral {
    var half = SIMD2(0.5, 0.5)
    if let size {
      let least = min(size.width, size.height)
      half = SIMD2(least / size.width, least / size.height) / 2
    }
    func corner(_ x: Double, _ y: Double) -> PixelPoint {
      let place = homography.map(SIMD2(0.5 + x * half.x, 0.5 + y * half.y))
      return PixelPoint(x: place.x, y: place.y)
    }
    return Quadrilateral(
      upperLeft: corner(-1, -1), upperRight: corner(1, -1), lowerRight: corner(1, 1),
      lowerLeft: corner(-1, 1))
  }

  /// A square turned by quarters, so that the side at which the player sits is its lower one: its first
  /// corner is the far left one as the player sees it.
  public func facingPlayer(_ square: Quadrilateral) -> Quadrilateral {
    let first =
      switch playerSide {
      case .lower: 0
      case .left: 1
      case .upper: 2
      case .right: 3
      }
    return Quadrilateral(
      upperLeft: square[first], upperRight: square[(first + 1) & 3],
      lowerRight: square[(first + 2) & 3], lowerLeft: square[(first + 3) & 3])
  }
}

#if !hasFeature(Embedded)
  extension PlayingField.Side: Codable {}
  extension PlayingField.Size: Codable {}

  extension PlayingField: Codable {
    private enum CodingKeys: String, CodingKey {
      case corners, size, playerSide
    }

    /// Reads a field, and refuses one that breaks a rule.
    public init(from decoder: any Decoder) throws {
      let container = try decoder.container(keyedBy: CodingKeys.self)
      do {
        try self.init(
          corners: try container.decode(Quadrilateral.self, forKey: .corners),
          size: try container.decodeIfPresent(Size.self, forKey: .size),
          playerSide: try container.decode(Side.self, forKey: .playerSide))
      } catch let error as PlayingFieldError {
        throw DecodingError.dataCorrupted(
          DecodingError.Context(
            codingPath: container.codingPath, debugDescription: error.description))
      }
    }

    /// Writes the corners, the size where it is known, and the player's side.
    public func encode(to encoder: any Encoder) throws {
      var container = encoder.container(keyedBy: CodingKeys.self)
      try container.encode(corners, forKey: .corners)
      try container.encodeIfPresent(size, forKey: .size)
      try container.encode(playerSide, forKey: .playerSide)
    }
  }
#endif

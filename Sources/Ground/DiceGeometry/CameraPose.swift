internal import DiceNumerics

/// Where a pinhole camera stands before a plane such as a table or a board.
///
/// The plane's coordinates are in any unit, such as centimetres: x and y in the plane, and z at right
/// angles to both, `x × y`. Where x goes to the right and y downwards as the camera sees the plane, z
/// points away from the camera, into the table, and heights above the table are negative. The camera's
/// coordinates have their origin in the camera, x to the right, y downwards and z to the front.
///
///     camera = x · xAxis + y · yAxis + z · zAxis + translation
///     pixel  = focalLength · (camera.x, camera.y) / camera.z + principalPoint
public struct CameraPose: Hashable, Sendable {
  /// The plane's x axis in the camera's coordinates, of length 1.
  public private(set) var xAxis: SIMD3<Double>
  /// The plane's y axis in the camera's coordinates, of length 1 and at right angles to `xAxis`.
  public private(set) var yAxis: SIMD3<Double>
  /// The plane's origin in the camera's coordinates, in the plane's unit.
  public private(set) var translation: SIMD3<Double>
  /// The focal length in pixels.
  public let focalLength: Double
  /// Where the optical axis meets the picture.
  public let principalPoint: PixelPoint

  /// The plane's z axis in the camera's coordinates, `xAxis × yAxis`.
  public var zAxis: SIMD3<Double> { Homography.cross(xAxis, yAxis) }

  /// The pose that a homography from the plane to a picture shows.
  ///
  /// Of a homography that no camera with this focal length makes exactly, the axes are the nearest ones
  /// of length 1 at right angles. ``refined(with:)`` fits the pose to points.
  ///
  /// - Parameters:
  ///   - homography: From the plane to pixels of the picture.
  ///   - focalLength: The focal length in pixels, the same across and down.
  ///   - principalPoint: Where the optical axis meets the picture; mostly its middle.
  /// - Throws: ``HomographyError``: `focalLengthOutOfRange`, or `degenerate` where the homography has no
  ///   inverse, or the plane's origin would stand beside or behind the camera.
  public init(
    homography: Homography, focalLength: Double, principalPoint: PixelPoint
  ) throws(HomographyError) {
    guard focalLength > 0, focalLength.isFinite else { throw .focalLengthOutOfRange(focalLength) }
    guard homography.inverse != nil, principalPoint.isFinite else { throw .degenerate }
    self.focalLength = focalLength
    self.principalPoint = principalPoint
    func ray(_ column: Int) -> SIMD3<Double> {
      let w = homography.third[column]
      return SIMD3(
        (homography.first[column] - principalPoint.x * w) / focalLength,
        (homography.second[column] - principalPoint.y * w) / focalLength, w)
    }
    let (x, y, origin) = (ray(0), ray(1), ray(2))
    let lengths = Homography.length(x) * Homography.length(y)
    guard lengths > 0, lengths.isFinite, origin.z != 0 else { throw .degenerate }
    // The sign puts the plane's origin in front of the camera.
    let scale = (origin.z > 0 ? 1.0 : -1.0) / lengths.squareRoot()
    (xAxis, yAxis) = Self.rightAngled(x * scale, y * scale)
    translation = origin * scale
    guard isFinite else { throw .degenerate }
  }

  private init(_ other: CameraPose, turnedBy rotation: SIMD3<Double>, movedBy step: SIMD3<Double>) {
    self = other
    xAxis = Self.turned(other.xAxis, by: rotation)
    yAxis = Self.turned(other.yAxis, by: rotation)
    (xAxis, yAxis) = Self.rightAngled(xAxis, yAxis)
    translation = other.translation + step
  }

  /// Where a point of the plane's coordinates lies in the camera's.
  public func cameraPoint(_ point: SIMD3<Double>) -> SIMD3<Double> {
    xAxis * point.x + yAxis * point.y + zAxis * point.z + translation
  }

  /// Where a point of the plane's coordinates is seen; nil where it is not in front of the camera.
  public func project(_ point: SIMD3<Double>) -> PixelPoint? {
    let seen = cameraPoint(point)
    guard seen.z > 0 else { return nil }
    let result = PixelPoint(
      x: focalLength * seen.x / seen.z + principalPoint.x,
      y: focalLength * seen.y / seen.z + principalPoint.y)
    return result.isFinite ? result : nil
  }

  /// The camera's place in the plane's coordinates; above the table its z is negative, as described
  /// above.
  public var position: SIMD3<Double> {
    SIMD3(
      -(xAxis * translation).sum(), -(yAxis * translation).sum(), -(zAxis * translation).sum())
  }

  /// How far the camera is from the plane, in the plane's unit.
  public var height: Double { (zAxis * translation).sum().magnitude }

  /// The angle between the optical axis and the plane's normal, in degrees, 0...90: 0 straight from
  /// above.
  public var tilt: Double {
    let along = min(zAxis.z.magnitude, 1)
    return arctangent(y: (1 - along * along).squareRoot(), x: along) * 180 / .pi
  }

  /// The map from the plane to the picture that this pose makes.
  public var homography: Homography {
    func row(_ index: Int, _ principal: Double) -> SIMD3<Double> {
      let columns = SIMD3(xAxis[index], yAxis[index], translation[index])
      return columns * focalLength + SIMD3(xAxis.z, yAxis.z, translation.z) * principal
    }
    return Homography(
      first: row(0, principalPoint.x), second: row(1, principalPoint.y),
      third: SIMD3(xAxis.z, yAxis.z, translation.z))
  }

  /// Whether all numbers are finite.
  public var isFinite: Bool {
    let sum = xAxis + yAxis + translation
    return (sum.x + sum.y + sum.z).isFinite
  }

  /// The pose with the least weighted sum of squared distances in the picture, near this one.
  ///
  /// Levenberg's and Marquardt's method over three angles and three lengths.
  ///
  /// - Parameter correspondences: Points of the plane, and where they are seen in pixels; at least
  ///   three. Those that are not usable (not finite, no positive weight) do not count.
  /// - Returns: this pose where no better one was found.
  public func refined(with correspondences: [PointCorrespondence]) -> CameraPose {
    var best = self
    var least = best.sumOfSquares(correspondences)
    var damping = 1e-3
    for _ in 0..<30 {
      guard least.isFinite else { return self }
      var equations = NormalEquations(unknownCount: 6)
      for correspondence in correspondences where correspondence.isUsable {
        best.add(correspondence, to: &equations)
      }
      var isBetter = false
      while !isBetter, damping < 1e6 {
        guard let step = equations.solution(damping: damping) else { return best }
        let next = CameraPose(
          best, turnedBy: SIMD3(step[0], step[1], step[2]),
          movedBy: SIMD3(step[3], step[4], step[5]))
        let sum = next.sumOfSquares(correspondences)
        if sum < least {
          isBetter = true
          let isDone = least - sum <= 1e-14 * least
          (best, least) = (next, sum)
          damping = max(damping / 10, 1e-12)
          if isDone { return best }
        } else {
          damping *= 10
        }
      }
      if !isBetter { break }
    }
    return best
  }

  /// The focal length that makes a homography that of a camera, in pixels.
  ///
  /// Of its two equations (the plane's axes are at right angles, and of one length) the mean counts,
  /// with weights by which they depend on the focal length.
  ///
  /// - Returns: nil where the homography does not say, as from straight above, or holds a number that is
  ///   not finite.
  ///
  /// Source: Z. Zhang, A Flexible New Technique for Camera Calibration, 2000, section 3.1, with a known
  /// principal point and square pixels.
  public static func focalLength(
    of homography: Homography, principalPoint: PixelPoint
  ) -> Double? {
    func column(_ index: Int) -> SIMD3<Double> {
      let w = homography.third[index]
      return SIMD3(
        homography.first[index] - principalPoint.x * w,
        homography.second[index] - principalPoint.y * w, w)
    }
    let (x, y) = (column(0), column(1))
    // With u = 1 / f²: u a + b = 0 for each equation.
    let a = SIMD2(x.x * y.x + x.y * y.y, x.x * x.x + x.y * x.y - y.x * y.x - y.y * y.y)
    let b = SIMD2(x.z * y.z, x.z * x.z - y.z * y.z)
    let square = (a * b).sum() / (b * b).sum()
    guard square < 0, square.isFinite else { return nil }
    return (-square).squareRoot()
  }

  private func sumOfSquares(_ correspondences: [PointCorrespondence]) -> Double {
    var sum = 0.0
    for correspondence in correspondences where correspondence.isUsable {
      let source = correspondence.source
      guard let image = project(SIMD3(source.x, source.y, 0)) else { return .infinity }
      let difference = SIMD2(image.x, image.y) - correspondence.target
      sum += correspondence.weight * (difference * difference).sum()
    }
    return sum
  }

  private func add(
    _ correspondence: PointCorrespondence, to equations: inout NormalEquations
  ) {
    let source = correspondence.source
    let turned = xAxis * source.x + yAxis * source.y
    let seen = turned + translation
    let scale = focalLength / seen.z
    let (x, y) = (seen.x / seen.z, seen.y / seen.z)
    // How the two coordinates change with the point in the camera's coordinates.
    let across = SIMD3(scale, 0, -scale * x)
    let down = SIMD3(0, scale, -scale * y)
    // A turn by a small vector r moves the point by r × turned.
    let (turnAcross, turnDown) = (
      Homography.cross(turned, across), Homography.cross(turned, down)
    )
    let (errorX, errorY) = (
      correspondence.target.x - focalLength * x - principalPoint.x,
      correspondence.target.y - focalLength * y - principalPoint.y
    )
    equations.add(
      SIMD8(turnAcross.x, turnAcross.y, turnAcross.z, across.x, across.y, across.z, 0, 0),
      value: errorX, weight: correspondence.weight)
    equations.add(
      SIMD8(turnDown.x, turnDown.y, turnDown.z, down.x, down.y, down.z, 0, 0), value: errorY,
      weight: correspondence.weight)
  }

  /// A vector turned about an axis by as many radians as the axis is long (Rodrigues), for turns far
  /// below one; longer ones are cut to one radian.
  private static func turned(_ vector: SIMD3<Double>, by rotation: SIMD3<Double>) -> SIMD3<Double> {
    let length = Homography.length(rotation)
    guard length > 0 else { return vector }
    let angle = min(length, 1)
    let axis = rotation / length
    let (sine, cosine) = sineAndCosine(turns: angle / (2 * .pi))
    return vector * cosine + Homography.cross(axis, vector) * sine
      + axis * ((axis * vector).sum() * (1 - cosine))
  }

  /// Two vectors of length 1 at right angles, turned alike from the given ones.
  private static func rightAngled(
    _ a: SIMD3<Double>, _ b: SIMD3<Double>
  ) -> (SIMD3<Double>, SIMD3<Double>) {
    let (a, b) = (a / Homography.length(a), b / Homography.length(b))
    // The bisectors of two vectors of one length are at right angles.
    let (sum, difference) = (a + b, a - b)
    let root = 0.7071067811865476
    let between = sum / Homography.length(sum) * root
    let across = difference / Homography.length(difference) * root
    return (between + across, between - across)
  }
}

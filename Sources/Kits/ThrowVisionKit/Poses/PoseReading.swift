package import DiceGeometry
package import DicePoses

/// Where the points of a person are by one look at a crop: the network's places, not the caller's joints.
///
/// A value of fixed size.
package struct PoseReading: Hashable, Sendable {
  /// What a reading has a place for: the maps of the library's own network in their order, and what other people's
  /// networks find besides.
  package static let points: [BodyPoint] =
    PoseHead.joints.map { $0.map { .joint($0) } ?? .topOfHead }
    + [.nose, .leftEye, .rightEye, .leftEar, .rightEar, .root, .head].map { .joint($0) }

  // In the order of `points`; pixels.
  private var xs = SIMD32<Double>.zero
  private var ys = SIMD32<Double>.zero
  private var confidences = SIMD32<Float>.zero

  /// A reading in which nothing was found.
  package init() {}

  /// Where a point is, in pixels, and how likely it is there, 0...1; by the index of ``points``, the first of which are
  /// those of ``PoseHead/labels``.
  package subscript(index: Int) -> (location: PixelPoint, confidence: Float) {
    get { (PixelPoint(x: xs[index], y: ys[index]), confidences[index]) }
    set {
      (xs[index], ys[index]) = (newValue.location.x, newValue.location.y)
      confidences[index] = newValue.confidence
    }
  }

  /// The same reading elsewhere: points that were found are moved.
  func mapped(_ map: (PixelPoint) -> PixelPoint) -> PoseReading {
    var result = self
    for index in Self.points.indices where confidences[index] > 0 {
      result[index].location = map(self[index].location)
    }
    return result
  }

  /// How sure the surest places are on the average, 0...1: of somebody at a table no more are seen.
  package var confidence: Float {
    var left = confidences
    var sum: Float = 0
    for _ in 0..<Self.surestCount {
      let most = left.max()
      sum += most
      for index in Self.points.indices where left[index] == most {
        left[index] = 0
        break
      }
    }
    return sum / Float(Self.surestCount)
  }

  /// The number of places by which a person is told from other things.
  package static let surestCount = 6

  /// The box around the places that are sure enough, enlarged to the person's outline; nil where fewer than
  /// four are.
  package func box(confidenceAtLeast bound: Float) -> BoundingBox? {
    let infinity = Double.infinity
    var (left, top, right, bottom) = (infinity, infinity, -infinity, -infinity)
    var count = 0
    for index in Self.points.indices where confidences[index] >= bound {
      (left, right) = (min(left, xs[index]), max(right, xs[index]))
      (top, bottom) = (min(top, ys[index]), max(bottom, ys[index]))
      count += 1
    }
    guard count >= 4, right > left, bottom > top else { return nil }
    return BoundingBox(x: left, y: top, width: right - left, height: bottom - top)
      .scaledAboutCenter(by: PoseConstants.outlineScale)
  }

  /// The joints: those that were found, the hips' middle, and the head's between its top and the neck.
  package func pose(confidenceAtLeast bound: Float) -> Pose {
    var pose = Pose()
    func set(_ joint: Joint, _ place: (location: PixelPoint, confidence: Float)) {
      guard place.confidence > 0, place.confidence >= bound else { return }
      pose[joint] = Pose.Point(place.location, confidence: place.confidence)
    }
    for (index, point) in Self.points.enumerated() {
      if case .joint(let joint) = point { set(joint, self[index]) }
    }
    if pose[.root] == nil { set(.root, middle(PoseHead.leftHip, PoseHead.rightHip)) }
    if pose[.head] == nil { set(.head, middle(PoseHead.neck, PoseHead.top)) }
    return pose
  }

  /// The middle of two points, as sure as the less sure of both.
  func middle(_ first: Int, _ second: Int) -> (location: PixelPoint, confidence: Float) {
    (
      PixelPoint(x: (xs[first] + xs[second]) / 2, y: (ys[first] + ys[second]) / 2),
      min(confidences[first], confidences[second])
    )
  }
}

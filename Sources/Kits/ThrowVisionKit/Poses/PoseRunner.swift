package import DiceGeometry
internal import DiceImaging
internal import DiceNetwork
package import DicePoses
internal import DiceWeights

/// Where the joints of a person are by one look at a crop: the network's places, not the caller's joints.
///
/// A value of fixed size.
package struct PoseReading: Hashable, Sendable {
  // In the order of `PoseHead.labels`, in pixels of the upright picture.
  private var xs = SIMD16<Double>.zero
  private var ys = SIMD16<Double>.zero
  private var confidences = SIMD16<Float>.zero

  /// A reading in which nothing was found.
  package init() {}

  /// Where a place is, in pixels of the upright picture, and how likely it is there, 0...1; by the index of
  /// ``PoseHead/labels``.
  package subscript(map: Int) -> (location: PixelPoint, confidence: Float) {
    get { (PixelPoint(x: xs[map], y: ys[map]), confidences[map]) }
    set {
      (xs[map], ys[map]) = (newValue.location.x, newValue.location.y)
      confidences[map] = newValue.confidence
    }
  }

  /// How sure the surest places are on the average, 0...1: of somebody at a table no more are seen.
  package var confidence: Float {
    var left = confidences
    var sum: Float = 0
    for _ in 0..<Self.surestCount {
      let most = left.max()
      sum += most
      for map in PoseHead.labels.indices where left[map] == most {
        left[map] = 0
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
    for map in PoseHead.labels.indices where confidences[map] >= bound {
      (left, right) = (min(left, xs[map]), max(right, xs[map]))
      (top, bottom) = (min(top, ys[map]), max(bottom, ys[map]))
      count += 1
    }
    guard count >= 4, right > left, bottom > top else { return nil }
    return BoundingBox(x: left, y: top, width: right - left, height: bottom - top)
      .scaledAboutCenter(by: PoseConstants.outlineScale)
  }

  /// The joints: those of the maps, the hips' middle, and the head's between its top and the neck.
  package func pose(confidenceAtLeast bound: Float) -> Pose {
    var pose = Pose()
    func set(_ joint: Joint, _ place: (location: PixelPoint, confidence: Float)) {
      guard place.confidence >= bound else { return }
      pose[joint] = Pose.Point(place.location, confidence: place.confidence)
    }
    for (map, joint) in PoseHead.joints.enumerated() {
      if let joint { set(joint, self[map]) }
    }
    set(.root, middle(PoseHead.leftHip, PoseHead.rightHip))
    set(.head, middle(PoseHead.neck, PoseHead.top))
    return pose
  }

  private func middle(_ first: Int, _ second: Int) -> (location: PixelPoint, confidence: Float) {
    (
      PixelPoint(x: (xs[first] + xs[second]) / 2, y: (ys[first] + ys[second]) / 2),
      min(confidences[first], confidences[second])
    )
  }
}

/// The memory of one look at a crop.
///
/// Unchecked: it waits in a pool, where nobody uses it, or belongs to one call.
@safe final class PoseRunner: @unchecked Sendable {
  private let runner: NetworkRunner
  private let rules: ImageRules
  private let constants: PoseConstants
  private var sampler = InputSampler()
  private var maps: JointMaps

  init(
    _ runner: NetworkRunner, _ rules: ImageRules, _ constants: PoseConstants, maps: JointMaps
  ) {
    self.runner = runner
    self.rules = rules
    self.constants = constants
    self.maps = maps
  }

  /// Looks for the joints of the person in a box.
  ///
  /// - Parameters:
  ///   - box: the person's outline, in pixels of the upright picture.
  ///   - usesMirror: whether the mirrored crop is looked at, too.
  /// - Returns: nil where the box has no area or its middle lies outside the picture.
  func read(
    _ frame: borrowing RawFrame, orientation: ImageOrientation, box: BoundingBox,
    usesMirror: Bool
  ) -> PoseReading? {
    let crop = constants.crop(around: box)
    guard !box.isEmpty,
      let transform = ImageTransform(
        window: crop, storedWidth: frame.width, storedHeight: frame.height,
        orientation: orientation, inputWidth: runner.width, inputHeight: runner.height)
    else { return nil }
    runner.write(frame, through: transform, by: rules, &sampler)
    runner.run()
    runner.withOutput(0) { maps.take($0) }
    if usesMirror {
      runner.mirrorInput()
      runner.run()
      runner.withOutput(0) { maps.addMirrored($0) }
    }
    var reading = PoseReading()
    for map in 0..<maps.count {
      let place = maps.place(of: map)
      let point = PixelPoint(
        x: Double(place.x) * Double(runner.width), y: Double(place.y) * Double(runner.height))
      reading[map] = (
        transform.inputToUpright.map(point), constants.confidence(of: map, mass: place.mass)
      )
    }
    return reading
  }
}

extension NetworkRunner {
  /// Writes what a network sees of a frame into its first input.
  func write(
    _ frame: borrowing RawFrame, through transform: ImageTransform, by rules: ImageRules,
    _ sampler: inout InputSampler
  ) {
    withInput { (region) in
      let layout = SampleLayout(
        rowStride: region.rowStride, pixelStride: region.pixelStride, channelStride: 1)
      unsafe sampler.unsafeSample(
        frame, through: transform, into: region.pointer, layout: layout, scale: rules.scales.x,
        bias: rules.biases.x, paddingValue: rules.paddingValue)
    }
  }

  /// Swaps left and right of the first input.
  func mirrorInput() {
    withInput { (region) in
      for y in 0..<region.height {
        let row = unsafe region.pointer + y * region.rowStride
        for x in 0..<region.width / 2 {
          let left = unsafe row + x * region.pixelStride
          let right = unsafe row + (region.width - 1 - x) * region.pixelStride
          for c in 0..<region.channelCount {
            let value = unsafe left[c]
            unsafe left[c] = unsafe right[c]
            unsafe right[c] = value
          }
        }
      }
    }
  }
}

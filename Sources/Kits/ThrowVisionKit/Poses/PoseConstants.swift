package import DiceGeometry
internal import DiceNumerics
internal import DicePoses
package import DiceWeights

/// What a weight file says about poses besides its network.
package struct PoseConstants: Hashable, Sendable {
  /// What a weight file for joints says under "task".
  package static let task = JointHeads.task
  /// The side of a crop over the longer side of the person's box.
  package static let defaultCropScale: Float = 1.2
  /// The outline of a person over the box that hugs the joints.
  package static let outlineScale = 1.1

  /// The side of a crop over the longer side of the person's box.
  package var cropScale: Float
  /// How the share of a map around its peak becomes a confidence, by map: slope of its logit.
  package var slopes: [Float]
  /// How the share of a map around its peak becomes a confidence, by map: what is added.
  package var offsets: [Float]

  /// Groups the constants.
  package init(
    cropScale: Float = defaultCropScale,
    slopes: [Float] = [Float](repeating: 1, count: PoseHead.labels.count),
    offsets: [Float] = [Float](repeating: 0, count: PoseHead.labels.count)
  ) {
    self.cropScale = cropScale
    self.slopes = slopes
    self.offsets = offsets
  }

  /// The constants of a file's profile.
  package init(_ profile: [NamedValues]) throws(PoseDetectorError) {
    func values(
      _ name: StaticString, _ count: Int, _ range: ClosedRange<Float>
    ) throws(PoseDetectorError) -> [Float] {
      try profile.values(named: name, count: count, in: range) {
        PoseDetectorError.constant(name: $0, found: $1, required: $2)
      }
    }
    cropScale = try Self.cropScale(profile)
    slopes = try values("confidence slopes", PoseHead.labels.count, 0.01...100)
    offsets = try values("confidence offsets", PoseHead.labels.count, -100...100)
  }

  /// The side of a crop over the longer side of the person's box, which other people's networks have as well.
  package static func cropScale(_ profile: [NamedValues]) throws(PoseDetectorError) -> Float {
    try profile.values(named: "crop scale", count: 1, in: JointHeads.cropScales) {
      PoseDetectorError.constant(name: $0, found: $1, required: $2)
    }[0]
  }

  /// The constants as a profile.
  package var profile: [NamedValues] {
    [
      NamedValues("crop scale", [cropScale]), NamedValues("confidence slopes", slopes),
      NamedValues("confidence offsets", offsets),
    ]
  }

  /// How likely a joint lies where its map says, from the share of the map around its peak.
  ///
  /// `sigmoid(slope * ln(mass / (1 - mass)) + offset)`; 0 where nothing lies there.
  package func confidence(of map: Int, mass: Float) -> Float {
    guard mass > 0 else { return 0 }
    let share = min(max(Double(mass), 1e-4), 1 - 1e-4)
    let logit = naturalLogarithm(share) - naturalLogarithm(1 - share)
    return Float(1 / (1 + exponential(-(Double(slopes[map]) * logit + Double(offsets[map])))))
  }

  /// The part of a picture that a network is shown of a person; it may reach outside.
  ///
  /// - Parameters:
  ///   - box: the person's outline, which is made higher or wider about its middle until it has the input's shape.
  ///   - aspectRatio: the width of the network's input over its height.
  ///   - scale: the crop's height over that.
  package static func crop(
    around box: BoundingBox, aspectRatio: Double, scale: Float
  ) -> BoundingBox {
    let height = max(box.width / aspectRatio, box.height) * Double(scale)
    return BoundingBox(midX: box.midX, midY: box.midY, width: height * aspectRatio, height: height)
  }
}

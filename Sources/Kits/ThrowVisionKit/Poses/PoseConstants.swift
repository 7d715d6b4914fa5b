package import DiceGeometry
internal import DiceNumerics
package import DiceWeights

/// What a weight file says about poses besides its network.
package struct PoseConstants: Hashable, Sendable {
  /// What a weight file for joints says under "task".
  package static let task = "poses"
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
    cropScale = try values("crop scale", 1, 0.5...4)[0]
    slopes = try values("confidence slopes", PoseHead.labels.count, 0.01...100)
    offsets = try values("confidence offsets", PoseHead.labels.count, -100...100)
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

  /// The square part of a picture that the network is shown of a person; it may reach outside.
  package func crop(around box: BoundingBox) -> BoundingBox {
    let side = max(box.width, box.height) * Double(cropScale)
    return BoundingBox(midX: box.midX, midY: box.midY, width: side, height: side)
  }
}

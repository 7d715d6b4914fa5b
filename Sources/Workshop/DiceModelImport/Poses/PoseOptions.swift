public import DiceWeights

/// What to make of a model that finds the joints of one person.
public struct PoseOptions: Hashable, Sendable {
  /// How a joint between the places of a heatmap is found.
  public enum Refinement: String, CaseIterable, Hashable, Sendable {
    /// It is not.
    case none
    /// A quarter of a place towards the higher neighbour.
    case quarter
    /// The peak of a parabola through the logarithm of the smoothed map (DARK).
    case dark
  }

  /// What samples of 0...255 become.
  public enum Samples: String, CaseIterable, Hashable, Sendable {
    /// They are less ImageNet's mean, and over its deviation.
    case imageNet = "imagenet"
    /// They stay.
    case bytes = "0-255"
    /// 0...1.
    case shares = "0-1"
    /// -1...1.
    case signed = "-1-1"

    /// The rules of a picture of red, green and blue; what lies outside a picture is black.
    var rules: ImageRules {
      let (scales, biases): (SIMD3<Float>, SIMD3<Float>) =
        switch self {
        case .imageNet:
          (
            1 / SIMD3(58.395, 57.12, 57.375),
            -SIMD3(123.675, 116.28, 103.53) / SIMD3(58.395, 57.12, 57.375)
          )
        case .bytes: (.one, .zero)
        case .shares: (SIMD3(repeating: 1 / 255), .zero)
        case .signed: (SIMD3(repeating: 1 / 127.5), SIMD3(repeating: -1))
        }
      return ImageRules(
        scales: scales, biases: biases, cropAndScale: .scaleFill, paddingValue: 0)
    }
  }

  /// The family; nil recognises it where the shapes of outputs allow.
  public var kind: PoseKind?
  /// The names of the joints in the network's order; empty takes the family's, or COCO's for 17 and MPII's for 16.
  public var joints: [String]
  /// The size of a crop over that of the person's box, 0.5...4.
  public var boxScale: Float
  /// How a joint between the places of a heatmap is found.
  public var refinement: Refinement
  /// What samples become; nil takes the model's own rule, or the makers'.
  public var samples: Samples?
  /// The order of a picture's channels; nil takes the makers'.
  public var channelOrder: ImageRules.ChannelOrder?

  /// Groups the options.
  public init(
    kind: PoseKind? = nil, joints: [String] = [], boxScale: Float = 1.25,
    refinement: Refinement = .quarter, samples: Samples? = nil,
    channelOrder: ImageRules.ChannelOrder? = nil
  ) {
    self.kind = kind
    self.joints = joints
    self.boxScale = boxScale
    self.refinement = refinement
    self.samples = samples
    self.channelOrder = channelOrder
  }
}

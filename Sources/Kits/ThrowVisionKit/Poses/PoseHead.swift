package import DicePoses
package import DiceWeights

/// An output that says for each joint how likely it lies at each place of a map.
///
/// The output is `[H, W, 4 J]`, and the maps of its `J` joints have `2 H` rows and `2 W` columns: channel
/// `4 j + 2 v + u` of row `y` and column `x` is the logit of row `2 y + v` and column `2 x + u` in the map of
/// joint `j`. The softmax of a whole map tells where the joint is. Place `(x, y)` of a map stands for the point
/// `((x + 1/2) / (2 W), (y + 1/2) / (2 H))` of the input, in shares of its sides.
package struct PoseHead: Hashable, Sendable {
  /// The kind of a head in a weight file.
  package static let kind = "joint maps"
  /// The label of the uppermost point of the head, which is no ``Joint``.
  package static let topOfHead = "topOfHead"
  /// The labels of the maps: what the library's own network finds.
  package static let labels = [
    "leftShoulder", "rightShoulder", "leftElbow", "rightElbow", "leftWrist", "rightWrist",
    "leftHip", "rightHip", "leftKnee", "rightKnee", "leftAnkle", "rightAnkle", "neck", topOfHead,
  ]
  /// The joint of each map; nil for the uppermost point of the head.
  package static let joints: [Joint?] = labels.map { Joint(name: $0) }
  /// The maps of the shoulders.
  package static let (leftShoulder, rightShoulder) = (0, 1)
  /// The maps that other joints follow from, and that tell who is upright.
  package static let (leftHip, rightHip, neck, top) = (6, 7, 12, 13)
  /// The maps of the knees.
  package static let (leftKnee, rightKnee) = (8, 9)
  /// How many rows and columns of a map belong to one of the output.
  package static let refinement = 2

  /// The map of each map's joint in a mirror.
  package static let mirrored: [Int] = labels.indices.map { index in
    guard let joint = Joint(name: labels[index]) else { return index }
    return labels.firstIndex(of: joint.mirrored.name) ?? index
  }

  /// The rows of each map.
  package let height: Int
  /// The columns of each map.
  package let width: Int

  /// Takes the meaning of a network's output.
  ///
  /// - Throws: the rule that the output breaks.
  package init(_ output: NetworkOutput, shape: TensorShape) throws(PoseDetectorError) {
    guard let head = output.head, head.kind == Self.kind, head.labels == Self.labels else {
      throw .maps(output: output.name)
    }
    let channels = Self.labels.count * Self.refinement * Self.refinement
    guard shape.channels == channels else { throw .maps(output: output.name) }
    height = Self.refinement * shape.height
    width = Self.refinement * shape.width
  }

  /// A head for a description.
  package static func head() -> NetworkHead { NetworkHead(kind: kind, labels: labels) }
}

public import DiceWeights

/// Why a network cannot be trained.
public enum TrainingError: Error, Hashable, Sendable, CustomStringConvertible {
  /// The description of the network breaks a rule.
  case invalidNetwork(WeightFileError)
  /// A task gives the bias of an output that no convolution or dense layer without normalisation
  /// gives, or as many numbers as it has not.
  case outputWithoutBias(output: String)
  /// An output depends on nothing that is learnt.
  case outputLearnsNothing(output: String)
  /// A layer is, or has, something without a derivative.
  case unsupportedLayer(layer: Int, what: String)
  /// Two layers use the same tensor, which training would change for each of them.
  case sharedTensor(tensor: Int)
  /// The numbers of a constant are neither among the options nor in weights to begin with.
  case missingConstant(tensor: Int)
  /// An option lies outside its range.
  case invalidOption(name: String, found: String, required: String)
  /// The loss became infinite or not a number at a step.
  case diverged(step: Int)
  /// The weights to begin with are of a network with other layers.
  case otherLayers(found: String, required: String)
  /// A checkpoint belongs to another network, another run or another version.
  case checkpointMismatch(found: String, required: String)
  /// A checkpoint is cut off or damaged.
  case checkpointDamaged(reason: String)

  /// One sentence that says what is wrong.
  public var description: String {
    switch self {
    case .invalidNetwork(let error): "\(error)"
    case .outputWithoutBias(let output):
      "The output \"\(output)\" is not that of a convolution or dense layer with a bias."
    case .outputLearnsNothing(let output):
      "The output \"\(output)\" depends on nothing that is learnt."
    case .unsupportedLayer(let layer, let what):
      "Layer \(layer) is or has \(what), which cannot be trained through."
    case .sharedTensor(let tensor):
      "Tensor \(tensor) is used by two layers, which training does not support."
    case .missingConstant(let tensor):
      "The numbers of the constant tensor \(tensor) are missing, or not as many as its shape asks for."
    case .invalidOption(let name, let found, let required):
      "The option \(name) is \(found); it must be \(required)."
    case .diverged(let step):
      "The loss is not a finite number at step \(step): try a lower learning rate."
    case .otherLayers(let found, let required):
      "The weights to begin with are of \(found), whose layers are not those of \(required)."
    case .checkpointMismatch(let found, let required):
      "The checkpoint is of \(found), not of \(required)."
    case .checkpointDamaged(let reason): "The checkpoint cannot be read: \(reason)."
    }
  }
}

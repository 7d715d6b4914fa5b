/// Why a network cannot be trained.
public enum TrainingError: Error, Hashable, Sendable, CustomStringConvertible {
  /// The network has no detection head.
  case noDetectionHead
  /// A detection head reads something other than a convolution.
  case headWithoutConvolution
  /// A convolution has an activation that training does not know: the sigmoid-weighted one, or any
  /// directly before a detection head.
  case unsupportedActivation(layer: Int)
  /// No picture with a usable label is left to train on.
  case noPictures
  /// An annotation carries a label that the network does not know.
  case unknownLabel(label: String, image: String)
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
    case .noDetectionHead: "The network has no detection head."
    case .headWithoutConvolution: "A detection head must read the output of a convolution."
    case .unsupportedActivation(let layer):
      "Layer \(layer) has an activation that training does not support: use leakyReLU, and identity "
        + "before a detection head."
    case .noPictures: "No picture with annotations is left to train on."
    case .unknownLabel(let label, let image):
      "The label \"\(label)\" of \(image) is not a class of the network."
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

public import DiceDetection
public import DiceTraining

/// Why a network cannot be trained on pictures with dice.
public enum VisionTrainingError: Error, Hashable, Sendable, CustomStringConvertible {
  /// No picture with a usable label is left to train on.
  case noPictures
  /// The network's outputs are not those of a detector.
  case heads(GridBoxError)
  /// The network has an output that is no detection head.
  case outputWithoutHead
  /// The network's input is not one picture of three colours.
  case noPictureInput
  /// The network or the options cannot be trained at all.
  case training(TrainingError)

  /// One sentence that says what is wrong.
  public var description: String {
    switch self {
    case .noPictures: "No picture with annotations is left to train on."
    case .heads(let error): "\(error)"
    case .outputWithoutHead: "All outputs of the network must be detection heads."
    case .noPictureInput: "The network must have one input, a picture of three colours."
    case .training(let error): "\(error)"
    }
  }
}

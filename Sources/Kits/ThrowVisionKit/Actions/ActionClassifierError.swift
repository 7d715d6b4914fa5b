public import DiceNetwork
public import DiceWeights

/// Why a weight file cannot be used to tell actions apart.
public enum ActionClassifierError: Error, Hashable, Sendable {
  /// The file breaks a rule of the weight format.
  case weights(WeightFileError)
  /// The network cannot be planned.
  case network(NetworkError)
  /// The network is for something else.
  case task(found: String, required: String)
  /// The network has not one input, of as many numbers as a window has features, or of 3 rows, 18 columns and
  /// a channel for each frame.
  case input(found: TensorShape, required: TensorShape)
  /// The network's first output is not that of a classifier.
  case head(ClassHeadError)
  /// A constant of the file's profile is missing, is not of the length required or out of range.
  case constant(name: String, found: [Float], required: String)
  /// A classifier of Create ML reads places as shares of the frame; it is not told how large that is.
  case frameSize(width: Int, height: Int)
}

extension ActionClassifierError: CustomStringConvertible {
  /// One sentence that says what was found and what is required.
  public var description: String {
    switch self {
    case .weights(let error): "\(error)"
    case .network(let error): "\(error)"
    case .task(let found, let required):
      "The network's task is \"\(found)\"; a classifier of actions has the task \"\(required)\"."
    case .input(let found, let required):
      "The network's input is \(found); a classifier of actions has one input of \(required), or of "
        + "3 x 18 x frames."
    case .head(let error): "\(error)"
    case .constant(let name, let found, let required):
      "The constant \"\(name)\" is \(found); it must be \(required)."
    case .frameSize(let width, let height):
      "The frames are \(width) x \(height) pixels; a classifier of Create ML must be told their size."
    }
  }
}

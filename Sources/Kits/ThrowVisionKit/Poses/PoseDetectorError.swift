public import DiceDetection
public import DiceGeometry
public import DiceNetwork
public import DicePoses
public import DiceWeights

/// Why a weight file cannot be used to find people or their joints.
public enum PoseDetectorError: Error, Hashable, Sendable {
  /// The file breaks a rule of the weight format.
  case weights(WeightFileError)
  /// The network cannot be planned, or memory does not suffice.
  case network(NetworkError)
  /// The network is for something else.
  case task(found: String, required: String)
  /// The network has not one input, a picture of three colours.
  case input(found: TensorShape)
  /// The network does not propose boxes on grids.
  case boxes(GridBoxError)
  /// The picture is too large.
  case picture(GeometryError)
  /// The output is not one of maps of the library's joints.
  case maps(output: String)
  /// An output of somebody else's network cannot be read as joints.
  case head(PoseHeadError)
  /// A constant of the file's profile is missing, is not of the length required or out of range.
  case constant(name: String, found: [Float], required: String)
}

extension PoseDetectorError: CustomStringConvertible {
  /// One sentence that says what was found and what is required.
  public var description: String {
    switch self {
    case .weights(let error): "\(error)"
    case .network(let error): "\(error)"
    case .task(let found, let required):
      "The network's task is \"\(found)\"; \"\(required)\" is required."
    case .input(let found):
      "The network's input is \(found); it must be one picture of three colours."
    case .boxes(let error): "\(error)"
    case .picture(let error): "\(error)"
    case .maps(let output):
      "The output \"\(output)\" does not have maps of the joints that are looked for."
    case .head(let error): "\(error)"
    case .constant(let name, let found, let required):
      "The constant \"\(name)\" is \(found); it must be \(required)."
    }
  }
}

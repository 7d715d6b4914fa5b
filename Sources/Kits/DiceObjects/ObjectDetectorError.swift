public import DiceCodecs
public import DiceDetectorHeads
public import DiceFiles
public import DiceGeometry
public import DiceNetwork
public import DiceWeights

/// Why an object detector cannot be made, or cannot look at a picture: the stage that refused.
///
/// A picture without objects is no error. Errors may gain cases in a minor version, so end a `switch` over
/// them with `default`.
public enum ObjectDetectorError: Error, Hashable, Sendable {
  /// The weight file breaks a rule of its format.
  case weights(WeightFileError)
  /// The network has not one input, or it is no picture: it was imported without being told that it is a
  /// detector.
  case input(rule: String)
  /// The network's outputs cannot be read as boxes.
  case heads(DetectorHeadError)
  /// The network cannot be planned, or not for the size of the input.
  case network(NetworkError)
  /// The picture's size or the region of interest is not usable.
  case geometry(GeometryError)
  /// A threshold is not in 0...1.
  case invalidThreshold(name: String, value: Float)
  /// The number of threads is below 1.
  case invalidThreadCount(Int)
  /// A file cannot be read.
  case file(FileError)
  /// An image file cannot be decoded.
  case image(ImageDecodingError)
}

extension ObjectDetectorError: CustomStringConvertible {
  /// One sentence that says what was found and what was required.
  public var description: String {
    switch self {
    case .weights(let error): error.description
    case .input(let rule): rule
    case .heads(let error): error.description
    case .network(let error): error.description
    case .geometry(let error): error.description
    case .invalidThreshold(let name, let value):
      "The threshold \"\(name)\" is \(value); it must be from 0 to 1."
    case .invalidThreadCount(let count):
      "The number of threads is \(count); it must be at least 1."
    case .file(let error): error.description
    case .image(let error): error.description
    }
  }
}

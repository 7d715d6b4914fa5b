public import DiceNetwork
public import DiceWeights

/// Why numbers cannot be heard: what is wrong with a weight file, or with the sound.
public enum SpokenNumberError: Error, Hashable, Sendable {
  /// The file breaks a rule of the weight format.
  case weights(WeightFileError)
  /// The network cannot be planned or run.
  case network(NetworkError)
  /// The network has not one input, a row of frames of 40 bands, of any even number.
  case input(found: TensorShape, required: TensorShape)
  /// The network has not two outputs, the words and the sounds.
  case outputCount(found: Int)
  /// An output does not give a number for each word or sound every two frames.
  case output(found: TensorShape, required: TensorShape)
  /// The labels of an output are not those of the words or the sounds.
  case labels(found: [String])
  /// Sound of so many samples a second is not heard.
  case sampleRate(found: Int, required: ClosedRange<Int>)
}

extension SpokenNumberError: CustomStringConvertible {
  /// One sentence that says what was found and what is required.
  public var description: String {
    switch self {
    case .weights(let error): "\(error)"
    case .network(let error): "\(error)"
    case .input(let found, let required):
      "The network's input is \(found); one that hears numbers has one resizable input of \(required)."
    case .outputCount(let found):
      "The network has \(found) outputs; one that hears numbers has two, the words and the sounds."
    case .output(let found, let required):
      "The network's output is \(found); one that hears numbers has one of \(required)."
    case .labels(let found):
      "The network's \(found.count) labels are others; those of words are \"-\", \"zero\" and so on up to \"*\", those of "
        + "sounds \"-\", \"AA\" and so on up to \"ZH\"."
    case .sampleRate(let found, let required):
      "The sound has \(found) samples a second; \(required.lowerBound) to \(required.upperBound) are heard."
    }
  }
}

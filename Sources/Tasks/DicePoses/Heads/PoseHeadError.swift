public import DiceWeights

/// Why the outputs of a network cannot be read as the joints of a person.
public enum PoseHeadError: Error, Hashable, Sendable {
  /// No output has a head that finds joints.
  case noHead
  /// An output's head is of a kind that is not known.
  case unknownKind(output: String, kind: String)
  /// Several outputs have a head of which there may be one.
  case repeated(kind: String)
  /// Outputs have heads of kinds that do not belong together.
  case tooMany([String])
  /// A head needs another output: offsets their heatmaps, columns their rows.
  case missingOutput(kind: String, needed: String)
  /// None of the names of an output's joints is known.
  case noJoints(output: String)
  /// Two names of an output mean the same joint.
  case repeatedJoint(output: String, name: String)
  /// An output's shape does not suit its head and the number of its joints.
  case shape(output: String, found: TensorShape, required: String)
  /// A number of a head is not what it must be.
  case parameter(output: String, name: String, found: [Float], required: String)
}

extension PoseHeadError: CustomStringConvertible {
  /// One sentence that says what was found and what is required.
  public var description: String {
    switch self {
    case .noHead: "The network has no output whose head finds joints."
    case .unknownKind(let output, let kind):
      "The head of the output \"\(output)\" is of the kind \"\(kind)\", which finds no joints."
    case .repeated(let kind): "Several outputs are \"\(kind)\"; only one may be."
    case .tooMany(let kinds):
      "The outputs are \(kinds.map { "\"\($0)\"" }.joined(separator: ", ")); only one kind may find joints."
    case .missingOutput(let kind, let needed):
      "An output of \"\(kind)\" needs one of \"\(needed)\"."
    case .noJoints(let output):
      "None of the labels of the output \"\(output)\" is the name of a joint."
    case .repeatedJoint(let output, let name):
      "The output \"\(output)\" has the joint \"\(name)\" twice."
    case .shape(let output, let found, let required):
      "The output \"\(output)\" is \(found); it must have \(required)."
    case .parameter(let output, let name, let found, let required):
      "The output \"\(output)\" has \(found) for \"\(name)\"; it must be \(required)."
    }
  }
}

internal import DiceDetectorHeads
public import DiceWeights

/// Why a model cannot be imported.
public enum ModelImportError: Error, Hashable, Sendable {
  /// The bytes begin as none of the formats does.
  case unknownFormat
  /// The file needs another one beside it: what that is.
  case missingPart(String)
  /// The file's protocol buffers are damaged.
  case protobuf(ProtobufError)
  /// The file's flatbuffer is damaged.
  case flatbuffer(FlatbufferError)
  /// The model breaks a rule of its own format: where, and a sentence.
  case invalid(place: String, rule: String)
  /// Operations that have no counterpart in the weight format: all of them.
  case unsupported([UnsupportedOperation])
  /// Inputs whose shape the model leaves open, nil for an open extent.
  case openShapes([OpenInput])
  /// A shape was given for an input that the model does not have.
  case unknownInput(name: String, known: [String])
  /// A shape was given that the model's own does not allow.
  case inputShape(name: String, given: [Int], required: [Int?])
  /// Tensors whose numbers stand in another file: the tensor's name and the file's.
  case externalData(tensor: String, file: String)
  /// The network breaks a rule of the weight format.
  case network(WeightFileError)
}

/// An operation that cannot be carried over.
public struct UnsupportedOperation: Hashable, Sendable {
  /// Its name in the model's format.
  public let name: String
  /// The first place where it is used: the operation's own name or its output's.
  public let place: String
  /// In how many places it is used so.
  public let count: Int
  /// Why, to go on after "because".
  public let reason: String
}

/// An input whose shape a model leaves open.
public struct OpenInput: Hashable, Sendable {
  /// Its name.
  public let name: String
  /// Its extents; nil where the model leaves one open.
  public let shape: [Int?]
}

extension ModelImportError: CustomStringConvertible {
  /// Sentences that say what was found and what was required.
  public var description: String {
    switch self {
    case .unknownFormat: "The file is of no format that can be imported."
    case .missingPart(let part): "The model needs \(part)."
    case .protobuf(let error): "The file is damaged or of another format: \(error)"
    case .flatbuffer(let error): "The file is damaged or of another format: \(error)"
    case .invalid(let place, let rule): "\(Self.printable(place)): \(rule)"
    case .unsupported(let operations):
      "The network cannot be carried over: "
        + operations.map { (operation) in
          "\(Self.printable(operation.name)) (\(operation.count) "
            + (operation.count == 1 ? "place" : "places")
            + ", first \(Self.printable(operation.place))): \(operation.reason)"
        }.joined(separator: "; ") + "."
    case .openShapes(let inputs):
      "The model leaves sizes open, which must be given: "
        + inputs.map { (input) in "\(Self.printable(input.name)) \(Self.text(input.shape))" }
        .joined(separator: ", ") + "."
    case .unknownInput(let name, let known):
      "The model has no input \(Self.printable(name)); it has "
        + known.map { Self.printable($0) }.joined(separator: ", ") + "."
    case .inputShape(let name, let given, let required):
      "Input \(Self.printable(name)) cannot have the shape \(Self.text(given)); the model's is "
        + "\(Self.text(required))."
    case .externalData(let tensor, let file):
      "The numbers of \(Self.printable(tensor)) stand in another file, \(Self.printable(file)), which "
        + "is needed as well."
    case .network(let error): "The network breaks a rule of the weight format: \(error)"
    }
  }

  static func text(_ shape: [Int?]) -> String {
    shape.map { (extent) in extent.map { "\($0)" } ?? "?" }.joined(separator: "x")
  }

  private static func printable(_ text: String) -> String {
    ModelTensor.cut(ModelTensor.printable(text), to: 120)
  }
}

/// Gathers what cannot be carried over, each reason once.
struct UnsupportedList {
  private(set) var operations: [UnsupportedOperation] = []

  /// Adds what another list has.
  mutating func add(_ other: UnsupportedList) {
    for operation in other.operations {
      add(operation.name, at: operation.place, operation.reason, count: operation.count)
    }
  }

  mutating func add(_ name: String, at place: String, _ reason: String, count: Int = 1) {
    if let index = operations.firstIndex(where: { $0.name == name && $0.reason == reason }) {
      let known = operations[index]
      operations[index] = UnsupportedOperation(
        name: name, place: known.place, count: known.count + count, reason: reason)
    } else if operations.count < 256 {
      operations.append(
        UnsupportedOperation(name: name, place: place, count: count, reason: reason))
    }
  }
}

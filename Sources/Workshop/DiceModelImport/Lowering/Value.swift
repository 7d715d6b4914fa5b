internal import DiceWeights

/// A tensor of the model that is imported.
enum Value: Sendable {
  /// Known before the network runs.
  case constant(ConstantTensor)
  /// Given to the network, or computed by it.
  case computed(ComputedValue)
  /// Several tensors, one after the other: a sequence of ONNX.
  case list([Value])
  /// The result of an operation that cannot be carried over.
  case unknown
}

/// A tensor that a network computes: which value it is, and where its numbers lie there.
struct ComputedValue: Hashable, Sendable {
  /// The value.
  var source: Layer.Source
  /// Where the tensor's numbers lie in it.
  var arrangement: Arrangement

  /// The tensor's shape in the model.
  var shape: [Int] { arrangement.shape }
}

extension Value {
  /// The tensor's shape in the model; nil where it is unknown, or there are several.
  var shape: [Int]? {
    switch self {
    case .constant(let tensor): tensor.shape
    case .computed(let value): value.shape
    case .list, .unknown: nil
    }
  }
}

/// Why one operation of a model cannot be carried over.
enum LoweringFault: Error, Hashable, Sendable {
  /// The operation, or this use of it, has no counterpart: the reason, to go on after "because".
  case unsupported(String)
  /// The model breaks a rule of its own format: a sentence.
  case invalid(String)
}

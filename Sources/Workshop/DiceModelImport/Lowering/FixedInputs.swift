internal import DiceDetectorHeads
internal import DiceWeights

/// Inputs that are always the same, which a network does not have.
struct FixedInputs {
  /// What is fixed, with its numbers.
  private(set) var values: [(name: String, tensor: ConstantTensor)] = []

  /// - Parameter inputs: The model's, with the extents that it states, as far as it does.
  /// - Throws: `unknownInput`, or `invalid` where the numbers are not as many as the input's positions, or are
  ///   not whole for an input of integers.
  init(
    _ options: ImportOptions, of inputs: [(name: String, shape: [Int?]?, isInteger: Bool)]
  ) throws(ModelImportError) {
    for (name, numbers) in options.inputValues.sorted(by: { $0.key < $1.key }) {
      guard let input = inputs.first(where: { $0.name == name }) else {
        throw .unknownInput(name: name, known: inputs.map { $0.name })
      }
      // What is open has one position.
      let stated = input.shape ?? []
      let shape = options.inputShapes[name] ?? stated.map { $0 ?? 1 }
      guard
        input.shape == nil
          || shape.count == stated.count && zip(shape, stated).allSatisfy({ $0 == $1 ?? $0 })
      else { throw .inputShape(name: name, given: shape, required: stated) }
      let count: Int
      do throws(LoweringFault) { count = try ConstantArithmetic.count(shape) } catch {
        throw .invalid(place: name, rule: "It cannot be fixed, for its shape is \(shape).")
      }
      guard numbers.count == count || numbers.count == 1 else {
        throw .invalid(
          place: name, rule: "It is given \(numbers.count) numbers and has \(count) positions.")
      }
      let all = numbers.count == count ? numbers : Array(repeating: numbers[0], count: count)
      if input.isInteger {
        let integers = all.compactMap { $0.magnitude < 0x1p53 ? Int(exactly: $0) : nil }
        guard integers.count == count else {
          throw .invalid(place: name, rule: "It takes whole numbers.")
        }
        values.append((name, ConstantTensor(shape: shape, integers: integers)))
      } else {
        let floats = all.map { Float($0) }
        guard floats.allSatisfy({ $0.isFinite }) else {
          throw .invalid(place: name, rule: "It takes finite numbers.")
        }
        values.append((name, ConstantTensor(shape: shape, floats: floats)))
      }
    }
  }

  /// Whether an input is one of them.
  func contains(_ name: String) -> Bool { values.contains { $0.name == name } }

  /// Sentences for the user.
  var notes: [String] {
    values.map { "The input \($0.name) is \(Self.text($0.tensor)) in this network." }
  }

  /// Entries of the weight file.
  var provenance: [ProvenanceEntry] {
    values.prefix(64).map { (name, tensor) in
      ProvenanceEntry(
        key: "fixed input",
        value: ModelTensor.cut("\(ModelTensor.printable(name)) = \(Self.text(tensor))", to: 1024))
    }
  }

  private static func text(_ tensor: ConstantTensor) -> String {
    let numbers: [String]
    if let integers = tensor.integers {
      numbers = integers.prefix(8).map { "\($0)" }
    } else {
      numbers = tensor.floats.prefix(8).map { "\($0)" }
    }
    return numbers.joined(separator: ", ") + (tensor.count > 8 ? ", ..." : "")
  }
}

extension ImportOptions {
  /// Of a format whose inputs cannot be fixed.
  func checkNoFixedInputs(_ format: String) throws(ModelImportError) {
    if let name = inputValues.keys.min() {
      throw .invalid(place: name, rule: "Inputs of \(format) models cannot be fixed.")
    }
  }
}

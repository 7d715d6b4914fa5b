internal import DiceWeights

/// The names of a model's values: those of the file for inputs and outputs, and for everything else
/// names that differ from them.
struct ONNXNames {
  /// The name of each output, by output index.
  ///
  /// A model's values have one set of names, inputs and outputs of a file have one each: an output
  /// that is named like an input gets ".output" behind its name.
  let outputs: [String]
  /// The outputs that are copies, with the names of what they copy.
  ///
  /// They read a layer that has another output's name already, or a constant.
  private(set) var copies: [(output: String, of: String)] = []

  private let inputs: [String]
  private var layers: [String] = []
  /// What the names that are not in the file begin with; usually nothing.
  private var prefix = ""

  init(_ description: NetworkDescription) {
    inputs = description.inputs.map { (input) in input.name }
    outputs = Self.outputs(of: description)
    while (inputs + outputs).contains(where: { (name) in isInner(name) }) { prefix += "_" }
    nameLayers(of: description)
  }

  private static func outputs(of description: NetworkDescription) -> [String] {
    // Names are compared as bytes, like everywhere in a weight file.
    func isAmong(_ names: [String], _ name: String) -> Bool {
      names.contains { (other) in other.utf8.elementsEqual(name.utf8) }
    }
    let inputs = description.inputs.map { (input) in input.name }
    var outputs = description.outputs.map { (output) in output.name }
    for index in outputs.indices where isAmong(inputs, outputs[index]) {
      repeat {
        outputs[index] += ".output"
      } while isAmong(
        inputs + outputs[..<index] + outputs[(index + 1)...], outputs[index])
    }
    return outputs
  }

  private mutating func nameLayers(of description: NetworkDescription) {
    var isNamed = [Bool](repeating: false, count: description.layers.count)
    for (index, layer) in description.layers.enumerated() {
      if case .constant(let layer) = layer {
        layers.append(tensor(layer.tensor, .value))
        isNamed[index] = true
      } else {
        layers.append("\(prefix)layer\(index)")
      }
    }
    for (index, output) in description.outputs.enumerated() {
      if isNamed[output.layer] {
        copies.append((output: outputs[index], of: layers[output.layer]))
      } else {
        layers[output.layer] = outputs[index]
        isNamed[output.layer] = true
      }
    }
  }

  /// Whether a name begins like those that are not in the file.
  private func isInner(_ name: String) -> Bool {
    name.utf8.starts(with: "\(prefix)layer".utf8) || name.utf8.starts(with: "\(prefix)tensor".utf8)
  }

  /// The name of a value.
  subscript(source: Layer.Source) -> String {
    switch source {
    case .input(let index): inputs[index]
    case .layer(let index): layers[index]
    }
  }

  /// The name of something that belongs to a layer: a value on the way to its output, a constant.
  func part(_ part: String, ofLayer index: Int) -> String { "\(prefix)layer\(index).\(part)" }

  /// The name of a tensor of the file in one of its layouts.
  func tensor(_ index: Int, _ layout: TensorLayout) -> String {
    "\(prefix)tensor\(index)\(layout.suffix)"
  }
}

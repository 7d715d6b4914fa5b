internal import DiceDetectorHeads
internal import DiceWeights

extension ImportedModel {
  /// Brings the numbers of an output into the places that a head reads; as a tensor it stays what it was.
  mutating func arrange(_ index: Int, _ places: Places) {
    let tensor = outputs[index]
    func axes(_ places: Places) -> [Int] {
      places.all.joined().filter { (axis) in tensor.shape[axis] != 1 }
    }
    let before = axes(tensor.places)
    let after = axes(places)
    let arranged = ModelTensor(name: tensor.name, shape: tensor.shape, places: places)
    guard before != after || arranged.valueShape != tensor.valueShape else { return }
    let source = description.outputs[index].layer
    description.layers.append(
      .rearrangement(
        Layer.Rearrangement(
          input: .layer(source), dimensions: before.map { (axis) in tensor.shape[axis] },
          permutation: after.map { (axis) in before.firstIndex(of: axis) ?? 0 },
          output: arranged.valueShape)))
    description.outputs[index].layer = description.layers.count - 1
    // What is rearranged has one size.
    for input in description.inputs.indices { description.inputs[input].isResizable = false }
    outputs[index] = arranged
    var number = 0
    for entry in description.provenance.indices
    where description.provenance[entry].key == ModelTensor.outputKey {
      if number == index { description.provenance[entry].value = arranged.text }
      number += 1
    }
  }

  /// Makes the only input a picture.
  ///
  /// - Parameters:
  ///   - rules: How pictures come to the model.
  ///   - order: The order of a colour picture's channels; nil takes that of the rules.
  ///   - place: What the model is, for an error.
  mutating func makePicture(
    _ rules: ImageRules, order: ImageRules.ChannelOrder?, place: String
  ) throws(ModelImportError) {
    guard description.inputs.count == 1, let input = description.inputs.first,
      [1, 3].contains(input.shape.channels)
    else {
      throw .invalid(
        place: place, rule: "It must have one input, a picture of one or three channels.")
    }
    var rules = rules
    if let order, input.shape.channels == 3, order != .gray {
      if order != rules.channelOrder {
        rules.scales = SIMD3(rules.scales.z, rules.scales.y, rules.scales.x)
        rules.biases = SIMD3(rules.biases.z, rules.biases.y, rules.biases.x)
      }
      rules.channelOrder = order
    }
    if input.shape.channels == 1, rules.channelOrder != .gray {
      rules = ImageRules(
        channelOrder: .gray, scales: rules.scales, biases: rules.biases,
        cropAndScale: rules.cropAndScale, paddingValue: rules.paddingValue)
    }
    description.inputs[0].content = .image(rules)
  }
}

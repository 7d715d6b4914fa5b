extension NetworkDescription {
  /// Checks the description against the rules of the format and infers all shapes for inputs of the
  /// default shapes.
  ///
  /// The tensors are those that the layers refer to: their indices must be 0, 1, 2, ... without a
  /// gap.
  ///
  /// - Returns: The shapes of the layers' outputs and of the tensors.
  /// - Throws: The first broken rule about text, inputs, outputs, numbers, layers or references to
  ///   tensors.
  /// - Complexity: O(size of the description).
  /// - Source: `Docs/WeightFormat.md`, sections 4, 5 and 7.
  public func validated() throws(WeightFileError) -> NetworkShapes {
    try validated(stated: nil)
  }

  /// The shapes of all values for inputs of other sizes.
  ///
  /// A resizable input may have other rows and columns: multiples of
  /// ``NetworkShapes/sizeMultiple`` in 1...16 384. Everything else stays as it is, the shapes of the
  /// tensors and the channels of all layers included; a layer that cannot do with other sizes, such as
  /// a dense one, is an error.
  ///
  /// - Parameter inputs: The shape of each input, by input index.
  /// - Throws: What ``validated()`` throws; `shapeCount`, `fixedShape` or `sizeMultiple` where the
  ///   shapes are not those that the inputs may have; or a rule of a layer that does not hold for
  ///   them.
  /// - Complexity: O(size of the description).
  public func shapes(inputs: [TensorShape]) throws(WeightFileError) -> NetworkShapes {
    try shapes(inputs: inputs, default: try validated())
  }

  /// The shapes for other inputs of a description whose default shapes are known.
  func shapes(
    inputs shapes: [TensorShape], default: NetworkShapes
  ) throws(WeightFileError) -> NetworkShapes {
    guard shapes.count == inputs.count else {
      throw .shapeCount(found: shapes.count, required: inputs.count)
    }
    for (index, input) in inputs.enumerated() where shapes[index] != input.shape {
      let shape = shapes[index]
      guard input.isResizable, shape.channels == input.shape.channels else {
        throw .fixedShape(input: index, found: shape, required: input.shape)
      }
      try Self.checkShape(shape, at: index)
      let multiple = `default`.sizeMultiple
      guard shape.height % multiple == 0, shape.width % multiple == 0 else {
        throw .sizeMultiple(input: index, found: shape, multiple: multiple)
      }
    }
    var inference = ShapeInference(inputs: shapes, stated: `default`.tensors)
    let result = try inference.run(layers, outputs: outputs)
    // Columns that a matrix product makes channels of.
    for (layer, shape) in result.layers.enumerated()
    where shape.channels != `default`.layers[layer].channels {
      for (index, input) in inputs.enumerated() where shapes[index] != input.shape {
        throw .fixedShape(input: index, found: shapes[index], required: input.shape)
      }
    }
    return result
  }

  /// Checks the description, and where `stated` has the shapes of a file's tensors, that the layers
  /// use exactly those.
  func validated(stated: [[Int]]?) throws(WeightFileError) -> NetworkShapes {
    try TextRule.check(name, .name)
    try TextRule.check(task, .task)
    try validateInputs()
    try validateOutputs()
    try WeightFileError.check(profile.count, in: WeightFormat.namedValueCounts) {
      (found, allowed) in .profileCount(found: found, allowed: allowed)
    }
    try Self.check(profile) { (index) in .profileName(index) }
    try WeightFileError.check(provenance.count, in: WeightFormat.provenanceCounts) {
      (found, allowed) in .provenanceCount(found: found, allowed: allowed)
    }
    for (index, entry) in provenance.enumerated() {
      try TextRule.check(entry.key, .provenanceKey(index))
      try TextRule.check(entry.value, .provenanceValue(index))
    }
    var inference = ShapeInference(
      inputs: inputs.map { (input) in input.shape }, stated: stated)
    return try inference.run(layers, outputs: outputs)
  }

  private func validateInputs() throws(WeightFileError) {
    try WeightFileError.check(inputs.count, in: WeightFormat.inputCounts) { (found, allowed) in
      .inputCount(found: found, allowed: allowed)
    }
    try TextRule.check(inputs.map { (input) in input.name }) { (index) in .inputName(index) }
    for (index, input) in inputs.enumerated() {
      try Self.checkShape(input.shape, at: index)
      guard case .image(let rules) = input.content else { continue }
      let channelCount = rules.channelOrder.channelCount
      guard input.shape.channels == channelCount else {
        throw .imageChannels(input: index, found: input.shape.channels, required: channelCount)
      }
      for channel in 0..<3 {
        // A channel that a gray picture does not have is not written: its numbers are fixed.
        let isThere = channel < channelCount
        let scale = rules.scales[channel]
        guard isThere ? scale.isFinite && scale != 0 : scale == 1 else {
          throw .inputScale(input: index, channel: channel, found: scale)
        }
        let bias = rules.biases[channel]
        guard isThere ? bias.isFinite : bias == 0 else {
          throw .inputBias(input: index, channel: channel, found: bias)
        }
      }
    }
  }

  private static func checkShape(
    _ shape: TensorShape, at index: Int
  ) throws(WeightFileError) {
    guard WeightFormat.inputSizes.contains(shape.height),
      WeightFormat.inputSizes.contains(shape.width),
      shape.channels >= 1, shape.channels <= WeightFormat.maximumExtent,
      Int64(shape.height) * Int64(shape.width) * Int64(shape.channels)
        <= Int64(WeightFormat.maximumElementCount)
    else { throw .inputShape(input: index, found: shape) }
  }

  private func validateOutputs() throws(WeightFileError) {
    try WeightFileError.check(outputs.count, in: WeightFormat.outputCounts) { (found, allowed) in
      .outputCount(found: found, allowed: allowed)
    }
    try TextRule.check(outputs.map { (output) in output.name }) { (index) in .outputName(index) }
    for (output, entry) in outputs.enumerated() {
      guard let head = entry.head else { continue }
      try TextRule.check(head.kind, .headKind(output: output))
      try WeightFileError.check(head.labels.count, in: WeightFormat.labelCounts) {
        (found, allowed) in .labelCount(output: output, found: found, allowed: allowed)
      }
      try TextRule.check(head.labels) { (index) in .label(output: output, index: index) }
      try WeightFileError.check(head.parameters.count, in: WeightFormat.namedValueCounts) {
        (found, allowed) in .headParameterCount(output: output, found: found, allowed: allowed)
      }
      try Self.check(head.parameters) { (index) in .headParameter(output: output, index: index) }
    }
  }

  /// Checks lists of numbers: their names, how many there are, and that they are finite.
  private static func check(
    _ lists: [NamedValues], _ field: (Int) -> WeightFileError.TextField
  ) throws(WeightFileError) {
    try TextRule.check(lists.map { (list) in list.name }, field)
    for (index, list) in lists.enumerated() {
      try WeightFileError.check(list.values.count, in: WeightFormat.valueCounts) {
        (found, allowed) in .numberCount(field(index), found: found, allowed: allowed)
      }
      for (place, number) in list.values.enumerated() where !number.isFinite {
        throw .numberNotFinite(field(index), index: place, found: number)
      }
    }
  }
}

extension WeightFileError {
  /// Throws the error that `failure` makes unless `allowed` contains `found`.
  static func check(
    _ found: Int, in allowed: ClosedRange<Int>,
    _ failure: (_ found: Int, _ allowed: ClosedRange<Int>) -> WeightFileError
  ) throws(WeightFileError) {
    guard allowed.contains(found) else { throw failure(found, allowed) }
  }
}

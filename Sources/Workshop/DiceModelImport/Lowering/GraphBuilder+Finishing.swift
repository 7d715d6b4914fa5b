internal import DiceDetectorHeads
internal import DiceWeights

extension GraphBuilder {
  /// The network, simplified and checked against the rules of the weight format.
  ///
  /// - Parameters:
  ///   - name: The network's name.
  ///   - task: What it is for.
  ///   - provenance: Where it comes from; inputs and outputs as the model has them are added.
  ///   - report: What is known of the import so far.
  func finish(
    name: String, task: String = "", provenance: [ProvenanceEntry], report: ImportReport
  ) throws(ModelImportError) -> ImportedModel {
    guard !outputs.isEmpty else {
      throw .invalid(place: name, rule: "The model has no output.")
    }
    var simplifier = NetworkSimplifier(self, report: report)
    simplifier.run()
    var report = simplifier.report
    let limit = WeightFormat.layerCounts.upperBound
    if recurrentStepCount > 0, simplifier.layers.count > limit {
      throw .unsupported([
        UnsupportedOperation(
          name: "The network", place: name, count: 1,
          reason:
            "its \(recurrentStepCount) steps of recurrent operations make \(simplifier.layers.count) "
            + "layers with the others, and the format takes \(limit)")
      ])
    }
    // An input that nothing reads is none of the network's.
    var isRead = [Bool](repeating: false, count: inputs.count)
    for layer in simplifier.layers {
      for case .input(let index) in layer.sources { isRead[index] = true }
    }
    var numbers: [Int] = []
    var count = 0
    for isRead in isRead {
      numbers.append(count)
      count += isRead ? 1 : 0
    }
    let layers = simplifier.layers.map { (layer) in
      layer.mapping(
        sources: { (source) in
          if case .input(let index) = source { return .input(numbers[index]) }
          return source
        }, tensors: { $0 })
    }
    for index in inputs.indices where !isRead[index] {
      report.notes.append("No output depends on the input \(inputs[index].name); it was left out.")
    }
    let usedInputs = inputs.indices.filter { isRead[$0] }
    let inputTensors = usedInputs.map { self.inputTensors[$0] }
    var entries = provenance
    for tensor in inputTensors {
      entries.append(ProvenanceEntry(key: ModelTensor.inputKey, value: tensor.text))
    }
    for tensor in outputTensors {
      entries.append(ProvenanceEntry(key: ModelTensor.outputKey, value: tensor.text))
    }
    let description = NetworkDescription(
      name: ModelTensor.legalName(name, among: []), task: task,
      inputs: usedInputs.map { inputs[$0] }, layers: layers, outputs: simplifier.outputs,
      provenance: entries)
    do throws(WeightFileError) {
      _ = try description.validated()
    } catch {
      throw .network(error)
    }
    return ImportedModel(
      description: description, tensors: simplifier.tensors, inputs: inputTensors,
      outputs: outputTensors, report: report)
  }
}

internal import DiceDetection
public import DiceWeights

extension WeightFile {
  /// The weights of a detector for one that finds other things: the same network but for the labels of
  /// its heads.
  ///
  /// All layers are kept, and of each head the channels of the box, the objectness, and the classes that
  /// both networks have. The channels of all other classes become 0: at first each of them is as likely
  /// as any other. The base sizes stay as well.
  ///
  /// - Parameter other: the network that the weights are for.
  /// - Returns: weights for `other`; nil where the labels are the same, or more than the heads differs.
  /// - Throws: the broken rule of `other`.
  public func relabelled(
    for other: NetworkDescription
  ) throws(WeightFileError) -> WeightFile? {
    let otherShapes = try other.validated()
    guard let own = try? GridBoxes(description, shapes: shapes),
      let wanted = try? GridBoxes(other, shapes: otherShapes), own.labels != wanted.labels,
      own.outputs == wanted.outputs, description.layers.count == other.layers.count,
      shapes.tensors.count == otherShapes.tensors.count
    else { return nil }
    var narrowed: Set<Int> = []
    let heads = Set(own.outputs.map { description.outputs[$0].layer })
    for (index, layer) in description.layers.enumerated() {
      guard heads.contains(index), case .convolution(var head) = layer else {
        guard layer == other.layers[index] else { return nil }
        continue
      }
      narrowed.formUnion([head.weights, head.bias])
      head.outputChannels = 5 + wanted.labels.count
      guard other.layers[index] == .convolution(head) else { return nil }
    }
    // The channels that stay: where each is, and where it was.
    var kept = (0..<5).map { (to: $0, from: $0) }
    for (index, label) in wanted.labels.enumerated() {
      if let before = own.labels.firstIndex(of: label) { kept.append((5 + index, 5 + before)) }
    }
    var tensors: [[Float]] = []
    for index in shapes.tensors.indices {
      let values = floats(of: index)
      guard narrowed.contains(index) else {
        tensors.append(values)
        continue
      }
      let (before, after) = (5 + own.labels.count, 5 + wanted.labels.count)
      var changed = [Float](repeating: 0, count: values.count / before * after)
      for row in 0..<values.count / before {
        for (to, from) in kept { changed[row * after + to] = values[row * before + from] }
      }
      tensors.append(changed)
    }
    var relabelled = other
    relabelled.setBaseSizes(own.heads.map(\.baseSize))
    return try WeightFile(
      bytes: WeightFile.encode(description: relabelled, tensors: tensors, storage: .float32))
  }
}

internal import DiceKernels
internal import DiceWeights

extension NetworkPlan: CustomStringConvertible {
  /// What the plan chose, a line for each layer: kernels, shapes and where outputs lie.
  ///
  /// ```
  /// small: 9 layers, avx512 kernels, 24 KiB of packed weights
  ///  0  convolution, 3x3 stride 2, leaky ReLU 0.1   208 x 208 x 16   buffer 1 [0..<16], halo 1
  /// ```
  public var description: String {
    var lines = [
      "\(name): \(layers.count) layers, \(backend.name) kernels, "
        + "\((weights.count * 4 + 1023) / 1024) KiB of packed weights"
    ]
    for (index, layer) in layers.enumerated() {
      var line = padded(String(index), 3, right: false) + "  "
      var words = layer.kindInWords
      if !layer.detailsInWords.isEmpty { words += ", " + layer.detailsInWords }
      line += padded(words, 44) + " " + padded("\(shapes.layers[index])", 18)
      line += place(of: index)
      lines.append(line)
    }
    return lines.joined(separator: "\n")
  }

  private func place(of index: Int) -> String {
    let value = graph.value(ofLayer: index)
    guard let placement = graph.placements[value] else { return "part of a later layer" }
    let end = placement.channelOffset + graph.values[value].paddedChannelCount
    var words = "buffer \(placement.buffer) [\(placement.channelOffset)..<\(end)]"
    let halo = graph.buffers[placement.buffer].halo.greatest
    if halo > 0 { words += ", halo \(halo)" }
    if case .concatenation(let layer) = layers[index], layer.axis == .channels {
      let count = graph.copies[index].count
      words += count == 0 ? ", in place" : ", \(count) copied"
    }
    return words
  }

  private func padded(_ text: String, _ count: Int, right: Bool = true) -> String {
    let fill = String(repeating: " ", count: max(0, count - text.utf8.count))
    return right ? text + fill : fill + text
  }
}

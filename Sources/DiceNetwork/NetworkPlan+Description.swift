internal import DiceKernels
internal import DiceWeights

extension NetworkPlan: CustomStringConvertible {
  /// What the plan chose, a line for each layer: kernels, shapes and where outputs lie.
  ///
  /// ```
  /// small: 9 layers, avx512 kernels, 24 KiB of packed weights
  ///  0  convolution 3x3 / 2, 3 -> 16, leaky 0.1    1/2   buffer 1 [0..<16], halo 1
  /// ```
  public var description: String {
    var lines = [
      "\(name): \(layers.count) layers, \(backend.name) kernels, "
        + "\((weights.count * 4 + 1023) / 1024) KiB of packed weights"
    ]
    for (index, layer) in layers.enumerated() {
      let shape = graph.values[index + 1]
      let placement = graph.placements[index + 1]
      let buffer = graph.buffers[placement.buffer]
      var line = padded(String(index), 3, right: false) + "  "
      line += padded(text(layer, index), 44)
      line += padded("1/\(shape.downsampling)", 6)
      if case .detectionHead = layer {
        line += "reads buffer \(placement.buffer)"
      } else {
        let end = placement.channelOffset + shape.paddedChannelCount
        line += "buffer \(placement.buffer) [\(placement.channelOffset)..<\(end)]"
        if buffer.halo > 0 { line += ", halo \(buffer.halo)" }
      }
      lines.append(line)
    }
    return lines.joined(separator: "\n")
  }

  private func text(_ layer: Layer, _ index: Int) -> String {
    switch layer {
    case .convolution(let layer):
      let activation =
        switch layer.activation {
        case .identity: ""
        case .leakyReLU(let slope): ", leaky \(slope)"
        case .sigmoidWeighted: ", sigmoid weighted"
        }
      return "convolution \(layer.kernelSize)x\(layer.kernelSize) / \(layer.stride), "
        + "\(layer.inputChannels) -> \(layer.outputChannels)\(activation)"
    case .maxPooling(let layer): return "maximum \(layer.size)x\(layer.size) / \(layer.stride)"
    case .upsampling(let layer): return "upsampling x\(layer.factor)"
    case .concatenation(let layer):
      let count = graph.copies[index].count
      return "concatenation of \(layer.inputs.count), "
        + (count == 0 ? "in place" : "\(count) copied")
    case .addition: return "addition"
    case .detectionHead(let layer):
      return "detection head, \(layer.classCount) classes, base size \(layer.baseSize)"
    }
  }

  private func padded(_ text: String, _ count: Int, right: Bool = true) -> String {
    let fill = String(repeating: " ", count: max(0, count - text.utf8.count))
    return right ? text + fill : fill + text
  }
}

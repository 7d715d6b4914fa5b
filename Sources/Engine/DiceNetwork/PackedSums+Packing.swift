internal import DiceKernels
internal import DiceWeights

extension PackedSums {
  /// Writes biases and weights, with normalisations folded into them, where the plan has put them.
  ///
  /// - Parameters:
  ///   - target: The plan's memory, all zero.
  ///   - tensor: The values of a tensor.
  func pack(
    to target: FloatStorage, folding normalizations: [Layer.BatchNormalization],
    tensor: (Int) -> [Float]
  ) {
    var values = tensor(weights)
    var biases = tensor(bias)
    for normalization in normalizations {
      let (scales, shifts) = normalization.line(tensor)
      for o in biases.indices {
        biases[o] = Float(Double(biases[o]) * scales[o] + shifts[o])
      }
      for index in values.indices {
        values[index] = Float(Double(values[index]) * scales[index % outputChannels])
      }
    }
    if case .depthwise = method {
      packDepthwise(values, biases, to: target)
      return
    }
    if case .integers = method {} else { target.write(biases, at: biasOffset) }
    if MatrixKernels.areBuilt, case .matrix(let windows) = method {
      pack(values, windows, to: BFloat16Address(target.address(parts[0].weightOffset)))
      return
    }
    if IntegerKernels.areBuilt, case .integers(let windows) = method {
      if windows.isExact {
        packExactly(values, biases, windows, to: target)
      } else {
        pack(values, biases, windows, to: target)
      }
      return
    }
    for part in parts {
      if groups == 1 && isInOrder(part) {
        packWeights(
          values, to: target.address(part.weightOffset), tapCount: tapCount,
          outputChannelCount: outputChannels, inputSlots: inputSlots, slotCount: part.slots.count)
      } else {
        pack(values, part, to: target.address(part.weightOffset))
      }
    }
    if case .winograd(let form, let offset) = method {
      packWinogradWeights(
        values, form, to: target.address(offset), outputChannelCount: outputChannels,
        inputSlots: inputSlots, slotCount: parts[0].slots.count)
    }
  }

  /// Whether a part has all positions of the kernel in the order of the tensor.
  private func isInOrder(_ part: Part) -> Bool {
    guard part.tapCount == tapCount else { return false }
    for (number, tap) in part.taps.enumerated() where tap.index != number { return false }
    return true
  }

  private func packDepthwise(_ values: [Float], _ biases: [Float], to target: FloatStorage) {
    let part = parts[0]
    let weights = target.address(part.weightOffset)
    let bias = target.address(biasOffset)
    for (channel, slot) in inputSlots.enumerated() {
      bias.store(biases[channel], at: slot)
      for tap in 0..<tapCount {
        weights.store(values[tap * outputChannels + channel], at: tap * part.slots.count + slot)
      }
    }
  }

  /// Weights `[KH, KW, I / groups, O]` of some blocks and taps, 0 where a channel is of another group.
  private func pack(_ values: [Float], _ part: Part, to target: Address) {
    let groupOutputs = outputChannels / groups
    for block in part.blocks {
      for (number, tap) in part.taps.enumerated() {
        let row =
          ((block - part.blocks.lowerBound) * part.tapCount + number) * part.slots.count
        for lane in 0..<channelGranularity {
          let output = block * channelGranularity + lane
          guard output < outputChannels else { break }
          for input in 0..<groupInputs {
            let slot = inputSlots[output / groupOutputs * groupInputs + input]
            target.store(
              values[(tap.index * groupInputs + input) * outputChannels + output],
              at: (row + slot - part.slots.lowerBound) * channelGranularity + lane)
          }
        }
      }
    }
  }

  /// Packs weights `[KH, KW, I, O]` for kernels of integers: 127 steps to the greatest of each output channel.
  ///
  /// What the input's 0 adds to the sums is taken from the biases.
  private func pack(
    _ values: [Float], _ biases: [Float], _ windows: IntegerWindows, to target: FloatStorage
  ) {
    var greatest = [Float](repeating: 0, count: outputChannels)
    for (index, value) in values.enumerated() {
      greatest[index % outputChannels] = max(greatest[index % outputChannels], value.magnitude)
    }
    // Integers far below the range of sums, whatever the weights.
    let steps = greatest.map { (greatest) in Double(max(greatest, 1e-20)) / 127 }
    let integers = values.indices.map { (index) in
      Int8((Double(values[index]) / steps[index % outputChannels]).rounded(.toNearestOrEven))
    }
    var sums = [Int](repeating: 0, count: outputChannels)
    for (index, value) in integers.enumerated() { sums[index % outputChannels] += Int(value) }
    let outputScale = windows.writesFloats ? 1 : Double(windows.output.scale)
    for (output, step) in steps.enumerated() {
      let scale = Double(windows.input.scale) * step
      let bias = (Double(biases[output]) / scale).rounded(.toNearestOrEven)
      let zero = Int(windows.input.zero) - windows.inputOffset
      let sum = Int(min(max(bias, -0x1p30), 0x1p30)) - sums[output] * zero
      target.address(biasOffset).store(
        Float(bitPattern: UInt32(bitPattern: Int32(clamping: sum))), at: output)
      target.address(windows.scalesOffset).store(Float(scale / outputScale), at: output)
    }
    var channels = [Int](repeating: -1, count: windows.pixelStep)
    for (channel, slot) in inputSlots.enumerated() { channels[slot] = channel }
    let columns = tapCount / windows.count
    packIntegerWeights(
      to: target.address(parts[0].weightOffset), outputChannelCount: outputChannels,
      windowCount: windows.count, windowLength: windows.length, groupCount: windows.groupCount
    ) { (output, window, value) in
      let channel = channels[value % windows.pixelStep]
      guard channel >= 0 else { return 0 }
      let tap = window * columns + value / windows.pixelStep
      return integers[(tap * groupInputs + channel) * outputChannels + output]
    }
  }

  /// Packs whole weights `[KH, KW, I, O]` for kernels of integers: what more than 8 bits have goes to repeated
  /// groups.
  private func packExactly(
    _ values: [Float], _ biases: [Float], _ windows: IntegerWindows, to target: FloatStorage
  ) {
    var sums = [Int](repeating: 0, count: outputChannels)
    for (index, value) in values.enumerated() { sums[index % outputChannels] += Int(value) }
    let zero = Int(windows.input.zero) - windows.inputOffset
    for (output, bias) in biases.enumerated() {
      target.address(biasOffset).store(
        Float(bitPattern: UInt32(bitPattern: Int32(clamping: Int(bias) - sums[output] * zero))),
        at: output)
    }
    var channels = [Int](repeating: -1, count: parts[0].slots.count)
    for (channel, slot) in inputSlots.enumerated() { channels[slot] = channel }
    let columns = tapCount / windows.count
    let own = windows.pixelStep - 4 * windows.repeats.count
    packIntegerWeights(
      to: target.address(parts[0].weightOffset), outputChannelCount: outputChannels,
      windowCount: windows.count, windowLength: windows.length, groupCount: windows.groupCount
    ) { (output, window, value) in
      let place = value % windows.pixelStep
      let isRepeated = place >= own
      let slot = isRepeated ? 4 * windows.repeats[(place - own) / 4] + place % 4 : place
      guard slot < channels.count, channels[slot] >= 0 else { return 0 }
      let tap = window * columns + value / windows.pixelStep
      let weight = Int(values[(tap * groupInputs + channels[slot]) * outputChannels + output])
      let first = Int8(clamping: weight)
      return isRepeated ? Int8(clamping: weight - Int(first)) : first
    }
  }

  /// Packs weights `[KH, KW, I, O]` for matrix kernels.
  private func pack(_ values: [Float], _ windows: Windows, to target: BFloat16Address) {
    var channels = [Int](repeating: -1, count: windows.pixelStep)
    for (channel, slot) in inputSlots.enumerated() { channels[slot] = channel }
    let columns = tapCount / windows.count
    packMatrixWeights(
      to: target, outputChannelCount: outputChannels, windowCount: windows.count,
      windowLength: windows.length
    ) { (output, window, value) in
      let channel = channels[value % windows.pixelStep]
      guard channel >= 0 else { return 0 }
      let tap = window * columns + value / windows.pixelStep
      return values[(tap * groupInputs + channel) * outputChannels + output]
    }
  }
}

extension Layer.BatchNormalization {
  /// The line that it is for each channel: `scale * x + shift`.
  func line(_ tensor: (Int) -> [Float]) -> (scales: [Double], shifts: [Double]) {
    let (scale, shift, mean, variance) = (
      tensor(scale), tensor(shift), tensor(mean), tensor(variance)
    )
    var scales: [Double] = []
    var shifts: [Double] = []
    for channel in scale.indices {
      let deviation = (Double(variance[channel]) + Double(epsilon)).squareRoot()
      scales.append(Double(scale[channel]) / deviation)
      shifts.append(Double(shift[channel]) - Double(mean[channel]) * scales[channel])
    }
    return (scales, shifts)
  }
}

/// Brings the weights of a convolution from `[KH, KW, I, O]` into the order that kernels read:
/// `[output block][tap][input slot][16]`.
///
/// Tap `t` is row `t / KW` and column `t % KW` of the kernel. Lanes behind the last output channel
/// are zero, so are slots that no input channel uses.
///
/// - Parameters:
///   - weights: `tapCount * inputSlots.count * outputChannelCount` values.
///   - tapCount: `KH * KW`.
///   - outputChannelCount: `O`.
///   - inputSlots: For each input channel its slot: its place among the floats of an input pixel.
///     Each slot is used once at most.
///   - slotCount: How many floats of an input pixel the kernel reads.
/// - Precondition: The counts are as said and not negative, every slot lies in `0..<slotCount`.
public func packWeights(
  _ weights: [Float], tapCount: Int, outputChannelCount: Int, inputSlots: [Int], slotCount: Int
) -> [Float] {
  let inputChannelCount = inputSlots.count
  precondition(
    weights.count == tapCount * inputChannelCount * outputChannelCount,
    "weights must have one value for each tap, input channel and output channel")
  let blockCount = paddedChannelCount(outputChannelCount) / channelGranularity
  let blockSize = tapCount * slotCount * channelGranularity
  var packed = [Float](repeating: 0, count: blockCount * blockSize)
  for t in 0..<tapCount {
    for i in 0..<inputChannelCount {
      precondition((0..<slotCount).contains(inputSlots[i]), "a slot lies in 0..<slotCount")
      let source = (t * inputChannelCount + i) * outputChannelCount
      let target = (t * slotCount + inputSlots[i]) * channelGranularity
      for o in 0..<outputChannelCount {
        let block = o / channelGranularity
        packed[block * blockSize + target + o % channelGranularity] = weights[source + o]
      }
    }
  }
  return packed
}

/// Brings the weights of a convolution from `[KH, KW, I, O]` into `[output block][tap][I][16]`, input
/// channel `i` in slot `i`.
///
/// - Precondition: `weights.count == tapCount * inputChannelCount * outputChannelCount`.
public func packWeights(
  _ weights: [Float], tapCount: Int, inputChannelCount: Int, outputChannelCount: Int
) -> [Float] {
  packWeights(
    weights, tapCount: tapCount, outputChannelCount: outputChannelCount,
    inputSlots: Array(0..<inputChannelCount), slotCount: inputChannelCount)
}

/// The inverse of `packWeights`: from `[output block][tap][I][16]` to `[KH, KW, I, O]`; what stands in
/// the lanes behind the last output channel is dropped.
///
/// - Precondition: `packed` has a whole number of blocks of 16 for all taps and channels.
public func unpackWeights(
  _ packed: [Float], tapCount: Int, inputChannelCount: Int, outputChannelCount: Int
) -> [Float] {
  let blockSize = tapCount * inputChannelCount * channelGranularity
  let blockCount = paddedChannelCount(outputChannelCount) / channelGranularity
  precondition(
    packed.count == blockCount * blockSize,
    "packed weights have one value for each block, tap, input channel and lane")
  var weights: [Float] = []
  weights.reserveCapacity(tapCount * inputChannelCount * outputChannelCount)
  for inner in 0..<tapCount * inputChannelCount {
    for o in 0..<outputChannelCount {
      let block = o / channelGranularity
      weights.append(
        packed[block * blockSize + inner * channelGranularity + o % channelGranularity])
    }
  }
  return weights
}

/// The distances that a convolution's taps have from the first one's input, in floats.
///
/// Tap `t` reads the row `t / kernelSize - padding` and the column `t % kernelSize - padding` away
/// from the output pixel's own: `(row * rowStep + column * columnStep)`.
public func tapOffsets(kernelSize: Int, padding: Int, rowStep: Int, columnStep: Int) -> [Int] {
  var offsets: [Int] = []
  offsets.reserveCapacity(kernelSize * kernelSize)
  for row in 0..<kernelSize {
    for column in 0..<kernelSize {
      offsets.append((row - padding) * rowStep + (column - padding) * columnStep)
    }
  }
  return offsets
}

/// Brings the weights of a convolution of 3 by 3 taps from `[3, 3, I, O]` into the order that Winograd's
/// method reads: `[place][output block][input slot][16]` of `G w Gᵀ` (`WinogradTask`).
///
/// Computed in double precision and rounded once.
///
/// - Parameters:
///   - weights: `9 * inputSlots.count * outputChannelCount` values.
///   - outputChannelCount: `O`.
///   - inputSlots: For each input channel its slot: its place among the floats of an input pixel.
///   - slotCount: How many floats of an input pixel the kernel reads.
/// - Precondition: As for `packWeights`.
public func packWinogradWeights(
  _ weights: [Float], outputChannelCount: Int, inputSlots: [Int], slotCount: Int
) -> [Float] {
  let pairCount = inputSlots.count * outputChannelCount
  precondition(
    weights.count == 9 * pairCount,
    "weights must have one value for each tap, input channel and output channel")
  /// A line of three taps through `G`.
  func transformed(_ a: Double, _ b: Double, _ c: Double) -> [Double] {
    [
      a / 4, -(a + b + c) / 6, -(a - b + c) / 6, a / 24 + b / 12 + c / 6,
      a / 24 - b / 12 + c / 6, c,
    ]
  }
  var places = [[Float]](
    repeating: [Float](repeating: 0, count: pairCount), count: WinogradTask.placeCount)
  for pair in 0..<pairCount {
    func tap(_ row: Int, _ column: Int) -> Double {
      Double(weights[(row * 3 + column) * pairCount + pair])
    }
    let columns = (0..<3).map { transformed(tap(0, $0), tap(1, $0), tap(2, $0)) }
    for row in 0..<6 {
      let line = transformed(columns[0][row], columns[1][row], columns[2][row])
      for column in 0..<6 { places[row * 6 + column][pair] = Float(line[column]) }
    }
  }
  var packed: [Float] = []
  for place in places {
    packed += packWeights(
      place, tapCount: 1, outputChannelCount: outputChannelCount, inputSlots: inputSlots,
      slotCount: slotCount)
  }
  return packed
}

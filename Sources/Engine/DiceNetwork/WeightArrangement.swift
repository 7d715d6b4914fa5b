internal import DiceKernels
internal import DiceWeights

/// Where the packed numbers of all layers lie, decided before any memory is taken.
struct WeightArrangement {
  private(set) var operations: [PackedOperation] = []
  /// The floats of all of them.
  private(set) var floatCount: Int64 = 0

  /// Arranges the numbers of all layers.
  ///
  /// - Parameters:
  ///   - wholeRanges: What values of whole numbers may be.
  ///   - allowsWinograd: Whether kernels may compute sums in another way than they are defined.
  ///   - tensor: The values of a tensor.
  /// - Throws: `weightsTooLarge`.
  init(
    _ graph: Graph, shapes: NetworkShapes, precision: NetworkPrecision,
    integerKernels: IntegerKernels, quantizations: ValueQuantizations?, wholeRanges: WholeRanges?,
    allowsWinograd: Bool, tensor: (Int) -> [Float]
  ) throws(NetworkError) {
    // Sums as they are before they have a place, of layers without normalizations.
    var known: [(sums: PackedSums, layer: Int)] = []
    for (index, operation) in graph.operations.enumerated() {
      operations.append(PackedOperation())
      guard let operation else { continue }
      let output = graph.values[graph.value(ofLayer: index)]
      let outputCount = Int64(output.paddedChannelCount)
      if let source = operation.layer.sources.first {
        let input = graph.value(source)
        if var sums = try PackedSums(
          operation, input: graph.values[input], shape: shapes.shape(of: source))
        {
          if MatrixKernels.areBuilt, precision == .bfloat16 {
            sums.useMatrices(pixelStep: graph.buffers[graph.placement(input).buffer].channelStep)
          }
          if IntegerKernels.areBuilt, precision == .int8, let quantizations {
            let step = graph.buffers[graph.placement(input).buffer].channelStep
            sums.useIntegers(
              integerKernels, pixelStep: (step + 3) / 4 * 4, from: quantizations.values[input],
              to: quantizations.values[graph.value(ofLayer: index)],
              writesFloats: graph.isOutput[index])
          }
          if IntegerKernels.areBuilt, let range = wholeRanges?.values[input] {
            sums.useExactIntegers(integerKernels, operation, from: range, tensor)
          }
          let isAlone =
            !operation.normalizations.isEmpty
            || allowsWinograd && sums.winogradForm(operation) != nil
          let own = sums
          if !isAlone, let first = known.first(where: { $0.sums == own }) {
            operations[index].sums = operations[first.layer].sums
            operations[index].sharesSums = true
          } else {
            try place(&sums, operation, outputCount, allowsWinograd: allowsWinograd)
            operations[index].sums = sums
            if !isAlone { known.append((own, index)) }
          }
        }
      }
      switch operation.layer {
      case .batchNormalization: operations[index].numbersOffset = try take(2 * outputCount)
      case .constant(let layer):
        operations[index].numbersOffset = try take(Int64(layer.shape.elementCount))
      case .elementwise(let layer) where layer.tensor != nil:
        operations[index].numbersOffset = try take(9)
      default: break
      }
      switch operation.functionWithTensor {
      case .table: operations[index].functionOffset = try take(256)
      case .requantization: operations[index].functionOffset = try take(3 * outputCount)
      case nil: break
      default: operations[index].functionOffset = try take(outputCount)
      }
    }
  }

  private mutating func place(
    _ sums: inout PackedSums, _ operation: Operation, _ outputCount: Int64, allowsWinograd: Bool
  ) throws(NetworkError) {
    switch sums.method {
    case .depthwise:
      sums.parts[0].weightOffset = try take(Int64(sums.tapCount) * outputCount)
    case .matrix(let windows):
      guard MatrixKernels.areBuilt else { break }
      sums.parts[0].weightOffset = try take(
        outputCount * Int64(windows.count * windows.stepCount) * 16)
    case .integers(var windows):
      guard IntegerKernels.areBuilt else { break }
      sums.parts[0].weightOffset = try take(
        outputCount * Int64(windows.count * windows.groupCount))
      if !windows.isExact { windows.scalesOffset = try take(outputCount) }
      sums.method = .integers(windows)
    case .direct, .winograd:
      for part in sums.parts.indices {
        sums.parts[part].weightOffset = try take(sums.parts[part].weightCount)
      }
    }
    sums.biasOffset = try take(outputCount)
    if case .direct = sums.method, allowsWinograd, let form = sums.winogradForm(operation) {
      sums.method = .winograd(
        form,
        weightOffset: try take(
          outputCount * Int64(WinogradForm.weightPlaceCount * sums.parts[0].slots.count)))
    }
  }

  /// The place of so many floats behind all others, a multiple of 16.
  private mutating func take(_ count: Int64) throws(NetworkError) -> Int {
    let place = floatCount
    // No more than 64 * 64 taps times 2²⁰ by 2²⁰ channels, far inside the range of Int64.
    floatCount += (count + 15) / 16 * 16
    guard floatCount * 4 <= NetworkPlan.weightByteCountLimit else {
      throw .weightsTooLarge(byteCount: floatCount * 4, limit: NetworkPlan.weightByteCountLimit)
    }
    return Int(place)
  }
}

extension PackedSums {
  /// Lets matrix kernels compute the layer.
  ///
  /// - Parameter pixelStep: Values between neighbouring pixels of the input.
  mutating func useMatrices(pixelStep: Int) {
    method = .matrix(
      Windows(
        count: kernelRowCount, length: windowLength(pixelStep: pixelStep), pixelStep: pixelStep))
  }

  /// Lets kernels of integers compute the layer.
  ///
  /// - Parameter pixelStep: Values between neighbouring pixels of the input.
  mutating func useIntegers(
    _ kernels: IntegerKernels, pixelStep: Int, from input: Quantization, to output: Quantization,
    writesFloats: Bool
  ) {
    let length = windowLength(pixelStep: pixelStep)
    method = .integers(
      IntegerWindows(
        count: kernelRowCount, length: length, pixelStep: pixelStep,
        groupCount: kernels.groupCount(windowLength: length), inputOffset: kernels.inputOffset,
        input: input, output: output, writesFloats: writesFloats))
  }

  private var kernelRowCount: Int {
    parts[0].taps.count { (tap) in tap.column == parts[0].taps[0].column }
  }

  private func windowLength(pixelStep: Int) -> Int {
    (tapCount / kernelRowCount - 1) * pixelStep + parts[0].slots.count
  }
}

internal import DiceWeights

/// Convolutions whose kernels, strides or dilations are larger than those of the weight format: they are the sum of
/// several that are not.
extension GraphBuilder {
  /// The most parts that a kernel is cut into.
  private static let partLimit = 256

  /// Whether a convolution is larger than the format's.
  static func isWide(_ window: Layer.Window) -> Bool {
    max(window.height, window.width) > WeightFormat.kernelSizes.upperBound
      || max(window.strideY, window.strideX) > WeightFormat.strides.upperBound
      || max(window.dilationY, window.dilationX) > WeightFormat.dilations.upperBound
  }

  /// A convolution of maps of one picture.
  ///
  /// - Parameters:
  ///   - weights: `[KH, KW, I / G, O]`, as many as the window has.
  ///   - bias: `[O]`; nil for none.
  mutating func wideConvolution(
    _ value: ComputedValue, _ axes: MapAxes, weights: [Float], bias: [Float]?,
    outputChannels: Int, window: Layer.Window, groups: Int
  ) throws(LoweringFault) -> ComputedValue {
    let largest = 1 << 15
    for number in [
      window.height, window.width, window.strideY, window.strideX, window.dilationY,
      window.dilationX,
    ] where !(1...largest).contains(number) {
      throw .unsupported("a number of its window is not in 1...\(largest)")
    }
    let value = try padded(value, axes, window.padding, .constant(0))
    var window = window
    window.padding = Layer.Edges()
    let columns = axes.columns.map { value.shape[$0] } ?? 1
    let size = window.outputSize(height: value.shape[axes.rows], width: columns)
    guard size.height > 0, size.width > 0 else {
      throw .invalid("A kernel is larger than its padded input, \(value.shape).")
    }
    let limit = WeightFormat.strides.upperBound
    if max(window.strideY, window.strideX) > limit {
      return try stridingConvolution(
        value, axes, weights: weights, bias: bias, outputChannels: outputChannels, window: window,
        groups: groups)
    }
    return try convolutionInParts(
      value, axes, weights: weights, bias: bias, outputChannels: outputChannels, window: window,
      groups: groups, count: [size.height, size.width])
  }

  /// The sum of convolutions with parts of a kernel.
  ///
  /// - Parameter count: Rows and columns of the result.
  private mutating func convolutionInParts(
    _ value: ComputedValue, _ axes: MapAxes, weights: [Float], bias: [Float]?,
    outputChannels: Int, window: Layer.Window, groups: Int, count: [Int]
  ) throws(LoweringFault) -> ComputedValue {
    let kernel = [window.height, window.width]
    let strides = [window.strideY, window.strideX]
    let dilations = [window.dilationY, window.dilationX]
    // One number at a time where the next is too far away.
    let sizes = (0..<2).map { (axis) in
      dilations[axis] > WeightFormat.dilations.upperBound
        ? 1 : min(kernel[axis], WeightFormat.kernelSizes.upperBound)
    }
    let parts = (0..<2).map { (kernel[$0] + sizes[$0] - 1) / sizes[$0] }
    guard parts[0] * parts[1] <= Self.partLimit else {
      throw .unsupported("its window of \(kernel[0]) x \(kernel[1]) is too large")
    }
    let depth = weights.count / (kernel[0] * kernel[1])
    var sum: Value?
    for index in 0..<parts[0] * parts[1] {
      let starts = [index / parts[1] * sizes[0], index % parts[1] * sizes[1]]
      let part = (0..<2).map { min(sizes[$0], kernel[$0] - starts[$0]) }
      var piece = value
      for (axis, place) in [axes.rows, axes.columns].enumerated() {
        guard let place else { continue }
        piece = try sliced(
          piece, axis: place, start: starts[axis] * dilations[axis],
          count: (count[axis] - 1) * strides[axis] + (part[axis] - 1) * dilations[axis] + 1)
      }
      var numbers: [Float] = []
      numbers.reserveCapacity(part[0] * part[1] * depth)
      for row in starts[0]..<starts[0] + part[0] {
        let first = (row * kernel[1] + starts[1]) * depth
        numbers += weights[first..<first + part[1] * depth]
      }
      let product = try convolution(
        piece, axes, weights: numbers, bias: index == 0 ? bias : nil,
        outputChannels: outputChannels,
        window: Layer.Window(
          height: part[0], width: part[1], strideY: strides[0], strideX: strides[1],
          dilationY: part[0] == 1 ? 1 : dilations[0], dilationX: part[1] == 1 ? 1 : dilations[1],
          padding: Layer.Edges()), groups: groups)
      sum =
        try sum.map { (sum) throws(LoweringFault) in
          try combined(.addition, sum, .computed(product))
        } ?? .computed(product)
    }
    guard let sum else { throw .invalid("A kernel is empty.") }
    return try computed(sum)
  }

  /// A convolution along one axis that moves far: positions from one place to the next become channels, and
  /// each part of the kernel as long as that a matrix.
  private mutating func stridingConvolution(
    _ value: ComputedValue, _ axes: MapAxes, weights: [Float], bias: [Float]?,
    outputChannels: Int, window: Layer.Window, groups: Int
  ) throws(LoweringFault) -> ComputedValue {
    let isAlongRows = window.strideY > window.strideX
    let axis = isAlongRows ? axes.rows : axes.columns ?? axes.rows
    let (kernel, stride, dilation) =
      isAlongRows
      ? (window.height, window.strideY, window.dilationY)
      : (window.width, window.strideX, window.dilationX)
    let across =
      isAlongRows ? (window.width, window.strideX) : (window.height, window.strideY)
    guard across == (1, 1), dilation == 1 || kernel == 1, groups == 1 else {
      throw .unsupported("a stride or dilation is not in 1...64")
    }
    let channels = value.shape[axes.channels]
    let count = (value.shape[axis] - kernel) / stride + 1
    let parts = (kernel + stride - 1) / stride
    guard parts <= Self.partLimit else {
      throw .unsupported("its window of \(window.height) x \(window.width) is too large")
    }
    // As many positions as all parts together read.
    var value = value
    let missing = (parts - 1 + count) * stride - value.shape[axis]
    if missing > 0 {
      var after = [Int](repeating: 0, count: value.shape.count)
      after[axis] = missing
      value = try padded(
        value, before: [Int](repeating: 0, count: after.count), after: after, .constant(0))
    }
    // [..., count, stride, channels]
    let rank = value.shape.count
    let others = (0..<rank).filter { $0 != axis && $0 != axes.channels }
    let order = (others + [axis, rank, axes.channels]).map { (place) in
      place == rank ? axis + 1 : place > axis ? place + 1 : place
    }
    let shape = others.map { value.shape[$0] } + [count]
    var sum: Value?
    for part in 0..<parts {
      let piece = try sliced(value, axis: axis, start: part * stride, count: count * stride)
      var split = piece.shape
      split.replaceSubrange(axis...axis, with: [count, stride])
      // The last part may be shorter.
      let length = min(stride, kernel - part * stride)
      let parted = try sliced(
        computed(reshaped(.computed(piece), to: split)), axis: axis + 1, start: 0, count: length)
      let rows = try reshaped(
        transposed(.computed(parted), order), to: shape + [length * channels])
      let first = part * stride * channels * outputChannels
      let numbers = Array(weights[first..<first + length * channels * outputChannels])
      let product = try dense(
        computed(rows), weights: numbers, bias: part == 0 ? bias : nil,
        outputCount: outputChannels)
      sum =
        try sum.map { (sum) throws(LoweringFault) in
          try combined(.addition, sum, .computed(product))
        } ?? .computed(product)
    }
    guard let sum else { throw .invalid("A kernel is empty.") }
    // [others..., count, outputs] to the order of the maps.
    var back = [Int](repeating: 0, count: rank)
    for (place, other) in others.enumerated() { back[other] = place }
    (back[axis], back[axes.channels]) = (rank - 2, rank - 1)
    return try computed(transposed(sum, back))
  }
}

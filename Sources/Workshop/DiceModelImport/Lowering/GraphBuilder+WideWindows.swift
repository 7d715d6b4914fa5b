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
    if groups == 1, let stride = Self.longStride(window) {
      return try stridingConvolution(
        value, axes, weights: weights, bias: bias, outputChannels: outputChannels, window: window,
        stride: stride)
    }
    guard max(window.strideY, window.strideX) <= WeightFormat.strides.upperBound else {
      throw .unsupported("a stride is not in 1...64 and the window has two axes or groups")
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
        let start: Int = starts[axis] * dilations[axis]
        let reach: Int = (count[axis] - 1) * strides[axis]
        let width: Int = (part[axis] - 1) * dilations[axis] + 1
        piece = try sliced(piece, axis: place, start: start, count: reach + width)
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

  /// The stride of a window that lies along one axis and moves; nil for any other window.
  private static func longStride(_ window: Layer.Window) -> (isAlongRows: Bool, count: Int)? {
    let rows = (window.height, window.strideY)
    let columns = (window.width, window.strideX)
    if columns == (1, 1), rows.1 > 1, window.dilationY == 1 || rows.0 == 1 { return (true, rows.1) }
    if rows == (1, 1), columns.1 > 1, window.dilationX == 1 || columns.0 == 1 {
      return (false, columns.1)
    }
    return nil
  }

  /// A convolution along one axis that moves more than one position, without padding: positions from one place
  /// to the next become channels, and what is left of the window moves by one.
  ///
  /// Spectrograms that networks of sounds compute are such convolutions: 256 weights, every 128th position.
  private mutating func stridingConvolution(
    _ value: ComputedValue, _ axes: MapAxes, weights: [Float], bias: [Float]?,
    outputChannels: Int, window: Layer.Window, stride: (isAlongRows: Bool, count: Int)
  ) throws(LoweringFault) -> ComputedValue {
    guard let axis = stride.isAlongRows ? axes.rows : axes.columns else {
      throw .invalid("A window moves along columns that are not there.")
    }
    let kernel = stride.isAlongRows ? window.height : window.width
    let step = stride.count
    let span = (kernel - 1) / step + 1
    let count = (value.shape[axis] - kernel) / step + 1
    // As many positions as all windows together read, in whole steps.
    let needed = (count + span - 1) * step
    var value = value
    if value.shape[axis] > needed {
      value = try sliced(value, axis: axis, start: 0, count: needed)
    } else if value.shape[axis] < needed {
      var after = [Int](repeating: 0, count: value.shape.count)
      after[axis] = needed - value.shape[axis]
      value = try padded(
        value, before: [Int](repeating: 0, count: after.count), after: after, .constant(0))
    }
    var shape = value.shape
    shape.replaceSubrange(axis...axis, with: [needed / step, step])
    var blocks = try computed(reshaped(.computed(value), to: shape))
    // Of a window that is shorter than its step, the rest is not read.
    let length = min(step, kernel)
    if length < step { blocks = try sliced(blocks, axis: axis + 1, start: 0, count: length) }
    // The positions of a step in front of the channels.
    let channels = axes.channels > axis ? axes.channels + 1 : axes.channels
    var order = (0...value.shape.count).filter { $0 != axis + 1 }
    order.insert(axis + 1, at: order.firstIndex(of: channels) ?? 0)
    shape = value.shape
    shape[axis] = needed / step
    shape[axes.channels] *= length
    let wide = try computed(reshaped(transposed(.computed(blocks), order), to: shape))
    let depth = value.shape[axes.channels] * outputChannels
    let missing = [Float](repeating: 0, count: (span * length - kernel) * depth)
    return try convolution(
      wide, axes, weights: weights + missing, bias: bias, outputChannels: outputChannels,
      window: Layer.Window(
        height: stride.isAlongRows ? span : 1, width: stride.isAlongRows ? 1 : span), groups: 1)
  }
}

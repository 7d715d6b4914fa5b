internal import DiceWeights

/// Convolutions along one axis whose windows or strides are longer than a layer's may be.
extension GraphBuilder {
  /// A convolution along rows as one of rows that are put side by side in the channels, as many as the stride.
  ///
  /// Spectrograms that networks of sounds compute are such convolutions: 256 weights, every 128th position.
  ///
  /// - Returns: nil where a layer of the format does it, or none can.
  mutating func longConvolution(
    _ value: ComputedValue, _ axes: MapAxes, weights: [Float], bias: [Float]?,
    outputChannels: Int, window: Layer.Window
  ) throws(LoweringFault) -> ComputedValue? {
    let (length, stride) = (window.height, window.strideY)
    let shape = value.shape
    guard axes.columns == nil, window.width == 1, window.dilationY == 1, shape.count == 3,
      !WeightFormat.kernelSizes.contains(length) || !WeightFormat.strides.contains(stride),
      stride > 1, length > 0, stride <= 2 * length,
      WeightFormat.kernelSizes.contains((length - 1) / stride + 1)
    else { return nil }
    let channels = shape[axes.channels]
    let others = [0, 1, 2].filter { $0 != axes.channels && $0 != axes.rows }
    guard shape[others[0]] == 1, weights.count == length * channels * outputChannels else {
      return nil
    }
    let (top, bottom) = (window.padding.top, window.padding.bottom)
    let total = shape[axes.rows] + top + bottom
    guard top >= 0, bottom >= 0, length <= total else { return nil }
    let span = (length - 1) / stride + 1
    let count = (total - length) / stride + 1
    let needed = (count + span - 1) * stride

    // `[1, channels, rows]`.
    let order = [others[0], axes.channels, axes.rows]
    var rows = try computed(transposed(.computed(value), order))
    if total > needed {
      // Rows that no window reaches.
      rows = try padded(rows, before: [0, 0, top], after: [0, 0, bottom], .constant(0))
      rows = try sliced(rows, axis: 2, start: 0, count: needed)
    } else {
      rows = try padded(
        rows, before: [0, 0, top], after: [0, 0, bottom + needed - total], .constant(0))
    }
    let blocks = try reshaped(.computed(rows), to: [1, channels, needed / stride, stride])
    let wide = try reshaped(
      transposed(blocks, [0, 3, 1, 2]), to: [1, stride * channels, needed / stride])
    let missing = (span * stride - length) * channels * outputChannels
    let result = try convolution(
      computed(wide), MapAxes.channelsFirst(rank: 3),
      weights: weights + [Float](repeating: 0, count: missing), bias: bias,
      outputChannels: outputChannels, window: Layer.Window(height: span, width: 1), groups: 1)
    var back = order
    for (place, axis) in order.enumerated() { back[axis] = place }
    return try computed(transposed(.computed(result), back))
  }
}

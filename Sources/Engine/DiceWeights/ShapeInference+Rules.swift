/// Rules that several kinds of layers share.
extension ShapeInference {
  func check(
    _ window: Layer.Window, _ sizes: ClosedRange<Int>, at index: Int
  ) throws(WeightFileError) {
    for size in [window.height, window.width] {
      try WeightFileError.check(size, in: sizes) { (found, allowed) in
        .kernelSize(layer: index, found: found, allowed: allowed)
      }
    }
    for stride in [window.strideY, window.strideX] {
      try WeightFileError.check(stride, in: WeightFormat.strides) { (found, allowed) in
        .stride(layer: index, found: found, allowed: allowed)
      }
    }
    for dilation in [window.dilationY, window.dilationX] {
      try WeightFileError.check(dilation, in: WeightFormat.dilations) { (found, allowed) in
        .dilation(layer: index, found: found, allowed: allowed)
      }
    }
    // Padding below the span: every window reaches the input.
    for (padding, span) in [
      (window.padding.top, window.spanY), (window.padding.bottom, window.spanY),
      (window.padding.left, window.spanX), (window.padding.right, window.spanX),
    ] {
      try WeightFileError.check(padding, in: 0...(span - 1)) { (found, allowed) in
        .padding(layer: index, found: found, allowed: allowed)
      }
    }
  }

  func checkGroups(
    _ groups: Int, _ source: TensorShape, _ inputChannels: Int, _ outputChannels: Int, at index: Int
  ) throws(WeightFileError) {
    guard inputChannels == source.channels else {
      throw .channelMismatch(layer: index, found: source.channels, required: inputChannels)
    }
    guard groups >= 1, groups <= inputChannels, inputChannels % groups == 0,
      outputChannels > 0, outputChannels % groups == 0
    else {
      throw .groups(
        layer: index, found: groups, inputChannels: inputChannels, outputChannels: outputChannels)
    }
  }

  func check(
    _ activation: Layer.Activation, at index: Int
  ) throws(WeightFileError) {
    for number in activation.parameters where !number.isFinite {
      throw .layerNumber(layer: index, found: number)
    }
    switch activation {
    case .clamp(let lower, let upper) where lower > upper:
      throw .layerNumber(layer: index, found: upper)
    case .logarithm(let number) where number <= 0, .power(let number) where number <= 0:
      throw .layerNumber(layer: index, found: number)
    default: break
    }
  }

  func checkExtents(_ shape: TensorShape, at index: Int) throws(WeightFileError) {
    guard shape.height >= 1, shape.width >= 1, shape.channels >= 1 else {
      throw .emptyOutput(layer: index, shape: shape)
    }
    guard shape.height <= WeightFormat.maximumExtent, shape.width <= WeightFormat.maximumExtent,
      shape.channels <= WeightFormat.maximumExtent,
      Int64(shape.height) * Int64(shape.width) * Int64(shape.channels)
        <= Int64(WeightFormat.maximumElementCount)
    else { throw .outputTooLarge(layer: index, shape: shape) }
  }
}

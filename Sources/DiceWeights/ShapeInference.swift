/// Walks the layers in order, checks each against the rules and notes the shape of its output.
struct ShapeInference {
  private let labelCount: Int
  private let inputShape: LayerShape
  /// The shapes that the file states, by tensor index; nil where the layers alone decide.
  private let stated: [[Int]]?
  private var shapes: [LayerShape] = []
  private var costs: [LayerCost] = []
  private var isRead: [Bool] = []
  private var isHead: [Bool] = []
  /// The tensors seen so far, by index; nil where no layer has used that index yet.
  private var tensors: [[Int]?] = []

  init(input: InputRules, labelCount: Int, stated: [[Int]]?) {
    self.labelCount = labelCount
    self.stated = stated
    inputShape = LayerShape(channels: input.channelCount, downsampling: 1)
  }

  mutating func run(_ layers: [Layer]) throws(WeightFileError) -> NetworkShapes {
    try WeightFileError.check(layers.count, in: WeightFormat.layerCounts) { (found, allowed) in
      .layerCount(found: found, allowed: allowed)
    }
    for (index, layer) in layers.enumerated() {
      let shape = try shape(of: layer, at: index)
      try WeightFileError.check(shape.channels, in: WeightFormat.channelCounts) {
        (found, allowed) in .channelCount(layer: index, found: found, allowed: allowed)
      }
      shapes.append(shape)
      isRead.append(false)
      if case .detectionHead = layer { isHead.append(true) } else { isHead.append(false) }
      costs.append(cost(of: layer))
    }
    guard isHead.contains(true) else { throw .noDetectionHead }
    for index in layers.indices where !isRead[index] && !isHead[index] {
      throw .unusedLayer(layer: index)
    }
    while let stated, tensors.count < stated.count { tensors.append(nil) }
    guard !tensors.isEmpty else {
      throw .tensorCount(found: 0, allowed: WeightFormat.tensorCounts)
    }
    var tensorShapes: [[Int]] = []
    tensorShapes.reserveCapacity(tensors.count)
    for (index, shape) in tensors.enumerated() {
      guard let shape else { throw .unusedTensor(tensor: index) }
      tensorShapes.append(shape)
    }
    return NetworkShapes(layers: shapes, tensors: tensorShapes, costs: costs)
  }

  private mutating func shape(
    of layer: Layer, at index: Int
  ) throws(WeightFileError) -> LayerShape {
    switch layer {
    case .convolution(let layer): return try shape(of: layer, at: index)
    case .maxPooling(let layer):
      let source = try read(layer.input, at: index)
      try checkWindow(
        layer.size, WeightFormat.poolingSizes, layer.stride, layer.padding, at: index)
      return LayerShape(
        channels: source.channels,
        downsampling: try downsampling(source, stride: layer.stride, at: index))
    case .upsampling(let layer):
      let source = try read(layer.input, at: index)
      try WeightFileError.check(layer.factor, in: WeightFormat.upsamplingFactors) {
        (found, allowed) in .upsamplingFactor(layer: index, found: found, allowed: allowed)
      }
      guard source.downsampling % layer.factor == 0 else {
        throw .downsamplingOutOfRange(
          layer: index, source: source.downsampling, stride: 1, factor: layer.factor)
      }
      return LayerShape(
        channels: source.channels, downsampling: source.downsampling / layer.factor)
    case .concatenation(let layer): return try shape(of: layer, at: index)
    case .addition(let layer):
      let first = try read(layer.first, at: index)
      let second = try read(layer.second, at: index)
      try checkSameSize(second, first, at: index)
      guard second.channels == first.channels else {
        throw .channelMismatch(layer: index, found: second.channels, required: first.channels)
      }
      return first
    case .detectionHead(let layer): return try shape(of: layer, at: index)
    }
  }

  private mutating func shape(
    of layer: Layer.Convolution, at index: Int
  ) throws(WeightFileError) -> LayerShape {
    let source = try read(layer.input, at: index)
    try checkWindow(
      layer.kernelSize, WeightFormat.kernelSizes, layer.stride, layer.padding, at: index)
    if case .leakyReLU(let slope) = layer.activation, !(slope >= 0 && slope <= 1) {
      throw .activationSlope(layer: index, found: slope)
    }
    guard layer.inputChannels == source.channels else {
      throw .channelMismatch(
        layer: index, found: source.channels, required: layer.inputChannels)
    }
    try WeightFileError.check(layer.outputChannels, in: WeightFormat.channelCounts) {
      (found, allowed) in .channelCount(layer: index, found: found, allowed: allowed)
    }
    let downsampling = try downsampling(source, stride: layer.stride, at: index)
    try use(layer.weights, shape: layer.weightShape, at: index)
    try use(layer.bias, shape: layer.biasShape, at: index)
    return LayerShape(channels: layer.outputChannels, downsampling: downsampling)
  }

  private mutating func shape(
    of layer: Layer.Concatenation, at index: Int
  ) throws(WeightFileError) -> LayerShape {
    try WeightFileError.check(layer.inputs.count, in: WeightFormat.concatenationCounts) {
      (found, allowed) in .concatenationCount(layer: index, found: found, allowed: allowed)
    }
    let first = try read(layer.inputs[0], at: index)
    var channels = first.channels
    for input in layer.inputs.dropFirst() {
      let next = try read(input, at: index)
      try checkSameSize(next, first, at: index)
      channels += next.channels
    }
    return LayerShape(channels: channels, downsampling: first.downsampling)
  }

  private mutating func shape(
    of layer: Layer.DetectionHead, at index: Int
  ) throws(WeightFileError) -> LayerShape {
    let source = try read(layer.input, at: index)
    guard layer.classCount == labelCount else {
      throw .headClassCount(layer: index, found: layer.classCount, required: labelCount)
    }
    guard layer.baseSize.isFinite, layer.baseSize > 0 else {
      throw .headBaseSize(layer: index, found: layer.baseSize)
    }
    guard layer.channelCount == source.channels else {
      throw .channelMismatch(layer: index, found: source.channels, required: layer.channelCount)
    }
    guard layer.stride == source.downsampling else {
      throw .headStride(layer: index, found: layer.stride, required: source.downsampling)
    }
    return source
  }

  /// Looks up the shape of a source and notes that it is read.
  private mutating func read(
    _ source: Layer.Source, at index: Int
  ) throws(WeightFileError) -> LayerShape {
    guard case .layer(let number) = source else { return inputShape }
    guard number >= 0, number < index else {
      throw .sourceNotEarlier(layer: index, source: number)
    }
    guard !isHead[number] else {
      throw .sourceIsDetectionHead(layer: index, source: number)
    }
    isRead[number] = true
    return shapes[number]
  }

  private func checkWindow(
    _ size: Int, _ sizes: ClosedRange<Int>, _ stride: Int, _ padding: Int, at index: Int
  ) throws(WeightFileError) {
    try WeightFileError.check(size, in: sizes) { (found, allowed) in
      .kernelSize(layer: index, found: found, allowed: allowed)
    }
    guard stride == 1 || stride == 2 || stride == 4 else {
      throw .stride(layer: index, found: stride)
    }
    // floor((n + 2 * padding - size) / stride) + 1 is n / stride for every multiple n of stride
    // exactly under this condition.
    guard padding >= 0, padding <= (size - 1) / 2, 2 * padding >= size - stride else {
      throw .padding(layer: index, found: padding, kernelSize: size, stride: stride)
    }
  }

  private func checkSameSize(
    _ found: LayerShape, _ required: LayerShape, at index: Int
  ) throws(WeightFileError) {
    guard found.downsampling == required.downsampling else {
      throw .downsamplingMismatch(
        layer: index, found: found.downsampling, required: required.downsampling)
    }
  }

  private func downsampling(
    _ source: LayerShape, stride: Int, at index: Int
  ) throws(WeightFileError) -> Int {
    let downsampling = source.downsampling * stride
    guard downsampling <= WeightFormat.inputMultiple else {
      throw .downsamplingOutOfRange(
        layer: index, source: source.downsampling, stride: stride, factor: 1)
    }
    return downsampling
  }

  /// Notes that the layer uses a tensor in the given shape.
  private mutating func use(
    _ tensor: Int, shape: [Int], at index: Int
  ) throws(WeightFileError) {
    let tensorCount = stated?.count ?? WeightFormat.tensorCounts.upperBound
    guard tensor >= 0, tensor < tensorCount else {
      throw .tensorIndex(layer: index, found: tensor, tensorCount: tensorCount)
    }
    let elementCount = NetworkShapes.elementCount(of: shape)
    guard elementCount <= Int64(WeightFormat.maximumElementCount) else {
      throw .tensorTooLarge(
        tensor: tensor, elementCount: elementCount, limit: WeightFormat.maximumElementCount)
    }
    if let stated, stated[tensor] != shape {
      throw .tensorShape(layer: index, tensor: tensor, found: stated[tensor], required: shape)
    }
    while tensors.count <= tensor { tensors.append(nil) }
    if let known = tensors[tensor], known != shape {
      throw .tensorShape(layer: index, tensor: tensor, found: known, required: shape)
    }
    tensors[tensor] = shape
  }

  private func cost(of layer: Layer) -> LayerCost {
    guard case .convolution(let layer) = layer else {
      return LayerCost(parameterCount: 0, multiplyAddsPerPixel: 0)
    }
    let weights = NetworkShapes.elementCount(of: layer.weightShape)
    return LayerCost(
      parameterCount: weights + Int64(layer.outputChannels), multiplyAddsPerPixel: weights)
  }
}

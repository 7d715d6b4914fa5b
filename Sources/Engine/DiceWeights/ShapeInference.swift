/// Walks the layers in order, checks each against the rules and notes the shape of its output.
struct ShapeInference {
  private let inputs: [TensorShape]
  /// The shapes that the file states, by tensor index; nil where the layers alone decide.
  private let stated: [[Int]]?
  private var shapes: [TensorShape] = []
  private var costs: [LayerCost] = []
  private var isRead: [Bool] = []
  private var isInputRead: [Bool]
  /// How many rows of the first input make one of each layer's output; 0 where unknown.
  private var downsamplings: [Int] = []
  private var sizeMultiple = 1
  /// The tensors seen so far, by index; nil where no layer has used that index yet.
  private var tensors: [[Int]?] = []

  init(inputs: [TensorShape], stated: [[Int]]?) {
    self.inputs = inputs
    self.stated = stated
    isInputRead = [Bool](repeating: false, count: inputs.count)
  }

  mutating func run(
    _ layers: [Layer], outputs: [NetworkOutput]
  ) throws(WeightFileError) -> NetworkShapes {
    try WeightFileError.check(layers.count, in: WeightFormat.layerCounts) { (found, allowed) in
      .layerCount(found: found, allowed: allowed)
    }
    for (index, layer) in layers.enumerated() {
      let sources = try read(layer.sources, at: index)
      let shape = try shape(of: layer, sources, at: index)
      try checkExtents(shape, at: index)
      let input = sources.first ?? shape
      for (tensor, shape) in layer.weightTensors(input: input, output: shape) {
        try use(tensor, shape: shape, at: index)
      }
      shapes.append(shape)
      isRead.append(false)
      costs.append(cost(of: layer, input: input, output: shape))
      noteDownsampling(of: layer, sources, shape)
    }
    for (index, output) in outputs.enumerated() {
      guard layers.indices.contains(output.layer) else {
        throw .outputLayer(output: index, found: output.layer, layerCount: layers.count)
      }
      isRead[output.layer] = true
    }
    for index in layers.indices where !isRead[index] { throw .unusedLayer(layer: index) }
    for index in inputs.indices where !isInputRead[index] { throw .unusedInput(input: index) }
    return NetworkShapes(
      inputs: inputs, layers: shapes, tensors: try tensorShapes(), downsamplings: downsamplings,
      sizeMultiple: sizeMultiple, costs: costs)
  }

  private func tensorShapes() throws(WeightFileError) -> [[Int]] {
    var tensors = tensors
    while let stated, tensors.count < stated.count { tensors.append(nil) }
    var shapes: [[Int]] = []
    shapes.reserveCapacity(tensors.count)
    for (index, shape) in tensors.enumerated() {
      guard let shape else { throw .unusedTensor(tensor: index) }
      shapes.append(shape)
    }
    return shapes
  }

  // MARK: Sources

  /// Looks up the shapes of a layer's sources and notes that they are read.
  private mutating func read(
    _ sources: [Layer.Source], at index: Int
  ) throws(WeightFileError) -> [TensorShape] {
    var found: [TensorShape] = []
    found.reserveCapacity(sources.count)
    for source in sources { found.append(try read(source, at: index)) }
    return found
  }

  private mutating func read(
    _ source: Layer.Source, at index: Int
  ) throws(WeightFileError) -> TensorShape {
    switch source {
    case .input(let number):
      guard inputs.indices.contains(number) else {
        throw .inputIndex(layer: index, found: number, inputCount: inputs.count)
      }
      isInputRead[number] = true
      return inputs[number]
    case .layer(let number):
      guard number >= 0, number < index else {
        throw .sourceNotEarlier(layer: index, source: number)
      }
      isRead[number] = true
      return shapes[number]
    }
  }

  // MARK: Tensors

  private func checkIndex(of tensor: Int, at index: Int) throws(WeightFileError) {
    let tensorCount = stated?.count ?? WeightFormat.tensorCounts.upperBound
    guard tensor >= 0, tensor < tensorCount else {
      throw .tensorIndex(layer: index, found: tensor, tensorCount: tensorCount)
    }
  }

  /// Notes that the layer uses a tensor in the given shape.
  private mutating func use(
    _ tensor: Int, shape: [Int], at index: Int
  ) throws(WeightFileError) {
    try checkIndex(of: tensor, at: index)
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

  // MARK: What follows

  private func cost(of layer: Layer, input: TensorShape, output: TensorShape) -> LayerCost {
    var parameterCount: Int64 = 0
    for (_, shape) in layer.weightTensors(input: input, output: output) {
      parameterCount += NetworkShapes.elementCount(of: shape)
    }
    let multiplyAddCount: Int64
    switch layer {
    case .convolution(let layer):
      multiplyAddCount =
        NetworkShapes.elementCount(of: layer.weightShape) * Int64(output.height * output.width)
    case .transposedConvolution(let layer):
      multiplyAddCount =
        NetworkShapes.elementCount(of: layer.weightShape) * Int64(input.height * input.width)
    case .dense(let layer):
      multiplyAddCount = Int64(input.elementCount) * Int64(layer.outputChannels)
    case .matrixProduct(let layer):
      multiplyAddCount = Int64(output.elementCount) * Int64(layer.termCount(input))
    default: multiplyAddCount = 0
    }
    return LayerCost(parameterCount: parameterCount, multiplyAddCount: multiplyAddCount)
  }

  /// Notes how many rows and columns of the input make one of the layer's output.
  private mutating func noteDownsampling(
    of layer: Layer, _ sources: [TensorShape], _ shape: TensorShape
  ) {
    var before = 0
    for source in layer.sources {
      switch source {
      case .input(let index): before = max(before, index == 0 ? 1 : 0)
      case .layer(let index): before = max(before, downsamplings[index])
      }
    }
    var downsampling = before
    switch layer {
    case .convolution(let layer): downsampling = strided(before, layer.window)
    case .pooling(let layer): downsampling = strided(before, layer.window)
    case .transposedConvolution(let layer):
      downsampling = enlarged(before, layer.window.strideY, layer.window.strideX)
    case .resizing(let layer):
      if case .factors(let y, let x) = layer.extent {
        downsampling = enlarged(before, y, x)
      } else {
        downsampling = 0
      }
    case .dense, .rearrangement, .matrixProduct, .ranking, .selection: downsampling = 0
    case .reduction(let layer): if layer.overHeight || layer.overWidth { downsampling = 0 }
    case .slice(let layer): if layer.axis != .channels { downsampling = 0 }
    case .concatenation(let layer): if layer.axis != .channels { downsampling = 0 }
    case .padding, .elementwise, .activation, .softmax, .batchNormalization, .constant: break
    }
    downsamplings.append(downsampling)
    if downsampling > 1 {
      let factor = downsampling / Self.greatestDivisor(sizeMultiple, downsampling)
      let (multiple, overflow) = sizeMultiple.multipliedReportingOverflow(by: factor)
      // No size is a multiple of the greatest extent.
      sizeMultiple =
        overflow ? WeightFormat.maximumExtent : min(multiple, WeightFormat.maximumExtent)
    }
  }

  /// The greatest common divisor of two positive numbers.
  private static func greatestDivisor(_ first: Int, _ second: Int) -> Int {
    var (first, second) = (first, second)
    while second != 0 { (first, second) = (second, first % second) }
    return first
  }

  private func strided(_ before: Int, _ window: Layer.Window) -> Int {
    guard window.strideY == window.strideX else { return 0 }
    let (product, overflow) = before.multipliedReportingOverflow(by: window.strideY)
    return overflow || product > WeightFormat.maximumExtent ? 0 : product
  }

  private func enlarged(_ before: Int, _ y: Int, _ x: Int) -> Int {
    y == x && y > 0 && before % y == 0 ? before / y : 0
  }
}

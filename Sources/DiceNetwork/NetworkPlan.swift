public import DiceKernels
public import DiceWeights

/// A network that is ready to run: layers arranged, weights packed, kernels chosen.
///
/// Built once and shared by any number of runners on any number of threads. A plan is good for every
/// input size that is a multiple of 32; the activations of one size belong to a ``NetworkRunner``.
///
/// Results depend on the kernels in use (their roundings differ), never on the number of threads or
/// on what was run before.
public final class NetworkPlan: Sendable {
  /// The network's name.
  public let name: String
  /// How a picture becomes the network's input.
  public let input: InputRules
  /// The layers, in the order of evaluation.
  public let layers: [Layer]
  /// The names of the classes, by class index.
  public let labels: [String]
  /// The thresholds that the network's author recommends.
  public let thresholds: DefaultThresholds
  /// The detection heads, in the order of their layers.
  public let heads: [Layer.DetectionHead]
  /// The instruction set of the kernels, or nil for the reference.
  public let implementation: KernelImplementation?
  /// What activations and weights are kept in.
  public let precision: NetworkPrecision
  /// The shapes of all outputs.
  public let shapes: NetworkShapes

  let graph: Graph
  let backend: Backend
  /// What each layer computes with, by layer; nil where a layer has no weights.
  let convolutions: [PackedConvolution?]
  let weights: FloatStorage
  /// For each layer that is a head, the index among `heads`.
  let headLayers: [Int]

  /// The widths and heights that an input may have, all of them multiples of
  /// ``inputMultiple``: 32...4096.
  public static let inputSizes = WeightFormat.inputSizes
  /// The width and height of an input are multiples of this: 32.
  public static let inputMultiple = WeightFormat.inputMultiple
  /// The most bytes of packed weights, just below 2 GiB.
  public static let weightByteCountLimit = Int64(Int32.max)

  /// Plans the network of a weight file.
  ///
  /// - Parameters:
  ///   - file: A file that has been read and checked.
  ///   - kernels: Which kernels to work with.
  ///   - precision: What to compute in; single precision where another is not available.
  /// - Throws: `weightsTooLarge`, where the padding of very narrow layers multiplies their weights.
  /// - Complexity: O(number of weights).
  public convenience init(
    _ file: WeightFile, kernels: KernelChoice = .automatic, precision: NetworkPrecision = .single
  ) throws(NetworkError) {
    try self.init(
      description: file.description, shapes: file.shapes, kernels: kernels, precision: precision,
      tensor: { (index) in file.floats(of: index) })
  }

  /// Plans a network from its description and the values of its tensors.
  ///
  /// - Parameters:
  ///   - description: The network.
  ///   - tensors: The values of each tensor, by tensor index: `[KH, KW, I, O]` and `[O]`.
  ///   - kernels: Which kernels to work with.
  ///   - precision: What to compute in; single precision where another is not available.
  /// - Throws: `invalidDescription`, `tensorCount`, `valueCount` or `weightsTooLarge`.
  public convenience init(
    description: NetworkDescription, tensors: [[Float]], kernels: KernelChoice = .automatic,
    precision: NetworkPrecision = .single
  ) throws(NetworkError) {
    let shapes: NetworkShapes
    do { shapes = try description.validated() } catch { throw .invalidDescription(error) }
    guard tensors.count == shapes.tensors.count else {
      throw .tensorCount(found: tensors.count, required: shapes.tensors.count)
    }
    for (index, shape) in shapes.tensors.enumerated() {
      var required: Int64 = 1
      for dimension in shape { required *= Int64(dimension) }
      guard Int64(tensors[index].count) == required else {
        throw .valueCount(tensor: index, found: tensors[index].count, required: required)
      }
    }
    try self.init(
      description: description, shapes: shapes, kernels: kernels, precision: precision,
      tensor: { (index) in tensors[index] })
  }

  private init(
    description: NetworkDescription, shapes: NetworkShapes, kernels: KernelChoice,
    precision: NetworkPrecision, tensor: (Int) -> [Float]
  ) throws(NetworkError) {
    name = description.name
    input = description.input
    layers = description.layers
    labels = description.labels
    thresholds = description.thresholds
    self.shapes = shapes
    implementation = kernels.resolved
    backend = Backend(kernels)
    graph = Graph(
      layers: description.layers, shapes: shapes,
      inputChannelCount: description.input.channelCount)
    var heads: [Layer.DetectionHead] = []
    var headLayers: [Int] = []
    for (index, layer) in description.layers.enumerated() {
      guard case .detectionHead(let head) = layer else { continue }
      heads.append(head)
      headLayers.append(index)
    }
    self.heads = heads
    self.headLayers = headLayers
    self.precision = .resolved(precision, graph, kernels: kernels)
    let arranged = try Self.arrange(
      graph, precision: self.precision, allowsWinograd: implementation != nil)
    convolutions = arranged.convolutions
    weights = FloatStorage(count: arranged.floatCount)
    for convolution in convolutions {
      guard let convolution else { continue }
      let layer = convolution.layer
      weights.write(tensor(layer.bias), at: convolution.biasOffset)
      if let matrix = convolution.matrix {
        convolution.pack(
          tensor(layer.weights), matrix,
          to: BFloat16Address(weights.address(convolution.weightOffset)))
        continue
      }
      let values = tensor(layer.weights)
      packWeights(
        values, to: weights.address(convolution.weightOffset),
        tapCount: layer.kernelSize * layer.kernelSize, outputChannelCount: layer.outputChannels,
        inputSlots: convolution.inputSlots, slotCount: convolution.slotCount)
      if let offset = convolution.winogradOffset {
        packWinogradWeights(
          values, to: weights.address(offset), outputChannelCount: layer.outputChannels,
          inputSlots: convolution.inputSlots, slotCount: convolution.slotCount)
      }
    }
  }

  /// Decides where the packed weights of each convolution lie, before any memory is taken.
  private static func arrange(
    _ graph: Graph, precision: NetworkPrecision, allowsWinograd: Bool
  ) throws(NetworkError) -> (convolutions: [PackedConvolution?], floatCount: Int) {
    var convolutions: [PackedConvolution?] = []
    var count: Int64 = 0
    for layer in graph.layers {
      guard case .convolution(let layer) = layer else {
        convolutions.append(nil)
        continue
      }
      let source = graph.values[Graph.value(layer.input)]
      let outputs = Int64(paddedChannelCount(layer.outputChannels))
      var matrix: PackedConvolution.Windows?
      if precision == .bfloat16 {
        matrix = PackedConvolution.Windows(
          layer, slotCount: source.slotCount,
          pixelStep: graph.buffers[graph.placements[Graph.value(layer.input)].buffer].channelStep)
      }
      // 4096 * 49 * 2¹⁸ * 1024 layers is far inside the range of Int64.
      let size =
        matrix.map { outputs * Int64($0.count * $0.stepCount) * 16 }
        ?? outputs * Int64(layer.kernelSize * layer.kernelSize) * Int64(source.slotCount)
      let usesWinograd =
        allowsWinograd && matrix == nil
        && PackedConvolution.suitsWinograd(layer, slotCount: source.slotCount)
      let winogradSize =
        usesWinograd ? outputs * Int64(WinogradTask.placeCount) * Int64(source.slotCount) : 0
      let next = count + size + outputs + winogradSize
      guard next * 4 <= weightByteCountLimit else {
        throw .weightsTooLarge(byteCount: next * 4, limit: weightByteCountLimit)
      }
      convolutions.append(
        PackedConvolution(
          layer: layer, inputSlots: source.slots, slotCount: source.slotCount,
          weightOffset: Int(count), biasOffset: Int(count + size),
          winogradOffset: usesWinograd ? Int(count + size + outputs) : nil, matrix: matrix))
      count = next
    }
    return (convolutions, Int(count))
  }

  /// Whether a value is kept as bfloat16 numbers: all but the network's input and what heads read.
  func isNarrow(_ value: Int) -> Bool {
    guard precision == .bfloat16, value > 0 else { return false }
    if case .detectionHead = layers[value - 1] { return false }
    return !graph.feedsHead(value - 1)
  }

  /// Whether a buffer holds floats in a plan of bfloat16 numbers.
  ///
  /// Matrix kernels multiply what nobody has written yet by zero, so it must be finite. What another
  /// buffer of bfloat16 numbers left is; halves of floats may not be.
  func holdsFloats(_ buffer: Int) -> Bool {
    graph.placements.indices.contains { (value) in
      graph.placements[value].buffer == buffer && !isNarrow(value)
    }
  }

  /// Checks that an input size is one that the network takes.
  static func check(width: Int, height: Int) throws(NetworkError) {
    guard
      inputSizes.contains(width), inputSizes.contains(height), width % inputMultiple == 0,
      height % inputMultiple == 0
    else {
      throw .inputSize(
        width: width, height: height, multiple: inputMultiple, allowed: inputSizes)
    }
  }
}

/// A convolution and where its packed weights lie.
struct PackedConvolution: Sendable {
  var layer: Layer.Convolution
  /// For each input channel its slot in the input's pixel.
  var inputSlots: [Int]
  /// How many floats of an input pixel are read.
  var slotCount: Int
  /// The place of the weights, `[output block][tap][slot][16]`.
  var weightOffset: Int
  /// The place of the biases, one for each lane.
  var biasOffset: Int
  /// The place of the weights as Winograd's method reads them; nil for other kernels than its own.
  var winogradOffset: Int?
  /// How matrix kernels read the input; nil for other kernels.
  ///
  /// Their weights stand at `weightOffset`, two to a float.
  var matrix: Windows?

  /// The rows of the kernel as matrix kernels read them.
  struct Windows: Sendable {
    /// The rows of the kernel.
    var count: Int
    /// The values from the first slot of a row's first pixel to the last slot of its last one.
    var length: Int
    /// Values between neighbouring pixels.
    var pixelStep: Int

    var stepCount: Int { matrixStepCount(windowLength: length) }

    init(_ layer: Layer.Convolution, slotCount: Int, pixelStep: Int) {
      count = layer.kernelSize
      length = (layer.kernelSize - 1) * pixelStep + slotCount
      self.pixelStep = pixelStep
    }
  }

  /// Packs weights `[KH, KW, I, O]` for matrix kernels.
  func pack(_ weights: [Float], _ windows: Windows, to target: BFloat16Address) {
    var channels = [Int](repeating: -1, count: windows.pixelStep)
    for (channel, slot) in inputSlots.enumerated() { channels[slot] = channel }
    let (size, inputs, outputs) = (layer.kernelSize, layer.inputChannels, layer.outputChannels)
    packMatrixWeights(
      to: target, outputChannelCount: outputs, windowCount: windows.count,
      windowLength: windows.length
    ) { (output, window, value) in
      let channel = channels[value % windows.pixelStep]
      guard channel >= 0 else { return 0 }
      return weights[
        ((window * size + value / windows.pixelStep) * inputs + channel) * outputs + output]
    }
  }

  /// Whether a layer can be computed by Winograd's method.
  static func suitsWinograd(_ layer: Layer.Convolution, slotCount: Int) -> Bool {
    layer.kernelSize == 3 && layer.stride == 1 && layer.padding == 1
      && slotCount % channelGranularity == 0 && layer.activation != .sigmoidWeighted
  }

  /// The slope of the rectifier that the kernel applies; 1 where it applies none.
  var slope: Float {
    if case .leakyReLU(let slope) = layer.activation { slope } else { 1 }
  }
}

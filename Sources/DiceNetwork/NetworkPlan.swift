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
  /// - Throws: `weightsTooLarge`, where the padding of very narrow layers multiplies their weights.
  /// - Complexity: O(number of weights).
  public convenience init(
    _ file: WeightFile, kernels: KernelChoice = .automatic
  ) throws(NetworkError) {
    try self.init(
      description: file.description, shapes: file.shapes, kernels: kernels,
      tensor: { (index) in file.floats(of: index) })
  }

  /// Plans a network from its description and the values of its tensors.
  ///
  /// - Parameters:
  ///   - description: The network.
  ///   - tensors: The values of each tensor, by tensor index: `[KH, KW, I, O]` and `[O]`.
  ///   - kernels: Which kernels to work with.
  /// - Throws: `invalidDescription`, `tensorCount`, `valueCount` or `weightsTooLarge`.
  public convenience init(
    description: NetworkDescription, tensors: [[Float]], kernels: KernelChoice = .automatic
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
      description: description, shapes: shapes, kernels: kernels,
      tensor: { (index) in tensors[index] })
  }

  private init(
    description: NetworkDescription, shapes: NetworkShapes, kernels: KernelChoice,
    tensor: (Int) -> [Float]
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
    let arranged = try Self.arrange(graph, allowsWinograd: implementation != nil)
    convolutions = arranged.convolutions
    weights = FloatStorage(count: arranged.floatCount)
    for convolution in convolutions {
      guard let convolution else { continue }
      let layer = convolution.layer
      weights.write(
        packWeights(
          tensor(layer.weights), tapCount: layer.kernelSize * layer.kernelSize,
          outputChannelCount: layer.outputChannels, inputSlots: convolution.inputSlots,
          slotCount: convolution.slotCount),
        at: convolution.weightOffset)
      weights.write(tensor(layer.bias), at: convolution.biasOffset)
      if let offset = convolution.winogradOffset {
        weights.write(
          packWinogradWeights(
            tensor(layer.weights), outputChannelCount: layer.outputChannels,
            inputSlots: convolution.inputSlots, slotCount: convolution.slotCount), at: offset)
      }
    }
  }

  /// Decides where the packed weights of each convolution lie, before any memory is taken.
  private static func arrange(
    _ graph: Graph, allowsWinograd: Bool
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
      // 4096 * 49 * 2¹⁸ * 1024 layers is far inside the range of Int64.
      let size = outputs * Int64(layer.kernelSize * layer.kernelSize) * Int64(source.slotCount)
      let usesWinograd =
        allowsWinograd && PackedConvolution.suitsWinograd(layer, slotCount: source.slotCount)
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
          winogradOffset: usesWinograd ? Int(count + size + outputs) : nil))
      count = next
    }
    return (convolutions, Int(count))
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

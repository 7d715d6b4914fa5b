public import DiceKernels
public import DiceWeights

/// A network that is ready to run: layers arranged, weights packed, kernels chosen.
///
/// Built once and shared by any number of runners on any number of threads. A plan is good for every
/// size of the inputs that the network takes; the activations of one size belong to a
/// ``NetworkRunner``.
///
/// Results depend on the kernels in use (their roundings differ), never on the number of threads or
/// on what was run before.
public final class NetworkPlan: Sendable {
  /// The network: its inputs, layers, outputs, profile and provenance.
  public let network: NetworkDescription
  /// The instruction set of the kernels, or nil for the reference.
  public let implementation: KernelImplementation?
  /// What activations and weights are kept in.
  public let precision: NetworkPrecision
  /// The shapes of all values for inputs of their default sizes.
  public let shapes: NetworkShapes

  let graph: Graph
  let backend: Backend
  /// What computes in bfloat16.
  let matrixKernels: MatrixKernels?
  /// What computes with 8-bit integers.
  let integerKernels: IntegerKernels
  /// What integers stand for, by value; nil in a plan without.
  let quantizations: ValueQuantizations?
  /// What looks at every run.
  let observer: RunObserver?
  /// Where the numbers of each layer lie, by layer.
  let packed: [PackedOperation]
  let weights: FloatStorage

  /// The most bytes of packed weights, just below 2 GiB.
  public static let weightByteCountLimit = Int64(Int32.max)

  /// The network's name.
  public var name: String { network.name }
  /// What the network is given.
  public var inputs: [NetworkInput] { network.inputs }
  /// The first input: the only one of most networks.
  public var input: NetworkInput { network.inputs[0] }
  /// The layers, in the order of evaluation.
  public var layers: [Layer] { network.layers }
  /// What the network gives.
  public var outputs: [NetworkOutput] { network.outputs }
  /// The bytes of the packed weights.
  public var weightByteCount: Int { weights.count * MemoryLayout<Float>.stride }

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
      network: file.description, shapes: file.shapes, kernels: kernels, precision: precision,
      tensor: { (index) in file.floats(of: index) })
  }

  /// Plans a network from its description and the values of its tensors.
  ///
  /// - Parameters:
  ///   - description: The network.
  ///   - tensors: The values of each tensor, by tensor index, slowest dimension first.
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
      network: description, shapes: shapes, kernels: kernels, precision: precision,
      tensor: { (index) in tensors[index] })
  }

  private init(
    network: NetworkDescription, shapes: NetworkShapes, kernels: KernelChoice,
    precision: NetworkPrecision, tensor: (Int) -> [Float]
  ) throws(NetworkError) {
    self.network = network
    self.shapes = shapes
    implementation = kernels.resolved
    backend = Backend(kernels)
    // The reference computes every layer as it is defined; integers are defined with their rectifiers.
    let isReference = implementation == nil
    let joined = Graph(network, shapes: shapes, joinsLayers: !isReference || precision == .int8)
    observer = RunObserver.current
    let ranges =
      IntegerKernels.areBuilt && precision == .int8 ? ActivationRanges(network) : nil
    self.precision = .resolved(precision, joined, kernels: kernels, ranges: ranges)
    graph =
      isReference && self.precision == .single && precision == .int8
      ? Graph(network, shapes: shapes, joinsLayers: false) : joined
    matrixKernels = self.precision == .bfloat16 ? MatrixKernels() : nil
    integerKernels = IntegerKernels(with: kernels.resolved, isLimit: kernels != .automatic)
    quantizations =
      if IntegerKernels.areBuilt, self.precision == .int8, let ranges {
        ValueQuantizations(graph, ranges)
      } else {
        nil
      }
    let usesExactIntegers =
      IntegerKernels.areBuilt && self.precision == .single && !isReference
      && integerKernels.multipliesBytes
    let arrangement = try WeightArrangement(
      graph, shapes: shapes, precision: self.precision, integerKernels: integerKernels,
      quantizations: quantizations,
      wholeRanges: usesExactIntegers ? WholeRanges(graph, tensor) : nil,
      allowsWinograd: !isReference, tensor: tensor)
    packed = arrangement.operations
    weights = FloatStorage(count: Int(arrangement.floatCount))
    pack(tensor)
  }

  /// Writes the numbers of all layers where they belong.
  private func pack(_ tensor: (Int) -> [Float]) {
    for (index, operation) in graph.operations.enumerated() {
      guard let operation else { continue }
      let slots = graph.values[graph.value(ofLayer: index)].slots
      if !packed[index].sharesSums {
        packed[index].sums?.pack(
          to: weights, folding: operation.normalizations, tensor: tensor)
      }
      let numbers = packed[index].numbersOffset
      switch operation.layer {
      case .batchNormalization(let layer):
        let (scales, shifts) = layer.line(tensor)
        let width = graph.values[graph.value(ofLayer: index)].paddedChannelCount
        for (channel, slot) in slots.enumerated() {
          weights.address(numbers + slot).store(Float(scales[channel]), at: 0)
          weights.address(numbers + slot).store(Float(shifts[channel]), at: width)
        }
      case .constant(let layer): weights.write(tensor(layer.tensor), at: numbers)
      case .elementwise(let layer):
        guard IntegerKernels.areBuilt, let multipliers = layer.tensor else { break }
        let values = tensor(multipliers)
        for row in 0..<3 {
          weights.address(numbers).store(
            RequantizedSum.Factor(values, row), at: 3 * row, step: 1)
        }
      default: break
      }
      guard let function = operation.functionWithTensor, let number = function.tensor else {
        continue
      }
      let values = tensor(number)
      let place = weights.address(packed[index].functionOffset)
      switch function {
      case .table: weights.write(values, at: packed[index].functionOffset)
      case .requantization where IntegerKernels.areBuilt:
        let width = graph.values[graph.value(ofLayer: index)].paddedChannelCount
        for (channel, slot) in slots.enumerated() {
          place.store(
            RequantizedSum.Factor(values, channel, isPositive: true), at: slot, step: width)
        }
      default:
        for (channel, slope) in values.enumerated() { place.store(slope, at: slots[channel]) }
      }
    }
  }

  /// The index of the input with a name, or nil where there is none.
  public func inputIndex(named name: String) -> Int? {
    inputs.firstIndex { (input) in input.name.utf8.elementsEqual(name.utf8) }
  }

  /// The index of the output with a name, or nil where there is none.
  public func outputIndex(named name: String) -> Int? {
    outputs.firstIndex { (output) in output.name.utf8.elementsEqual(name.utf8) }
  }

  /// The shapes of all values for inputs of some sizes.
  ///
  /// - Throws: `inputShapes`.
  func shapes(inputs: [TensorShape]) throws(NetworkError) -> NetworkShapes {
    if inputs == shapes.inputs { return shapes }
    do { return try network.shapes(inputs: inputs) } catch { throw .inputShapes(error) }
  }

  /// Whether layers are computed on matrix units; known to the compiler where there are none.
  @inline(__always)
  var usesMatrices: Bool { MatrixKernels.areBuilt && precision == .bfloat16 }

  /// Whether layers are computed with 8-bit integers; known to the compiler where there are no kernels.
  @inline(__always)
  var usesIntegers: Bool { IntegerKernels.areBuilt && precision == .int8 }

  /// Whether values between layers are kept in less than floats.
  @inline(__always)
  var usesNarrowNumbers: Bool { usesMatrices || usesIntegers }

  /// The bytes of a number between layers.
  var numberByteCount: Int { usesIntegers ? 1 : usesMatrices ? 2 : 4 }

  /// Whether a value is kept in less than floats: all but inputs and outputs of the network.
  @inline(__always)
  func isNarrow(_ value: Int) -> Bool {
    usesNarrowNumbers && value >= graph.inputCount
      && !graph.isOutput[value - graph.inputCount]
  }

  /// Whether a buffer holds floats in a plan of narrower numbers.
  ///
  /// Their kernels work on such numbers alone; only the first part of a buffer's memory holds them.
  func holdsFloats(_ buffer: Int) -> Bool {
    graph.placements.indices.contains { (value) in
      graph.placements[value]?.buffer == buffer && !isNarrow(value)
    }
  }
}

extension Address {
  /// Stores the bits of a factor's integers.
  fileprivate func store(_ factor: RequantizedSum.Factor, at index: Int, step: Int) {
    store(Float(bitPattern: UInt32(bitPattern: factor.multiplier)), at: index)
    store(Float(bitPattern: UInt32(bitPattern: factor.left)), at: index + step)
    store(Float(bitPattern: UInt32(bitPattern: factor.right)), at: index + 2 * step)
  }
}

internal import DiceDetectorHeads
internal import DiceWeights

/// Builds a network of the weight format's layers from the operations of another format.
///
/// A reader of a format calls one method for each of its operations, in order. Tensors have the shapes
/// and the order of axes that they have there; the builder keeps track of where their numbers lie
/// (``Arrangement``) and adds a rearrangement only where an operation needs them elsewhere. What is
/// known beforehand is computed at once (``ConstantTensor``).
struct GraphBuilder {
  private(set) var inputs: [NetworkInput] = []
  private(set) var inputTensors: [ModelTensor] = []
  private(set) var outputs: [NetworkOutput] = []
  private(set) var outputTensors: [ModelTensor] = []
  private(set) var layers: [Layer] = []
  private(set) var shapes: [TensorShape] = []
  private(set) var tensors: [[Float]] = []

  /// Rearrangements and constants that are there already.
  private var known: [Layer: Layer.Source] = [:]
  /// The tensors of small constants that are there already.
  private var knownTensors: [ConstantTensor: Int] = [:]
  /// The tensors of large ones, by their shapes.
  private var largeTensors: [[Int]: [Int]] = [:]

  /// What values were put together of, by the layer that did; nil where that is not followed.
  var joints: [Layer.Source: Joint]?

  /// Whether any count of numbers is sorted, and not only a few: a choice among many at a model's end is
  /// left out where that is possible.
  var ranksMany = false

  /// The steps of all recurrent operations, and the layers that they have become.
  var recurrentStepCount = 0
  var recurrentLayerCount = 0

  /// The numbers of all constants, which may be more than the model's file has.
  private var constantCount = 0

  /// The most numbers of all constants: so that a small file needs little memory.
  private static let constantCountLimit = 1 << 24

  /// The numbers of all waves of Fourier transforms.
  var waveCount = 0

  init() {}

  // MARK: Inputs and outputs

  /// Adds an input of a shape, whose axes lie in some places.
  mutating func input(
    _ name: String, shape: [Int], _ places: Places, content: NetworkInput.Content = .tensor
  ) throws(LoweringFault) -> ComputedValue {
    let count = shape.reduce(1) { (product, extent) in
      let (next, overflow) = product.multipliedReportingOverflow(by: extent)
      return overflow ? .max : next
    }
    guard count <= WeightFormat.maximumElementCount else {
      throw .unsupported("a value of the shape \(shape) is too large")
    }
    var places = places
    var arrangement = Arrangement(shape: shape, places)
    let sides = arrangement.tensorShape
    if content == .tensor, max(sides.height, sides.width) > WeightFormat.inputSizes.upperBound {
      // A long row, of sound for instance.
      places = Places(channels: Array(shape.indices))
      arrangement = Arrangement(shape: shape, places)
    }
    try Self.check(arrangement.tensorShape)
    let value = ComputedValue(source: .input(inputs.count), arrangement: arrangement)
    inputs.append(
      NetworkInput(
        name: ModelTensor.legalName(name, among: inputs.map { $0.name }),
        shape: arrangement.tensorShape, content: content))
    inputTensors.append(
      ModelTensor(name: ModelTensor.shortName(name), shape: shape, places: places))
    return value
  }

  /// Where an input's axes lie if nothing is known of it: maps with channels side by side.
  static func standardPlaces(_ shape: [Int], _ map: MapAxes?) -> Places {
    if let map, shape.count == 4 || shape.count == 3, shape[0] == 1 { return map.places }
    if shape.count == 3, map == .channelsFirst(rank: 3) {
      return Places(rows: [1], columns: [2], channels: [0])
    }
    return .rowMajor(rank: shape.count)
  }

  /// Makes a tensor an output of the network.
  ///
  /// - Parameter map: The axes of maps in the model; an output with four axes gets channels side by side.
  mutating func output(
    _ name: String, _ value: Value, map: MapAxes?, head: NetworkHead? = nil
  ) throws(LoweringFault) {
    var computed: ComputedValue
    switch value {
    case .unknown: return
    case .list: throw .unsupported("it is a sequence of tensors")
    case .constant(let tensor):
      computed = try constant(tensor, .rowMajor(rank: tensor.shape.count))
    case .computed(let value): computed = value
    }
    let shape = computed.shape
    if shape.count == 4, shape[0] == 1, let map {
      computed = try arranged(computed, map.places)
    }
    var places = computed.arrangement.wholeAxes
    if places == nil {
      computed = try arranged(computed, .rowMajor(rank: shape.count))
      places = computed.arrangement.wholeAxes
    }
    let layer: Int
    switch computed.source {
    case .layer(let index): layer = index
    case .input:
      try append(
        .activation(Layer.Pointwise(input: computed.source, function: .identity)),
        computed.arrangement.tensorShape)
      layer = layers.count - 1
    }
    outputs.append(
      NetworkOutput(
        name: ModelTensor.legalName(name, among: outputs.map { $0.name }), layer: layer, head: head)
    )
    outputTensors.append(
      ModelTensor(
        name: ModelTensor.shortName(name), shape: shape,
        places: places ?? .rowMajor(rank: shape.count)))
  }

  // MARK: Layers and tensors

  /// Adds a layer that gives a value of a shape.
  @discardableResult
  mutating func append(_ layer: Layer, _ shape: TensorShape) throws(LoweringFault) -> Layer.Source {
    try Self.check(shape)
    guard layers.count < 4 * WeightFormat.layerCounts.upperBound else {
      throw .unsupported("the network would have too many layers")
    }
    layers.append(layer)
    shapes.append(shape)
    return .layer(layers.count - 1)
  }

  /// Adds a layer that gives a tensor with a new arrangement.
  mutating func append(
    _ layer: Layer, _ arrangement: Arrangement
  ) throws(LoweringFault) -> ComputedValue {
    let source = try append(layer, arrangement.tensorShape)
    return ComputedValue(source: source, arrangement: arrangement.simplified)
  }

  /// Keeps numbers as a tensor of the network; returns its index.
  ///
  /// - Parameter shape: The tensor's shape; tensors are shared only where it is the same. Nil for one
  ///   of a layer's own shape, that is used once.
  mutating func tensor(_ numbers: [Float], shape: [Int]? = nil) throws(LoweringFault) -> Int {
    let isLarge = numbers.count > 4096
    let key = isLarge ? nil : shape.map { ConstantTensor(shape: $0, floats: numbers) }
    if let key, let index = knownTensors[key] { return index }
    if isLarge, let shape, let index = largeTensors[shape]?.first(where: { tensors[$0] == numbers })
    {
      return index
    }
    guard !numbers.contains(where: { (number) in !number.isFinite }) else {
      throw .unsupported("a weight is infinite or not a number")
    }
    tensors.append(numbers)
    if let key { knownTensors[key] = tensors.count - 1 }
    if isLarge, let shape { largeTensors[shape, default: []].append(tensors.count - 1) }
    return tensors.count - 1
  }

  /// A constant as a value of the network.
  mutating func constant(
    _ tensor: ConstantTensor, _ places: Places
  ) throws(LoweringFault) -> ComputedValue {
    try constant(tensor, Arrangement(shape: tensor.shape, places))
  }

  /// A constant as a value of the network, arranged like another value.
  mutating func constant(
    _ tensor: ConstantTensor, _ arrangement: Arrangement
  ) throws(LoweringFault) -> ComputedValue {
    let shape = arrangement.tensorShape
    try Self.check(shape)
    constantCount += shape.elementCount
    guard constantCount <= Self.constantCountLimit else {
      throw .unsupported("constants of more than \(Self.constantCountLimit) numbers are combined")
    }
    // Strides of the factors in the tensor's own order.
    let strides = ConstantTensor.strides(of: arrangement.extents)
    let own = Array(arrangement.axes.joined())
    let ownStrides = ConstantTensor.strides(of: own.map { arrangement.extents[$0] })
    var strideOf = strides
    for (place, factor) in own.enumerated() { strideOf[factor] = ownStrides[place] }
    let order = arrangement.order
    let places = ConstantTensor.walk(
      order.map { arrangement.extents[$0] }, strides: order.map { strideOf[$0] })
    let floats = tensor.floats
    let layer = Layer.constant(
      Layer.Constant(
        tensor: try self.tensor(
          places.map { (place) in floats[place] },
          shape: [shape.height, shape.width, shape.channels]),
        shape: shape))
    if let source = known[layer] { return ComputedValue(source: source, arrangement: arrangement) }
    let value = try append(layer, arrangement)
    known[layer] = value.source
    return value
  }

  /// A tensor as a value of the network, wherever its numbers lie.
  mutating func computed(_ value: Value) throws(LoweringFault) -> ComputedValue {
    switch value {
    case .computed(let value): return value
    case .constant(let tensor): return try constant(tensor, .rowMajor(rank: tensor.shape.count))
    case .list, .unknown: preconditionFailure("an unknown tensor is no operand")
    }
  }

  static func check(_ shape: TensorShape) throws(LoweringFault) {
    let extents = [shape.height, shape.width, shape.channels]
    let count = extents.reduce(1) { (product, extent) in
      let (next, overflow) = product.multipliedReportingOverflow(by: extent)
      return overflow || extent < 0 ? .max : next
    }
    guard count > 0 else { throw .unsupported("a value is empty") }
    guard extents.allSatisfy({ $0 <= WeightFormat.maximumExtent }),
      count <= WeightFormat.maximumElementCount
    else { throw .unsupported("a value of \(shape) numbers is too large") }
  }

  // MARK: Arrangements

  /// The same tensor with its axes in some places.
  mutating func arranged(
    _ value: ComputedValue, _ places: Places
  ) throws(LoweringFault) -> ComputedValue {
    let arrangement = value.arrangement
    let targets = places.all.map { (axes) in arrangement.factors(of: axes) }
    guard targets.joined().count == arrangement.extents.count else {
      let named = Set(places.all.joined())
      let shape = value.shape
      let axis = shape.indices.first { (axis) in shape[axis] != 1 && !named.contains(axis) }
      throw .unsupported(
        "axis \(axis ?? 0) has the extent \(shape[axis ?? 0]), where only 1 can be carried over")
    }
    return try placed(value, targets)
  }

  /// The same tensor with the factors of its arrangement in some places.
  mutating func placed(
    _ value: ComputedValue, _ places: [[Int]]
  ) throws(LoweringFault) -> ComputedValue {
    let target = value.arrangement.placed(places)
    if target.places == value.arrangement.places { return value }
    return try moved(value, to: target.order, target)
  }

  /// Numbers put into another order of the factors they have, as a value of a given arrangement.
  private mutating func moved(
    _ value: ComputedValue, to order: [Int], _ target: Arrangement
  ) throws(LoweringFault) -> ComputedValue {
    let extents = value.arrangement.extents
    // Factors that follow each other before and after are one axis of the rearrangement.
    let place = Self.inverse(value.arrangement.order)
    var runs: [[Int]] = []
    for factor in order {
      if let last = runs.last?.last, place[factor] == place[last] + 1 {
        runs[runs.count - 1].append(factor)
      } else {
        runs.append([factor])
      }
    }
    let before = runs.indices.sorted { place[runs[$0][0]] < place[runs[$1][0]] }
    let rank = max(1, runs.count)
    let limit = WeightFormat.rearrangementRanks.upperBound
    if rank > limit {
      // First what comes to the front, the rest in its order; then the rest.
      guard rank <= 4 * limit else {
        throw .unsupported("numbers would be rearranged along \(rank) axes")
      }
      let front = runs.prefix(min(rank - limit + 1, (limit - 1) / 2)).joined()
      let rest = value.arrangement.order.filter { !front.contains($0) }
      let between = try moved(
        value, to: front + rest, value.arrangement.spread(front + rest))
      return try moved(
        ComputedValue(
          source: between.source, arrangement: value.arrangement.spread(front + rest)), to: order,
        target)
    }
    let layer = Layer.rearrangement(
      Layer.Rearrangement(
        input: value.source,
        dimensions: runs.isEmpty
          ? [1] : before.map { (run) in runs[run].reduce(1) { $0 * extents[$1] } },
        permutation: runs.isEmpty ? [0] : Self.inverse(before), output: target.tensorShape))
    if let source = known[layer] {
      return ComputedValue(source: source, arrangement: target.simplified)
    }
    let result = try append(layer, target)
    known[layer] = result.source
    return result
  }

  private static func inverse(_ permutation: [Int]) -> [Int] {
    var inverse = permutation
    for (index, element) in permutation.enumerated() { inverse[element] = index }
    return inverse
  }

  /// The tensor in another shape, its numbers in row-major order as before.
  ///
  /// - Precondition: The shape has as many positions.
  mutating func reshaped(_ value: Value, to shape: [Int]) throws(LoweringFault) -> Value {
    switch value {
    case .list, .unknown: return .unknown
    case .constant(let tensor): return .constant(tensor.reshaped(to: shape))
    case .computed(let value):
      if let arrangement = value.arrangement.reshaped(to: shape) {
        return .computed(
          ComputedValue(source: value.source, arrangement: arrangement.simplified))
      }
      let target = Arrangement(shape: shape, Self.compactPlaces(shape))
      let order = value.arrangement.factors(of: Array(value.shape.indices))
      return .computed(try moved(value, to: order, target))
    }
  }

  /// Places in row-major order whose extents are within the limits.
  private static func compactPlaces(_ shape: [Int]) -> Places {
    .rowMajor(rank: shape.count)
  }

  /// The tensor with its axes in another order; never adds a layer.
  mutating func transposed(_ value: Value, _ permutation: [Int]) -> Value {
    switch value {
    case .list, .unknown: .unknown
    case .constant(let tensor): .constant(tensor.transposed(permutation))
    case .computed(let value):
      .computed(
        ComputedValue(
          source: value.source, arrangement: value.arrangement.transposed(permutation)))
    }
  }
}

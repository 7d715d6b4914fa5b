internal import DiceDetectorHeads
internal import DiceWeights

/// A message `NeuralNetwork`, or that of a classifier or regressor, and how features become its tensors.
struct CoreMLNetwork {
  private let message: ProtobufMessage

  init(_ message: ProtobufMessage) { self.message = message }

  /// How inputs become tensors.
  struct Settings {
    /// Whether arrays have the shape that they state; else they have five axes: sequence, batch,
    /// channels, rows, columns.
    var hasExactArrays = false
    /// Whether pictures have four axes: batch, channels, rows, columns; else five.
    var hasFlatPictures = false
    /// How pictures are scaled: messages `NeuralNetworkPreprocessing`.
    var preprocessing: [ProtobufMessage] = []
  }

  func settings(version: Int) throws(ProtobufError) -> Settings {
    var settings = Settings()
    // Both are new in version 4.
    if version >= 4 {
      settings.hasExactArrays = try message.integer(5) == 1
      settings.hasFlatPictures = try message.integer(6) == 1
    }
    settings.preprocessing = try message.messages(2, limit: 1024) ?? []
    return settings
  }

  /// The name that a classifier's probabilities have within it.
  func probabilitiesName() throws(ModelImportError) -> String? {
    do throws(ProtobufError) {
      let name = try message.text(200)
      return name?.isEmpty == false ? name : nil
    } catch {
      throw .protobuf(error)
    }
  }

  // MARK: Into the network

  /// A feature that an earlier model gives, as a tensor of this network.
  func mapped(
    _ value: Value, _ feature: CoreMLFeature, _ settings: Settings,
    _ builder: inout GraphBuilder
  ) throws(LoweringFault) -> Value {
    if case .image = feature.content {
      // Rows, columns, channels.
      let shape = value.shape ?? []
      let full = try builder.reshaped(value, to: shape.count == 2 ? shape + [1] : shape)
      return try Self.picture(full, settings, &builder)
    }
    guard !settings.hasExactArrays, let shape = value.shape else { return value }
    return try builder.reshaped(value, to: Self.fiveAxes(shape))
  }

  /// Rows, columns and channels of a picture as a tensor.
  static func picture(
    _ value: Value, _ settings: Settings, _ builder: inout GraphBuilder
  ) throws(LoweringFault) -> Value {
    let turned = builder.transposed(value, [2, 0, 1])
    let leading = [Int](repeating: 1, count: settings.hasFlatPictures ? 1 : 2)
    return try builder.reshaped(turned, to: leading + (turned.shape ?? []))
  }

  /// The five axes of an array with one, three or all of them.
  static func fiveAxes(_ shape: [Int]) throws(LoweringFault) -> [Int] {
    switch shape.count {
    case 1: return [1, 1, shape[0], 1, 1]
    // Sequence and channels.
    case 2: return [shape[0], 1, shape[1], 1, 1]
    case 3, 4: return [Int](repeating: 1, count: 5 - shape.count) + shape
    case 5: return shape
    default: throw .invalid("An array has \(shape.count) axes; it must have 1, 3 or 5.")
    }
  }

  // MARK: Out of the network

  /// A tensor of the network as a feature.
  ///
  /// An array has the shape that the model states, where that is the tensor's but for axes of extent 1.
  /// Else axes of extent 1 in front are dropped, and those behind the channels of a vector.
  func external(
    _ value: Value, _ feature: CoreMLFeature, _ settings: Settings, labelCount: Int,
    _ builder: inout GraphBuilder
  ) throws(LoweringFault) -> Value {
    guard let shape = value.shape else { return value }
    let extents = shape.filter { $0 != 1 }
    switch feature.content {
    case .image(let image): return try Self.picture(value, shape, image, &builder)
    case .dictionary:
      let count = shape.reduce(1, *)
      guard labelCount == 0 || count == labelCount else {
        throw .invalid("It has \(count) numbers for \(labelCount) labels.")
      }
      return try builder.reshaped(value, to: [count])
    case .array(let array):
      if !array.shape.isEmpty, array.shape.filter({ $0 != 1 }) == extents {
        return try builder.reshaped(value, to: array.shape)
      }
      if !array.shape.isEmpty {
        return try builder.reshaped(value, to: Self.trimmed(shape, to: array.shape.count))
      }
    case .number, .other: break
    }
    if !settings.hasExactArrays, shape.count == 5, shape[0] == 1, shape[1] == 1 {
      return try builder.reshaped(
        value, to: shape[3] == 1 && shape[4] == 1 ? [shape[2]] : Array(shape[2...]))
    }
    return value
  }

  /// A shape with fewer axes, where those that go have the extent 1: first those in front, then those
  /// at the end.
  private static func trimmed(_ shape: [Int], to rank: Int) -> [Int] {
    var shape = shape[...]
    while shape.count > rank, shape.first == 1 { shape.removeFirst() }
    while shape.count > rank, shape.last == 1 { shape.removeLast() }
    return Array(shape)
  }

  /// A picture: rows, columns, and red, green, blue, limited to 0...255.
  private static func picture(
    _ value: Value, _ shape: [Int], _ image: CoreMLFeature.Image, _ builder: inout GraphBuilder
  ) throws(LoweringFault) -> Value {
    let channels = image.order.channelCount
    guard shape.count >= 3, shape.dropLast(3).allSatisfy({ $0 == 1 }),
      shape[shape.count - 3] == channels
    else { throw .invalid("A picture has the shape \(shape).") }
    var pixels = try builder.reshaped(value, to: Array(shape.suffix(3)))
    if image.order == .bgr {
      pixels = .computed(
        try builder.gathered(builder.computed(pixels), axis: 0, indices: [2, 1, 0]))
    }
    pixels = try builder.applied([.clamp(lower: 0, upper: 255)], to: pixels)
    let turned = builder.transposed(pixels, [1, 2, 0])
    return channels == 1
      ? try builder.reshaped(turned, to: Array(shape.suffix(2))) : turned
  }
}

/// The inputs of a model, each added once.
struct CoreMLInputs {
  private let shapes: [String: [Int]]
  private let fixed: FixedInputs
  private var known: [String: Value] = [:]

  init(_ shapes: [String: [Int]], _ fixed: FixedInputs) {
    self.shapes = shapes
    self.fixed = fixed
  }

  /// Refuses numbers for inputs that are not fixed by them.
  func checkFixed() throws(ModelImportError) {
    for (name, _) in fixed.values where known[name] == nil {
      throw .unknownInput(name: name, known: known.keys.sorted())
    }
  }

  /// An input of the model as a tensor of a network that reads it.
  mutating func add(
    _ feature: CoreMLFeature, _ network: CoreMLNetwork, _ settings: CoreMLNetwork.Settings,
    _ lowering: inout CoreMLLowering, isDetector: Bool
  ) throws(LoweringFault) -> Value {
    switch feature.content {
    case .image(let image):
      return try picture(feature.name, image, settings, &lowering, isDetector: isDetector)
    case .array, .number:
      for message in settings.preprocessing where try Self.name(message) == feature.name {
        lowering.note(
          "The scaling of the input \(feature.name) is left out, since it is no picture.")
      }
      let value = try numbers(feature, &lowering)
      return try network.mapped(value, feature, settings, &lowering.builder)
    case .dictionary: throw .unsupported("it is a dictionary")
    case .other(let kind): throw .unsupported("it is \(kind)")
    }
  }

  /// An input of the model that is an array or a number, in its own shape.
  mutating func numbers(
    _ feature: CoreMLFeature, _ lowering: inout CoreMLLowering
  ) throws(LoweringFault) -> Value {
    let name = feature.name
    if let value = known[name] { return value }
    let shape: [Int]
    switch feature.content {
    case .array(let array):
      shape = try size(shapes[name], default: array.shape, flexibility: array.flexibility)
    case .number: shape = [1]
    default: throw .unsupported("it is no array of numbers")
    }
    let value: Value
    if let (_, tensor) = fixed.values.first(where: { $0.name == name }) {
      guard tensor.count == (try ConstantArithmetic.count(shape)) else {
        throw .invalid("It is fixed at \(tensor.count) numbers; its shape is \(shape).")
      }
      value = .constant(tensor.reshaped(to: shape))
    } else {
      value = .computed(
        try lowering.builder.input(name, shape: shape, Self.places(shape)))
      if let number = feature.optionalNumber {
        let text = number == 0 ? "0" : "\(number)"
        lowering.note("The input \(name) is optional in the model: without it, it is \(text).")
      }
    }
    known[name] = value
    return value
  }

  /// Where the axes of an array lie: channels, rows, columns are the last three.
  private static func places(_ shape: [Int]) -> Places {
    let rank = shape.count
    guard rank >= 3, shape.dropLast(3).allSatisfy({ $0 == 1 }) else {
      return .rowMajor(rank: rank)
    }
    return MapAxes.last(ofRank: rank).places
  }

  /// A shape that was asked for, where the model allows it.
  private func size(
    _ asked: [Int]?, default size: [Int], flexibility: CoreMLFeature.Flexibility
  ) throws(LoweringFault) -> [Int] {
    let result = asked ?? size
    guard result == size || flexibility.allows(result) else {
      throw .invalid("It cannot have the shape \(result); the model's is \(size).")
    }
    guard !result.isEmpty, result.count <= 16, !result.contains(0) else {
      throw .invalid("Its shape is \(result).")
    }
    return result
  }

  // MARK: Pictures

  private mutating func picture(
    _ name: String, _ image: CoreMLFeature.Image, _ settings: CoreMLNetwork.Settings,
    _ lowering: inout CoreMLLowering, isDetector: Bool
  ) throws(LoweringFault) -> Value {
    let channels = image.order.channelCount
    var asked = shapes[name]
    // Rows, columns, and perhaps channels.
    if asked?.count == 3, asked?[2] == channels { asked?.removeLast() }
    let size = try self.size(
      asked, default: [image.height, image.width], flexibility: image.flexibility)
    guard known[name] == nil else {
      throw .unsupported("several networks read the picture")
    }
    var rules = ImageRules(
      channelOrder: image.order, scales: SIMD3(repeating: 1), biases: .zero,
      cropAndScale: isDetector ? .scaleFill : .centerCrop, paddingValue: 0)
    var means: [[Float]] = []
    for message in settings.preprocessing {
      let stated = try Self.name(message)
      guard stated == name || stated.isEmpty else { continue }
      if let scaler = try Self.part(message, 10) {
        let scaling = try Scaling(scaler, image.order)
        rules.scales *= scaling.scale
        rules.biases = rules.biases * scaling.scale + scaling.biases
        means = means.map { (mean) in mean.map { $0 * scaling.scale } }
      }
      if let mean = try Self.part(message, 11) {
        let numbers = try CoreMLParameters.wire { () throws(ProtobufError) in
          try mean.message.floats(1)
        }
        guard numbers.count == channels * size[0] * size[1] else {
          throw .invalid(
            "Its mean picture has \(numbers.count) numbers for \(size[0]) x \(size[1]) pixels.")
        }
        means.append(numbers)
      }
    }
    rules = ImageRules(
      channelOrder: image.order, scales: rules.scales, biases: rules.biases,
      cropAndScale: rules.cropAndScale, paddingValue: rules.paddingValue)
    for number in [rules.scales[0], rules.biases[0], rules.biases[1], rules.biases[2]]
    where !number.isFinite { throw .invalid("Its scale or bias is \(number).") }
    let shape = channels == 1 ? size : size + [channels]
    var value = Value.computed(
      try lowering.builder.input(
        name, shape: shape,
        Places(rows: [0], columns: [1], channels: channels == 1 ? [] : [2]),
        content: .image(rules)))
    if channels == 1 { value = try lowering.builder.reshaped(value, to: size + [1]) }
    known[name] = value
    for mean in means {
      // Stored as channels, rows, columns.
      let tensor = ConstantTensor(shape: [channels] + size, floats: mean).transposed([1, 2, 0])
      value = try lowering.builder.combined(.subtraction, value, .constant(tensor))
    }
    return try CoreMLNetwork.picture(value, settings, &lowering.builder)
  }

  /// A message `NeuralNetworkImageScaler`.
  private struct Scaling {
    let scale: Float
    /// In the order of the picture's channels.
    let biases: SIMD3<Float>

    init(
      _ parameters: CoreMLParameters, _ order: ImageRules.ChannelOrder
    ) throws(LoweringFault) {
      scale = try parameters.number(10, zeroMeans: 1)
      let (blue, green, red) = (
        try parameters.number(20), try parameters.number(21), try parameters.number(22)
      )
      biases =
        switch order {
        case .rgb: SIMD3(red, green, blue)
        case .bgr: SIMD3(blue, green, red)
        case .gray: SIMD3(try parameters.number(30), 0, 0)
        }
    }
  }

  private static func name(_ message: ProtobufMessage) throws(LoweringFault) -> String {
    try CoreMLParameters.wire { () throws(ProtobufError) in try message.text(1) } ?? ""
  }

  private static func part(
    _ message: ProtobufMessage, _ field: Int
  ) throws(LoweringFault) -> CoreMLParameters? {
    try CoreMLParameters(message).parameters(field)
  }
}

extension CoreMLFeature {
  /// The feature as one whose numbers may be fixed; nil where it is neither an array nor a number.
  ///
  /// - Parameter isSized: Whether it gets a shape of those that the model allows.
  func numbers(isSized: Bool) -> (name: String, shape: [Int?]?, isInteger: Bool)? {
    switch content {
    case .array(let array):
      // Which shapes are allowed is checked when the input is added.
      return (name, isSized || array.shape.isEmpty ? nil : array.shape, false)
    case .number: return (name, [1], false)
    default: return nil
    }
  }

  /// How many rows and columns the feature may have, where these are ranges; nil where not.
  var sizeRanges: [ClosedRange<Int>]? {
    switch content {
    case .image(let image):
      if case .ranges(let ranges) = image.flexibility { return ranges }
    case .array(let array):
      if case .ranges(let ranges) = array.flexibility, ranges.count >= 3 {
        return ranges.suffix(2)
      }
    default: break
    }
    return nil
  }

  /// The feature's shape with other rows and columns; nil where it has none.
  func shape(ofSize size: [Int]) -> [Int]? {
    switch content {
    case .image: size
    case .array(let array): array.shape.count >= 3 ? array.shape.dropLast(2) + size : nil
    default: nil
    }
  }
}

internal import DiceWeights

/// Imports a darknet configuration with its weights.
struct DarknetImporter {
  private let configuration: DarknetConfiguration
  private var weights: DarknetWeights
  private let labels: [String]
  private let options: ImportOptions
  private var builder = GraphBuilder()
  private var report: ImportReport
  /// The value of each section; nil where it is none that others may read.
  private var values: [Value?] = []
  private var current: Value
  private var unsupported = UnsupportedList()

  /// What a batch normalisation adds to variances.
  private static let epsilon: Float = 1e-5

  init(
    configuration: [UInt8], weights: [UInt8], labels: [String], _ options: ImportOptions
  ) throws(ModelImportError) {
    self.configuration = try DarknetConfiguration(configuration)
    self.weights = try DarknetWeights(weights)
    self.labels = labels
    self.options = options
    current = .unknown
    report = ImportReport(
      format: "darknet, weights of version \(self.weights.version)",
      operationCount: self.configuration.layers.count)
  }

  mutating func importModel() throws(ModelImportError) -> ImportedModel {
    let network = configuration.network
    try options.checkNoFixedInputs("darknet")
    do throws(LoweringFault) {
      let shape = [
        1, try network.count("channels", default: 3), try network.count("height", default: 416),
        try network.count("width", default: 416),
      ]
      for name in options.inputShapes.keys.sorted() where name != Self.inputName {
        throw .invalid("The model has no input \(name); its only one is \(Self.inputName).")
      }
      let chosen = options.inputShapes[Self.inputName] ?? shape
      guard chosen.count == 4, chosen[0] == 1, chosen[1] == shape[1],
        chosen.allSatisfy({ (1...(1 << 20)).contains($0) })
      else { throw .invalid("Its input cannot have the shape \(chosen).") }
      current = .computed(
        try builder.input(
          Self.inputName, shape: chosen, MapAxes.channelsFirst(rank: 4).places))
    } catch {
      throw failure(error, network)
    }
    for (index, section) in configuration.layers.enumerated() {
      do throws(LoweringFault) {
        try lower(section, index)
      } catch {
        if case .unsupported(let reason) = error {
          // One layer that is missing is told once, not again for each behind it.
          if reason != Self.follows {
            unsupported.add("[\(section.name)]", at: section.place, reason)
          }
          current = .unknown
        } else {
          throw failure(error, section)
        }
      }
      let isHead = section.name == "yolo" || section.name == "region"
      values.append(isHead ? nil : current)
      // What follows a head would read its boxes.
      if isHead { current = .unknown }
    }
    guard unsupported.operations.isEmpty else { throw .unsupported(unsupported.operations) }
    guard weights.unusedByteCount == 0 else {
      throw .invalid(
        place: "The weights",
        rule: "\(weights.unusedByteCount) bytes are left when all layers have theirs.")
    }
    if builder.outputs.isEmpty, let last = configuration.layers.last {
      do throws(LoweringFault) {
        try builder.output(
          "\(last.name)_\(configuration.layers.count - 1)", current,
          map: .channelsFirst(rank: 4), head: classHead)
      } catch {
        throw failure(error, last)
      }
    }
    return try builder.finish(
      name: options.name ?? "darknet model",
      provenance: [ProvenanceEntry(key: "format", value: report.format)], report: report)
  }

  /// The name of the only input.
  static let inputName = "data"

  private func failure(
    _ fault: LoweringFault, _ section: DarknetConfiguration.Section
  ) -> ModelImportError {
    switch fault {
    case .invalid(let rule): .invalid(place: section.place, rule: rule)
    case .unsupported(let reason):
      .unsupported([
        UnsupportedOperation(
          name: "[\(section.name)]", place: section.place, count: 1, reason: reason)
      ])
    }
  }

  // MARK: Sections

  /// The sections that can be carried over, and what of them cannot.
  static let sections: [(name: String, limits: String)] = [
    ("convolutional", "no binary weights, no assisted excitation, no weights of another layer"),
    ("connected", ""), ("maxpool", ""), ("avgpool", ""),
    ("route", ""), ("shortcut", "without weights of its own"), ("upsample", ""), ("reorg", ""),
    ("dropout", ""), ("softmax", "one group, temperature 1"),
    ("yolo", "its input is an output; anchors, classes and stride stand in its head"),
    ("region", "its input is an output; anchors, classes and stride stand in its head"),
    ("cost", ""),
  ]

  private mutating func lower(
    _ section: DarknetConfiguration.Section, _ index: Int
  ) throws(LoweringFault) {
    switch section.name {
    case "convolutional", "conv": try convolution(section)
    case "connected", "conn": try connected(section)
    case "maxpool", "max": try pooling(section)
    case "avgpool", "avg":
      current = .computed(try builder.reduced(try map().value, .mean, axes: [2, 3]))
    case "route": try route(section, index)
    case "shortcut": try shortcut(section, index)
    case "upsample": try upsampling(section)
    case "reorg": try reorganization(section)
    case "dropout", "cost": break
    case "softmax", "soft":
      guard try section.integer("groups", default: 1) == 1,
        try section.float("temperature", default: 1) == 1, section.options["tree"] == nil
      else { throw .unsupported("it has several groups, a temperature or a tree") }
      guard let shape = current.shape else { return }
      let count = shape.reduce(1, *)
      let flat = try builder.reshaped(current, to: [1, count])
      current = try builder.reshaped(
        .computed(try builder.softmax(builder.computed(flat), axis: 1)), to: shape)
    case "yolo", "region": try head(section, index)
    default: throw .unsupported("the weight format has no such layer")
    }
  }

  /// The current value as a map.
  private func map() throws(LoweringFault) -> (value: ComputedValue, shape: [Int]) {
    guard case .computed(let value) = current else { throw .unsupported(Self.follows) }
    guard value.shape.count == 4 else { throw .invalid("Its input is no map.") }
    return (value, value.shape)
  }

  private static let follows = "it follows a layer that cannot be carried over"

  /// Numbers of the weights are taken even where a layer before cannot be carried over.
  private mutating func convolution(
    _ section: DarknetConfiguration.Section
  ) throws(LoweringFault) {
    for name in [
      "binary", "xnor", "bin_output", "assisted_excitation", "antialiasing",
      "share_index", "deform", "sway", "rotate", "stretch", "coordconv",
    ]
    where try section.integer(name, default: 0) != 0 {
      throw .unsupported("it has the option \(name)")
    }
    let (value, shape) = try map()
    let outputChannels = try section.count("filters", default: 1)
    let size = try section.count("size", default: 1)
    let stride = try section.count("stride", default: 1)
    let dilation = try section.count("dilation", default: 1)
    let groups = try section.count("groups", default: 1)
    var padding = try section.integer("padding", default: 0)
    if try section.integer("pad", default: 0) != 0 { padding = size / 2 }
    padding *= dilation
    guard shape[1] % groups == 0, outputChannels % groups == 0, size <= 1024 else {
      throw .invalid("\(groups) groups do not divide \(shape[1]) and \(outputChannels) channels.")
    }
    let isNormalized = try section.integer("batch_normalize", default: 0) != 0
    let bias = try weights.floats(outputChannels)
    var statistics: [[Float]] = []
    if isNormalized {
      for _ in 0..<3 { statistics.append(try weights.floats(outputChannels)) }
    }
    let kernelShape = [outputChannels, shape[1] / groups, size, size]
    let kernel = try weights.floats(of: kernelShape)
    let window = Layer.Window(
      height: size, width: size,
      strideY: try section.count("stride_y", default: stride),
      strideX: try section.count("stride_x", default: stride), dilationY: dilation,
      dilationX: dilation,
      padding: Layer.Edges(top: padding, left: padding, bottom: padding, right: padding))
    var result = try builder.convolution(
      value, .channelsFirst(rank: 4),
      weights: ConstantTensor(shape: kernelShape, floats: kernel).transposed([2, 3, 1, 0]).floats,
      bias: isNormalized ? nil : bias, outputChannels: outputChannels, window: window,
      groups: groups)
    if isNormalized {
      result = try builder.normalized(
        result, axis: 1, scale: statistics[0], shift: bias, mean: statistics[1],
        variance: statistics[2].map { max($0, 0) }, epsilon: Self.epsilon)
    }
    current = try activated(.computed(result), section)
  }

  private mutating func connected(
    _ section: DarknetConfiguration.Section
  ) throws(LoweringFault) {
    guard case .computed = current, let shape = current.shape else {
      throw .unsupported(Self.follows)
    }
    let inputCount = shape.reduce(1, *)
    let outputCount = try section.count("output", default: 1)
    let isNormalized = try section.integer("batch_normalize", default: 0) != 0
    let bias = try weights.floats(outputCount)
    let matrix = try weights.floats(of: [outputCount, inputCount])
    let flat = try builder.reshaped(current, to: [1, inputCount])
    var result = try builder.dense(
      try builder.computed(flat),
      weights: ConstantTensor(shape: [outputCount, inputCount], floats: matrix)
        .transposed([1, 0]).floats,
      bias: isNormalized ? nil : bias, outputCount: outputCount)
    if isNormalized {
      let (scale, mean, variance) = (
        try weights.floats(outputCount), try weights.floats(outputCount),
        try weights.floats(outputCount)
      )
      result = try builder.normalized(
        result, axis: 1, scale: scale, shift: bias, mean: mean,
        variance: variance.map { max($0, 0) }, epsilon: Self.epsilon)
    }
    current = try builder.reshaped(
      activated(.computed(result), section, default: "logistic"), to: [1, outputCount, 1, 1])
  }

  private mutating func pooling(
    _ section: DarknetConfiguration.Section
  ) throws(LoweringFault) {
    for name in ["maxpool_depth", "antialiasing", "out_channels"]
    where try section.integer(name, default: 0) != 0 {
      throw .unsupported("it has the option \(name)")
    }
    let (value, _) = try map()
    let stride = try section.count("stride", default: 1)
    let (strideY, strideX) = (
      try section.count("stride_y", default: stride), try section.count("stride_x", default: stride)
    )
    let size = try section.count("size", default: stride)
    let padding = try section.integer("padding", default: size - 1)
    guard padding >= 0 else { throw .invalid("Its padding is \(padding).") }
    // Half of the padding is above and left, rounded down.
    let (before, after) = (padding / 2, padding - padding / 2)
    current = .computed(
      try builder.pooled(
        value, .channelsFirst(rank: 4), .maximum,
        window: Layer.Window(
          height: size, width: size, strideY: strideY, strideX: strideX,
          padding: Layer.Edges(top: before, left: before, bottom: after, right: after))))
  }

  /// The value of another section, by its number or how far it is before this one.
  private func value(_ number: Int, before index: Int) throws(LoweringFault) -> Value {
    let place = number < 0 ? index + number : number
    guard values.indices.contains(place) else {
      throw .invalid("Section \(number) is none before this one.")
    }
    guard let value = values[place] else {
      throw .unsupported("it reads a head's boxes")
    }
    return value
  }

  private mutating func route(
    _ section: DarknetConfiguration.Section, _ index: Int
  ) throws(LoweringFault) {
    let numbers = try section.integers("layers")
    guard !numbers.isEmpty, numbers.count <= 64 else { throw .invalid("Its layers are missing.") }
    let groups = try section.count("groups", default: 1)
    let group = try section.integer("group_id", default: 0)
    var parts: [Value] = []
    for number in numbers {
      let part = try value(number, before: index)
      guard case .computed(let value) = part else { throw .unsupported(Self.follows) }
      guard value.shape.count == 4, value.shape[1] % groups == 0, (0..<groups).contains(group)
      else { throw .invalid("Group \(group) of \(groups) of \(value.shape).") }
      let count = value.shape[1] / groups
      parts.append(
        .computed(try builder.sliced(value, axis: 1, start: group * count, count: count)))
    }
    current = parts.count == 1 ? parts[0] : try builder.concatenated(parts, axis: 1)
  }

  private mutating func shortcut(
    _ section: DarknetConfiguration.Section, _ index: Int
  ) throws(LoweringFault) {
    guard ["none", nil].contains(section.options["weights_type"]) else {
      throw .unsupported("it has weights of its own")
    }
    let numbers = try section.integers("from")
    guard !numbers.isEmpty, numbers.count <= 64 else { throw .invalid("Its from is missing.") }
    var (sum, shape) = try map()
    for number in numbers {
      guard case .computed(var other) = try value(number, before: index) else {
        throw .unsupported(Self.follows)
      }
      guard other.shape.count == 4, other.shape[2] == shape[2], other.shape[3] == shape[3] else {
        throw .unsupported("it adds maps of other sizes, \(other.shape) and \(shape)")
      }
      // Channels that only one of them has stay as they are here.
      if other.shape[1] > shape[1] {
        other = try builder.sliced(other, axis: 1, start: 0, count: shape[1])
      } else if other.shape[1] < shape[1] {
        other = try builder.padded(
          other, before: [0, 0, 0, 0], after: [0, shape[1] - other.shape[1], 0, 0], .constant(0))
      }
      sum = try builder.computed(
        builder.combined(.addition, .computed(sum), .computed(other)))
    }
    shape = sum.shape
    current = try activated(.computed(sum), section, default: "linear")
  }

  private mutating func upsampling(
    _ section: DarknetConfiguration.Section
  ) throws(LoweringFault) {
    let (value, shape) = try map()
    let stride = try section.integer("stride", default: 2)
    guard (1...64).contains(stride) else { throw .unsupported("its stride is \(stride)") }
    let scale = try section.float("scale", default: 1)
    let result = try builder.resized(
      value, .channelsFirst(rank: 4), height: shape[2] * stride, width: shape[3] * stride,
      .nearestFloor, .asymmetric)
    current = .computed(
      scale == 1
        ? result : try builder.activated(result, .linear(scale: scale, offset: 0)))
  }

  /// Rows and columns become channels, in the order that darknet has always had.
  private mutating func reorganization(
    _ section: DarknetConfiguration.Section
  ) throws(LoweringFault) {
    let (_, shape) = try map()
    let stride = try section.count("stride", default: 1)
    guard try section.integer("reverse", default: 0) == 0,
      try section.integer("flatten", default: 0) == 0,
      try section.integer("extra", default: 0) == 0
    else { throw .unsupported("it is reversed, flattened or has an extra") }
    let area = stride.multipliedReportingOverflow(by: stride)
    guard !area.overflow, shape[1] % area.partialValue == 0, shape[2] % stride == 0,
      shape[3] % stride == 0
    else { throw .invalid("A stride of \(stride) for a map of \(shape).") }
    let split = try builder.reshaped(
      current, to: [shape[1] / area.partialValue, shape[2], stride, shape[3], stride])
    let turned = builder.transposed(split, [2, 4, 0, 1, 3])
    current = try builder.reshaped(
      turned, to: [1, shape[1] * area.partialValue, shape[2] / stride, shape[3] / stride])
  }

  // MARK: Heads

  private var classHead: NetworkHead? {
    labels.isEmpty ? nil : NetworkHead(kind: "classes", labels: labels)
  }

  private mutating func head(
    _ section: DarknetConfiguration.Section, _ index: Int
  ) throws(LoweringFault) {
    let (value, shape) = try map()
    let classes = try section.count("classes", default: 20)
    let anchors = try section.floats("anchors")
    let mask = try section.integers("mask")
    var chosen = anchors
    if !mask.isEmpty {
      chosen = []
      for number in mask {
        guard number >= 0, 2 * number + 1 < anchors.count else {
          throw .invalid("Its mask names the anchor \(number); it has \(anchors.count / 2).")
        }
        chosen += anchors[2 * number...2 * number + 1]
      }
    }
    let count = mask.isEmpty ? try section.count("num", default: 1) : mask.count
    let coordinates = try section.integer("coords", default: 4)
    guard count * (classes + coordinates + 1) == shape[1] else {
      throw .invalid(
        "\(count) boxes of \(classes) classes do not make \(shape[1]) channels.")
    }
    let input = builder.inputs[0].shape
    var parameters = [
      NamedValues("classes", [Float(classes)]),
      NamedValues(
        "stride",
        [Float(input.height) / Float(shape[2]), Float(input.width) / Float(shape[3])]),
      NamedValues(
        "scale", [try section.float("scale_x_y", default: 1)]),
    ]
    if section.name == "yolo", try section.integer("new_coords", default: 0) == 1 {
      parameters.append(NamedValues("activated", [1]))
    }
    if !chosen.isEmpty { parameters.append(NamedValues("anchors", chosen)) }
    try builder.output(
      "\(section.name)_\(index)", .computed(value), map: .channelsFirst(rank: 4),
      head: NetworkHead(
        kind: "darknet \(section.name)", labels: labels.count == classes ? labels : [],
        parameters: parameters))
  }

  // MARK: Functions

  /// Functions by their names in configurations.
  static let functions: [(name: String, functions: [Layer.Activation])] = [
    ("linear", []), ("leaky", [.leakyReLU(slope: 0.1)]), ("relu", [.relu]), ("relu6", [.relu6]),
    ("logistic", [.sigmoid]), ("tanh", [.tanh]), ("elu", [.elu(alpha: 1)]), ("swish", [.silu]),
    ("hardtan", [.clamp(lower: -1, upper: 1)]), ("gelu", [.gelu]),
    ("selu", [.elu(alpha: 1.6732632), .linear(scale: 1.050701, offset: 0)]),
  ]

  private mutating func activated(
    _ value: Value, _ section: DarknetConfiguration.Section, default standard: String = "logistic"
  ) throws(LoweringFault) -> Value {
    let name = section.options["activation"] ?? standard
    let input = try builder.computed(value)
    if name == "mish" {
      let gate = try builder.activated(input, [.softplus, .tanh])
      return try builder.combined(.multiplication, value, .computed(gate))
    }
    guard let known = Self.functions.first(where: { $0.name == name }) else {
      throw .unsupported("its activation is \(name.prefix(32))")
    }
    return .computed(try builder.activated(input, known.functions))
  }
}

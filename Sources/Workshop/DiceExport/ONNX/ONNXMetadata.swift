internal import DiceDetection
internal import DiceWeights

/// What a program needs besides the graph, as pairs of texts with different keys.
struct ONNXMetadata {
  /// The pairs in the order of the model.
  private(set) var entries: [(key: String, value: String)] = []

  /// - Parameters:
  ///   - file: The network.
  ///   - outputs: The names of the model's outputs.
  ///   - shapes: The shapes of the model's inputs; those of the file's defaults where sizes are open.
  init(_ file: WeightFile, outputs: [String], shapes: [TensorShape]) {
    let description = file.description
    add("name", description.name)
    add("task", description.task)
    add("inputs", JSONText.list(Self.inputs(description.inputs, shapes)))
    add("outputs", JSONText.list(Self.outputs(file, outputs)))
    add("sizeMultiple", "\(file.shapes.sizeMultiple)")
    add("profile", Self.object(description.profile))
    if description.inputs.count == 1, let rules = description.inputs[0].imageRules {
      add("inputWidth", "\(shapes[0].width)")
      add("inputHeight", "\(shapes[0].height)")
      add("channelOrder", rules.channelOrder.name)
      add("scales", JSONText.list(rules.channels(rules.scales)))
      add("biases", JSONText.list(rules.channels(rules.biases)))
      add("cropAndScale", rules.cropAndScale.name)
      add("paddingValue", "\(rules.paddingValue)")
    }
    if let boxes = try? GridBoxes(description, shapes: file.shapes) { add(boxes, outputs) }
    let digits = String(file.checksum, radix: 16)
    add("checksum", String(repeating: "0", count: 16 - digits.utf8.count) + digits)
    addProvenance(description.provenance)
  }

  private mutating func add(_ key: String, _ value: String) {
    entries.append((key, value))
  }

  // MARK: All networks

  private static func inputs(_ inputs: [NetworkInput], _ shapes: [TensorShape]) -> [String] {
    inputs.enumerated().map { (index, input) in
      var members = [
        ("name", JSONText.string(input.name)), ("height", "\(shapes[index].height)"),
        ("width", "\(shapes[index].width)"), ("channels", "\(shapes[index].channels)"),
        ("resizable", "\(input.isResizable)"),
      ]
      if let rules = input.imageRules {
        let image = JSONText.object([
          ("channelOrder", JSONText.string(rules.channelOrder.name)),
          ("scales", JSONText.list(rules.channels(rules.scales))),
          ("biases", JSONText.list(rules.channels(rules.biases))),
          ("cropAndScale", JSONText.string(rules.cropAndScale.name)),
          ("paddingValue", "\(rules.paddingValue)"),
        ])
        members.append(("image", image))
      }
      return JSONText.object(members)
    }
  }

  private static func outputs(_ file: WeightFile, _ names: [String]) -> [String] {
    zip(file.description.outputs, names).map { (output, name) in
      var members = [("name", JSONText.string(name))]
      // A model's name is longer where it differs.
      if name.utf8.count > output.name.utf8.count {
        members.append(("nameInFile", JSONText.string(output.name)))
      }
      let downsampling = file.shapes.downsamplings[output.layer]
      if downsampling > 0 { members.append(("downsampling", "\(downsampling)")) }
      if let head = output.head {
        members.append(("kind", JSONText.string(head.kind)))
        members.append(("labels", list(head.labels)))
        members.append(("parameters", object(head.parameters)))
      }
      return JSONText.object(members)
    }
  }

  private static func list(_ texts: [String]) -> String {
    JSONText.list(texts.map { (text) in JSONText.string(text) })
  }

  private static func object(_ lists: [NamedValues]) -> String {
    JSONText.object(lists.map { (list) in (list.name, JSONText.list(list.values)) })
  }

  /// Keys of a model are all different; values that share a key are joined by line feeds.
  private mutating func addProvenance(_ provenance: [ProvenanceEntry]) {
    let start = entries.count
    for entry in provenance {
      let key = "provenance.\(entry.key)"
      // Compared as bytes: keys that only look the same are different keys.
      let known = entries[start...].firstIndex { (known) in
        known.key.utf8.elementsEqual(key.utf8)
      }
      if let known {
        entries[known].value += "\n" + entry.value
      } else {
        add(key, entry.value)
      }
    }
  }

  // MARK: Boxes on grids

  private mutating func add(_ boxes: GridBoxes, _ outputs: [String]) {
    add("labels", Self.list(boxes.labels))
    add("confidenceThreshold", "\(boxes.thresholds.confidence)")
    add("intersectionOverUnionThreshold", "\(boxes.thresholds.overlap)")
    let heads = zip(boxes.heads, boxes.outputs).map { (head, output) in
      JSONText.object([
        ("output", JSONText.string(outputs[output])),
        ("stride", "\(head.stride)"), ("baseSize", "\(head.baseSize)"),
      ])
    }
    add("heads", JSONText.list(heads))
    add("decoding", Self.decoding)
  }

  /// How channels become boxes, as ``DiceDetection/GridBoxHead`` says.
  private static let decoding = """
    Channels: tx, ty, tw, th, objectness, class logits. In pixels of the input, origin top left: \
    centerX = (column + 2 * sigmoid(tx) - 0.5) * stride; \
    centerY = (row + 2 * sigmoid(ty) - 0.5) * stride; \
    width = baseSize * exp(clamp(tw, -4, 4)); height = baseSize * exp(clamp(th, -4, 4)); \
    confidence of class k = sigmoid(objectness) * softmax(class logits)[k].
    """
}

extension ImageRules {
  /// The numbers of the channels that there are.
  fileprivate func channels(_ numbers: SIMD3<Float>) -> [Float] {
    (0..<channelOrder.channelCount).map { (channel) in numbers[channel] }
  }
}

extension ImageRules.ChannelOrder {
  fileprivate var name: String {
    switch self {
    case .rgb: "rgb"
    case .bgr: "bgr"
    case .gray: "gray"
    }
  }
}

extension ImageRules.CropAndScale {
  fileprivate var name: String {
    switch self {
    case .centerCrop: "centerCrop"
    case .scaleFit: "scaleFit"
    case .scaleFill: "scaleFill"
    }
  }
}

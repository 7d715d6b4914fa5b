internal import DiceWeights

/// What a program needs besides the graph, as pairs of texts with different keys.
struct ONNXMetadata {
  /// The pairs in the order of the model.
  private(set) var entries: [(key: String, value: String)] = []

  /// - Parameter inputSize: Nil where the model takes any size; the weight file's default is stated
  ///   then.
  init(_ file: WeightFile, inputSize: (width: Int, height: Int)?) {
    let description = file.description
    let input = description.input
    add("name", description.name)
    add("labels", Self.list(description.labels.map { (label) in Self.quoted(label) }))
    add("confidenceThreshold", "\(description.thresholds.confidence)")
    add("intersectionOverUnionThreshold", "\(description.thresholds.intersectionOverUnion)")
    add("inputWidth", "\(inputSize?.width ?? input.width)")
    add("inputHeight", "\(inputSize?.height ?? input.height)")
    switch input.channelOrder {
    case .rgb: add("channelOrder", "rgb")
    case .bgr: add("channelOrder", "bgr")
    }
    add("scales", Self.list((0..<3).map { (channel) in "\(input.scales[channel])" }))
    add("biases", Self.list((0..<3).map { (channel) in "\(input.biases[channel])" }))
    switch input.cropAndScale {
    case .centerCrop: add("cropAndScale", "centerCrop")
    case .scaleFit: add("cropAndScale", "scaleFit")
    case .scaleFill: add("cropAndScale", "scaleFill")
    }
    add("paddingValue", "\(input.paddingValue)")
    var heads: [String] = []
    for case .detectionHead(let head) in description.layers {
      heads.append(
        "{\"output\": \"\(ONNXModel.outputName(ofHead: heads.count))\", "
          + "\"stride\": \(head.stride), \"baseSize\": \(head.baseSize)}")
    }
    add("heads", Self.list(heads))
    add("decoding", Self.decoding)
    let digits = String(file.checksum, radix: 16)
    add("checksum", String(repeating: "0", count: 16 - digits.utf8.count) + digits)
    addProvenance(description.provenance)
  }

  /// How channels become boxes, as ``DiceWeights/Layer/DetectionHead`` says.
  private static let decoding = """
    Channels: tx, ty, tw, th, objectness, class logits. In pixels of the input, origin top left: \
    centerX = (column + 2 * sigmoid(tx) - 0.5) * stride; \
    centerY = (row + 2 * sigmoid(ty) - 0.5) * stride; \
    width = baseSize * exp(clamp(tw, -4, 4)); height = baseSize * exp(clamp(th, -4, 4)); \
    confidence of class k = sigmoid(objectness) * softmax(class logits)[k].
    """

  private mutating func add(_ key: String, _ value: String) {
    entries.append((key, value))
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

  private static func list(_ items: [String]) -> String {
    "[" + items.joined(separator: ", ") + "]"
  }

  /// A text as JSON; labels have no control characters.
  private static func quoted(_ text: String) -> String {
    var bytes: [UInt8] = [UInt8(ascii: "\"")]
    for byte in text.utf8 {
      if byte == UInt8(ascii: "\"") || byte == UInt8(ascii: "\\") {
        bytes.append(UInt8(ascii: "\\"))
      }
      bytes.append(byte)
    }
    bytes.append(UInt8(ascii: "\""))
    return String(decoding: bytes, as: UTF8.self)
  }
}

internal import DiceDetectorHeads
internal import DiceWeights

/// The operation at the end of a detector, `TFLite_Detection_PostProcess`: what it says of encoded boxes.
///
/// Boxes are not decoded and suppressed by the network of a weight file. Its outputs are what the operation
/// reads, with heads that say what their numbers mean.
///
/// Sources: `Docs/ImportedModels.md`; `detection_postprocess.cc` of LiteRT's kernels.
struct TFLiteDetection {
  private let numbers: [String: Double]
  private let labels: [String]

  /// - Parameters:
  ///   - options: A flexbuffer with the operation's options.
  ///   - labels: The names of the classes; left out where there are more or fewer.
  init(_ options: ArraySlice<UInt8>, labels: [String]) throws(LoweringFault) {
    do throws(FlatbufferError) { numbers = try FlexbufferMap(options).numbers } catch {
      throw .invalid("Its options: \(error)")
    }
    guard let count = numbers["num_classes"], (1...65_536).contains(count) else {
      throw .invalid("Its options have no number of classes.")
    }
    self.labels = labels.count == Int(count) ? labels : []
  }

  private var classCount: Int { Int(numbers["num_classes"] ?? 1) }

  private func number(
    _ name: String, _ range: ClosedRange<Double>, default value: Double
  ) -> Float {
    let stated = numbers[name] ?? value
    return Float(stated.isFinite ? min(max(stated, range.lowerBound), range.upperBound) : value)
  }

  /// The head of the encoded boxes.
  var boxesHead: NetworkHead {
    let scales = ["y_scale", "x_scale", "h_scale", "w_scale"].map { (name) in
      number(name, 1e-6...1e6, default: 1)
    }
    return NetworkHead(
      kind: "listed boxes",
      parameters: [
        NamedValues("order", [3]), NamedValues("unit", [1]), NamedValues("offset scales", scales),
      ])
  }

  /// The head of the scores, of which a box has so many.
  func scoresHead(scoreCount: Int) throws(LoweringFault) -> NetworkHead {
    guard scoreCount == classCount || scoreCount == classCount + 1 else {
      throw .invalid("A box has \(scoreCount) scores for \(classCount) classes.")
    }
    let isRegular = numbers["use_regular_nms"] ?? 0 != 0
    var parameters = [
      NamedValues(
        "confidence threshold", [number("nms_score_threshold", 0...1, default: 0)]),
      NamedValues("overlap threshold", [number("nms_iou_threshold", 0...1, default: 0.5)]),
      NamedValues("suppression", [isRegular ? 1 : 0]),
      NamedValues("maximum count", [number("max_detections", 1...65_536, default: 10).rounded()]),
      NamedValues("background", [scoreCount > classCount ? 1 : 0]),
    ]
    if labels.isEmpty { parameters.append(NamedValues("classes", [Float(classCount)])) }
    return NetworkHead(kind: "box scores", labels: labels, parameters: parameters)
  }

  /// The head of what boxes are encoded by: centre y, x, height, width.
  static let defaultsHead = NetworkHead(
    kind: "default boxes",
    parameters: [NamedValues("order", [3]), NamedValues("unit", [1])])

  /// A list with so many numbers for each box, a row each.
  static func list(
    _ value: Value, width: Int?, _ builder: inout GraphBuilder
  ) throws(LoweringFault) -> Value {
    let shape = value.shape ?? []
    guard let last = shape.last, last > 0, last == width ?? last,
      shape.dropLast(2).allSatisfy({ $0 == 1 }), shape.count >= 2
    else { throw .invalid("Its shape \(shape) is no list of boxes.") }
    return .computed(
      try builder.arranged(
        builder.computed(value), Places(rows: [shape.count - 2], channels: [shape.count - 1])))
  }
}

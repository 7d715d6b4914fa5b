internal import DiceWeights

/// Which family of detectors a model belongs to, as far as it shows.
struct DetectorRecognition {
  /// The family; nil where the model does not show it.
  let kind: DetectorKind?

  init(_ model: ImportedModel) {
    kind = Self.kind(of: model)
  }

  private static func kind(of model: ImportedModel) -> DetectorKind? {
    guard model.inputs.count == 1, let input = model.description.inputs.first,
      [1, 3].contains(input.shape.channels)
    else { return nil }
    let lists = model.outputs.filter { (output) in output.shape.count == 3 && output.shape[0] == 1 }
    guard let list = lists.first else { return nil }
    let (first, second) = (list.shape[1], list.shape[2])
    func cells(_ strides: [Int]) -> Int {
      strides.reduce(0) { (count, stride) in
        count + ((input.shape.height + stride - 1) / stride)
          * ((input.shape.width + stride - 1) / stride)
      }
    }
    let three = cells([8, 16, 32])
    let task = model.description.provenance.first { (entry) in entry.key == "onnx.task" }?.value
    let namesDetection = task == "detect"
    // Models that find outlines or joints have lists of the same lengths.
    guard namesDetection || task == nil && model.outputs.count == 1 else { return nil }
    if namesDetection || lists.count == 1 {
      if second == three, first > 4, first < second { return .yolov8 }
      if first == 3 * three, second > 5 { return .yolov5 }
    }
    if namesDetection, second == 6, first <= 1000 { return .results }
    if namesDetection, lists.count == 2, lists.allSatisfy({ $0.shape[1] == three }),
      lists.contains(where: { $0.shape[2] == 4 })
    {
      return .yolov8Lists
    }
    guard lists.count == 1, model.outputs.count == 1 else { return nil }
    if first == three, second > 5 { return .yolox }
    if first == cells([8, 16, 32, 64]), second > 32 { return .nanodet }
    return nil
  }

  /// The names of classes in the metadata that Ultralytics' exporter writes: `{0: 'person', 1: 'bicycle'}`.
  ///
  /// Empty where there are none, or their numbers are not those from 0 in order.
  static func labels(of model: ImportedModel) -> [String] {
    guard
      let text = model.description.provenance.first(where: { $0.key == "onnx.names" })?.value
    else { return [] }
    var labels: [String] = []
    var rest = Substring(text)
    while let colon = rest.firstIndex(of: ":") {
      let number = rest[..<colon].filter { (character) in character.isNumber }
      guard Int(number) == labels.count else { return [] }
      rest = rest[rest.index(after: colon)...].drop { (character) in character == " " }
      guard let quote = rest.first, quote == "'" || quote == "\"" else { return [] }
      rest = rest.dropFirst()
      guard let end = rest.firstIndex(of: quote) else { return [] }
      labels.append(String(rest[..<end]))
      rest = rest[rest.index(after: end)...]
      guard labels.count <= 65_536 else { return [] }
    }
    return labels
  }
}

internal import DiceDetectorHeads
internal import DiceWeights

extension ImportedModel {
  /// The model as an object detector: its input is a picture, and its outputs have heads.
  ///
  /// Models whose file says what its outputs mean (`[yolo]` and `[region]` of darknet, Core ML's pipelines)
  /// keep their heads. Others get those of their family, which is recognised by the metadata of Ultralytics'
  /// exporter or by the number of boxes. Outputs whose numbers lie otherwise than heads have them are
  /// rearranged; as tensors they stay what they were.
  ///
  /// - Returns: Nil where the family is to be recognised and is not.
  /// - Throws: ``ModelImportError``: `invalid`, where the model's outputs do not fit the family, or the labels
  ///   do not fit its classes.
  public func detector(
    _ options: DetectorOptions = DetectorOptions()
  ) throws(ModelImportError) -> ImportedModel? {
    var result: ImportedModel
    if options.kind == nil, DetectorHeads.areInside(description) {
      result = self
      try result.makePicture(storedRules, options)
      try result.setLabels(options.labels)
    } else {
      guard let kind = options.kind ?? DetectorRecognition(self).kind else { return nil }
      var assembly = DetectorAssembly(self, kind, options.labels)
      do throws(ModelImportError) {
        result = try assembly.assembled()
      } catch {
        // What only looks like a family is none.
        if options.kind == nil, options.labels.isEmpty { return nil }
        throw error
      }
      try result.makePicture(kind.imageRules, options)
    }
    result.description.task = CoreMLSuppression.task
    do {
      _ = try DetectorHeads(result.description, shapes: try result.description.validated())
    } catch let error as DetectorHeadError {
      throw .invalid(place: "The detector", rule: "\(error)")
    } catch let error as WeightFileError {
      throw .network(error)
    } catch {
      throw .invalid(place: "The detector", rule: "\(error)")
    }
    return result
  }

  /// How pictures come to a model whose file says what its outputs mean, but not that.
  ///
  /// All of them stretch pictures. darknet's samples are in 0...1. TensorFlow Lite's are the bytes where the
  /// model takes integers, which become numbers in a first layer, and else in -1...1, as the object detection
  /// API has them.
  private var storedRules: ImageRules {
    guard report.format.hasPrefix("TensorFlow Lite") else {
      return ImageRules(cropAndScale: .scaleFill)
    }
    let takesBytes = description.layers.contains { (layer) in
      if case .activation(let layer) = layer, layer.input == .input(0),
        case .linear = layer.function
      {
        return true
      }
      return false
    }
    return ImageRules(
      scales: SIMD3(repeating: takesBytes ? 1 : 1 / 127.5),
      biases: SIMD3(repeating: takesBytes ? 0 : -1), cropAndScale: .scaleFill)
  }

  /// Makes the input a picture.
  private mutating func makePicture(
    _ usual: ImageRules, _ options: DetectorOptions
  ) throws(ModelImportError) {
    var rules = description.inputs.first?.imageRules ?? usual
    if let cropAndScale = options.cropAndScale { rules.cropAndScale = cropAndScale }
    try makePicture(rules, order: options.channelOrder, place: "The detector")
  }

  /// Gives the classes of all heads names.
  private mutating func setLabels(_ labels: [String]) throws(ModelImportError) {
    guard !labels.isEmpty else { return }
    let legal = CoreMLLabels.legal(labels)
    for index in description.outputs.indices {
      guard var head = description.outputs[index].head else { continue }
      let known =
        head.labels.isEmpty
        ? Int(head.parameters.values(named: "classes")?.first ?? 0) : head.labels.count
      guard known > 0 else { continue }
      guard known == legal.count else {
        throw .invalid(
          place: "The labels", rule: "There are \(legal.count); the model has \(known) classes.")
      }
      head.labels = legal
      description.outputs[index].head = head
    }
  }
}

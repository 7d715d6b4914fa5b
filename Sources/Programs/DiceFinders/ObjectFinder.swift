internal import DiceCommandLine
internal import DiceDetectorHeads
internal import DiceFiles
internal import DiceImaging
internal import DiceObjects
internal import DiceRolls
internal import DiceVisionKit
internal import DiceWeights

/// A detector whose network others have made, or one of objects that are no dice.
struct ObjectFinder: DieFinder {
  let network: ReportedNetwork

  private let detector: ObjectDetector
  /// Whether all labels are numbers, as those of dice are.
  private let findsDice: Bool

  /// Prepares the detector; nil where the weights are this package's own for dice, or no weight file.
  ///
  /// - Throws: `ToolError.failure` with the broken rule of the weights or the options.
  init?(_ options: FinderOptions) throws(ToolError) {
    guard let (path, bytes) = Self.weights(options),
      let file = try? WeightFile(bytes: bytes), Self.findsObjects(file.description)
    else { return nil }
    try Self.check(options)
    let configuration = ObjectDetector.Configuration(
      inputSize: options.inputSize.map { (size) in
        HeadInputSize(width: size.width, height: size.height)
      }, cropAndScale: options.cropAndScale,
      competition: options.givenSuppression.map { (choice) in
        choice == .perClass ? .perClass : .acrossClasses
      }, threadCount: options.threadCount)
    do throws(ObjectDetectorError) {
      detector = try ObjectDetector(weights: bytes, configuration: configuration)
    } catch {
      throw .failure(subject: path, sentence: "\(error)")
    }
    findsDice = detector.labels.allSatisfy { (label) in Int(label) != nil }
    network = ReportedNetwork(
      name: file.description.name, checksum: file.checksum, labels: detector.labels,
      confidence: Double(decimalOf: detector.rule.confidenceThreshold),
      intersectionOverUnion: Double(decimalOf: detector.rule.overlapThreshold),
      inputWidth: detector.inputSize.width, inputHeight: detector.inputSize.height)
  }

  /// The weights that were asked for, where they are not the library's and can be read.
  private static func weights(_ options: FinderOptions) -> (path: String, bytes: [UInt8])? {
    if let bytes = options.weightBytes { return ("the weights", bytes) }
    guard let path = options.weights, DiceDetector.Model(rawValue: path) == nil,
      path != WeightSource.Name.anyDice.rawValue,
      let bytes = try? FileSystem.readFile(
        at: path, byteLimit: WeightFormat.maximumFileByteCount)
    else { return nil }
    return (path, bytes)
  }

  /// Whether a network has heads of detectors that others have made, or its own with labels that
  /// are no faces of dice.
  private static func findsObjects(_ description: NetworkDescription) -> Bool {
    description.outputs.contains { (output) in
      output.head.map { (head) in
        guard let kind = DetectorHeadKind(rawValue: head.kind) else { return false }
        return kind != .gridBoxes
          || !head.labels.allSatisfy { (label) in DieFace(label: label) != nil }
      } ?? false
    }
  }

  /// Refuses what only this package's own detectors do.
  private static func check(_ options: FinderOptions) throws(ToolError) {
    switch options.secondStage {
    case .bundled, .file:
      throw .failure(
        subject: "--second-stage", sentence: "These weights have no second stage.")
    case .automatic, .none: break
    }
    if options.faces != nil {
      throw .failure(subject: "--faces", sentence: "These weights cannot be taught faces.")
    }
    if options.givenSuppression == .soft {
      throw .failure(
        subject: "--suppression", sentence: "These weights take across or per-value.")
    }
    if options.precision != .single {
      throw .failure(subject: "--precision", sentence: "These weights compute in floats.")
    }
  }

  func dice(
    in image: PixelImage, subject: String, _ request: FinderRequest
  ) throws(ToolError) -> PictureReading {
    let result: ObjectDetectionResult
    do throws(ObjectDetectorError) {
      result = try detector.detect(
        in: image, orientation: request.orientation, regionOfInterest: request.regionOfInterest,
        confidenceThreshold: Float(request.confidence),
        overlapThreshold: Float(request.intersectionOverUnion))
    } catch {
      throw .failure(subject: subject, sentence: "\(error)")
    }
    let objects =
      findsDice
      ? result.objects.sorted { $0.boundingBox.midX < $1.boundingBox.midX } : result.objects
    return PictureReading(
      width: result.uprightWidth, height: result.uprightHeight,
      dice: objects.map { (object) in
        FoundDie(
          label: object.label, value: object.value, confidence: Double(object.confidence),
          boundingBox: object.boundingBox)
      }, namesObjects: !findsDice)
  }

  func explain(
    _ image: PixelImage, subject: String, _ request: FinderRequest
  ) throws(ToolError) -> DetectionExplanation {
    throw .failure(
      subject: subject,
      sentence:
        "explain shows the stages of this package's own detectors. This one proposes boxes in "
        + "one pass: `detect --confidence 0.01 --iou 1` lists them.")
  }
}

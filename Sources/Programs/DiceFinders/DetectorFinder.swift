internal import AnyDice
package import DiceCodecs
package import DiceCommandLine
package import DiceGeometry
package import DiceImaging
internal import DiceFiles
internal import DiceNumerics
internal import DiceRolls
internal import DiceWeights
package import DiceVisionKit

/// The library's detector.
package struct DetectorFinder: DieFinder {
  package let network: ReportedNetwork
  /// The detector.
  package let detector: DiceDetector

  /// Prepares the detector.
  ///
  /// - Throws: `ToolError.file`, or `.failure` with the broken rule of the weights or the options.
  package init(_ options: FinderOptions) throws(ToolError) {
    let secondStage: DiceDetector.SecondStage
    if let bytes = options.secondStageBytes {
      secondStage = .weights(bytes)
    } else {
      secondStage = try Self.secondStage(options.secondStage)
    }
    var configuration = DiceDetector.Configuration(
      inputSize: options.inputSize.map {
        DiceDetector.InputSize(width: $0.width, height: $0.height)
      }, cropAndScale: options.cropAndScale,
      tiling: options.tiling == .automatic ? .automatic : .none, secondStage: secondStage,
      suppression: options.suppression.detectorValue, threadCount: options.threadCount,
      precision: options.precision.detectorValue,
      fileResolution: options.resolution.detectorValue, kinds: options.kinds)
    let taught = try options.faces.map { (path) throws(ToolError) in try TaughtFaces.read(path) }
    if let faces = options.faceSet ?? taught {
      configuration.faces = faces
    }
    configuration.stages = options.stages
    do throws(DetectorError) {
      detector = try Self.detector(options, configuration)
    } catch {
      if case .file(let error) = error { throw .file(error) }
      var sentence = "\(error)"
      if case .unknownKinds = error { sentence += " --weights any-dice reads all kinds." }
      throw .failure(
        subject: Self.subject(of: error, options, configuration), sentence: sentence)
    }
    let file = detector.weightFile
    let thresholds = detector.defaultThresholds
    network = ReportedNetwork(
      name: file.description.name, checksum: file.checksum, labels: detector.labels,
      confidence: Double(decimalOf: thresholds.confidenceThreshold),
      intersectionOverUnion: Double(decimalOf: thresholds.iouThreshold),
      inputWidth: detector.inputSize.width,
      inputHeight: detector.inputSize.height)
  }

  private static func detector(
    _ options: FinderOptions, _ configuration: DiceDetector.Configuration
  ) throws(DetectorError) -> DiceDetector {
    let weights = options.weights ?? DiceDetector.Model.standard.rawValue
    if options.weightBytes == nil, weights == WeightSource.Name.anyDice.rawValue {
      return try DiceDetector(.anyDice, configuration: configuration)
    }
    if configuration.faces != nil {
      return try DiceDetector(
        try withFaceNetwork(weights, options.weightBytes), configuration: configuration)
    }
    if let bytes = options.weightBytes {
      return try DiceDetector(weights: bytes, configuration: configuration)
    }
    if let model = DiceDetector.Model(rawValue: weights) {
      return try DiceDetector(model, configuration: configuration)
    }
    return try DiceDetector(weightsAt: weights, configuration: configuration)
  }

  /// Weights with the network that compares taught faces, which belongs to no other weights.
  private static func withFaceNetwork(
    _ weights: String, _ bytes: [UInt8]?
  ) throws(DetectorError) -> DetectorWeights {
    var joined = DetectorWeights(
      detector: bytes ?? [], secondStage: nil, faceNetwork: DetectorWeights.anyDice.faceNetwork)
    guard bytes == nil else { return joined }
    if let model = DiceDetector.Model(rawValue: weights) {
      joined.detector = DiceDetector.bundledWeights(model)
      joined.secondStage = DiceDetector.bundledSecondStage
      return joined
    }
    do {
      joined.detector = try FileSystem.readFile(
        at: weights, byteLimit: WeightFormat.maximumFileByteCount)
    } catch { throw .file(error) }
    return joined
  }

  /// Which of the two weight files an error is about: the second stage's where the detector can be
  /// made without it.
  private static func subject(
    of error: DetectorError, _ options: FinderOptions, _ configuration: DiceDetector.Configuration
  ) -> String {
    let detector = options.weights ?? "the library's detector"
    if case .unusableFaces = error { return options.faces ?? detector }
    guard case .file(let path) = options.secondStage, options.secondStageBytes == nil else {
      return detector
    }
    var alone = configuration
    alone.secondStage = .none
    return (try? Self.detector(options, alone)) == nil ? detector : path
  }

  private static func secondStage(
    _ choice: SecondStageChoice
  ) throws(ToolError) -> DiceDetector.SecondStage {
    switch choice {
    case .automatic: .automatic
    case .none: .none
    case .bundled: .bundled
    case .file(let path):
      .weights(
        try WeightSource.file(WeightSource.bytes(at: path), path).bytes)
    }
  }

  package func decodedSide(_ request: FinderRequest) -> Int? {
    detector.firstDecodedSide(regionOfInterest: request.regionOfInterest)
  }

  package func dice(
    inReduced picture: ReducedImage, subject: String, _ request: FinderRequest
  ) throws(ToolError) -> PictureReading? {
    try result(subject) { () throws(DetectorError) in
      try detector.detect(
        inReduced: picture, orientation: request.orientation,
        regionOfInterest: request.regionOfInterest, thresholds: request.thresholds)
    }.map(reading)
  }

  package func dice(
    in image: PixelImage, subject: String, _ request: FinderRequest
  ) throws(ToolError) -> PictureReading {
    reading(
      try result(subject) { () throws(DetectorError) in
        try detector.detect(
          in: image, orientation: request.orientation, regionOfInterest: request.regionOfInterest,
          thresholds: request.thresholds)
      })
  }

  package func dice(
    inFrame frame: StoredFrame, subject: String, _ request: FinderRequest
  ) throws(ToolError) -> PictureReading {
    reading(
      try result(subject) { () throws(DetectorError) in
        try detector.detect(
          in: frame, orientation: request.orientation, regionOfInterest: request.regionOfInterest,
          thresholds: request.thresholds)
      })
  }

  package func explain(
    _ image: PixelImage, subject: String, _ request: FinderRequest
  ) throws(ToolError) -> DetectionExplanation {
    do throws(DetectorError) {
      return try detector.explain(
        image, orientation: request.orientation, regionOfInterest: request.regionOfInterest,
        thresholds: request.thresholds)
    } catch {
      throw .failure(subject: subject, sentence: "\(error)")
    }
  }

  package func teach(
    _ face: String, value: Int?, by image: PixelImage, subject: String, to faces: inout FaceSet
  ) throws(ToolError) -> BoundingBox {
    do throws(FaceSetError) {
      return try faces.teach(face, value: value, in: image, with: detector)
    } catch {
      throw .failure(subject: subject, sentence: "\(error)")
    }
  }

  private func result<Result>(
    _ subject: String, _ detect: () throws(DetectorError) -> Result
  ) throws(ToolError) -> Result {
    do throws(DetectorError) {
      return try detect()
    } catch {
      throw .failure(subject: subject, sentence: "\(error)")
    }
  }

  private func reading(_ result: DetectionResult) -> PictureReading {
    PictureReading(
      width: result.uprightWidth, height: result.uprightHeight,
      dice: result.observations.map { observation in
        FoundDie(
          label: observation.label ?? "", value: observation.value,
          confidence: Double(observation.confidence), boundingBox: observation.boundingBox,
          alternatives: RollTracker.Observation(observation).values)
      }, timings: Self.timings(result.timings),
      namesFaces: detector.configuration.faces != nil)
  }

  private static func timings(_ timings: StageTimings) -> [PictureReading.Timing] {
    [
      PictureReading.Timing(name: "preparation", seconds: timings.preparation.inSeconds),
      PictureReading.Timing(name: "network", seconds: timings.network.inSeconds),
      PictureReading.Timing(name: "boxes", seconds: timings.decoding.inSeconds),
      PictureReading.Timing(name: "secondStage", seconds: timings.cropClassification.inSeconds),
      PictureReading.Timing(name: "suppression", seconds: timings.suppression.inSeconds),
    ]
  }
}

extension SuppressionChoice {
  fileprivate var detectorValue: DiceDetector.Suppression {
    switch self {
    case .acrossClasses: .acrossClasses
    case .perClass: .perClass
    case .soft: .soft()
    }
  }
}

extension PrecisionChoice {
  fileprivate var detectorValue: DiceDetector.Precision {
    switch self {
    case .single: .single
    case .bfloat16: .bfloat16
    case .int8: .int8
    }
  }
}

extension ResolutionChoice {
  fileprivate var detectorValue: DiceDetector.FileResolution {
    switch self {
    case .automatic: .automatic
    case .full: .full
    case .longerSide(let side): .longerSide(side)
    }
  }
}

extension FinderRequest {
  fileprivate var thresholds: Thresholds {
    Thresholds(
      iouThreshold: Float(intersectionOverUnion), confidenceThreshold: Float(confidence))
  }
}

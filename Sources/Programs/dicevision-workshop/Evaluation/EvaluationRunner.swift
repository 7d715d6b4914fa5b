internal import DiceCommandLine
internal import DiceEvaluation
internal import DiceFinders

/// Runs a detector over sets of pictures, one after the other, and shows how far it is.
struct EvaluationRunner {
  /// How many pictures could not be read.
  private(set) var failureCount = 0
  /// What there is to say of labels in the wrong place.
  private var outside = OutsideBoxes()

  private let finder: any DieFinder
  private let request: FinderRequest
  private let work: OrderedWork
  private let environment: Environment
  private var doneCount = 0
  private var progress: ProgressBar

  /// Prepares a run over so many pictures in all; `title` says what is done.
  init(
    finder: any DieFinder, request: FinderRequest, work: OrderedWork, environment: Environment,
    pictureCount: Int, title: String
  ) {
    self.finder = finder
    self.request = request
    self.work = work
    self.environment = environment
    progress = ProgressBar(environment, title: title, total: pictureCount)
  }

  /// What the detector finds in a set's pictures; those that cannot be read are reported.
  mutating func evaluate(_ set: LabelledSet) throws(ToolError) -> EvaluationSet {
    var images: [EvaluatedImage] = []
    images.reserveCapacity(set.pictures.count)
    let reader = PictureReader(environment: environment)
    try work.run(count: set.pictures.count) { [self] index in
      outcome(of: set.pictures[index], reader)
    } _: { (_, outcome) throws(ToolError) in
      doneCount += 1
      progress.show(doneCount, set.name)
      switch outcome {
      case .success(let image):
        outside.add(image)
        images.append(image)
      case .failure(let error):
        progress.clear()
        environment.report(error)
        failureCount += 1
      }
    }
    return EvaluationSet(name: set.name, images: images)
  }

  /// What there is to say of labels that lie outside their pictures; nil where there are none.
  var outsideNote: String? { outside.note }

  /// Ends the progress line.
  mutating func finish() { progress.clear() }

  private func outcome(
    of picture: LabelledSet.Picture, _ reader: PictureReader
  ) -> Result<EvaluatedImage, ToolError> {
    do throws(ToolError) {
      let reading = try finder.dice(of: .file(path: picture.path), by: reader, request).reading
      return .success(
        EvaluatedImage(
          name: picture.name, detections: detections(reading.dice, picture),
          groundTruth: picture.truths, width: reading.width, height: reading.height))
    } catch {
      return .failure(error)
    }
  }

  /// The detections that count: not those of dice that nobody can read.
  private func detections(_ dice: [FoundDie], _ picture: LabelledSet.Picture) -> [DetectedObject] {
    let labels = finder.network.labels
    var result: [DetectedObject] = []
    for die in dice {
      let box = die.boundingBox
      let isUnreadable =
        picture.unreadable.contains { $0.contains(x: box.midX, y: box.midY) }
        && !picture.truths.contains {
          $0.boundingBox.contains(x: box.midX, y: box.midY)
        }
      guard !isUnreadable, let classIndex = labels.firstIndex(of: die.label) else { continue }
      result.append(
        DetectedObject(
          boundingBox: box, classIndex: classIndex, confidence: die.confidence,
          numberConfidence: die.numberConfidence))
    }
    return result
  }
}

extension FoundDie {
  /// How sure the number is if the kind is right, 0...1: the share of the kind's probability that the
  /// label has; nil where the label names no kind, or only the value is known.
  fileprivate var numberConfidence: Double? {
    guard let kind = namedKind else { return nil }
    var ofNumber = 0.0
    var ofKind = 0.0
    for alternative in alternatives ?? [] where alternative.kind == kind {
      ofKind += Double(alternative.confidence)
      if alternative.value == value { ofNumber += Double(alternative.confidence) }
    }
    return ofNumber > 0 ? ofNumber / ofKind : nil
  }
}

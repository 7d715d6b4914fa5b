internal import DiceDetection
internal import DiceGeometry
internal import DiceImaging
internal import DiceKernels
internal import DiceNetwork
internal import DiceParallel
internal import Synchronization

/// Classifies the crops of proposals, one on each thread.
///
/// Two crops are taken of each proposal, unless the first one leaves no doubt: with the box that
/// the detector proposed in the middle, and with the box that the first crop gave, as most dice lay
/// that the classifier learnt from. The scores of both count alike; the box is that of the second.
/// Where there is a reader of numerals, it stands in the second crop's place: it sees up to four crops,
/// each turned by a quarter circle more, until it is sure that a numeral stands upright, and says
/// which; its crops count by how sure it is of that. The classifier sees the crop upside down as well,
/// since a face that lies higher in the picture looks to it like the uppermost one. The box is then
/// that of the first crop.
///
/// Unchecked: it belongs to one call at a time, and each thread of a call has a context of its own.
@safe final class CropClassification: ParallelWork, @unchecked Sendable {
  /// What the classifier says of one proposal.
  struct Outcome {
    /// The thread context whose list holds the candidate.
    var context: Int
    /// The candidate's place in the list.
    var candidateIndex: Int
    /// The box in pixels of the upright picture.
    var box: BoundingBox
  }

  /// A classifier with the memory that one thread runs it in.
  private struct Station {
    let classifier: CropClassifier
    let runner: NetworkRunner
    let sampling: FrameSampling

    init(_ classifier: CropClassifier) throws(DetectorError) {
      self.classifier = classifier
      do { runner = try NetworkRunner(classifier.plan) } catch { throw .network(error) }
      sampling = FrameSampling(for: classifier.network)
    }
  }

  /// What one thread works with.
  private final class ThreadContext {
    let secondStage: Station
    let reader: Station?
    var candidates = CandidateList()
    /// The candidates of a die's turned crops.
    var turned: [Int] = []
    /// What was classified here, and which part of the work it was.
    var outcomes: [(part: Int, outcome: Outcome)] = []

    init(_ classifier: CropClassifier, reader: CropClassifier?) throws(DetectorError) {
      secondStage = try Station(classifier)
      self.reader = try reader.map { (reader) throws(DetectorError) in try Station(reader) }
    }
  }

  /// How a reader of numerals sees each die.
  private static let turns: [ImageOrientation] = [.up, .right, .down, .left]

  private let rule: PipelineProfile.Crops
  private let reading: ScoreFusion
  private let stages: PipelineStages
  private let pool: WorkerPool
  private let contexts: [ThreadContext]
  /// A bit for each context that is in use.
  private let taken = Atomic<UInt64>(0)
  private var frame: UnsafePointer<RawFrame>?
  private var transform: ImageTransform?
  private var boxes: [BoundingBox] = []
  /// For each box what the classifier says.
  private var outcomes: [Outcome?] = []

  init(
    _ classifier: CropClassifier, reader: CropClassifier?, profile: PipelineProfile,
    stages: PipelineStages, pool: WorkerPool
  ) throws(DetectorError) {
    rule = profile.crops
    reading = profile.reading
    self.stages = stages
    self.pool = pool
    var contexts: [ThreadContext] = []
    for _ in 0..<pool.threadCount {
      contexts.append(try ThreadContext(classifier, reader: reader))
    }
    self.contexts = contexts
  }

  /// Forgets the boxes.
  func removeAll() {
    boxes.removeAll(keepingCapacity: true)
    outcomes.removeAll(keepingCapacity: true)
  }

  /// Adds a box in the upright picture.
  func append(_ box: BoundingBox) {
    boxes.append(box)
    outcomes.append(nil)
  }

  /// Classifies the crops of all boxes.
  func run(on frame: borrowing RawFrame, through transform: ImageTransform) {
    for context in contexts {
      context.candidates.removeAll()
      context.outcomes.removeAll(keepingCapacity: true)
    }
    self.transform = transform
    unsafe withUnsafePointer(to: frame) { (frame) in
      unsafe self.frame = frame
      pool.run(count: boxes.count, self)
      unsafe self.frame = nil
    }
    for context in contexts {
      for (part, outcome) in context.outcomes { outcomes[part] = outcome }
    }
  }

  /// What the classifier says of a box; nil where it finds none there.
  func outcome(_ index: Int) -> Outcome? { outcomes[index] }

  /// The list that an outcome's candidate is in.
  func candidates(of outcome: Outcome) -> CandidateList { contexts[outcome.context].candidates }

  func perform(part: Int) {
    let index = takeContext()
    let context = contexts[index]
    if let first = classify(boxes[part], by: context.secondStage, context, index) {
      var outcome = first
      if stages[.secondCrop], isDoubtful(first, proposal: boxes[part], context) {
        if let reader = context.reader {
          read(first, by: reader, context, index)
        } else if let second = classifyAgain(first, context, index) {
          outcome = second
        }
      }
      context.outcomes.append((part, outcome))
    }
    taken.bitwiseAnd(~(1 << UInt64(index)), ordering: .releasing)
  }

  private func isDoubtful(
    _ first: Outcome, proposal: BoundingBox, _ context: ThreadContext
  ) -> Bool {
    let scores = context.candidates[first.candidateIndex]
    if scores.objectness < rule.secondCropObjectness { return false }
    return scores.confidence < rule.certainConfidence
      || first.box.intersectionOverUnion(with: proposal) < rule.certainOverlap
  }

  /// Classifies what lies in the box that a first crop gave.
  private func classifyAgain(
    _ first: Outcome, _ context: ThreadContext, _ index: Int
  ) -> Outcome? {
    guard let second = classify(first.box, by: context.secondStage, context, index) else {
      return nil
    }
    if stages[.secondCropFusion] {
      context.candidates.average(second.candidateIndex, with: first.candidateIndex)
    }
    return second
  }

  /// Classifies what lies in the box that a first crop gave once more, upside down, and lets a reader
  /// of numerals say what it sees there, turned by no, one, two and three quarters of a circle, until it
  /// is sure that a numeral stands upright.
  private func read(
    _ first: Outcome, by reader: Station, _ context: ThreadContext, _ index: Int
  ) {
    context.turned.removeAll(keepingCapacity: true)
    for turn in Self.turns {
      guard let view = classify(first.box, turned: turn, by: reader, context, index) else { return }
      context.turned.append(view.candidateIndex)
      if context.candidates[view.candidateIndex].objectness > rule.certainReading { break }
    }
    guard let down = classify(first.box, turned: .down, by: context.secondStage, context, index)
    else { return }
    if stages[.secondCropFusion] {
      context.candidates.average(first.candidateIndex, with: down.candidateIndex)
    }
    context.candidates.mix(context.turned)
    context.candidates.fuse(first.candidateIndex, with: context.turned[0], by: reading)
  }

  /// Classifies what lies in a box, seen turned; nil where nothing can be said of it.
  ///
  /// The box of a turned crop is one of the turned picture.
  private func classify(
    _ box: BoundingBox, turned turn: ImageOrientation = .up, by station: Station,
    _ context: ThreadContext, _ index: Int
  ) -> Outcome? {
    let classifier = station.classifier
    guard let frame = unsafe frame, let transform,
      let view = classifier.view(of: box, in: transform, turned: turn)
    else { return nil }
    unsafe station.sampling.writeInput(of: station.runner, from: frame.pointee, through: view)
    station.runner.run()
    let first = context.candidates.count
    classifier.network.append(
      station.runner, to: &context.candidates, confidenceThreshold: 0)
    for place in first..<context.candidates.count {
      let candidate = context.candidates[place]
      guard candidate.row == classifier.row, candidate.column == classifier.column,
        let box = view.uprightBox(candidate.boundingBox)
      else { continue }
      return Outcome(context: index, candidateIndex: place, box: box)
    }
    return nil
  }

  private func takeContext() -> Int {
    var before = taken.load(ordering: .relaxed)
    while true {
      let index = (~before).trailingZeroBitCount
      // There are as many contexts as threads that ask for them.
      precondition(index < contexts.count, "no more parts run at once than there are threads")
      let (exchanged, original) = taken.compareExchange(
        expected: before, desired: before | 1 << UInt64(index), ordering: .acquiring)
      if exchanged { return index }
      before = original
    }
  }
}

extension ImageTransform {
  /// A box of the network's input as one of the upright picture, clipped to it; nil where nothing
  /// is left of it.
  func uprightBox(_ box: BoundingBox) -> BoundingBox? {
    let picture = BoundingBox(
      x: 0, y: 0, width: Double(uprightWidth), height: Double(uprightHeight))
    let box = inputToUpright.map(box).clipped(to: picture)
    return box.isProper && !box.isEmpty ? box : nil
  }
}

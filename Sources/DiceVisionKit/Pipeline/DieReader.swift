internal import DiceGeometry
internal import DiceImaging
internal import DiceKernels
internal import DiceNetwork
internal import DiceParallel
internal import Synchronization

/// A network that reads one die at a time, and how much of the picture it wants to see.
struct DieReader: Sendable {
  /// Proposals of at least this confidence are read.
  static let proposalConfidence: Float = 0.05
  /// Of proposals that overlap by more than this only the surest is read.
  static let proposalOverlap = 0.5
  /// Where the first look says with more certainty than this that there is no die, it is the last.
  static let secondLookObjectness: Float = 0.05
  /// So it is where it is surer than this of a value, and its box overlaps the proposal by as much.
  static let certainConfidence: Float = 0.97
  static let certainOverlap = 0.8

  let plan: NetworkPlan
  /// The middle cell of the head.
  let row: Int
  let column: Int

  init(
    _ file: WeightFile, labels: [String], kernels: KernelChoice,
    precision: NetworkPrecision = .single
  ) throws(DetectorError) {
    do { plan = try NetworkPlan(file, kernels: kernels, precision: precision) } catch {
      throw .network(error)
    }
    // Bytes are compared, which needs no Unicode tables.
    guard plan.labels.elementsEqual(labels, by: { $0.utf8.elementsEqual($1.utf8) }) else {
      throw .unusableReader(rule: "its labels must be those of the detector")
    }
    guard plan.heads.count == 1, let head = plan.heads.first else {
      throw .unusableReader(rule: "it must have one detection head, not \(plan.heads.count)")
    }
    let rows = plan.input.height / head.stride
    let columns = plan.input.width / head.stride
    guard !rows.isMultiple(of: 2), !columns.isMultiple(of: 2) else {
      throw .unusableReader(
        rule: "the cells of its head must be odd in number, so that one lies in the middle")
    }
    (row, column) = (rows / 2, columns / 2)
  }

  /// The window around a box that shows it as large as the reader expects dice to be.
  func window(around box: BoundingBox) -> BoundingBox {
    let scale = max(box.width, box.height) / Double(plan.heads[0].baseSize)
    return BoundingBox(
      centerX: box.centerX, centerY: box.centerY, width: Double(plan.input.width) * scale,
      height: Double(plan.input.height) * scale)
  }

  /// The ruler that tells how far down in the upright picture a box lies.
  func ruler(at box: BoundingBox, through transform: ImageTransform) -> PlaceRuler {
    let (width, height) = (Double(transform.uprightWidth), Double(transform.uprightHeight))
    return PlaceRuler(
      y: Float((box.centerY - height / 2) / max(width, height)), height: plan.input.height)
  }
}

/// Looks at places of a frame with a reader, one place on each thread.
///
/// Each place is looked at twice, unless the first look leaves no doubt: as the detector proposed it,
/// and with the box that the first look found in the middle, as most dice lay that the reader learnt
/// from. Both looks' opinions count alike; the box is that of the second.
///
/// Unchecked: it belongs to one call at a time, and each thread of a call has a desk of its own.
@safe final class DieReading: ParallelWork, @unchecked Sendable {
  /// What the reader says of one place.
  struct Reading {
    /// The desk whose list holds the candidate.
    var desk: Int
    /// The candidate's place in the list.
    var place: Int
    /// The box in pixels of the upright picture.
    var box: BoundingBox
  }

  /// What one thread works with.
  private final class Desk {
    let runner: NetworkRunner
    let sampling: FrameSampling
    var candidates = CandidateList()
    /// What was read here, and where.
    var readings: [(part: Int, reading: Reading)] = []

    init(_ runner: NetworkRunner) {
      self.runner = runner
      sampling = FrameSampling(for: runner.plan)
    }
  }

  private let reader: DieReader
  private let pool: WorkerPool
  private let desks: [Desk]
  /// A bit for each desk that is in use.
  private let taken = Atomic<UInt64>(0)
  private var frame: UnsafePointer<RawFrame>?
  private var transform: ImageTransform?
  private var boxes: [BoundingBox] = []
  /// For each place what was read there.
  private var readings: [Reading?] = []

  init(_ reader: DieReader, pool: WorkerPool) throws(DetectorError) {
    self.reader = reader
    self.pool = pool
    var desks: [Desk] = []
    for _ in 0..<pool.threadCount {
      do { desks.append(Desk(try NetworkRunner(reader.plan))) } catch { throw .network(error) }
    }
    self.desks = desks
  }

  /// Forgets the places.
  func removePlaces() {
    boxes.removeAll(keepingCapacity: true)
    readings.removeAll(keepingCapacity: true)
  }

  /// Adds a place, as a box in the upright picture.
  func append(_ box: BoundingBox) {
    boxes.append(box)
    readings.append(nil)
  }

  /// Looks at all places.
  func read(_ frame: borrowing RawFrame, through transform: ImageTransform) {
    for desk in desks {
      desk.candidates.removeAll()
      desk.readings.removeAll(keepingCapacity: true)
    }
    self.transform = transform
    unsafe withUnsafePointer(to: frame) { (frame) in
      unsafe self.frame = frame
      pool.run(count: boxes.count, self)
      unsafe self.frame = nil
    }
    for desk in desks {
      for (part, reading) in desk.readings { readings[part] = reading }
    }
  }

  /// What was read at a place; nil where nothing was.
  func reading(_ index: Int) -> Reading? { readings[index] }

  /// The list that a reading's candidate is in.
  func candidates(of reading: Reading) -> CandidateList { desks[reading.desk].candidates }

  func perform(part: Int) {
    let index = takeDesk()
    let desk = desks[index]
    if let first = look(at: boxes[part], desk, index) {
      var reading = first
      if isDoubtful(first, proposal: boxes[part], desk),
        let second = look(at: first.box, desk, index)
      {
        desk.candidates.pool(second.place, with: first.place)
        reading = second
      }
      desk.readings.append((part, reading))
    }
    taken.bitwiseAnd(~(1 << UInt64(index)), ordering: .releasing)
  }

  private func isDoubtful(_ first: Reading, proposal: BoundingBox, _ desk: Desk) -> Bool {
    let opinion = desk.candidates[first.place]
    if opinion.objectness < DieReader.secondLookObjectness { return false }
    return opinion.confidence < DieReader.certainConfidence
      || first.box.intersectionOverUnion(with: proposal) < DieReader.certainOverlap
  }

  /// Reads what lies in a box; nil where nothing can be said of it.
  private func look(at box: BoundingBox, _ desk: Desk, _ index: Int) -> Reading? {
    guard let frame = unsafe frame, let transform,
      let view = ImageTransform(
        window: reader.window(around: box), storedWidth: transform.storedWidth,
        storedHeight: transform.storedHeight, orientation: transform.orientation,
        inputWidth: reader.plan.input.width, inputHeight: reader.plan.input.height)
    else { return nil }
    unsafe desk.sampling.writeInput(of: desk.runner, from: frame.pointee, through: view)
    desk.sampling.draw(reader.ruler(at: box, through: transform), into: desk.runner)
    desk.runner.run()
    let first = desk.candidates.count
    desk.runner.append(to: &desk.candidates, confidenceThreshold: 0)
    let picture = BoundingBox(
      x: 0, y: 0, width: Double(transform.uprightWidth), height: Double(transform.uprightHeight))
    for place in first..<desk.candidates.count {
      let candidate = desk.candidates[place]
      guard candidate.row == reader.row, candidate.column == reader.column else { continue }
      let box = view.inputToUpright.map(candidate.boundingBox).clipped(to: picture)
      guard box.isProper, !box.isEmpty else { continue }
      return Reading(desk: index, place: place, box: box)
    }
    return nil
  }

  private func takeDesk() -> Int {
    var before = taken.load(ordering: .relaxed)
    while true {
      let index = (~before).trailingZeroBitCount
      // There are as many desks as threads that ask for them.
      precondition(index < desks.count, "no more parts run at once than there are threads")
      let (exchanged, original) = taken.compareExchange(
        expected: before, desired: before | 1 << UInt64(index), ordering: .acquiring)
      if exchanged { return index }
      before = original
    }
  }
}

extension DetectorCore {
  /// Lets the reader look at each proposal, and puts what it says in the proposal's place.
  func read(
    _ frame: borrowing RawFrame, through transform: ImageTransform, with reader: DieReader,
    request: DetectionRequest, _ workspace: DetectionWorkspace, _ timings: inout StageTimings
  ) throws(DetectorError) {
    var stopwatch = Stopwatch()
    chooseProposals(workspace)
    try request.checkCancellation()
    let proposalCount = workspace.boxes.count
    let dieReading = try readProposals(of: frame, through: transform, with: reader, workspace)
    for (rank, index) in workspace.suppression.indices.enumerated() {
      guard let reading = dieReading.reading(rank) else { continue }
      let place = workspace.candidates.append(
        reading.place, of: dieReading.candidates(of: reading))
      take(place, box: reading.box, for: index, workspace)
    }
    workspace.removeBoxes { (index) in index < proposalCount }
    timings.reading += stopwatch.lap()
  }

  /// Chooses the proposals that are read, the surest first, into the workspace's suppression.
  func chooseProposals(_ workspace: DetectionWorkspace) {
    NonMaximumSuppression(
      intersectionOverUnionThreshold: DieReader.proposalOverlap, mode: .classAgnostic,
      maximumCount: DiceDetector.readingLimit
    ).select(
      boxes: workspace.boxes, confidences: workspace.confidences,
      classIndices: workspace.classIndices, using: &workspace.suppression)
  }

  /// Looks at the chosen proposals, by rank.
  func readProposals(
    of frame: borrowing RawFrame, through transform: ImageTransform, with reader: DieReader,
    _ workspace: DetectionWorkspace
  ) throws(DetectorError) -> DieReading {
    let dieReading = try takeReading(of: workspace, reader)
    dieReading.removePlaces()
    for index in workspace.suppression.indices { dieReading.append(workspace.boxes[index]) }
    dieReading.read(frame, through: transform)
    return dieReading
  }

  /// Adds the box of a candidate of the reader, which takes up what the detector said at an index.
  func take(_ place: Int, box: BoundingBox, for index: Int, _ workspace: DetectionWorkspace) {
    workspace.candidates.pool(
      reading: place, withProposal: workspace.candidateIndices[index])
    let candidate = workspace.candidates[place]
    workspace.append(
      box, confidence: candidate.confidence, classIndex: candidate.classIndex,
      candidateIndex: place)
  }

  /// The workspace's readers.
  private func takeReading(
    of workspace: DetectionWorkspace, _ reader: DieReader
  ) throws(DetectorError) -> DieReading {
    if let reading = workspace.reading { return reading }
    let reading = try DieReading(reader, pool: pool)
    workspace.reading = reading
    return reading
  }
}

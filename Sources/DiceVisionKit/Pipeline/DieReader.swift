internal import DiceGeometry
internal import DiceKernels
internal import DiceNetwork

/// A network that reads one die at a time, and how much of the picture it wants to see.
struct DieReader: Sendable {
  /// Proposals of at least this confidence are read.
  static let proposalConfidence: Float = 0.05
  /// Of proposals that overlap by more than this only the surest is read.
  static let proposalOverlap = 0.5

  let plan: NetworkPlan
  /// The middle cell of the head.
  let row: Int
  let column: Int

  init(
    _ file: WeightFile, labels: [String], kernels: KernelChoice
  ) throws(DetectorError) {
    do { plan = try NetworkPlan(file, kernels: kernels) } catch { throw .network(error) }
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
}

extension DetectorCore {
  /// Lets the reader look at each proposal, and puts what it says in the proposal's place.
  func read(
    _ frame: borrowing RawFrame, through transform: ImageTransform, with reader: DieReader,
    request: DetectionRequest, _ workspace: DetectionWorkspace, _ timings: inout StageTimings
  ) throws(DetectorError) {
    var stopwatch = Stopwatch()
    let picture = BoundingBox(
      x: 0, y: 0, width: Double(transform.uprightWidth), height: Double(transform.uprightHeight))
    NonMaximumSuppression(
      intersectionOverUnionThreshold: DieReader.proposalOverlap, mode: .classAgnostic,
      maximumCount: DiceDetector.readingLimit
    ).select(
      boxes: workspace.boxes, confidences: workspace.confidences,
      classIndices: workspace.classIndices, using: &workspace.suppression)
    let proposalCount = workspace.boxes.count
    let runner = try takeReaderRunner(of: workspace, reader)
    for index in workspace.suppression.indices {
      try request.checkCancellation()
      guard
        let view = ImageTransform(
          window: reader.window(around: workspace.boxes[index]),
          storedWidth: transform.storedWidth, storedHeight: transform.storedHeight,
          orientation: transform.orientation, inputWidth: runner.width,
          inputHeight: runner.height)
      else { continue }
      Self.writeInput(frame, through: view, runner: runner, sampler: &workspace.readerSampler)
      runner.run()
      let first = workspace.candidates.count
      runner.append(to: &workspace.candidates, confidenceThreshold: 0)
      for place in first..<workspace.candidates.count {
        var candidate = workspace.candidates[place]
        guard candidate.row == reader.row, candidate.column == reader.column else { continue }
        let box = view.inputToUpright.map(candidate.boundingBox).clipped(to: picture)
        guard box.isProper, !box.isEmpty else { continue }
        workspace.candidates.pool(place, with: workspace.candidateIndices[index])
        candidate = workspace.candidates[place]
        workspace.append(
          box, confidence: candidate.confidence, classIndex: candidate.classIndex,
          candidateIndex: place)
      }
    }
    workspace.removeBoxes { (index) in index < proposalCount }
    timings.reading += stopwatch.lap()
  }

  /// The workspace's runner of the reader.
  private func takeReaderRunner(
    of workspace: DetectionWorkspace, _ reader: DieReader
  ) throws(DetectorError) -> NetworkRunner {
    if let runner = workspace.readerRunner { return runner }
    do {
      let runner = try NetworkRunner(reader.plan, pool: pool)
      workspace.readerRunner = runner
      return runner
    } catch { throw .network(error) }
  }
}

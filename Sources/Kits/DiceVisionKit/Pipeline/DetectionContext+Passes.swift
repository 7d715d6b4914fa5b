internal import DiceDetection
internal import DiceGeometry
internal import DiceNetwork

extension DetectionContext {
  /// One pass of the detector's network over a part of the picture.
  struct InferencePass {
    /// From the stored picture to the pass's input, and back.
    var view: ImageTransform
    /// Which round of passes it belongs to: 0 for the whole picture, then one for each tiling.
    var round = 0
    /// The part of the upright picture whose boxes are its own; nil for all of it.
    var core: BoundingBox?
    /// The longest box that it sees better than other passes, in pixels of the picture.
    var greatestSide = Double.infinity
  }

  /// Looks at the whole picture.
  mutating func inferWhole(_ frame: borrowing RawFrame) throws(DetectorError) {
    try infer(InferencePass(view: transform), of: frame, with: workspace.runner)
  }

  /// Runs the network on one view of a frame and adds what it proposes to the boxes in the running.
  mutating func infer(
    _ pass: InferencePass, of frame: borrowing RawFrame, with runner: NetworkRunner
  ) throws(DetectorError) {
    var stopwatch = Stopwatch()
    workspace.sampling.writeInput(of: runner, from: frame, through: pass.view)
    timings.preparation += stopwatch.lap()
    try request.checkCancellation()
    runner.run()
    timings.network += stopwatch.lap()
    try request.checkCancellation()
    let firstCandidate = workspace.candidates.count
    let firstProposal = workspace.proposals.count
    core.network.append(
      runner, to: &workspace.candidates, confidenceThreshold: leastProposalConfidence,
      ignoresClasses: ignoresClasses)
    propose(from: firstCandidate, pass)
    timings.decoding += stopwatch.lap()
    trace?.record(pass, of: frame, by: runner, core)
    trace?.recordProposals(from: firstProposal, of: workspace, core.labels)
  }

  /// Brings the candidates' boxes to the upright picture and clips them to it.
  ///
  /// Clipped first and suppressed afterwards, so that no two boxes of a result overlap by more than
  /// the threshold, and what lies in the padding alone competes with nothing.
  private func propose(from first: Int, _ pass: InferencePass) {
    for index in first..<workspace.candidates.count {
      guard let box = pass.view.uprightBox(workspace.candidates[index].boundingBox),
        max(box.width, box.height) <= pass.greatestSide
      else { continue }
      if let core = pass.core, !core.contains(box.center) { continue }
      workspace.propose(box, candidateIndex: index, ignoresClasses: ignoresClasses)
    }
  }
}

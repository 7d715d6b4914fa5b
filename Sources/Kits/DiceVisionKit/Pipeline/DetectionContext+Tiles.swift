internal import DiceGeometry
internal import DiceNetwork

extension DetectionContext {
  /// Looks again, at a larger scale and in tiles, as long as the dice seen are small.
  mutating func inferTiles(of frame: borrowing RawFrame) throws(DetectorError) {
    var progress = TiledInference.Progress(scale: transform.uprightToInput.a)
    var firstProposal = 0
    while let tiling = nextTiling(&progress, firstProposal: firstProposal) {
      if isBlurred(tiling.scale) {
        needsFullPicture = true
        return
      }
      replaceProposals(by: tiling)
      firstProposal = workspace.proposals.count
      for tile in tiling.tiles {
        let runner = try takeTileRunner(width: tile.inputWidth, height: tile.inputHeight)
        try infer(
          InferencePass(
            view: try view(of: tile), round: progress.count, core: tile.core,
            greatestSide: tiling.greatestSide), of: frame, with: runner)
      }
    }
  }

  /// What to look at next, from the proposals of the pass before; nil where nothing is to be
  /// gained.
  private func nextTiling(
    _ progress: inout TiledInference.Progress, firstProposal: Int
  ) -> TiledInference? {
    see(workspace.proposals[firstProposal...], &progress)
    var rule = profile.tiling
    // Scales count for each pixel of the picture in its file.
    rule.greatestScale *= request.reduction
    rule.blindScale *= request.reduction
    guard
      let tiling = TiledInference(
        after: progress, visible: transform.visibleRegion, by: rule,
        searchesBlindly: stages[.blindTiling])
    else { return nil }
    progress.count += 1
    if tiling.isBlind { progress.blindCount += 1 }
    progress.scale = tiling.scale
    return tiling
  }

  /// Takes up which proposals say where dice may be.
  ///
  /// The same for every threshold of a call, so that tiles do not depend on it. Boxes whose centre
  /// lies in the padding, outside the part that is looked at, say nothing.
  private func see(
    _ proposals: ArraySlice<Proposal>, _ progress: inout TiledInference.Progress
  ) {
    progress.boxes.removeAll(keepingCapacity: true)
    for proposal in proposals
    where proposal.confidence >= Double(profile.tiling.proposalConfidence)
      && transform.visibleRegion.contains(proposal.boundingBox.center)
    {
      progress.boxes.append(proposal.boundingBox)
      progress.surest = max(progress.surest, proposal.confidence)
    }
  }

  /// Takes out of the running what tiles see better.
  private func replaceProposals(by tiling: TiledInference) {
    workspace.removeProposals { (proposal) in
      guard tiling.replaces(proposal.boundingBox) else { return false }
      trace?.setFate(of: proposal, .replacedByTiles)
      return true
    }
  }

  private func view(of tile: TiledInference.Tile) throws(DetectorError) -> ImageTransform {
    do {
      return try ImageTransform(
        storedWidth: transform.storedWidth, storedHeight: transform.storedHeight,
        orientation: transform.orientation,
        regionOfInterest: NormalizedRect(
          imageBox: tile.region, width: transform.uprightWidth, height: transform.uprightHeight),
        cropAndScale: .scaleFit, inputWidth: tile.inputWidth, inputHeight: tile.inputHeight)
    } catch { throw .geometry(error) }
  }

  /// The workspace's runner for tiles, at an input size.
  private func takeTileRunner(width: Int, height: Int) throws(DetectorError) -> NetworkRunner {
    do {
      if let runner = workspace.tileRunner {
        try runner.resize(width: width, height: height)
        return runner
      }
      let runner = try NetworkRunner(core.plan, width: width, height: height, pool: core.pool)
      workspace.tileRunner = runner
      return runner
    } catch { throw .network(error) }
  }
}

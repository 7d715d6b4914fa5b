internal import DiceParallel
internal import DiceImaging
internal import DiceDetection
internal import DiceNetwork

extension DetectorCore {
  /// Everything the detector proposes for a frame in its first pass.
  func candidates(
    in frame: borrowing RawFrame, request: DetectionRequest, confidenceThreshold: Float?
  ) throws(DetectorError) -> [DieCandidate] {
    // Those are scores of the detector, so its own weights say which of them count.
    let threshold = try CheckedThresholds.check(
      confidenceThreshold ?? network.boxes.thresholds.confidence,
      ThresholdName.confidenceThreshold)
    let transform = try transform(of: frame, request)
    let workspace = try takeWorkspace()
    defer { workspaces.giveBack(workspace) }
    workspace.sampling.writeInput(of: workspace.runner, from: frame, through: transform)
    workspace.runner.run()
    network.decode(
      workspace.runner, into: &workspace.candidates, confidenceThreshold: threshold)
    var candidates: [DieCandidate] = []
    candidates.reserveCapacity(workspace.candidates.count)
    for index in 0..<workspace.candidates.count {
      let candidate = workspace.candidates[index]
      candidates.append(
        DieCandidate(
          boundingBox: transform.inputToUpright.map(candidate.boundingBox),
          inputBoundingBox: candidate.boundingBox,
          labels: labels.ranked(workspace.candidates.classProbabilities(of: candidate)),
          value: labels.values[candidate.classIndex], confidence: candidate.confidence,
          objectness: candidate.objectness, headIndex: candidate.headIndex,
          column: candidate.column, row: candidate.row))
    }
    return candidates
  }

  /// The picture that the detector's network sees of a frame.
  func networkInput(
    of frame: borrowing RawFrame, request: DetectionRequest
  ) throws(DetectorError) -> PixelImage {
    inputImage(
      of: frame, through: try transform(of: frame, request),
      paddingValue: network.imageRules.paddingValue)
  }

  /// What a network sees of a frame through a transform, as a picture.
  func inputImage(
    of frame: borrowing RawFrame, through transform: ImageTransform, paddingValue: UInt8
  ) -> PixelImage {
    let (width, height) = (transform.inputWidth, transform.inputHeight)
    var sampler = InputSampler()
    var samples = [UInt8](repeating: 0, count: width * height * 3)
    sampler.sample(
      frame, through: transform, into: &samples, layout: .interleaved(width: width),
      paddingValue: paddingValue)
    return PixelImage(width: width, height: height, format: .rgb, samples: samples)
  }
}

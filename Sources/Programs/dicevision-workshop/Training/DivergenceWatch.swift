internal import DiceFiles
internal import DiceTraining

/// Notices a run that gets worse instead of better, and says so once.
///
/// A learning rate that is far too high leaves a network that finds nothing. Its loss stays finite; but
/// it rises, or the boxes no longer overlap the labelled ones, as even those of random weights do.
struct DivergenceWatch {
  /// The steps that a mean needs before it says something.
  private static let leastStepCount = 20
  /// How many times its best the mean loss or overlap gets worse in a run that counts as lost.
  private static let greatestLoss = 3.0

  private var count = 0
  private var share = 0.0
  private var loss = 0.0
  private var overlap = 0.0
  private var lowestLoss = Double.infinity
  private var highestOverlap = 0.0
  private var hasWarned = false

  /// Takes up a step.
  ///
  /// - Returns: what to tell the user; nil where there is nothing to tell, or it was told.
  mutating func warning(after progress: TrainingProgress) -> String? {
    func mean(_ mean: Double, with value: Double) -> Double {
      mean * TrainingAverages.decay + value * (1 - TrainingAverages.decay)
    }
    loss = mean(loss, with: Double(progress.loss.total))
    overlap = mean(overlap, with: Double(progress.loss["overlap"] ?? 0))
    share = mean(share, with: 1)
    count += 1
    let (loss, overlap) = (loss / share, overlap / share)
    highestOverlap = max(highestOverlap, overlap)
    guard count >= Self.leastStepCount, !hasWarned else { return nil }
    lowestLoss = min(lowestLoss, loss)
    func text(_ value: Double) -> String { NumberText.fixed(value, decimals: 2) }
    let finding: String
    if overlap * Self.greatestLoss < highestOverlap {
      finding =
        "boxes overlap the labelled ones by \(text(overlap)), and did by \(text(highestOverlap))"
    } else if loss > Self.greatestLoss * lowestLoss {
      finding = "the loss is \(text(loss)), and was \(text(lowestLoss))"
    } else {
      return nil
    }
    hasWarned = true
    return "step \(progress.step): the network gets worse: \(finding). Try a lower --learning-rate."
  }
}

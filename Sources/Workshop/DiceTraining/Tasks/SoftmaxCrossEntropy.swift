package import DiceKernelTemplates
public import DiceParallel

/// The loss of classes: `-Σ t[k] ln softmax(logits)[k]`.
///
/// `t` is 1 for the right class and 0 for the others; with label smoothing s it is `1 - s + s / K` and
/// `s / K` for K classes, so that a network need not become ever surer.
///
/// Source: Szegedy et al., Rethinking the Inception Architecture, 2016 (label smoothing).
public struct SoftmaxCrossEntropy: Hashable, Sendable {
  /// The share that all classes have in what is asked for, 0..<1.
  public var smoothing: Float

  /// A loss with or without label smoothing.
  public init(smoothing: Float = 0) { self.smoothing = smoothing }

  /// The loss over all labelled pixels of a batch, and its gradient.
  ///
  /// - Parameters:
  ///   - output: the logits, `[H, W, K]`; `[1, 1, K]` for one class for each sample.
  ///   - labels: for each sample its class at every pixel, row by row; nil where there is none.
  ///   - weight: what the loss is multiplied with.
  /// - Returns: the mean over all labelled pixels, times the weight, and the share of them whose
  ///   greatest logit is that of the label.
  /// - Precondition: there are as many labels as pixels; each lies in `0..<K`.
  public func evaluate(
    _ output: TrainingOutput, labels: [[Int?]], weight: Float = 1, pool: WorkerPool
  ) -> (loss: Float, accuracy: Float) {
    precondition(labels.count == output.sampleCount, "labels for each sample")
    let count = labels.reduce(0) { $0 + $1.reduce(0) { $1 == nil ? $0 : $0 + 1 } }
    let normalizer = 1 / Float(max(1, count))
    let parts = pool.map(count: labels.count) { sample in
      precondition(
        labels[sample].count == output.height * output.width, "a label for each pixel")
      var (loss, rightCount) = (Float(0), 0)
      for (place, label) in labels[sample].enumerated() {
        guard let label else { continue }
        let (row, column) = (place / output.width, place % output.width)
        let logits = output.value(sample, row, column)
        loss += self.loss(logits, count: output.channelCount, label: label)
        differentiate(
          logits, to: output.gradient(sample, row, column), count: output.channelCount,
          label: label, weight: weight, normalizer: normalizer)
        if greatest(logits, count: output.channelCount) == label { rightCount += 1 }
      }
      return (loss, rightCount)
    }
    let loss = parts.reduce(Float(0)) { $0 + $1.0 }
    let rightCount = parts.reduce(0) { $0 + $1.1 }
    return (weight * loss * normalizer, Float(rightCount) * normalizer)
  }

  /// The loss over a batch of samples with one class each, and its gradient.
  ///
  /// - Precondition: the output is `[1, 1, K]`.
  public func evaluate(
    _ output: TrainingOutput, labels: [Int], weight: Float = 1, pool: WorkerPool
  ) -> (loss: Float, accuracy: Float) {
    evaluate(output, labels: labels.map { [$0] }, weight: weight, pool: pool)
  }

  /// What a task of classes tells of a step: "cross entropy", which is made small, and "right", the share of
  /// samples whose class is told right.
  ///
  /// - Precondition: the output is `[1, 1, K]`.
  package func parts(
    of output: TrainingOutput, labels: [Int], pool: WorkerPool
  ) -> LossParts {
    let (loss, accuracy) = evaluate(output, labels: labels, pool: pool)
    return LossParts(
      terms: [LossParts.Part("cross entropy", loss)],
      measures: [LossParts.Part("right", accuracy)])
  }

  // MARK: One pixel

  private func greatest(_ logits: Address, count: Int) -> Int {
    var best = 0
    for k in 1..<max(1, count) where logits.scalar(at: k) > logits.scalar(at: best) { best = k }
    return best
  }

  /// `ln Σ e^(logits[k] - greatest)` and the greatest logit.
  private func logarithmOfSum(_ logits: Address, count: Int) -> (Float, Float) {
    var greatest = -Float.infinity
    for k in 0..<count { greatest = max(greatest, logits.scalar(at: k)) }
    var sum: Float = 0
    for k in 0..<count { sum += exponential(logits.scalar(at: k) - greatest) }
    return (naturalLogarithm(sum), greatest)
  }

  /// The loss of one pixel's logits.
  package func loss(_ logits: Address, count: Int, label: Int) -> Float {
    precondition(label >= 0 && label < count, "a label is a class")
    let (logarithm, greatest) = logarithmOfSum(logits, count: count)
    let plain = logarithm + greatest - logits.scalar(at: label)
    if smoothing == 0 { return plain }
    var mean: Float = 0
    for k in 0..<count { mean += logits.scalar(at: k) }
    mean /= Float(count)
    return (1 - smoothing) * plain + smoothing * (logarithm + greatest - mean)
  }

  /// Writes the gradient of one pixel's loss by its logits:
  /// `weight (softmax(logits)[k] - t[k]) normalizer`.
  package func differentiate(
    _ logits: Address, to gradient: Address, count: Int, label: Int, weight: Float,
    normalizer: Float
  ) {
    var greatest = -Float.infinity
    for k in 0..<count { greatest = max(greatest, logits.scalar(at: k)) }
    var sum: Float = 0
    for k in 0..<count { sum += exponential(logits.scalar(at: k) - greatest) }
    let share = smoothing / Float(count)
    for k in 0..<count {
      let probability = exponential(logits.scalar(at: k) - greatest) / sum
      let target = k == label ? 1 - smoothing + share : share
      gradient.store(weight * (probability - target) * normalizer, at: k)
    }
  }
}

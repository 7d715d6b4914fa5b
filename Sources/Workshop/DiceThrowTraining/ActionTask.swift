internal import DiceThrowFilms
public import DiceParallel
internal import DicePoses
public import DiceTraining

/// Teaches a network to tell actions apart: varied windows of sequences and of drawn figures.
public struct ActionTask: LearningTask {
  /// What the network is to say of a sample: the index of its label.
  public typealias Target = Int

  /// The sequences to learn from.
  public let dataset: ActionDataset
  /// How windows are varied.
  public let distortion: PoseDistortion
  /// The share of samples that are drawn figures, where there are both.
  public let figureShare: Float
  /// How samples and loss come about, as text.
  public let identity: String
  /// The sequences.
  public let parts: [TrainingPart]

  /// The sequences, and where their hands are fastest.
  private let windows: [ThrowWindow]
  /// By label, the indices of its sequences.
  private let members: [[Int]]
  /// By label, what a figure does for it.
  private let actions: [FigureAction?]
  /// By label, what a detector saw of such figures.
  private let seen: [[ThrowWindow]]
  /// By label, how often it is drawn, added up.
  private let bounds: [Float]
  private let loss: SoftmaxCrossEntropy

  /// A task.
  ///
  /// Labels are drawn in proportion to the square root of the number of their sequences, at least as often
  /// as one with ``figureCount`` of them where figures do it: rare ones count for more than their number,
  /// and frequent ones still for more.
  ///
  /// - Parameters:
  ///   - dataset: the sequences to learn from.
  ///   - usesFigures: whether figures are drawn for the labels of ``FigureAction``.
  ///   - figureShare: the share of figures in labels that have sequences too, 0...1.
  ///   - seen: figures whose joints a detector found; they are half of the figures then.
  ///   - distortion: how windows are varied.
  ///   - smoothing: the share that all labels have in what is asked for, 0..<1.
  /// - Throws: where a label has neither sequences nor figures.
  public init(
    _ dataset: ActionDataset, usesFigures: Bool = false, figureShare: Float = 0.25,
    seen: SeenFigures? = nil, distortion: PoseDistortion = PoseDistortion(), smoothing: Float = 0.02
  ) throws(ActionDatasetError) {
    self.dataset = dataset
    self.distortion = distortion
    self.figureShare = usesFigures ? figureShare : 0
    loss = SoftmaxCrossEntropy(smoothing: smoothing)
    var members = [[Int]](repeating: [], count: dataset.labels.count)
    for (index, label) in dataset.classes.enumerated() { members[label].append(index) }
    self.members = members
    windows = dataset.sequences.map { ThrowWindow($0) }
    let actions = dataset.labels.map { usesFigures ? FigureAction(rawValue: $0) : nil }
    self.actions = actions
    self.seen = actions.map { (action) in action.flatMap { seen?.windows($0) } ?? [] }
    var (bounds, sum) = ([Float](), Float(0))
    for label in dataset.labels.indices {
      if members[label].isEmpty && actions[label] == nil {
        throw .noSequences(label: dataset.labels[label])
      }
      let count = max(members[label].count, actions[label] == nil ? 0 : Self.figureCount)
      sum += Float(count).squareRoot()
      bounds.append(sum)
    }
    self.bounds = bounds
    identity =
      "actions \(usesFigures) \(figureShare) \(distortion) \(smoothing)"
      + (seen.map { ", \($0.count) seen" } ?? "")
    parts = [TrainingPart("sequences or labels", fingerprint: dataset.fingerprint)]
  }

  /// The number of sequences that figures stand for.
  public static let figureCount = 60

  /// Draws a sequence or a figure, varies it and measures it.
  public func makeSample(
    into inputs: [SampleInput], at moment: TrainingMoment, using random: inout TrainingRandom
  ) -> Int {
    var features = ActionFeatures()
    let draw = random.unit() * (bounds.last ?? 1)
    let label = bounds.firstIndex { draw < $0 } ?? bounds.count - 1
    // Where nothing of the trunk is seen or left, another one.
    for _ in 0..<20 {
      let window = distortion.vary(poses(of: label, using: &random), using: &random)
      if features.take(window[...]) { break }
    }
    features.measure(isMirrored: random.chance(0.5))
    inputs[0].write(features.values)
    return label
  }

  private func poses(of label: Int, using random: inout TrainingRandom) -> ThrowWindow {
    let own = members[label]
    if let action = actions[label], own.isEmpty || random.chance(figureShare) {
      let seen = seen[label]
      if !seen.isEmpty, random.chance(0.5) { return seen[random.index(seen.count)] }
      let film = FigureFilm(action, using: &random)
      return ThrowWindow(film.sequence(id: ""), release: film.releaseFrame)
    }
    return windows[own[random.index(own.count)]]
  }

  /// The cross entropy, and the share of samples that are told right.
  public func loss(
    of outputs: [TrainingOutput], targets: [Int], pool: WorkerPool
  ) -> LossParts {
    loss.parts(of: outputs[0], labels: targets, pool: pool)
  }
}

internal import DiceDetection
internal import DiceKernelTemplates
internal import DiceParallel
internal import DiceTraining

extension GridBoxHead {
  /// The cells of an output of the head.
  func grid(_ output: TrainingOutput) -> Grid {
    Grid(
      rows: output.height, columns: output.width, stride: Float(stride), baseSize: baseSize)
  }
}

/// What a network with detection heads is trained to make small, and its gradient by the raw
/// predictions.
///
/// `loss = (3 Σ w (1 - IoU + ρ²/c²) + 3 Σ crossEntropy(class) + Σ binaryCrossEntropy(objectness)) / N`
/// where the first two sums run over the N cells that were given a die, w is the die's box weight,
/// and the last over all cells but those that are ignored.
struct DetectionLoss {
  /// The weight of the box term.
  static let boxWeight: Float = 3
  /// The weight of the class term.
  static let classWeight: Float = 3

  let heads: [GridBoxHead]
  private let classes = SoftmaxCrossEntropy()

  init(heads: [GridBoxHead]) { self.heads = heads }

  /// The sums over one sample.
  private struct Sums {
    var box: Float = 0
    var objectness: Float = 0
    var classification: Float = 0
    var overlap: Float = 0
  }

  /// Writes the gradients of the heads and returns the loss over the batch: the terms "box",
  /// "objectness" and "classification", each already divided by the number of cells with a die, and
  /// as measures "overlap", the mean overlap of these cells' boxes with their dice, and "positives",
  /// their number.
  ///
  /// - Parameters:
  ///   - outputs: the output of each head.
  ///   - truths: for each sample its dice.
  ///   - roles: for each sample and head what the cells are to learn, row by row.
  func evaluate(
    _ outputs: [TrainingOutput], truths: [[TruthBox]], roles: [[[GridRole]]], pool: WorkerPool
  ) -> LossParts {
    let positiveCount = roles.reduce(0) { sum, heads in
      sum
        + heads.reduce(0) { sum, cells in
          sum + cells.reduce(0) { if case .die = $1 { $0 + 1 } else { $0 } }
        }
    }
    let normalizer = 1 / Float(max(1, positiveCount))
    let parts = pool.map(count: truths.count) { sample in
      differentiate(
        outputs, truths[sample], roles: roles[sample], sample: sample, normalizer: normalizer)
    }
    var total = Sums()
    for part in parts {
      total.box += part.box * normalizer
      total.objectness += part.objectness * normalizer
      total.classification += part.classification * normalizer
      total.overlap += part.overlap * normalizer
    }
    return LossParts(
      terms: [
        .init("box", total.box), .init("objectness", total.objectness),
        .init("classification", total.classification),
      ],
      measures: [.init("overlap", total.overlap), .init("positives", Float(positiveCount))])
  }

  private func differentiate(
    _ outputs: [TrainingOutput], _ truths: [TruthBox], roles: [[GridRole]], sample: Int,
    normalizer: Float
  ) -> Sums {
    var sums = Sums()
    for (index, head) in heads.enumerated() {
      let output = outputs[index]
      for row in 0..<output.height {
        for column in 0..<output.width {
          let cell = output.value(sample, row, column)
          let gradient = output.gradient(sample, row, column)
          for channel in 0..<5 + head.classCount { gradient.store(0, at: channel) }
          let objectness = cell.scalar(at: 4)
          switch roles[index][row * output.width + column] {
          case .ignored: break
          case .background:
            sums.objectness += softplus(objectness)
            gradient.store(logistic(objectness) * normalizer, at: 4)
          case .die(let die):
            let truth = truths[die]
            sums.objectness += softplus(-objectness)
            gradient.store((logistic(objectness) - 1) * normalizer, at: 4)
            let geometry = CellGeometry(
              stride: Float(head.stride), baseSize: head.baseSize, row: Float(row),
              column: Float(column))
            let (loss, overlap) = geometry.loss(cell.vector(at: 0, as: SIMD4<Float>.self), truth)
            let weight = Self.boxWeight * truth.boxWeight
            sums.box += weight * loss.value
            sums.overlap += overlap
            for channel in 0..<4 {
              gradient.store(weight * loss.derivatives[channel] * normalizer, at: channel)
            }
            let label = truth.classIndex ?? 0
            let logits = cell.advanced(by: 5)
            sums.classification +=
              Self.classWeight * classes.loss(logits, count: head.classCount, label: label)
            classes.differentiate(
              logits, to: gradient.advanced(by: 5), count: head.classCount, label: label,
              weight: Self.classWeight, normalizer: normalizer)
          }
        }
      }
    }
    return sums
  }
}

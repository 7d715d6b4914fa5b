internal import DiceKernelTemplates
internal import DiceParallel
internal import DiceWeights

/// What a detector is trained to make small, and its gradient by the raw predictions.
///
/// `loss = (3 Σ w (1 - IoU + ρ²/c²) + 3 Σ crossEntropy(class) + Σ binaryCrossEntropy(objectness)) / N`
/// where the first two sums run over the N cells that were given a die, w is the die's box weight,
/// and the last over all cells, but for those whose place is marked unreadable and those across a
/// corner from a die's cell.
///
/// A die is given, on each head that reads its size, the cell its centre lies in and the nearest
/// cell beside it along each axis, where that cell's middle is less than one cell from the centre.
/// The cell across the corner counts neither way. A cell between two dice belongs to the nearer.
///
/// Where a die is given depends on the die alone. If predictions chose among the cells, a network
/// could lower the class term without reading: each cell around a die would bet on another value.
///
/// Source of the three cells: YOLOv5 (Jocher, 2020).
struct DetectionLoss {
  /// The weight of the box term.
  static let boxWeight: Float = 3
  /// The weight of the class term.
  static let classWeight: Float = 3
  /// A head is given dice up to this factor larger or smaller than its base size, and the head
  /// whose base size is nearest is given every die.
  static let sizeFactor: Float = 2.6

  /// The parts of the loss, each already divided by the number of cells with a die.
  struct Parts: Hashable, Sendable {
    var box: Float = 0
    var objectness: Float = 0
    var classification: Float = 0
    /// The number of cells that were given a die.
    var positiveCount = 0
    /// The mean overlap of these cells' boxes with their dice.
    var meanOverlap: Float = 0

    /// The sum that is made small.
    var total: Float { box + objectness + classification }
  }

  /// What a cell is to learn.
  enum Role: Hashable {
    case background
    case ignored
    case die(Int)
  }

  let task: TrainingTask
  let heads: [TrainingNetwork.Head]
  let pool: WorkerPool

  /// Writes the gradients of the heads and returns the loss over the batch.
  ///
  /// - Parameter truths: for each picture its dice.
  func evaluate(_ truths: [[TruthBox]]) -> Parts {
    let pictureCount = truths.count
    let roles = pool.map(count: pictureCount) { picture in
      switch task {
      case .detection: assign(truths[picture])
      case .reading: assignForReading(truths[picture])
      }
    }
    let positiveCount = roles.reduce(0) { sum, heads in
      sum
        + heads.reduce(0) { sum, cells in
          sum + cells.reduce(0) { if case .die = $1 { $0 + 1 } else { $0 } }
        }
    }
    let normalizer = 1 / Float(max(1, positiveCount))
    let parts = pool.map(count: pictureCount) { picture in
      differentiate(
        truths[picture], roles: roles[picture], picture: picture, normalizer: normalizer)
    }
    var total = Parts()
    for part in parts {
      total.box += part.box * normalizer
      total.objectness += part.objectness * normalizer
      total.classification += part.classification * normalizer
      total.meanOverlap += part.meanOverlap * normalizer
    }
    total.positiveCount = positiveCount
    return total
  }

  private func geometry(_ head: TrainingNetwork.Head, row: Int, column: Int) -> CellGeometry {
    CellGeometry(
      stride: Float(head.layer.stride), baseSize: head.layer.baseSize, row: Float(row),
      column: Float(column))
  }

  private func raw(_ head: TrainingNetwork.Head, picture: Int, row: Int, column: Int) -> Address {
    head.output.row(row, of: picture).advanced(by: column * head.output.pixelStep)
  }

  private func boxPrediction(_ cell: Address) -> SIMD4<Float> {
    cell.vector(at: 0, as: SIMD4<Float>.self)
  }

  /// The cross entropy of a label: `-ln softmax(logits)[label]`.
  private func crossEntropy(_ cell: Address, label: Int, classCount: Int) -> Float {
    var greatest = -Float.infinity
    for k in 0..<classCount { greatest = max(greatest, cell.scalar(at: 5 + k)) }
    var sum: Float = 0
    for k in 0..<classCount { sum += exponential(cell.scalar(at: 5 + k) - greatest) }
    return naturalLogarithm(sum) + greatest - cell.scalar(at: 5 + label)
  }

  // MARK: Assignment

  private func assign(_ truths: [TruthBox]) -> [[Role]] {
    var roles = heads.map {
      [Role](repeating: .background, count: $0.output.height * $0.output.width)
    }
    // The squared distance, in cells, of the die that a cell was given.
    var distances = heads.map {
      [Float](repeating: .infinity, count: $0.output.height * $0.output.width)
    }
    for truth in truths where truth.classIndex == nil { ignore(truth, in: &roles) }
    for (index, truth) in truths.enumerated() where truth.classIndex != nil {
      let size = max((truth.width * truth.height).squareRoot(), 1)
      let sizeDistances = heads.map { abs(naturalLogarithm(size / $0.layer.baseSize)) }
      let nearest = sizeDistances.min() ?? 0
      for (headIndex, head) in heads.enumerated() {
        guard
          sizeDistances[headIndex] <= naturalLogarithm(Self.sizeFactor)
            || sizeDistances[headIndex] == nearest
        else { continue }
        let stride = Float(head.layer.stride)
        let (x, y) = (truth.centerX / stride, truth.centerY / stride)
        for row in nearCells(y, head.output.height) {
          for column in nearCells(x, head.output.width) {
            let (dx, dy) = (abs(Float(column) + 0.5 - x), abs(Float(row) + 0.5 - y))
            let place = row * head.output.width + column
            guard min(dx, dy) <= 0.5 else {
              if case .background = roles[headIndex][place] { roles[headIndex][place] = .ignored }
              continue
            }
            let distance = dx * dx + dy * dy
            if distance < distances[headIndex][place] {
              distances[headIndex][place] = distance
              roles[headIndex][place] = .die(index)
            }
          }
        }
      }
    }
    return roles
  }

  /// The cells whose centre is less than one cell from a place, in cells.
  private func nearCells(_ place: Float, _ count: Int) -> [Int] {
    let first = Int((place - 1.5).rounded(.up))
    return [first, first + 1].filter { $0 >= 0 && $0 < count && abs(Float($0) + 0.5 - place) < 1 }
  }

  private func ignore(_ truth: TruthBox, in roles: inout [[Role]]) {
    for (headIndex, head) in heads.enumerated() {
      let stride = Float(head.layer.stride)
      for row in 0..<head.output.height {
        for column in 0..<head.output.width
        where truth.contains(x: (Float(column) + 0.5) * stride, y: (Float(row) + 0.5) * stride) {
          roles[headIndex][row * head.output.width + column] = .ignored
        }
      }
    }
  }

  // MARK: Gradient

  private func differentiate(
    _ truths: [TruthBox], roles: [[Role]], picture: Int, normalizer: Float
  ) -> Parts {
    var parts = Parts()
    for (headIndex, head) in heads.enumerated() {
      let classCount = head.layer.classCount
      for row in 0..<head.output.height {
        for column in 0..<head.output.width {
          let cell = raw(head, picture: picture, row: row, column: column)
          let gradient = head.gradient.row(row, of: picture).advanced(
            by: column * head.gradient.pixelStep)
          for channel in 0..<5 + classCount { gradient.store(0, at: channel) }
          let objectness = cell.scalar(at: 4)
          switch roles[headIndex][row * head.output.width + column] {
          case .ignored: break
          case .background:
            parts.objectness += softplus(objectness)
            gradient.store(logistic(objectness) * normalizer, at: 4)
          case .die(let index):
            let truth = truths[index]
            parts.objectness += softplus(-objectness)
            gradient.store((logistic(objectness) - 1) * normalizer, at: 4)
            let (loss, overlap) = geometry(head, row: row, column: column)
              .loss(boxPrediction(cell), truth)
            let weight = Self.boxWeight * truth.boxWeight
            parts.box += weight * loss.value
            parts.meanOverlap += overlap
            for channel in 0..<4 {
              gradient.store(weight * loss.derivatives[channel] * normalizer, at: channel)
            }
            let label = truth.classIndex ?? 0
            parts.classification +=
              Self.classWeight * crossEntropy(cell, label: label, classCount: classCount)
            differentiateClasses(
              cell, gradient: gradient, label: label, classCount: classCount,
              normalizer: normalizer)
          }
        }
      }
    }
    return parts
  }

  /// The gradient of the class term by the logits: `3 (softmax(logits) - [k == label]) / N`.
  private func differentiateClasses(
    _ cell: Address, gradient: Address, label: Int, classCount: Int, normalizer: Float
  ) {
    var greatest = -Float.infinity
    for k in 0..<classCount { greatest = max(greatest, cell.scalar(at: 5 + k)) }
    var sum: Float = 0
    for k in 0..<classCount { sum += exponential(cell.scalar(at: 5 + k) - greatest) }
    for k in 0..<classCount {
      let probability = exponential(cell.scalar(at: 5 + k) - greatest) / sum
      gradient.store(
        Self.classWeight * (probability - (k == label ? 1 : 0)) * normalizer, at: 5 + k)
    }
  }
}

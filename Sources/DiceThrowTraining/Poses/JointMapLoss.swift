internal import DiceKernelTemplates
package import DiceParallel
package import DiceTraining
internal import ThrowVisionKit

/// The loss of maps that tell where joints are: `-Σ q[p] ln softmax(map)[p]` over the places of a map.
///
/// `q` is a bell curve around the label, in all 1. A joint without label asks for nothing. Unlike a mean of
/// squares the loss lets a map have two peaks where labels disagree, as left and right do.
package struct JointMapLoss: Hashable, Sendable {
  /// The deviation of the bell curve, in shares of the map's side.
  package var deviation: Float

  /// A loss.
  package init(deviation: Float) { self.deviation = deviation }

  /// The mean over all labelled joints, and its gradient.
  ///
  /// - Parameters:
  ///   - output: as `PoseHead` says.
  ///   - targets: for each sample the place of each joint in shares of the sides.
  package func evaluate(
    _ output: TrainingOutput, targets: [[SIMD2<Float>?]], pool: WorkerPool
  ) -> LossParts {
    let count = targets.reduce(0) { $0 + $1.count { $0 != nil } }
    let normalizer = 1 / Float(max(1, count))
    let parts = pool.map(count: targets.count) { sample in
      var (loss, rightCount) = (Float(0), 0)
      var memory = MapMemory(rows: 2 * output.height, columns: 2 * output.width)
      for (joint, target) in targets[sample].enumerated() {
        guard let target else { continue }
        memory.read(output, sample, joint)
        let value = memory.evaluate(target, deviation: deviation)
        memory.write(output, sample, joint, factor: normalizer)
        loss += value.loss
        if value.isNear { rightCount += 1 }
      }
      return (loss, rightCount)
    }
    let loss = parts.reduce(Float(0)) { $0 + $1.0 }
    let rightCount = parts.reduce(0) { $0 + $1.1 }
    return LossParts(
      terms: [LossParts.Part("maps", loss * normalizer)],
      measures: [LossParts.Part("right", Float(rightCount) * normalizer)])
  }
}

/// One map: logits, then the gradient by them.
private struct MapMemory {
  let rows: Int
  let columns: Int
  var values: [Float]
  private var targetRows: [Float]
  private var targetColumns: [Float]

  init(rows: Int, columns: Int) {
    self.rows = rows
    self.columns = columns
    values = [Float](repeating: 0, count: rows * columns)
    targetRows = [Float](repeating: 0, count: rows)
    targetColumns = [Float](repeating: 0, count: columns)
  }

  mutating func read(_ output: TrainingOutput, _ sample: Int, _ joint: Int) {
    for row in 0..<output.height {
      for column in 0..<output.width {
        let logits = output.value(sample, row, column)
          .vector(at: 4 * joint, as: SIMD4<Float>.self)
        let place = 2 * row * columns + 2 * column
        values[place] = logits.x
        values[place + 1] = logits.y
        values[place + columns] = logits.z
        values[place + columns + 1] = logits.w
      }
    }
  }

  func write(_ output: TrainingOutput, _ sample: Int, _ joint: Int, factor: Float) {
    for row in 0..<output.height {
      for column in 0..<output.width {
        let place = 2 * row * columns + 2 * column
        let gradient = SIMD4<Float>(
          values[place], values[place + 1], values[place + columns], values[place + columns + 1])
        output.gradient(sample, row, column).store(gradient * factor, at: 4 * joint)
      }
    }
  }

  /// The loss; the logits become its gradient.
  ///
  /// - Returns: besides, whether the greatest logit is within a twenty-fifth of the side of the label.
  mutating func evaluate(
    _ target: SIMD2<Float>, deviation: Float
  ) -> (loss: Float, isNear: Bool) {
    Self.bell(&targetColumns, around: target.x, deviation: deviation)
    Self.bell(&targetRows, around: target.y, deviation: deviation)
    var (best, place) = (-Float.infinity, 0)
    for index in values.indices where values[index] > best {
      (best, place) = (values[index], index)
    }
    var (sum, expected) = (Float(0), Float(0))
    for row in 0..<rows {
      let share = targetRows[row]
      for column in 0..<columns {
        let index = row * columns + column
        let logit = values[index] - best
        expected += share * targetColumns[column] * logit
        values[index] = exponential(logit)
        sum += values[index]
      }
    }
    let scale = 1 / sum
    for row in 0..<rows {
      let share = targetRows[row]
      for column in 0..<columns {
        let index = row * columns + column
        values[index] = values[index] * scale - share * targetColumns[column]
      }
    }
    let x = (Float(place % columns) + 0.5) / Float(columns) - target.x
    let y = (Float(place / columns) + 0.5) / Float(rows) - target.y
    return (naturalLogarithm(sum) - expected, x * x + y * y < 0.0016)
  }

  /// Samples of a bell curve whose sum is 1.
  private static func bell(_ values: inout [Float], around middle: Float, deviation: Float) {
    var sum: Float = 0
    for index in values.indices {
      let distance = ((Float(index) + 0.5) / Float(values.count) - middle) / deviation
      values[index] = exponential(-0.5 * distance * distance)
      sum += values[index]
    }
    for index in values.indices { values[index] /= sum }
  }
}

internal import DiceKernelTemplates
package import DiceParallel
package import DiceTraining
internal import ThrowVisionKit

/// What a sample says of a joint.
public enum JointTarget: Hashable, Sendable {
  /// Nothing.
  case unknown
  /// It lies outside of what is shown.
  case outside
  /// Where it is, in shares of the input's sides.
  case place(SIMD2<Float>)
}

/// The loss of maps that tell where joints are: `-Σ q[p] ln softmax(map)[p]` over the places of a map.
///
/// `q` is a bell curve around the label, in all 1, and alike everywhere where a joint lies outside of what is
/// shown, so that the share of a map around its peak is no greater than the share of joints that are there. A
/// joint of which nothing is known asks for nothing. Unlike a mean of squares the loss lets a map have two peaks
/// where labels disagree, as left and right do.
package struct JointMapLoss: Hashable, Sendable {
  /// The deviation of the bell curve, in shares of the map's side.
  package var deviation: Float

  /// A loss.
  package init(deviation: Float) { self.deviation = deviation }

  /// The mean over all joints of which something is known, and its gradient.
  ///
  /// - Parameters:
  ///   - output: as `PoseHead` says.
  ///   - targets: for each sample what it says of each joint.
  package func evaluate(
    _ output: TrainingOutput, targets: [[JointTarget]], pool: WorkerPool
  ) -> LossParts {
    let count = targets.reduce(0) { $0 + $1.count { $0 != .unknown } }
    let normalizer = 1 / Float(max(1, count))
    let parts = pool.map(count: targets.count) { sample in
      var (placed, outside, placedCount, rightCount) = (Float(0), Float(0), 0, 0)
      var memory = MapMemory(rows: 2 * output.height, columns: 2 * output.width)
      for (joint, target) in targets[sample].enumerated() where target != .unknown {
        memory.read(output, sample, joint)
        if case .place(let place) = target {
          let value = memory.evaluate(place, deviation: deviation)
          placed += value.loss
          placedCount += 1
          if value.isNear { rightCount += 1 }
        } else {
          outside += memory.evaluateOutside()
        }
        memory.write(output, sample, joint, factor: normalizer)
      }
      return (placed, outside, placedCount, rightCount)
    }
    let placed = parts.reduce(Float(0)) { $0 + $1.0 }
    let outside = parts.reduce(Float(0)) { $0 + $1.1 }
    let placedCount = parts.reduce(0) { $0 + $1.2 }
    let rightCount = parts.reduce(0) { $0 + $1.3 }
    return LossParts(
      terms: [
        LossParts.Part("maps", placed * normalizer),
        LossParts.Part("outside", outside * normalizer),
      ],
      measures: [LossParts.Part("right", Float(rightCount) / Float(max(1, placedCount)))])
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

  /// The loss where a joint lies outside; the logits become its gradient.
  mutating func evaluateOutside() -> Float {
    let best = values.max() ?? 0
    let share = 1 / Float(values.count)
    var (sum, expected) = (Float(0), Float(0))
    for index in values.indices {
      let logit = values[index] - best
      expected += share * logit
      values[index] = exponential(logit)
      sum += values[index]
    }
    let scale = 1 / sum
    for index in values.indices { values[index] = values[index] * scale - share }
    return naturalLogarithm(sum) - expected
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

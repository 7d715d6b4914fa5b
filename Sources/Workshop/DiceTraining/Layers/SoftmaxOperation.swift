internal import DiceKernelTemplates

/// `exp` of each number over the sum along an axis.
///
/// Before an output it is left out and the loss has the logits (``SoftmaxCrossEntropy``); this one is
/// for softmax inside a network.
final class SoftmaxOperation: Operation {
  /// An axis of a value.
  enum Axis: Hashable {
    case rows
    case columns
    case channels
  }

  /// Floats between neighbours in a map: from line to line in both directions, and along a line.
  private struct Steps {
    let first: Int
    let second: Int
    let along: Int

    init(_ map: BatchMap, _ axis: Axis) {
      switch axis {
      case .rows: (first, second, along) = (map.pixelStep, 1, map.rowStep)
      case .columns: (first, second, along) = (map.rowStep, 1, map.pixelStep)
      case .channels: (first, second, along) = (map.rowStep, map.pixelStep, 1)
      }
    }
  }

  let output: Value
  private let input: Value
  private let axis: Axis

  init(along axis: Axis, from input: Value, to output: Value) {
    self.axis = axis
    self.input = input
    self.output = output
  }

  /// How many lines there are in both directions, and how many numbers a line has.
  private var counts: (first: Int, second: Int, length: Int) {
    let shape = output.shape
    return switch axis {
    case .rows: (shape.width, shape.channelCount, shape.height)
    case .columns: (shape.height, shape.channelCount, shape.width)
    case .channels: (shape.height, shape.width, shape.channelCount)
    }
  }

  func forward(_ pass: Pass) {
    let counts = counts
    let (from, to) = (Steps(input.map, axis), Steps(output.map, axis))
    pass.forEachSample { sample in
      for first in 0..<counts.first {
        for second in 0..<counts.second {
          let source = input.map.origin(of: sample)
            .advanced(by: first * from.first + second * from.second)
          let target = output.map.origin(of: sample)
            .advanced(by: first * to.first + second * to.second)
          var greatest = -Float.infinity
          for k in 0..<counts.length {
            greatest = max(greatest, source.scalar(at: k * from.along))
          }
          var sum: Float = 0
          for k in 0..<counts.length {
            let value = exponential(source.scalar(at: k * from.along) - greatest)
            sum += value
            target.store(value, at: k * to.along)
          }
          for k in 0..<counts.length {
            target.store(target.scalar(at: k * to.along) / sum, at: k * to.along)
          }
        }
      }
    }
  }

  /// `∂in[k] = out[k] (g[k] - Σ g[j] out[j])`.
  func backward(_ pass: Pass) {
    guard let target = input.gradientTarget() else { return }
    let counts = counts
    let (values, gradients) = (Steps(output.map, axis), Steps(output.gradient, axis))
    let to = Steps(target.map, axis)
    pass.forEachSample { sample in
      target.begin(sample)
      for first in 0..<counts.first {
        for second in 0..<counts.second {
          let value = output.map.origin(of: sample)
            .advanced(by: first * values.first + second * values.second)
          let gradient = output.gradient.origin(of: sample)
            .advanced(by: first * gradients.first + second * gradients.second)
          let line = target.map.origin(of: sample)
            .advanced(by: first * to.first + second * to.second)
          var sum: Float = 0
          for k in 0..<counts.length {
            sum += gradient.scalar(at: k * gradients.along) * value.scalar(at: k * values.along)
          }
          for k in 0..<counts.length {
            let part =
              value.scalar(at: k * values.along)
              * (gradient.scalar(at: k * gradients.along) - sum)
            line.store(line.scalar(at: k * to.along) + part, at: k * to.along)
          }
        }
      }
    }
  }
}

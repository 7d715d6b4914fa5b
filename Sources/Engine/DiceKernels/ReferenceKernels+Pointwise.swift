public import DiceKernelTemplates

/// Layers without weights. `Kernels` gives the same bits.
extension ReferenceKernels {
  /// `output[y, x, c]` is the greatest `input[v, u, c]` in the part of the window that lies inside
  /// the input, over the output rows `rows`; minus infinity where that part is empty.
  ///
  /// A NaN is left out like a place outside the input.
  public static func poolMaximum(_ task: MapTask, window: PoolingWindow, rows: Range<Int>) {
    for y in rows {
      for x in 0..<task.width {
        for c in 0..<task.channelCount {
          var greatest = -Float.infinity
          for v in window.rows.range(y) {
            for u in window.columns.range(x) {
              let value = task.input.scalar(
                at: v * task.inputRowStep + u * task.inputColumnStep + c)
              if value > greatest { greatest = value }
            }
          }
          task.output.store(
            greatest, at: y * task.outputRowStep + x * task.outputColumnStep + c)
        }
      }
    }
  }

  /// `output[y, x, c] = input[y / factor, x / factor, c]` over the output rows `rows`.
  ///
  /// Factor 1 copies. `task.width` is a multiple of `factor`.
  public static func repeatNearest(_ task: MapTask, factor: Int, rows: Range<Int>) {
    for y in rows {
      for x in 0..<task.width {
        for c in 0..<task.channelCount {
          let value = task.input.scalar(
            at: y / factor * task.inputRowStep + x / factor * task.inputColumnStep + c)
          task.output.store(value, at: y * task.outputRowStep + x * task.outputColumnStep + c)
        }
      }
    }
  }

  /// `output[y, x, c]` is the sum of `input[v, u, c]` over the part of the window that lies inside the
  /// input, divided by `divisor`, or by the number of its pixels where `divisor` is 0.
  ///
  /// The sums of the window's rows are added up.
  public static func poolAverage(
    _ task: MapTask, window: PoolingWindow, divisor: Float, rows: Range<Int>
  ) {
    for y in rows {
      for x in 0..<task.width {
        let (vs, us) = (window.rows.range(y), window.columns.range(x))
        let count = divisor == 0 ? Float(vs.count * us.count) : divisor
        for c in 0..<task.channelCount {
          var total: Float = 0
          for v in vs {
            var sum: Float = 0
            for u in us {
              sum += task.input.scalar(at: v * task.inputRowStep + u * task.inputColumnStep + c)
            }
            total += sum
          }
          task.output.store(
            total / count, at: y * task.outputRowStep + x * task.outputColumnStep + c)
        }
      }
    }
  }

  /// The rows `rows` of a bilinear resizing; the formula stands at `InterpolationTask`.
  public static func interpolate(_ task: InterpolationTask, rows: Range<Int>) {
    let map = task.map
    for y in rows {
      let wy = task.rows.weights.scalar(at: y)
      for x in 0..<map.width {
        let wx = task.columns.weights.scalar(at: x)
        for c in 0..<map.channelCount {
          func mean(_ row: Int) -> Float {
            let left = map.input.scalar(at: row + task.columns.offset(x, 0) + c)
            let right = map.input.scalar(at: row + task.columns.offset(x, 1) + c)
            return (1 - wx) * left + wx * right
          }
          let a = mean(task.rows.offset(y, 0))
          let b = mean(task.rows.offset(y, 1))
          map.output.store(
            (1 - wy) * a + wy * b, at: y * map.outputRowStep + x * map.outputColumnStep + c)
        }
      }
    }
  }

  /// The rows `rows` of two maps combined; the formula stands at `CombinationTask`.
  public static func combine(_ task: CombinationTask, rows: Range<Int>) {
    let map = task.map
    for y in rows {
      for x in 0..<map.width {
        let first = map.input.advanced(by: y * map.inputRowStep + x * map.inputColumnStep)
        let second = task.other.advanced(by: y * task.otherRowStep + x * task.otherColumnStep)
        let output = map.output.advanced(by: y * map.outputRowStep + x * map.outputColumnStep)
        // Read before anything is written: the output may be an operand.
        let (a, b) = (first.scalar(at: 0), second.scalar(at: 0))
        for c in 0..<map.channelCount {
          output.store(
            value(
              of: task.operation, task.isFirstSingle ? a : first.scalar(at: c),
              task.isSecondSingle ? b : second.scalar(at: c)), at: c)
        }
      }
    }
  }

  /// Two numbers combined; the formulas stand at `CombinationOperation`.
  public static func value(of operation: CombinationOperation, _ a: Float, _ b: Float) -> Float {
    switch operation {
    case .addition: a + b
    case .subtraction: a - b
    case .multiplication: a * b
    case .division: a / b
    case .maximum: b > a ? b : a
    case .minimum: b < a ? b : a
    case .requantizedSum(let factors):
      Float(
        requantized(
          requantized(word(a) &<< 20, factors.factor(0))
            &+ requantized(word(b) &<< 20, factors.factor(1)), factors.factor(2)))
    }
  }

  /// The softmax of the first `count` channels over the rows `rows`; channels behind them become 0.
  ///
  /// `output[y, x, c] = exp(input[y, x, c] - m) / Σ exp(input[y, x, k] - m)` with the greatest `m`. One
  /// NaN or plus infinity makes all of a pixel NaN.
  public static func softmax(_ task: MapTask, count: Int, rows: Range<Int>) {
    for y in rows {
      for x in 0..<task.width {
        let input = task.input.advanced(by: y * task.inputRowStep + x * task.inputColumnStep)
        let output = task.output.advanced(by: y * task.outputRowStep + x * task.outputColumnStep)
        var greatest = input.scalar(at: 0)
        for k in 1..<max(1, count) where input.scalar(at: k) > greatest {
          greatest = input.scalar(at: k)
        }
        var sums = SIMD16<Float>(repeating: 0)
        for c in 0..<count {
          output.store(exponential(input.scalar(at: c) - greatest), at: c)
          sums[c % 16] += output.scalar(at: c)
        }
        for step in [8, 4, 2, 1] {
          for lane in 0..<step { sums[lane] += sums[lane + step] }
        }
        let sum = sums[0]
        for c in 0..<task.channelCount {
          output.store(c < count ? output.scalar(at: c) / sum : 0, at: c)
        }
      }
    }
  }

  /// The rows `rows` of a depthwise convolution; the formula stands at `DepthwiseTask`.
  ///
  /// `Kernels` fuses products and sums where it can, as in `convolve(_:rows:)`.
  public static func convolveDepthwise(_ task: DepthwiseTask, rows: Range<Int>) {
    let map = task.map
    for y in rows {
      for x in 0..<map.width {
        let input = map.input.advanced(by: y * map.inputRowStep + x * map.inputColumnStep)
        let output = map.output.advanced(by: y * map.outputRowStep + x * map.outputColumnStep)
        for c in 0..<map.channelCount {
          var sum = task.bias.scalar(at: c)
          for t in 0..<task.tapCount {
            sum +=
              input.scalar(at: unsafe task.tapOffsets[t] + c)
              * task.weights.scalar(at: t * task.weightStep + c)
          }
          let result =
            task.requantization.map { (requantization) in
              requantized(word(sum), requantization, channel: c)
            } ?? leaky(sum, slope: task.slope)
          output.store(result, at: c)
        }
      }
    }
  }
}

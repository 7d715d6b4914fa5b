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
          for v in window.range(y, extent: window.inputHeight) {
            for u in window.range(x, extent: window.inputWidth) {
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

  /// `output[y, x, c] = input[y, x, c] + other[y, x, c]` over the rows `rows`.
  public static func addMaps(
    _ task: MapTask, other: Address, otherColumnStep: Int, otherRowStep: Int, rows: Range<Int>
  ) {
    for y in rows {
      for x in 0..<task.width {
        for c in 0..<task.channelCount {
          let sum =
            task.input.scalar(at: y * task.inputRowStep + x * task.inputColumnStep + c)
            + other.scalar(at: y * otherRowStep + x * otherColumnStep + c)
          task.output.store(sum, at: y * task.outputRowStep + x * task.outputColumnStep + c)
        }
      }
    }
  }

  /// `output[y, x, c] = v * sigmoid(v)` with `v = input[y, x, c]` over the rows `rows`; in place
  /// where output and input are the same.
  public static func weightBySigmoid(_ task: MapTask, rows: Range<Int>) {
    for y in rows {
      for x in 0..<task.width {
        for c in 0..<task.channelCount {
          let v = task.input.scalar(at: y * task.inputRowStep + x * task.inputColumnStep + c)
          task.output.store(
            v / (1 + exponential(0 - v)), at: y * task.outputRowStep + x * task.outputColumnStep + c
          )
        }
      }
    }
  }

  /// `e` to the power of `clamp(x, −87...88)`, within 2 units in the last place; NaN for NaN.
  public static func exponential(_ x: Float) -> Float { scalarExponential(x) }

  /// `1 / (1 + e⁻ˣ)`, in 0...1; NaN for NaN.
  public static func sigmoid(_ x: Float) -> Float { 1 / (1 + exponential(0 - x)) }

  /// Replaces logits by `e^(z[k] − m) / Σ e^(z[j] − m)` with `m = max z`.
  ///
  /// The results are in 0...1 and add up to 1 but for rounding. One NaN or plus infinity makes all
  /// of them NaN; an empty range stays empty.
  ///
  /// - Precondition: `range` lies inside `values`.
  public static func softmax(_ values: inout [Float], range: Range<Int>) {
    guard let first = range.first else { return }
    var greatest = values[first]
    for k in range where values[k] > greatest { greatest = values[k] }
    var sum: Float = 0
    for k in range {
      // An infinite greatest value gives infinity − infinity, a NaN.
      values[k] = exponential(values[k] - greatest)
      sum += values[k]
    }
    for k in range { values[k] /= sum }
  }
}

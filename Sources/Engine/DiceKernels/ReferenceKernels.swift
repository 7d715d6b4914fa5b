public import DiceKernelTemplates

/// The definition of every kernel: scalar loops whose variables are the letters of the formula.
///
/// They are slow, run everywhere and are what the fast kernels are tested against. Products and sums
/// are rounded separately. `Kernels` gives the same bits where its arithmetic is separate as well
/// (the x86-64 baseline) and for everything without a multiplication that could be fused; elsewhere
/// a sum of n products differs by at most
/// `(n + 2) * 2⁻²³ * (|start| + Σ |input| * |weight|)`, twice the classic bound for one rounding of
/// 2⁻²⁴ for each operation.
///
/// The functions trust their callers like those of `Kernels`.
public enum ReferenceKernels {
  /// The rows `rows` of a convolution; the formula stands at `ConvolutionTask`.
  public static func convolve(_ task: ConvolutionTask, rows: Range<Int>) {
    let outputChannelCount = task.outputBlockCount * channelGranularity
    for y in rows {
      for x in 0..<task.width {
        let input = task.input.advanced(by: y * task.inputRowStep + x * task.inputColumnStep)
        let output = task.output.advanced(by: y * task.outputRowStep + x * task.outputColumnStep)
        for o in 0..<outputChannelCount {
          var sum = task.accumulates ? output.scalar(at: o) : task.bias.scalar(at: o)
          for t in 0..<task.tapCount {
            let offset = unsafe task.tapOffsets[t]
            for i in 0..<task.inputChannelCount {
              let place = weightPlace(
                o: o, t: t, i: i, tapCount: task.tapCount,
                inputChannelCount: task.inputChannelCount)
              sum += input.scalar(at: offset + i) * task.weights.scalar(at: place)
            }
          }
          output.store(leaky(sum, slope: task.slope), at: o)
        }
      }
    }
  }

  /// Adds the weight gradient over the rows `rows`; the formula stands at `WeightGradientTask`.
  ///
  /// Each sum adds its terms row by row and column by column.
  public static func gatherWeightGradient(_ task: WeightGradientTask, rows: Range<Int>) {
    for o in 0..<task.outputBlockCount * channelGranularity {
      for t in 0..<task.tapCount {
        let offset = unsafe task.tapOffsets[t]
        for i in 0..<task.inputChannelCount {
          let place = weightPlace(
            o: o, t: t, i: i, tapCount: task.tapCount, inputChannelCount: task.inputChannelCount)
          var sum = task.weightGradient.scalar(at: place)
          for y in rows {
            for x in 0..<task.width {
              sum +=
                task.input.scalar(
                  at: y * task.inputRowStep + x * task.inputColumnStep + offset + i)
                * task.outputGradient.scalar(
                  at: y * task.gradientRowStep + x * task.gradientColumnStep + o)
            }
          }
          task.weightGradient.store(sum, at: place)
        }
      }
    }
  }

  /// Where the weight of output channel `o`, tap `t` and input channel `i` stands among packed
  /// weights, `[output block][tap][input channel][16]`.
  static func weightPlace(o: Int, t: Int, i: Int, tapCount: Int, inputChannelCount: Int) -> Int {
    let block = o / channelGranularity
    let lane = o % channelGranularity
    return ((block * tapCount + t) * inputChannelCount + i) * channelGranularity + lane
  }

  /// `x` where `x >= 0`, else `slope * x`; a NaN stays a NaN.
  static func leaky(_ x: Float, slope: Float) -> Float {
    x < 0 && slope != 1 ? x * slope : x
  }
}

// MARK: - Training

extension ReferenceKernels {
  /// `sums[c] += Σ x[c]`, `squares[c] += Σ x[c]²` over one row of `width` pixels.
  public static func addMoments(
    _ row: Address, width: Int, channelCount: Int, sums: Address, squares: Address
  ) {
    for c in 0..<channelCount {
      var sum = sums.scalar(at: c)
      var square = squares.scalar(at: c)
      for x in 0..<width {
        let value = row.scalar(at: x * channelCount + c)
        sum += value
        square += value * value
      }
      sums.store(sum, at: c)
      squares.store(square, at: c)
    }
  }

  /// `output[c] = leaky(input[c] * scale[c] + shift[c])` over one row of `width` pixels.
  public static func normalize(
    _ input: Address, output: Address, width: Int, channelCount: Int, scale: Address,
    shift: Address, slope: Float
  ) {
    for x in 0..<width {
      for c in 0..<channelCount {
        let place = x * channelCount + c
        let value = input.scalar(at: place) * scale.scalar(at: c) + shift.scalar(at: c)
        output.store(leaky(value, slope: slope), at: place)
      }
    }
  }

  /// The gradient before the leaky rectifier, in place over one row of `width` pixels:
  /// `g = gradient[c]`, times `slope` where `activated[c] < 0`; `sums[c] += g`,
  /// `products[c] += g * input[c]`.
  public static func backpropagateActivation(
    gradient: Address, activated: Address, input: Address, width: Int, channelCount: Int,
    slope: Float, sums: Address, products: Address
  ) {
    for c in 0..<channelCount {
      var sum = sums.scalar(at: c)
      var product = products.scalar(at: c)
      for x in 0..<width {
        let place = x * channelCount + c
        var g = gradient.scalar(at: place)
        if activated.scalar(at: place) < 0 { g *= slope }
        gradient.store(g, at: place)
        sum += g
        product += g * input.scalar(at: place)
      }
      sums.store(sum, at: c)
      products.store(product, at: c)
    }
  }

  /// `gradient[c] = (p[c] * gradient[c] + q[c] * input[c]) + r[c]` over one row of `width` pixels,
  /// in place.
  public static func combine(
    gradient: Address, input: Address, width: Int, channelCount: Int, p: Address, q: Address,
    r: Address
  ) {
    for x in 0..<width {
      for c in 0..<channelCount {
        let place = x * channelCount + c
        let first = gradient.scalar(at: place) * p.scalar(at: c)
        let second = input.scalar(at: place) * q.scalar(at: c)
        gradient.store(first + second + r.scalar(at: c), at: place)
      }
    }
  }
}

public import DiceKernelTemplates

// What `MatrixKernels` computes, one product after the other.
extension ReferenceKernels {
  /// The rows `rows` of a convolution of bfloat16 numbers; the formula stands at
  /// `MatrixConvolutionTask`.
  public static func convolve(_ task: MatrixConvolutionTask, rows: Range<Int>) {
    for y in rows {
      for x in 0..<task.width {
        let input = task.input.advanced(by: y * task.inputRowStep + x * task.inputColumnStep)
        let output = task.output.advanced(by: y * task.outputRowStep + x * task.outputColumnStep)
        for o in 0..<task.outputBlockCount * channelGranularity {
          var sum = task.accumulates ? output.scalar(at: o) : task.bias.scalar(at: o)
          for w in 0..<task.windowCount {
            for s in 0..<task.stepCount {
              let block =
                ((o / channelGranularity) * task.windowCount + w) * task.stepCount + s
              for v in 0..<MatrixConvolutionTask.stepLength {
                let place =
                  block * MatrixConvolutionTask.stepWeightCount + v / 2 * 32
                  + o % channelGranularity * 2 + v % 2
                sum +=
                  input.scalar(at: task.windowOffset(w) + s * MatrixConvolutionTask.stepLength + v)
                  * task.weights.scalar(at: place)
              }
            }
          }
          output.store(sum, at: o)
        }
      }
    }
  }

  /// The rows `rows` of a layer; the formula stands at `MatrixLayerTask`.
  public static func convolve(_ task: MatrixLayerTask, rows: Range<Int>) {
    var sums = [Float](
      repeating: 0, count: task.convolution.outputBlockCount * channelGranularity)
    for y in rows {
      for x in 0..<task.convolution.width {
        unsafe sums.withUnsafeMutableBufferPointer { (buffer) in
          var single = task.convolution
          single.input = task.convolution.input.advanced(
            by: y * task.convolution.inputRowStep + x * task.convolution.inputColumnStep)
          single.output = unsafe Address(buffer.baseAddress!)
          single.width = 1
          convolve(single, rows: 0..<1)
        }
        let output = task.output.advanced(
          by: y * task.convolution.outputRowStep + x * task.convolution.outputColumnStep)
        let greatest = Float(bitPattern: 0x7F7F_0000)
        for o in sums.indices {
          let value = leaky(sums[o], slope: task.slope)
          output.store(value.isNaN ? value : max(-greatest, min(value, greatest)), at: o)
        }
      }
    }
  }

  /// Adds the weight gradient from factors rounded to bfloat16; the formula stands at
  /// `MatrixWeightGradientTask`.
  public static func gatherWeightGradient(_ task: MatrixWeightGradientTask) {
    func narrowed(_ value: Float) -> Float { Float(bitPattern: bfloat16Bits(value) << 16) }
    let taps = task.kernelSize * task.kernelSize
    for o in 0..<task.outputBlockCount * channelGranularity {
      for t in 0..<taps {
        for i in 0..<task.inputChannelCount {
          let place = weightPlace(
            o: o, t: t, i: i, tapCount: taps, inputChannelCount: task.inputChannelCount)
          var sum = task.weightGradient.scalar(at: place)
          for y in 0..<task.height {
            let row = y * task.stride + t / task.kernelSize - task.padding
            for x in 0..<task.width {
              let column = x * task.stride + t % task.kernelSize - task.padding
              sum +=
                narrowed(
                  task.input.scalar(
                    at: row * task.inputRowStep + column * task.inputPixelStep + i))
                * narrowed(
                  task.outputGradient.scalar(
                    at: y * task.gradientRowStep + x * task.gradientPixelStep + o))
            }
          }
          task.weightGradient.store(sum, at: place)
        }
      }
    }
  }
}

internal import DiceKernels
internal import DiceWeights

/// One layer at one input size whose activations are 8-bit integers.
struct IntegerStep {
  enum Work {
    case layer(IntegerLayerTask)
    /// A layer that reads floats, the network's input or whole numbers, which become integers on the way.
    case first(IntegerLayerTask, FloatInput)
    /// Nearest-neighbour enlargement, or a copy with factor 1, of groups of four integers.
    case nearest(MapTask, factor: Int)
  }

  /// A value of floats, and how a layer reads it.
  struct FloatInput {
    var rows: MatrixStep.FloatInput
    /// Groups of four integers of a pixel, the repeated ones among them.
    var groupCount: Int
    var quantization: Quantization
    /// Groups that stand once more behind the others of a pixel.
    var repeats: [Int] = []

    private var rowStep: Int { pixelCount * groupCount }
    private var pixelCount: Int {
      rows.region.halo.left + rows.region.width + rows.region.halo.right
    }

    /// The floats of memory that one thread works with.
    var scratchCount: Int {
      let rowCount = (IntegerStep.groupHeight - 1) * rows.stride + rows.span
      return IntegerLayerTask.scratchCount + rowCount * rowStep + IntegerStep.spareCount
    }

    /// Rounds what some output rows read, and moves a task there.
    func prepare(
      _ task: inout IntegerLayerTask, rows outputRows: Range<Int>, _ kernels: IntegerKernels,
      _ target: Address
    ) {
      let source = rows.rows(for: outputRows)
      let region = rows.region
      kernels.quantize(
        rows.start.advanced(by: (source.lowerBound + region.halo.top) * region.rowStep),
        pixelStep: region.channelStep, to: target, groupCount: groupCount - repeats.count,
        targetStep: groupCount, count: source.count * pixelCount, scale: 1 / quantization.scale,
        zero: Float(quantization.zero))
      for (place, group) in repeats.enumerated() {
        var pixel = target
        for _ in 0..<source.count * pixelCount {
          pixel.store(pixel.scalar(at: group), at: groupCount - repeats.count + place)
          pixel = pixel.advanced(by: groupCount)
        }
      }
      // Windows begin `padding` rows above and columns before the first output pixel's own input.
      task.convolution.input = target.advanced(
        by: (outputRows.lowerBound * rows.stride - source.lowerBound) * rowStep
          + region.halo.left * groupCount)
      task.convolution.output = task.convolution.output.advanced(
        by: outputRows.lowerBound * task.convolution.outputRowStep)
    }
  }

  /// The output rows for which the input is rounded at once.
  static let groupHeight = 8
  /// The floats behind a map that kernels may read.
  static let spareCount = 16

  let work: Work
  let kernels: IntegerKernels
  let scratch: ScratchMemory

  /// The time of a row, roughly, in multiply-adds of single precision.
  var rowWork: Int {
    guard IntegerKernels.areBuilt else { return 0 }
    switch work {
    case .layer(let task), .first(let task, _):
      let sums = task.convolution
      let count = sums.width * (sums.tapCount * sums.inputChannelCount + 4)
      return count * sums.outputBlockCount * channelGranularity
    case .nearest(let map, _): return map.width * map.channelCount * 4
    }
  }

  func perform(rows: Range<Int>) {
    guard IntegerKernels.areBuilt else { return }
    switch work {
    case .layer(let task):
      scratch.withPiece { (piece) in kernels.convolve(task, rows: rows, scratch: piece) }
    case .first(let task, let input):
      scratch.withPiece { (piece) in
        var start = rows.lowerBound
        while start < rows.upperBound {
          let group = start..<min(rows.upperBound, start + Self.groupHeight)
          var part = task
          input.prepare(
            &part, rows: group, kernels, piece.advanced(by: IntegerLayerTask.scratchCount))
          kernels.convolve(part, rows: 0..<group.count, scratch: piece)
          start = group.upperBound
        }
      }
    case .nearest(let map, let factor): kernels.repeatNearest(map, factor: factor, rows: rows)
    }
  }
}

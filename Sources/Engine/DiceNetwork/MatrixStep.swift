internal import DiceKernels
internal import DiceWeights

/// One layer at one input size whose activations are bfloat16 numbers.
struct MatrixStep {
  enum Work {
    case layer(MatrixLayerTask)
    /// A layer that reads the network's input, which is rounded on the way.
    case first(MatrixLayerTask, FloatInput)
    /// A layer whose value is an output of the network: it writes floats.
    case last(MatrixConvolutionTask)
    case nearest(Enlargement)
  }

  /// The network's input, and how the first layer reads it.
  struct FloatInput {
    /// The first float of the map, in the corner of its border.
    var start: Address
    let region: ArenaLayout.Region
    /// Input rows between two windows.
    let stride: Int
    /// From a window's first row to its last, both included.
    let span: Int
    /// How far the first window reaches over the upper edge.
    let padding: Int

    /// The input rows that some output rows read; the first may lie in the border.
    func rows(for rows: Range<Int>) -> Range<Int> {
      rows.lowerBound * stride - padding..<(rows.upperBound - 1) * stride - padding + span
    }

    /// The floats of memory that one thread works with.
    var scratchCount: Int {
      let rowCount = (groupHeight - 1) * stride + span
      return MatrixLayerTask.scratchCount + (rowCount * region.rowStep + 64) / 2 + 32
    }
  }

  /// Nearest-neighbour enlargement, or a copy.
  struct Enlargement {
    var input: BFloat16Address
    var inputColumnStep: Int
    var inputRowStep: Int
    var output: BFloat16Address
    var outputColumnStep: Int
    var outputRowStep: Int
    var width: Int
    var channelCount: Int
    var factor: Int
  }

  /// The output rows for which the input is rounded at once.
  static let groupHeight = 8

  let work: Work
  let kernels: MatrixKernels
  let scratch: ScratchMemory

  /// The time of a row, roughly, in multiply-adds of single precision.
  var rowWork: Int {
    guard MatrixKernels.areBuilt else { return 0 }
    return switch work {
    case .layer(let task), .first(let task, _): Self.rowWork(task.convolution)
    case .last(let task): Self.rowWork(task)
    case .nearest(let task): task.width * task.channelCount * 2
    }
  }

  private static func rowWork(_ task: MatrixConvolutionTask) -> Int {
    // Matrix units are some eight times as fast; finishing takes about as long as a step.
    task.width * (task.windowCount * task.stepCount + 1) * 32 * task.outputBlockCount * 2
  }

  func perform(rows: Range<Int>) {
    guard MatrixKernels.areBuilt else { return }
    switch work {
    case .layer(let task):
      scratch.withPiece { (piece) in kernels.convolve(task, rows: rows, scratch: piece) }
    case .first(let task, let input):
      scratch.withPiece { (piece) in
        var start = rows.lowerBound
        while start < rows.upperBound {
          let group = start..<min(rows.upperBound, start + Self.groupHeight)
          convolve(task, input, group, piece)
          start = group.upperBound
        }
      }
    case .last(let task): kernels.convolve(task, rows: rows)
    case .nearest(let task):
      kernels.repeatNearest(
        task.input, columnStep: task.inputColumnStep, rowStep: task.inputRowStep, to: task.output,
        outputColumnStep: task.outputColumnStep, outputRowStep: task.outputRowStep,
        width: task.width, channelCount: task.channelCount, factor: task.factor, rows: rows)
    }
  }

  private func convolve(
    _ task: MatrixLayerTask, _ input: FloatInput, _ rows: Range<Int>, _ piece: Address
  ) {
    let source = input.rows(for: rows)
    let region = input.region
    let narrowed = BFloat16Address(piece.advanced(by: MatrixLayerTask.scratchCount))
    kernels.narrow(
      input.start.advanced(by: (source.lowerBound + region.halo.top) * region.rowStep),
      to: narrowed, count: source.count * region.rowStep)
    var group = task
    // Windows begin `padding` rows above and columns before the first output pixel's own input.
    group.convolution.input = narrowed.advanced(
      by: (rows.lowerBound * input.stride - source.lowerBound) * region.rowStep
        + region.halo.left * region.channelStep)
    group.output = task.output.advanced(by: rows.lowerBound * task.convolution.outputRowStep)
    kernels.convolve(group, rows: 0..<rows.count, scratch: piece)
  }
}

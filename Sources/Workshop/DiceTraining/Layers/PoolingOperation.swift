internal import DiceKernelTemplates

/// The greatest or the mean value of each window, for each channel.
final class PoolingOperation: Operation {
  /// What is taken of a window.
  enum Kind: Hashable {
    /// The greatest value inside the input.
    case maximum
    /// The mean of the values inside the input.
    case average
    /// The sum of the values inside the input over the window's size.
    case averageWithPadding
  }

  let output: Value
  private let input: Value
  private let kind: Kind
  /// The input rows and columns of each window, those outside left out.
  private let rows: [Range<Int>]
  private let columns: [Range<Int>]
  private let windowSize: Int

  /// - Parameter window: size, stride and padding; dilations are 1.
  init(_ kind: Kind, window: ConvolutionGeometry, from input: Value, to output: Value) {
    self.kind = kind
    self.input = input
    self.output = output
    windowSize = window.tapCount
    func ranges(_ count: Int, _ size: Int, _ stride: Int, _ before: Int, _ extent: Int)
      -> [Range<Int>]
    {
      (0..<count).map { position in
        let start = position * stride - before
        return min(max(0, start), extent)..<max(0, min(extent, start + size))
      }
    }
    rows = ranges(
      output.shape.height, window.kernelHeight, window.strideY, window.top, input.shape.height)
    columns = ranges(
      output.shape.width, window.kernelWidth, window.strideX, window.left, input.shape.width)
  }

  func forward(_ pass: Pass) {
    pass.forEachSample { sample in
      switch kind {
      case .maximum: poolMaximum(sample)
      case .average, .averageWithPadding: poolAverage(sample)
      }
    }
  }

  func backward(_ pass: Pass) {
    guard let target = input.gradientTarget() else { return }
    pass.forEachSample { sample in
      target.begin(sample)
      switch kind {
      case .maximum: backpropagateMaximum(to: target.map, sample)
      case .average, .averageWithPadding: backpropagateAverage(to: target.map, sample)
      }
    }
  }

  // MARK: Maximum

  private func poolMaximum(_ sample: Int) {
    let (input, output) = (input.map, output.map)
    let step = input.pixelStep
    for (row, rows) in rows.enumerated() {
      let target = output.row(row, of: sample)
      for (column, columns) in columns.enumerated() {
        let to = target.advanced(by: column * output.pixelStep)
        for channel in stride(from: 0, to: step, by: 8) {
          var greatest = Channels(repeating: -.infinity)
          for y in rows {
            let source = input.row(y, of: sample)
            for x in columns {
              let value = source.vector(at: x * step + channel, as: Channels.self)
              greatest = greatest.replacing(with: value, where: value .> greatest)
            }
          }
          to.store(greatest, at: channel)
        }
      }
    }
  }

  /// Adds each window's gradient to the first input that holds the window's greatest value.
  private func backpropagateMaximum(to inputGradient: BatchMap, _ sample: Int) {
    let (input, output, gradient) = (input.map, output.map, output.gradient)
    let step = input.pixelStep
    for (row, rows) in rows.enumerated() {
      for (column, columns) in columns.enumerated() {
        let place = column * output.pixelStep
        for channel in stride(from: 0, to: step, by: 8) {
          let greatest = output.row(row, of: sample).vector(
            at: place + channel, as: Channels.self)
          var rest = gradient.row(row, of: sample).vector(
            at: place + channel, as: Channels.self)
          for y in rows {
            let source = input.row(y, of: sample)
            let target = inputGradient.row(y, of: sample)
            for x in columns {
              let offset = x * step + channel
              let isGreatest = source.vector(at: offset, as: Channels.self) .== greatest
              let share = Channels(repeating: 0).replacing(with: rest, where: isGreatest)
              target.store(target.vector(at: offset, as: Channels.self) + share, at: offset)
              rest.replace(with: 0, where: isGreatest)
            }
          }
        }
      }
    }
  }

  // MARK: Average

  /// What the sum of a window is multiplied with.
  private func share(_ rows: Range<Int>, _ columns: Range<Int>) -> Float {
    1 / Float(kind == .average ? max(1, rows.count * columns.count) : windowSize)
  }

  private func poolAverage(_ sample: Int) {
    let (input, output) = (input.map, output.map)
    let step = input.pixelStep
    for (row, rows) in rows.enumerated() {
      let target = output.row(row, of: sample)
      for (column, columns) in columns.enumerated() {
        let to = target.advanced(by: column * output.pixelStep)
        let share = share(rows, columns)
        for channel in stride(from: 0, to: step, by: 8) {
          var sum = Channels(repeating: 0)
          for y in rows {
            let source = input.row(y, of: sample)
            for x in columns { sum += source.vector(at: x * step + channel, as: Channels.self) }
          }
          to.store(sum * share, at: channel)
        }
      }
    }
  }

  private func backpropagateAverage(to inputGradient: BatchMap, _ sample: Int) {
    let gradient = output.gradient
    let step = inputGradient.pixelStep
    for (row, rows) in rows.enumerated() {
      let source = gradient.row(row, of: sample)
      for (column, columns) in columns.enumerated() {
        let from = source.advanced(by: column * gradient.pixelStep)
        let share = share(rows, columns)
        for channel in stride(from: 0, to: step, by: 8) {
          let part = from.vector(at: channel, as: Channels.self) * share
          for y in rows {
            let target = inputGradient.row(y, of: sample)
            for x in columns {
              let offset = x * step + channel
              target.store(target.vector(at: offset, as: Channels.self) + part, at: offset)
            }
          }
        }
      }
    }
  }
}

package import DiceKernelTemplates

/// An output of the network for a batch of samples, `[H, W, C]` each, with the place for the gradient
/// of the loss.
public struct TrainingOutput {
  /// The output's name in the network's description.
  public let name: String
  /// The numbers that the network gave.
  package let values: BatchMap
  /// The gradient of the loss by these numbers.
  package let gradients: BatchMap

  package init(name: String, values: BatchMap, gradients: BatchMap) {
    self.name = name
    self.values = values
    self.gradients = gradients
  }

  /// The samples of the batch.
  public var sampleCount: Int { values.sampleCount }
  /// Rows.
  public var height: Int { values.height }
  /// Columns.
  public var width: Int { values.width }
  /// Channels.
  public var channelCount: Int { values.channelCount }

  /// One number of a sample; traps outside the output.
  public subscript(sample: Int, row: Int, column: Int, channel: Int) -> Float {
    check(row, column, channel)
    return value(sample, row, column).scalar(at: channel)
  }

  /// The numbers of a sample in the order of `[H, W, C]`.
  public func numbers(ofSample sample: Int) -> [Float] {
    var numbers: [Float] = []
    numbers.reserveCapacity(height * width * channelCount)
    for row in 0..<height {
      for column in 0..<width {
        let pixel = value(sample, row, column)
        for channel in 0..<channelCount { numbers.append(pixel.scalar(at: channel)) }
      }
    }
    return numbers
  }

  /// Sets the gradient by one number of a sample; traps outside the output.
  public func setGradient(
    _ gradient: Float, sample: Int, row: Int, column: Int, channel: Int
  ) {
    check(row, column, channel)
    self.gradient(sample, row, column).store(gradient, at: channel)
  }

  private func check(_ row: Int, _ column: Int, _ channel: Int) {
    precondition(
      row >= 0 && row < height && column >= 0 && column < width && channel >= 0
        && channel < channelCount, "place outside the output")
  }

  /// The numbers of a pixel.
  @inline(__always)
  package func value(_ sample: Int, _ row: Int, _ column: Int) -> Address {
    values.row(row, of: sample).advanced(by: column * values.pixelStep)
  }

  /// The gradients by the numbers of a pixel.
  @inline(__always)
  package func gradient(_ sample: Int, _ row: Int, _ column: Int) -> Address {
    gradients.row(row, of: sample).advanced(by: column * gradients.pixelStep)
  }
}

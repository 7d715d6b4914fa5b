package import DiceKernelTemplates

/// Where one sample of a batch is written: an input of the network, `[H, W, C]`.
public struct SampleInput {
  package let map: BatchMap
  package let sample: Int

  package init(map: BatchMap, sample: Int) {
    precondition(sample >= 0 && sample < map.sampleCount, "sample outside the batch")
    self.map = map
    self.sample = sample
  }

  /// Rows.
  public var height: Int { map.height }
  /// Columns.
  public var width: Int { map.width }
  /// Channels of a pixel.
  public var channelCount: Int { map.channelCount }

  /// One number; traps outside the input.
  public subscript(row: Int, column: Int, channel: Int) -> Float {
    get { pixel(row, column, channel).scalar(at: channel) }
    nonmutating set { pixel(row, column, channel).store(newValue, at: channel) }
  }

  private func pixel(_ row: Int, _ column: Int, _ channel: Int) -> Address {
    precondition(
      row >= 0 && row < height && column >= 0 && column < width && channel >= 0
        && channel < channelCount, "place outside the input")
    return map.row(row, of: sample).advanced(by: column * map.pixelStep)
  }

  /// Writes all numbers in the order of `[H, W, C]`.
  ///
  /// - Precondition: there are `height * width * channelCount`.
  public func write(_ numbers: [Float]) {
    precondition(numbers.count == height * width * channelCount, "numbers fit the input")
    var index = 0
    for row in 0..<height {
      let target = map.row(row, of: sample)
      for column in 0..<width {
        for channel in 0..<channelCount {
          target.store(numbers[index], at: column * map.pixelStep + channel)
          index += 1
        }
      }
    }
  }

  /// The first number of a row; the numbers of a pixel follow each other, and pixels are `pixelStep`
  /// apart.
  package func row(_ row: Int) -> Address {
    precondition(row >= 0 && row < height, "row outside the input")
    return map.row(row, of: sample)
  }

  /// Floats from one pixel to the next, at least 4.
  package var pixelStep: Int { map.pixelStep }
}

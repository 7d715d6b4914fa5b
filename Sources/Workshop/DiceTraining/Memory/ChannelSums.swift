internal import DiceKernelTemplates

/// Two sums for each channel over all pixels of a batch, gathered sample by sample.
///
/// Layout `[sample, 2, channels]`. Samples are added in their order, so that totals do not depend on
/// threads.
struct ChannelSums {
  private let channelCount: Int
  private let buffer: FloatBuffer

  init(sampleCount: Int, channelCount: Int) {
    self.channelCount = channelCount
    buffer = FloatBuffer(unsetCount: sampleCount * 2 * channelCount)
  }

  /// Sets a sample's sums to zero and returns where they are added.
  func begin(_ sample: Int) -> (first: Address, second: Address) {
    let start = sample * 2 * channelCount
    buffer.clear(start..<start + 2 * channelCount)
    let address = buffer.address.advanced(by: start)
    return (address, address.advanced(by: channelCount))
  }

  /// The sums of a channel over all samples.
  func totals(_ channel: Int) -> (first: Double, second: Double) {
    var first = 0.0
    var second = 0.0
    for start in stride(from: 0, to: buffer.count, by: 2 * channelCount) {
      first += Double(buffer[start + channel])
      second += Double(buffer[start + channelCount + channel])
    }
    return (first, second)
  }
}

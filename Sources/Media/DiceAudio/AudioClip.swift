/// Sound: samples of one or more channels at a fixed rate.
public struct AudioClip: Hashable, Sendable {
  /// Samples for each second and channel.
  public let sampleRate: Int
  /// The channels that take turns in ``samples``, at least 1.
  public let channelCount: Int
  /// The samples, -1...1 at full scale, channel by channel for each moment.
  public let samples: [Float]

  /// Sound from its samples.
  ///
  /// - Precondition: the rate and the number of channels are above 0, and every moment has a sample of
  ///   each channel.
  public init(sampleRate: Int, channelCount: Int = 1, samples: [Float]) {
    precondition(sampleRate > 0 && channelCount > 0, "a rate and a channel")
    precondition(samples.count.isMultiple(of: channelCount), "a sample of each channel")
    self.sampleRate = sampleRate
    self.channelCount = channelCount
    self.samples = samples
  }

  /// The moments with a sample of each channel.
  public var frameCount: Int { samples.count / channelCount }

  /// How long the sound is, in seconds.
  public var seconds: Double { Double(frameCount) / Double(sampleRate) }

  /// The mean of all channels.
  public var mono: [Float] {
    if channelCount == 1 { return samples }
    var result = [Float](repeating: 0, count: frameCount)
    let share = 1 / Float(channelCount)
    for frame in 0..<frameCount {
      var sum: Float = 0
      for channel in 0..<channelCount { sum += samples[frame * channelCount + channel] }
      result[frame] = sum * share
    }
    return result
  }
}

package import DiceAudio
internal import DiceMath

/// What the network of spoken numbers hears: 40 bands of 80 to 3,600 Hz, every 15 ms.
///
/// Sound is brought to 8 kHz first, a telephone's rate, so that recordings of every rate look alike.
package enum SpeechFeatures {
  /// Samples a second.
  package static let sampleRate = 8_000
  /// The bands of a frame.
  package static let bandCount = 40
  /// The samples of a frame: 30 ms.
  package static let frameCount = 240
  /// From one frame to the next: 15 ms.
  package static let hopCount = 120
  /// How far below the loudest frame energies still count, as a natural logarithm: 40 dB.
  package static let depth: Float = 9.2

  /// Frames of the features.
  package static var extractor: LogMelFeatures {
    var configuration = LogMelFeatures.Configuration()
    configuration.sampleRate = sampleRate
    configuration.frameCount = frameCount
    configuration.hopCount = hopCount
    configuration.transformCount = 256
    configuration.bandCount = bandCount
    configuration.frequencies = 80...3_600
    return LogMelFeatures(configuration)
  }

  /// The natural logarithm of a frame's energy.
  package static func level(_ frames: [Float], _ frame: Int) -> Float {
    var sum: Float = 0
    for band in 0..<bandCount { sum += exponential(frames[frame * bandCount + band]) }
    return logarithm2(sum) * 0.6931472
  }

  /// Brings frames to the range of the network: energies relative to the loudest frame, no more than
  /// ``depth`` below it, around 0.
  package static func normalize(_ frames: inout [Float]) {
    var loudest = -Float.infinity
    for frame in 0..<frames.count / bandCount { loudest = max(loudest, level(frames, frame)) }
    for index in frames.indices {
      frames[index] = (max(frames[index] - loudest, -depth) + 5.5) * 0.4
    }
  }
}

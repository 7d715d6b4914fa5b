package import DiceAudio
internal import DiceNumerics

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
  /// How far below the loudest frame energies still count, as a natural logarithm: 48 dB.
  package static let depth: Float = 11
  /// How much the highest band is raised against the lowest, as a natural logarithm: 4.3 dB.
  package static let tilt: Float = 1

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

  /// Brings frames to the range of the network: energies relative to the loudest frame, higher bands
  /// raised by up to ``tilt``, no more than ``depth`` below it, around 0.
  package static func normalize(_ frames: inout [Float]) {
    var loudest = -Float.infinity
    for frame in 0..<frames.count / bandCount { loudest = max(loudest, level(frames, frame)) }
    for index in frames.indices {
      let rise = tilt * Float(index % bandCount) / Float(bandCount - 1)
      frames[index] = (max(frames[index] - loudest + rise, -depth) + 0.6 * depth) * (3.68 / depth)
    }
  }

  /// Frames as the network reads them: a row for each band, a column for each frame.
  ///
  /// - Parameters:
  ///   - frames: the numbers, frame by frame.
  ///   - width: the columns, at least as many as there are frames; those behind them are as quiet as the
  ///     quietest number.
  package static func rows(of frames: [Float], width: Int) -> [Float] {
    let frameCount = frames.count / bandCount
    var rows = [Float](repeating: frames.min() ?? 0, count: bandCount * width)
    for frame in 0..<frameCount {
      for band in 0..<bandCount {
        rows[band * width + frame] = frames[frame * bandCount + band]
      }
    }
    return rows
  }
}

/// What can be wrong with a WAV file: each case is the rule that it breaks.
public enum WAVError: Error, Hashable, Sendable {
  /// The file does not begin with "RIFF", a size and "WAVE".
  case notWAV
  /// The chunk "fmt " is missing before the samples, or shorter than its kind asks for.
  case format(byteCount: Int, required: Int)
  /// The samples are coded in a way that is not read.
  case unsupportedCoding(code: UInt16, bitsPerSample: Int)
  /// The number of channels is not in ``WAVFile/channelCounts``.
  case channelCount(Int)
  /// The rate is not in ``WAVFile/sampleRates``.
  case sampleRate(UInt32)
  /// A moment does not have as many bytes as its channels and bits ask for.
  case frameSize(found: Int, required: Int)
  /// There is no chunk "data".
  case noSamples
  /// There are more samples than the limit allows.
  case tooLong(sampleCount: Int, limit: Int)
}

extension WAVError: CustomStringConvertible {
  /// One sentence that says what was found and what is required.
  public var description: String {
    switch self {
    case .notWAV: "This is not a WAV file: it does not begin with \"RIFF\" and \"WAVE\"."
    case .format(let byteCount, let required):
      "The WAV file's description of its samples has \(byteCount) bytes; \(required) are required "
        + "before the samples."
    case .unsupportedCoding(let code, let bits):
      "The WAV file's samples have the code \(code) and \(bits) bits; PCM of 8 to 32 bits, floating "
        + "point of 32 or 64 bits, mu-law and A-law can be read."
    case .channelCount(let count):
      "The WAV file has \(count) channels; \(WAVFile.channelCounts.lowerBound) to "
        + "\(WAVFile.channelCounts.upperBound) can be read."
    case .sampleRate(let rate):
      "The WAV file has \(rate) samples a second; \(WAVFile.sampleRates.lowerBound) to "
        + "\(WAVFile.sampleRates.upperBound) can be read."
    case .frameSize(let found, let required):
      "The WAV file has \(found) bytes for each moment; its channels and bits ask for \(required)."
    case .noSamples: "The WAV file has no samples."
    case .tooLong(let count, let limit):
      "The WAV file has \(count) samples; at most \(limit) are read."
    }
  }
}

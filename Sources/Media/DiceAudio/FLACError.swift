/// What can be wrong with a FLAC file: each case is the rule that it breaks.
public enum FLACError: Error, Hashable, Sendable {
  /// The file does not begin with "fLaC".
  case notFLAC
  /// The first block is not the description of the stream, or it is cut off.
  case noDescription
  /// There are not 1...8 channels of 4...32 bits, or the rate is 0.
  case format(channelCount: Int, bitsPerSample: Int, sampleRate: Int)
  /// A frame, by number from 0, does not begin as one has to.
  case frameHeader(frame: Int)
  /// A frame has other channels, bits or another rate than the file says.
  case changedFormat(frame: Int)
  /// A frame's samples are coded in a way that there is not.
  case coding(frame: Int)
  /// A frame's checksum is not that of its bytes.
  case checksum(frame: Int)
  /// There are more samples than the limit allows.
  case tooLong(sampleCount: Int, limit: Int)
}

extension FLACError: CustomStringConvertible {
  /// One sentence that says what was found and what is required.
  public var description: String {
    switch self {
    case .notFLAC: "This is not a FLAC file: it does not begin with \"fLaC\"."
    case .noDescription: "The FLAC file does not begin with a whole description of its stream."
    case .format(let channelCount, let bits, let rate):
      "The FLAC file has \(channelCount) channels of \(bits) bits and \(rate) samples a second; "
        + "1 to 8 channels of 4 to 32 bits and a rate above 0 can be read."
    case .frameHeader(let frame):
      "Frame \(frame) of the FLAC file does not begin as a frame has to."
    case .changedFormat(let frame):
      "Frame \(frame) of the FLAC file has other channels, bits or another rate than the file says."
    case .coding(let frame):
      "The samples of frame \(frame) of the FLAC file are coded in a way that there is not."
    case .checksum(let frame):
      "The checksum of frame \(frame) of the FLAC file is not that of its bytes."
    case .tooLong(let count, let limit):
      "The FLAC file has \(count) samples or more; at most \(limit) are read."
    }
  }
}

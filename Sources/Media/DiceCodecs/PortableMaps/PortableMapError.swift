/// What can be wrong with a portable bitmap, graymap or pixmap: each case is the rule that it
/// breaks.
public enum PortableMapError: Error, Hashable, Sendable, CustomStringConvertible {
  /// The file does not start with `P1` to `P6` and white space.
  case invalidSignature
  /// The file ends inside its header.
  case truncatedHeader
  /// A byte stands where a decimal digit or white space is required.
  case invalidCharacter(UInt8, offset: Int)
  /// A decimal number is larger than 2³¹ - 1.
  case numberTooLarge(offset: Int)
  /// The width or the height is zero.
  case invalidSize(width: Int, height: Int)
  /// The maximum is not 1 to 65535.
  case invalidMaximum(Int)
  /// The picture has more pixels than `DecodingLimits` allow, or than memory can address.
  case tooManyPixels(width: Int, height: Int, limit: Int)
  /// A side of the picture is longer than `DecodingLimits` allow.
  case sideTooLong(width: Int, height: Int, limit: Int)
  /// The file has fewer bytes of samples than the picture needs.
  case truncatedSamples(byteCount: Int, requiredByteCount: Int)
  /// The file has fewer decimal samples than the picture needs.
  case tooFewSamples(sampleCount: Int, requiredSampleCount: Int)
  /// A sample is larger than the maximum.
  case sampleAboveMaximum(Int, maximum: Int)

  /// One sentence that says what was found and what is required.
  public var description: String {
    switch self {
    case .invalidSignature:
      "The file does not start with P1 to P6 and white space."
    case .truncatedHeader:
      "The portable map ends inside its header."
    case .invalidCharacter(let byte, let offset):
      "The portable map has the byte \(byte) at \(offset), but a digit or white space is required."
    case .numberTooLarge(let offset):
      "The portable map has a number at byte \(offset) that is larger than 2147483647."
    case .invalidSize(let width, let height):
      "The portable map claims \(width) by \(height) pixels, but each must be at least 1."
    case .invalidMaximum(let maximum):
      "The portable map has \(maximum) as its maximum, but it must be 1 to 65535."
    case .tooManyPixels(let width, let height, let limit):
      "The portable map has \(width) by \(height) pixels, but the limit is \(limit) in all."
    case .sideTooLong(let width, let height, let limit):
      "The portable map has \(width) by \(height) pixels, but a side has at most \(limit)."
    case .truncatedSamples(let byteCount, let requiredByteCount):
      "The portable map has \(byteCount) bytes of samples, but needs \(requiredByteCount)."
    case .tooFewSamples(let sampleCount, let requiredSampleCount):
      "The portable map has \(sampleCount) samples, but needs \(requiredSampleCount)."
    case .sampleAboveMaximum(let sample, let maximum):
      "The portable map has the sample \(sample), which is above its maximum of \(maximum)."
    }
  }
}

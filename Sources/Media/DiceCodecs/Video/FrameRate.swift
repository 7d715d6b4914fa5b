/// How many frames make a second, as a fraction, so that 30000/1001 stays exact.
public struct FrameRate: Hashable, Sendable {
  /// Frames in `denominator` seconds; in 1...2147483647.
  public let numerator: Int
  /// Seconds that `numerator` frames take; in 1...2147483647.
  public let denominator: Int

  /// A rate of `numerator / denominator` frames in a second, kept as given.
  ///
  /// - Returns: nil where either is not in 1...2147483647.
  public init?(numerator: Int, denominator: Int = 1) {
    let limit = Int(Int32.max)
    guard (1...limit).contains(numerator), (1...limit).contains(denominator) else { return nil }
    self.numerator = numerator
    self.denominator = denominator
  }

  /// Reads a rate as people write it: `30`, `29.97`, `30000/1001` or `30000:1001`.
  ///
  /// Decimal digits only, nine at most in each number, in a decimal fraction as a whole.
  /// - Returns: nil for other text, and for a rate of zero.
  public init?(_ text: String) {
    var numbers = [0, 0]
    var digitCounts = [0, 0]
    var place = 0
    var separator: UInt8?
    for byte in text.utf8 {
      switch byte {
      case 0x30...0x39:
        digitCounts[place] += 1
        guard digitCounts[place] <= 9 else { return nil }
        numbers[place] = numbers[place] * 10 + Int(byte - 0x30)
      case UInt8(ascii: "/"), UInt8(ascii: ":"), UInt8(ascii: "."):
        guard separator == nil, digitCounts[0] > 0 else { return nil }
        separator = byte
        place = 1
      default: return nil
      }
    }
    guard digitCounts[0] > 0, separator == nil || digitCounts[1] > 0 else { return nil }
    guard separator == UInt8(ascii: ".") else {
      self.init(numerator: numbers[0], denominator: separator == nil ? 1 : numbers[1])
      return
    }
    guard digitCounts[0] + digitCounts[1] <= 9 else { return nil }
    var scale = 1
    for _ in 0..<digitCounts[1] { scale *= 10 }
    self.init(numerator: numbers[0] * scale + numbers[1], denominator: scale)
  }

  private init(wholeNumber: Int) {
    numerator = wholeNumber
    denominator = 1
  }

  /// 30 frames in a second: the rate taken where neither a stream nor a caller gives one.
  public static let standard = FrameRate(wholeNumber: 30)

  /// Frames in a second, rounded.
  public var framesPerSecond: Double { Double(numerator) / Double(denominator) }

  /// When a frame begins, counted from the beginning of frame 0: `index * denominator / numerator`
  /// seconds, rounded down to attoseconds, and at most `Int64.max` seconds.
  ///
  /// - Precondition: `index` is not negative.
  public func timestamp(ofFrame index: Int) -> Duration {
    precondition(index >= 0, "frames are counted from 0")
    let total = Int128(index) * Int128(denominator)
    let (seconds, rest) = total.quotientAndRemainder(dividingBy: Int128(numerator))
    guard let whole = Int64(exactly: seconds) else {
      return Duration(secondsComponent: .max, attosecondsComponent: 0)
    }
    let fraction = rest * 1_000_000_000_000_000_000 / Int128(numerator)
    return Duration(secondsComponent: whole, attosecondsComponent: Int64(fraction))
  }
}

extension FrameRate: CustomStringConvertible {
  /// The fraction: `30000/1001`, or `30` where the denominator is 1.
  public var description: String {
    denominator == 1 ? "\(numerator)" : "\(numerator)/\(denominator)"
  }
}

/// Compression to DEFLATE data (RFC 1951) and zlib streams (RFC 1950).
///
/// The same input and level always give the same output.
public enum Deflate {
  /// How much work goes into a small output.
  public enum Level: CaseIterable, Hashable, Sendable {
    /// No compression: the bytes and a few for each 64 KiB.
    case stored
    /// Few candidates for each match and no second thought.
    case fast
    /// Matches are compared with those that start a byte later.
    case balanced
    /// Long searches, for data that is written once and read often.
    case best
  }

  /// Compresses bytes to DEFLATE data without a header or a checksum.
  ///
  /// - Complexity: O(n); each byte is compared with a bounded number of earlier places.
  package static func raw(_ bytes: [UInt8], level: Level = .balanced) -> [UInt8] {
    var writer = DeflateWriter()
    append(bytes, level: level, minimumMatchLength: 3, to: &writer)
    return writer.finish()
  }

  /// Compresses bytes to a zlib stream with its Adler-32 checksum.
  ///
  /// - Complexity: O(n); each byte is compared with a bounded number of earlier places.
  package static func zlib(_ bytes: [UInt8], level: Level = .balanced) -> [UInt8] {
    zlib(bytes, level: level, minimumMatchLength: 3)
  }

  /// A zlib stream with matches of a minimum length.
  ///
  /// For filtered rows of pictures short matches cost more than the literals that they replace.
  static func zlib(_ bytes: [UInt8], level: Level, minimumMatchLength: Int) -> [UInt8] {
    // Method 8 with a window of 32 KiB; then a hint about the level, and a remainder of zero by 31.
    let hint: UInt16 =
      switch level {
      case .stored, .fast: 0
      case .balanced: 2
      case .best: 3
      }
    let header = 0x7800 | hint << 6
    let complete = header + (31 - header % 31)
    var writer = DeflateWriter()
    writer.append(UInt64(complete.byteSwapped), count: 16)
    append(bytes, level: level, minimumMatchLength: minimumMatchLength, to: &writer)
    var output = writer.finish()
    let checksum = Adler32.checksum(bytes)
    for shift: UInt32 in [24, 16, 8, 0] {
      output.append(UInt8(truncatingIfNeeded: checksum >> shift))
    }
    return output
  }

  private static func append(
    _ bytes: [UInt8], level: Level, minimumMatchLength: Int, to writer: inout DeflateWriter
  ) {
    unsafe bytes.withUnsafeBufferPointer { input in
      guard let effort = DeflateEffort(level) else {
        unsafe DeflateBlock.appendStored(input, isLast: true, to: &writer)
        return
      }
      var matcher = unsafe DeflateMatcher(
        input: input, effort: effort, minimumLength: minimumMatchLength)
      var tokens: [UInt32] = []
      unsafe tokens.reserveCapacity(DeflateMatcher.blockTokenCount + 512)
      repeat {
        tokens.removeAll(keepingCapacity: true)
        let start = unsafe matcher.position
        unsafe matcher.appendTokens(to: &tokens)
        let source = unsafe UnsafeBufferPointer(rebasing: input[start..<matcher.position])
        unsafe DeflateBlock.append(
          tokens, of: source, isLast: matcher.position == input.count, to: &writer)
      } while unsafe matcher.position < input.count
    }
  }
}

/// What a level means for the search for matches.
struct DeflateEffort {
  /// Earlier places that are looked at for each match.
  let candidateCount: Int
  /// A match so long is taken without looking at the next byte; 0 never looks.
  let lazyLength: Int
  /// A match so long ends the search.
  let niceLength: Int

  /// The effort of a level, nil for none at all.
  init?(_ level: Deflate.Level) {
    switch level {
    case .stored: return nil
    case .fast: (candidateCount, lazyLength, niceLength) = (6, 0, 24)
    case .balanced: (candidateCount, lazyLength, niceLength) = (48, 24, 128)
    case .best: (candidateCount, lazyLength, niceLength) = (256, 258, 258)
    }
  }
}

/// A byte as it is, or a repetition of earlier bytes, in 32 bits.
///
/// Bit 31 is set for a repetition. Then bits 16 to 24 are its length, and bits 0 to 15 its distance
/// less one. Otherwise bits 0 to 7 are the byte.
enum DeflateToken {
  static let match: UInt32 = 1 << 31

  @inline(__always)
  static func match(length: Int, distance: Int) -> UInt32 {
    match | UInt32(truncatingIfNeeded: length) &<< 16
      | UInt32(truncatingIfNeeded: distance &- 1)
  }

  @inline(__always)
  static func length(_ token: UInt32) -> Int { Int(token &>> 16 & 0x1FF) }

  @inline(__always)
  static func distance(_ token: UInt32) -> Int { Int(token & 0xFFFF) &+ 1 }
}

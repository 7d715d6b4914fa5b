/// A WAV file: what it says of its samples, and the samples.
///
/// Read are PCM of 8 to 32 bits, IEEE floating point of 32 and 64 bits, mu-law and A-law, each plain or
/// extensible, with any order of chunks before the samples. A last chunk that says it is longer than
/// the file, as recorders that were cut off write, ends with the file; so does one of the size 0 or
/// 0xFFFFFFFF at its end, as programs write that stream. What follows the samples is not looked at.
///
/// Sources: Microsoft and IBM, Multimedia Programming Interface and Data Specifications 1.0, 1991;
/// Microsoft, Multiple channel audio data and WAVE files, 2007; ITU-T G.711.
public struct WAVFile: Hashable, Sendable {
  /// How samples are coded.
  public enum Coding: Hashable, Sendable {
    /// Whole numbers; of 8 bits and less without a sign, else with one.
    case pcm(bits: Int)
    /// IEEE 754, 32 or 64 bits.
    case float(bits: Int)
    /// ITU-T G.711, mu-law.
    case muLaw
    /// ITU-T G.711, A-law.
    case aLaw

    /// The bytes of a sample.
    public var byteCount: Int {
      switch self {
      case .pcm(let bits), .float(let bits): (bits + 7) / 8
      case .muLaw, .aLaw: 1
      }
    }
  }

  /// The numbers of channels that are read.
  public static let channelCounts = 1...64
  /// The rates that are read.
  public static let sampleRates: ClosedRange<UInt32> = 1_000...768_000
  /// The most samples of all channels that are read unless told otherwise: 48 minutes of one channel
  /// at 48 kHz.
  public static let sampleLimit = 1 << 27

  /// How samples are coded.
  public let coding: Coding
  /// The samples.
  public let clip: AudioClip

  /// Reads a file.
  ///
  /// Samples become -1...1 at full scale; of floating point, NaN and infinity become 0, and numbers
  /// beyond -16...16 these. Bytes of a moment that the file does not have whole are left out.
  ///
  /// - Parameters:
  ///   - bytes: the whole file, from a source that need not be trusted.
  ///   - sampleLimit: the most samples of all channels.
  /// - Throws: the rule that the file breaks.
  /// - Complexity: O(bytes); memory for four bytes a sample.
  public init(_ bytes: [UInt8], sampleLimit: Int = Self.sampleLimit) throws(WAVError) {
    guard bytes.count >= 12, bytes.hasText("RIFF", at: 0), bytes.hasText("WAVE", at: 8) else {
      throw .notWAV
    }
    var format: WAVFormat?
    var place = 12
    while bytes.count - place >= 8 {
      let start = place + 8
      let rest = bytes.count - start
      let size = bytes.word32(at: place + 4)
      let stated = Int(clamping: size)
      if bytes.hasText("data", at: place) {
        guard let format else { throw .format(byteCount: 0, required: 16) }
        let isOpen =
          size == 0xFFFF_FFFF || (stated == 0 && rest > 0 && !bytes.hasChunk(at: start))
        let count = min(isOpen ? rest : stated, rest) / format.frameByteCount
        let (sampleCount, overflow) = count.multipliedReportingOverflow(by: format.channelCount)
        guard !overflow, sampleCount <= sampleLimit else {
          throw .tooLong(sampleCount: sampleCount, limit: sampleLimit)
        }
        coding = format.coding
        clip = AudioClip(
          sampleRate: format.sampleRate, channelCount: format.channelCount,
          samples: format.coding.decode(bytes, from: start, sampleCount: sampleCount))
        return
      }
      if bytes.hasText("fmt ", at: place) {
        format = try WAVFormat(bytes, at: start, byteCount: min(stated, rest))
      }
      // Chunks begin at even places.
      guard stated <= rest else { break }
      place = start + stated + stated % 2
    }
    if format == nil { throw .format(byteCount: 0, required: 16) }
    throw .noSamples
  }
}

/// What the chunk "fmt " says.
private struct WAVFormat {
  let coding: WAVFile.Coding
  let channelCount: Int
  let sampleRate: Int
  let frameByteCount: Int

  init(_ bytes: [UInt8], at start: Int, byteCount: Int) throws(WAVError) {
    guard byteCount >= 16 else { throw .format(byteCount: byteCount, required: 16) }
    var code = bytes.word16(at: start)
    let bits = Int(bytes.word16(at: start + 14))
    if code == 0xFFFE {
      // The first two bytes of the extension's identifier are the code.
      guard byteCount >= 40 else { throw .format(byteCount: byteCount, required: 40) }
      code = bytes.word16(at: start + 24)
    }
    switch (code, bits) {
    case (1, 1...32): coding = .pcm(bits: bits)
    case (3, 32), (3, 64): coding = .float(bits: bits)
    case (6, 8): coding = .aLaw
    case (7, 8): coding = .muLaw
    default: throw .unsupportedCoding(code: code, bitsPerSample: bits)
    }
    channelCount = Int(bytes.word16(at: start + 2))
    guard WAVFile.channelCounts.contains(channelCount) else { throw .channelCount(channelCount) }
    let rate = bytes.word32(at: start + 4)
    guard WAVFile.sampleRates.contains(rate) else { throw .sampleRate(rate) }
    sampleRate = Int(rate)
    frameByteCount = coding.byteCount * channelCount
    let found = Int(bytes.word16(at: start + 12))
    guard found == frameByteCount else {
      throw .frameSize(found: found, required: frameByteCount)
    }
  }
}

extension [UInt8] {
  /// A little-endian number; the place lies inside.
  func word16(at place: Int) -> UInt16 { UInt16(self[place]) | UInt16(self[place + 1]) << 8 }

  /// A little-endian number; the place lies inside.
  func word32(at place: Int) -> UInt32 {
    UInt32(word16(at: place)) | UInt32(word16(at: place + 2)) << 16
  }

  /// Whether four letters stand at a place inside.
  func hasText(_ text: StaticString, at place: Int) -> Bool {
    for index in 0..<4 where unsafe self[place + index] != text.utf8Start[index] { return false }
    return true
  }

  /// Whether something like the head of a chunk stands at a place: four letters.
  fileprivate func hasChunk(at place: Int) -> Bool {
    count - place >= 8 && self[place..<place + 4].allSatisfy { (32...126).contains($0) }
  }
}

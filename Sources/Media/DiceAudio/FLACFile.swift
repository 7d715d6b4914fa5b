/// A FLAC file: sound that was made smaller without loss.
///
/// Read are all codings of the format: constant, verbatim, fixed and linear prediction, residuals of both
/// kinds, pairs of channels by their difference, blocks of any size. Each frame's checksums are checked; the
/// sum over the whole file (MD5) is not. A file that ends within a frame, as recorders that were cut off
/// write, ends with the frame before. What follows the last frame is not looked at where the file says
/// how many samples there are.
///
/// Source: RFC 9639, Free Lossless Audio Codec (FLAC), 2024.
public struct FLACFile: Hashable, Sendable {
  /// The bits of each sample in the file.
  public let bitsPerSample: Int
  /// The samples.
  public let clip: AudioClip

  /// Whether bytes begin as a FLAC file does.
  public static func canBegin(_ bytes: [UInt8]) -> Bool {
    bytes.count >= 4 && bytes.hasText("fLaC", at: 0)
  }

  /// Reads a file.
  ///
  /// Samples become -1...1 at full scale.
  ///
  /// - Parameters:
  ///   - bytes: the whole file, from a source that need not be trusted.
  ///   - sampleLimit: the most samples of all channels.
  /// - Throws: the rule that the file breaks.
  /// - Complexity: O(bytes + samples); memory for four bytes a sample, and for a frame.
  public init(
    _ bytes: [UInt8], sampleLimit: Int = WAVFile.sampleLimit
  ) throws(FLACError) {
    guard Self.canBegin(bytes) else { throw .notFLAC }
    let stream = try FLACStream(bytes)
    bitsPerSample = stream.bitsPerSample
    var samples: [Float] = []
    var place = try Self.firstFrame(of: bytes)
    let scale = 1 / Float(UInt64(1) << UInt64(bitsPerSample - 1))
    let stated = stream.sampleCount.multipliedReportingOverflow(by: stream.channelCount)
    guard !stated.overflow, stated.partialValue <= sampleLimit else {
      throw .tooLong(
        sampleCount: stated.overflow ? Int.max : stated.partialValue, limit: sampleLimit)
    }
    var number = 0
    var decoder = FLACFrameDecoder(stream)
    while place < bytes.count, stated.partialValue == 0 || samples.count < stated.partialValue {
      guard let head = try FLACFrameHead(bytes, at: place, number: number, of: stream) else {
        break
      }
      let count = samples.count + head.sampleCount * stream.channelCount
      guard count <= sampleLimit else { throw .tooLong(sampleCount: count, limit: sampleLimit) }
      guard let end = try decoder.decode(bytes, from: place, head, number: number) else { break }
      for index in 0..<head.sampleCount {
        for channel in 0..<stream.channelCount {
          let value = Float(decoder.channels[channel][index]) * scale
          samples.append(min(max(value, -1), 1))
        }
      }
      place = end
      number += 1
    }
    if stated.partialValue > 0, samples.count > stated.partialValue {
      samples.removeLast(samples.count - stated.partialValue)
    }
    clip = AudioClip(
      sampleRate: stream.sampleRate, channelCount: stream.channelCount, samples: samples)
  }

  /// Where the first frame begins: behind the last block of what is said of the sound.
  private static func firstFrame(of bytes: [UInt8]) throws(FLACError) -> Int {
    var place = 4
    while true {
      guard bytes.count - place >= 4 else { throw .noDescription }
      let byteCount =
        Int(bytes[place + 1]) << 16 | Int(bytes[place + 2]) << 8 | Int(bytes[place + 3])
      let isLast = bytes[place] & 0x80 != 0
      guard bytes.count - place - 4 >= byteCount else { throw .noDescription }
      place += 4 + byteCount
      if isLast { return place }
    }
  }
}

/// What the file says of all its frames.
struct FLACStream {
  let sampleRate: Int
  let channelCount: Int
  let bitsPerSample: Int
  /// Samples of each channel; 0 for any number.
  let sampleCount: Int

  init(_ bytes: [UInt8]) throws(FLACError) {
    guard bytes.count >= 42, bytes[4] & 0x7F == 0, bytes[5] == 0, bytes[6] == 0, bytes[7] >= 34
    else { throw .noDescription }
    var bits = FLACBits(bytes, from: 18)
    do throws(FLACBits.Ended) {
      sampleRate = Int(try bits.bits(20))
      channelCount = Int(try bits.bits(3)) + 1
      bitsPerSample = Int(try bits.bits(5)) + 1
      // More than 32 bits hold.
      sampleCount = Int(clamping: try bits.bits(36))
    } catch { throw .noDescription }
    guard sampleRate > 0, bitsPerSample >= 4 else {
      throw .format(
        channelCount: channelCount, bitsPerSample: bitsPerSample, sampleRate: sampleRate)
    }
  }
}

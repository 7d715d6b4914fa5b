/// How the channels of a frame are stored.
enum FLACChannels {
  case each
  /// The left one, and by how much it is greater than the right one.
  case leftAndDifference
  /// The difference, and the right one.
  case differenceAndRight
  /// The mean, and the difference, whose lowest bit is that of the sum, too.
  case meanAndDifference
}

/// The head of a frame.
struct FLACFrameHead {
  /// Samples of each channel.
  let sampleCount: Int
  let channels: FLACChannels
  /// The bytes of the head with its checksum.
  let byteCount: Int

  /// Reads a head; nil where the file ends within it.
  init?(_ bytes: [UInt8], at place: Int, number: Int, of stream: FLACStream) throws(FLACError) {
    let fields: FLACHeadFields
    do throws(FLACHeadFields.Fault) {
      fields = try FLACHeadFields(bytes, at: place, sampleRate: stream.sampleRate)
    } catch {
      switch error {
      case .ended: return nil
      case .rule: throw .frameHeader(frame: number)
      case .checksum: throw .checksum(frame: number)
      }
    }
    let depths = [stream.bitsPerSample, 8, 12, 0, 16, 20, 24, 32]
    let channelCount = fields.assignment < 8 ? fields.assignment + 1 : 2
    guard
      fields.sampleRate == stream.sampleRate, depths[fields.depth] == stream.bitsPerSample,
      channelCount == stream.channelCount
    else { throw .changedFormat(frame: number) }
    sampleCount = fields.sampleCount
    byteCount = fields.byteCount
    channels =
      switch fields.assignment {
      case 8: .leftAndDifference
      case 9: .differenceAndRight
      case 10: .meanAndDifference
      default: .each
      }
  }
}

/// The numbers in the head of a frame.
private struct FLACHeadFields {
  let sampleCount: Int
  let sampleRate: Int
  let assignment: Int
  let depth: Int
  let byteCount: Int

  /// Why a head cannot be read.
  enum Fault: Error {
    case ended
    case rule
    case checksum
  }

  /// - Parameter sampleRate: that of the file, for frames that do not say theirs.
  init(_ bytes: [UInt8], at place: Int, sampleRate: Int) throws(Fault) {
    var bits = FLACBits(bytes, from: place)
    func next(_ count: Int) throws(Fault) -> Int {
      do throws(FLACBits.Ended) { return Int(try bits.bits(count)) } catch { throw .ended }
    }
    guard try next(15) == 0x7FFC else { throw .rule }
    _ = try next(1)
    let size = try next(4)
    let rate = try next(4)
    assignment = try next(4)
    depth = try next(3)
    guard try next(1) == 0, size > 0, rate != 15, assignment < 11, depth != 3 else { throw .rule }
    // The number of the frame or of its first sample, written as UTF-8 writes numbers.
    let ones = (~UInt8(try next(8))).leadingZeroBitCount
    guard ones != 1, ones < 8 else { throw .rule }
    for _ in 1..<max(2, ones) where ones > 1 {
      guard try next(8) >> 6 == 2 else { throw .rule }
    }
    switch size {
    case 1: sampleCount = 192
    case 2...5: sampleCount = 576 << (size - 2)
    case 6: sampleCount = try next(8) + 1
    case 7: sampleCount = try next(16) + 1
    default: sampleCount = 256 << (size - 8)
    }
    let rates = [
      sampleRate, 88_200, 176_400, 192_000, 8_000, 16_000, 22_050, 24_000, 32_000, 44_100, 48_000,
      96_000,
    ]
    switch rate {
    case 12: self.sampleRate = try next(8) * 1_000
    case 13: self.sampleRate = try next(16)
    case 14: self.sampleRate = try next(16) * 10
    default: self.sampleRate = rates[rate]
    }
    let sum = UInt8(try next(8))
    byteCount = bits.place - place
    guard FLACChecksum.head(bytes[place..<bits.place - 1]) == sum else { throw .checksum }
  }
}

/// Decodes the samples of frames, one after the other.
struct FLACFrameDecoder {
  /// The samples of the last frame, channel by channel.
  private(set) var channels: [[Int64]]

  private let stream: FLACStream

  /// Why a channel cannot be decoded.
  private enum Fault: Error {
    case ended
    case coding
    case checksum
  }

  init(_ stream: FLACStream) {
    self.stream = stream
    channels = Array(repeating: [], count: stream.channelCount)
  }

  /// Decodes a frame.
  ///
  /// - Returns: the place behind the frame; nil where the file ends within it.
  mutating func decode(
    _ bytes: [UInt8], from place: Int, _ head: FLACFrameHead, number: Int
  ) throws(FLACError) -> Int? {
    var bits = FLACBits(bytes, from: place + head.byteCount)
    do throws(Fault) {
      for channel in channels.indices {
        let isDifference =
          switch head.channels {
          case .each: false
          case .leftAndDifference, .meanAndDifference: channel == 1
          case .differenceAndRight: channel == 0
          }
        try Self.decode(
          &channels[channel], count: head.sampleCount,
          depth: stream.bitsPerSample + (isDifference ? 1 : 0), &bits)
      }
      bits.align()
      let end = bits.place
      let sum = UInt16(try Self.bits(&bits, 16))
      guard FLACChecksum.frame(bytes[place..<end]) == sum else { throw Fault.checksum }
    } catch {
      switch error {
      case .ended: return nil
      case .coding: throw .coding(frame: number)
      case .checksum: throw .checksum(frame: number)
      }
    }
    join(head.channels)
    return bits.place
  }

  private static func bits(_ bits: inout FLACBits, _ count: Int) throws(Fault) -> UInt64 {
    do throws(FLACBits.Ended) { return try bits.bits(count) } catch { throw .ended }
  }

  private static func signed(_ bits: inout FLACBits, _ count: Int) throws(Fault) -> Int64 {
    do throws(FLACBits.Ended) { return try bits.signed(count) } catch { throw .ended }
  }

  /// Makes left and right of what was stored in place of them.
  private mutating func join(_ kind: FLACChannels) {
    guard kind != .each else { return }
    for index in channels[0].indices {
      let (first, second) = (channels[0][index], channels[1][index])
      switch kind {
      case .each: break
      case .leftAndDifference: channels[1][index] = first &- second
      case .differenceAndRight: channels[0][index] = first &+ second
      case .meanAndDifference:
        let sum = first << 1 | (second & 1)
        channels[0][index] = (sum &+ second) >> 1
        channels[1][index] = (sum &- second) >> 1
      }
    }
  }

  /// Decodes one channel's samples.
  private static func decode(
    _ samples: inout [Int64], count: Int, depth: Int, _ bits: inout FLACBits
  ) throws(Fault) {
    guard try Self.bits(&bits, 1) == 0 else { throw .coding }
    let kind = Int(try Self.bits(&bits, 6))
    var wasted = 0
    if try Self.bits(&bits, 1) == 1 {
      do throws(FLACBits.Ended) { wasted = Int(clamping: try bits.zeros()) + 1 } catch {
        throw .ended
      }
    }
    let depth = depth - wasted
    guard depth > 0 else { throw .coding }
    samples.removeAll(keepingCapacity: true)
    switch kind {
    case 0:
      let value = try signed(&bits, depth)
      samples = [Int64](repeating: value, count: count)
    case 1:
      for _ in 0..<count { samples.append(try signed(&bits, depth)) }
    case 8...12:
      let coefficients: [[Int64]] = [[], [1], [2, -1], [3, -3, 1], [4, -6, 4, -1]]
      try predict(&samples, count, depth, coefficients[kind - 8], shift: 0, &bits)
    case 32...:
      let order = kind - 31
      guard order <= count else { throw .coding }
      for _ in 0..<order { samples.append(try signed(&bits, depth)) }
      let precision = Int(try Self.bits(&bits, 4)) + 1
      let shift = try signed(&bits, 5)
      guard precision < 16, shift >= 0 else { throw .coding }
      var coefficients: [Int64] = []
      for _ in 0..<order { coefficients.append(try signed(&bits, precision)) }
      try predict(&samples, count, depth, coefficients, shift: shift, &bits)
    default: throw .coding
    }
    if wasted > 0 {
      for index in samples.indices { samples[index] <<= Int64(wasted) }
    }
  }

  /// The first samples where they are not there yet, and the others: what the ones before foretell, and a rest.
  private static func predict(
    _ samples: inout [Int64], _ count: Int, _ depth: Int, _ coefficients: [Int64], shift: Int64,
    _ bits: inout FLACBits
  ) throws(Fault) {
    let order = coefficients.count
    guard order <= count else { throw .coding }
    while samples.count < order { samples.append(try signed(&bits, depth)) }
    try residual(&samples, count, order, &bits)
    for index in order..<count {
      var sum: Int64 = 0
      for (back, coefficient) in coefficients.enumerated() {
        sum &+= coefficient &* samples[index - 1 - back]
      }
      samples[index] &+= sum >> shift
    }
  }

  /// Appends the rests of all samples behind the first ones (Rice's codes).
  private static func residual(
    _ samples: inout [Int64], _ count: Int, _ order: Int, _ bits: inout FLACBits
  ) throws(Fault) {
    let method = try Self.bits(&bits, 2)
    guard method < 2 else { throw .coding }
    let parameterBits = method == 0 ? 4 : 5
    let escape = UInt64(1) << UInt64(parameterBits) - 1
    let partitionOrder = Int(try Self.bits(&bits, 4))
    let partitionCount = 1 << partitionOrder
    let length = count >> partitionOrder
    guard length << partitionOrder == count, length >= order else { throw .coding }
    for partition in 0..<partitionCount {
      let parameter = try Self.bits(&bits, parameterBits)
      let itemCount = length - (partition == 0 ? order : 0)
      if parameter == escape {
        let width = Int(try Self.bits(&bits, 5))
        for _ in 0..<itemCount { samples.append(try signed(&bits, width)) }
      } else {
        do throws(FLACBits.Ended) {
          for _ in 0..<itemCount {
            let value = try bits.zeros() << parameter | bits.bits(Int(parameter))
            samples.append(Int64(truncatingIfNeeded: value >> 1) ^ -Int64(value & 1))
          }
        } catch { throw .ended }
      }
    }
  }
}

/// How a number is stored, little-endian.
package enum StoredNumber {
  /// IEEE 754 binary32.
  case float32
  /// IEEE 754 binary16.
  case float16
  /// The upper half of a binary32.
  case bfloat16

  /// The bytes of a number.
  package var byteCount: Int { self == .float32 ? 4 : 2 }
}

/// Long lists of numbers in files: the loops over them.
package enum StoredNumbers {
  /// Reads numbers exactly.
  ///
  /// - Parameter bytes: those of as many numbers as there is room for.
  package static func read(
    _ bytes: UnsafeRawBufferPointer, as stored: StoredNumber,
    into floats: UnsafeMutableBufferPointer<Float>
  ) {
    precondition(bytes.count == floats.count * stored.byteCount, "as many bytes as numbers need")
    switch stored {
    case .float32:
      for index in 0..<floats.count {
        unsafe floats[index] = Float(bitPattern: bytes.word32(index &* 4))
      }
    case .float16:
      for index in 0..<floats.count {
        unsafe floats[index] = HalfPrecision.float(float16: bytes.word16(index &* 2))
      }
    case .bfloat16:
      for index in 0..<floats.count {
        unsafe floats[index] = HalfPrecision.float(bfloat16: bytes.word16(index &* 2))
      }
    }
  }

  /// Reads integers of 8 bits as the products with their channel's scale, each rounded once.
  ///
  /// - Parameters:
  ///   - bytes: as many integers as there is room for, the channel changing fastest.
  ///   - scales: one for each channel.
  package static func read(
    _ bytes: UnsafeRawBufferPointer, scales: [Float],
    into floats: UnsafeMutableBufferPointer<Float>
  ) {
    precondition(bytes.count == floats.count, "as many bytes as numbers need")
    precondition(
      !scales.isEmpty && floats.count.isMultiple(of: scales.count), "whole groups of channels")
    unsafe scales.withUnsafeBufferPointer { (scales) in
      for first in stride(from: 0, to: floats.count, by: scales.count) {
        for channel in 0..<scales.count {
          let integer = unsafe Int8(bitPattern: bytes[first &+ channel])
          unsafe floats[first &+ channel] = Float(integer) * scales[channel]
        }
      }
    }
  }

  /// Appends the nearest numbers that can be stored, ties to even, up to the first number that is not
  /// finite or becomes infinite.
  ///
  /// - Returns: The index of that number; nil: all are appended.
  package static func append(
    _ values: [Float], as stored: StoredNumber, to bytes: inout [UInt8]
  ) -> Int? {
    bytes.reserveCapacity(bytes.count + values.count * stored.byteCount)
    for (index, value) in values.enumerated() {
      switch stored {
      case .float32:
        let bits = value.bitPattern
        if !value.isFinite { return index }
        bytes.append(UInt8(truncatingIfNeeded: bits))
        bytes.append(UInt8(truncatingIfNeeded: bits &>> 8))
        bytes.append(UInt8(truncatingIfNeeded: bits &>> 16))
        bytes.append(UInt8(truncatingIfNeeded: bits &>> 24))
      case .float16, .bfloat16:
        let isHalf = stored == .float16
        let bits = isHalf ? HalfPrecision.float16(value) : HalfPrecision.bfloat16(value)
        let exponent: UInt16 = isHalf ? 0x7C00 : 0x7F80
        if bits & exponent == exponent { return index }
        bytes.append(UInt8(truncatingIfNeeded: bits))
        bytes.append(UInt8(truncatingIfNeeded: bits &>> 8))
      }
    }
    return nil
  }

  /// The greatest magnitude of each channel, the channel changing fastest.
  package static func greatestMagnitudes(_ values: [Float], channels: Int) -> [Float] {
    var greatest = [Float](repeating: 0, count: channels)
    var channel = 0
    for value in values {
      greatest[channel] = max(greatest[channel], value.magnitude)
      channel = channel + 1 == channels ? 0 : channel + 1
    }
    return greatest
  }

  /// Appends the nearest integers in -127...127 to the quotients by the channel's scale, ties to even;
  /// 0 where the scale is 0.
  package static func append(_ values: [Float], scales: [Float], to bytes: inout [UInt8]) {
    bytes.reserveCapacity(bytes.count + values.count)
    var channel = 0
    for value in values {
      let scale = scales[channel]
      let quotient = scale == 0 ? 0 : max(-127, min(127, value / scale))
      // Adding 1.5 * 2^23 leaves no bits below 1: the sum rounds to nearest, ties to even.
      let rounded = (quotient + 12_582_912) - 12_582_912
      bytes.append(UInt8(bitPattern: Int8(rounded)))
      channel = channel + 1 == scales.count ? 0 : channel + 1
    }
  }

  /// The index of the first number that is infinite or not a number.
  package static func firstNotFinite(_ bytes: UnsafeRawBufferPointer, as stored: StoredNumber)
    -> Int?
  {
    let count = bytes.count / stored.byteCount
    // Adding 1 to an exponent of ones carries into the sign bit. Collecting the carries of all
    // numbers has no branch, so the usual answer comes at the speed of memory.
    if stored == .float32 {
      var carries: UInt32 = 0
      for index in 0..<count {
        carries |= (unsafe bytes.word32(index &* 4) & 0x7F80_0000) &+ 0x0080_0000
      }
      guard carries & 0x8000_0000 != 0 else { return nil }
      return (0..<count).first { (index) in
        unsafe bytes.word32(index &* 4) & 0x7F80_0000 == 0x7F80_0000
      }
    }
    let exponent: UInt16 = stored == .float16 ? 0x7C00 : 0x7F80
    let one = exponent & (0 &- exponent)
    var carries: UInt16 = 0
    for index in 0..<count {
      carries |= (unsafe bytes.word16(index &* 2) & exponent) &+ one
    }
    guard carries & 0x8000 != 0 else { return nil }
    return (0..<count).first { (index) in
      unsafe bytes.word16(index &* 2) & exponent == exponent
    }
  }

  /// The index of the first byte that is 0x80: the integer -128.
  package static func firstLeastInteger(_ bytes: UnsafeRawBufferPointer) -> Int? {
    // Eight at once: of a byte that is 0, and of no other below the first such one, the highest bit stays.
    let ones: UInt64 = 0x0101_0101_0101_0101
    var found: UInt64 = 0
    let end = bytes.count & ~7
    for index in stride(from: 0, to: end, by: 8) {
      let word =
        unsafe bytes.loadUnaligned(fromByteOffset: index, as: UInt64.self) ^ (ones &<< 7)
      found |= (word &- ones) & ~word & (ones &<< 7)
    }
    for index in end..<bytes.count where unsafe bytes[index] == 0x80 { found = 1 }
    guard found > 0 else { return nil }
    return (0..<bytes.count).first { (index) in unsafe bytes[index] == 0x80 }
  }
}

extension UnsafeRawBufferPointer {
  /// The little-endian 32-bit word at a byte offset.
  @inline(__always)
  fileprivate func word32(_ offset: Int) -> UInt32 {
    unsafe UInt32(littleEndian: loadUnaligned(fromByteOffset: offset, as: UInt32.self))
  }

  /// The little-endian 16-bit word at a byte offset.
  @inline(__always)
  fileprivate func word16(_ offset: Int) -> UInt16 {
    unsafe UInt16(littleEndian: loadUnaligned(fromByteOffset: offset, as: UInt16.self))
  }
}

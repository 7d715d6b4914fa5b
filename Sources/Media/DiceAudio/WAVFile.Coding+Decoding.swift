extension WAVFile.Coding {
  /// Samples of -1...1 from bytes.
  ///
  /// - Precondition: the bytes hold as many samples.
  func decode(_ bytes: [UInt8], from start: Int, sampleCount: Int) -> [Float] {
    let step = byteCount
    precondition(start + sampleCount * step <= bytes.count, "the samples lie inside")
    let table = lawTable
    return unsafe [Float](unsafeUninitializedCapacity: sampleCount) { (samples, count) in
      for index in 0..<sampleCount {
        let place = start + index * step
        let sample: Float
        switch self {
        case .pcm(let bits): sample = Self.pcm(bytes, at: place, byteCount: step, bits: bits)
        case .float(let bits): sample = Self.float(bytes, at: place, bits: bits)
        case .muLaw, .aLaw: sample = table[Int(bytes[place])]
        }
        unsafe (samples.baseAddress! + index).initialize(to: sample)
      }
      count = sampleCount
    }
  }

  /// A whole number in the upper bits of 1 to 4 bytes, little-endian.
  private static func pcm(_ bytes: [UInt8], at place: Int, byteCount: Int, bits: Int) -> Float {
    if bits <= 8 { return Float(Int(bytes[place]) - 128) / 128 }
    var value: UInt32 = 0
    for index in 0..<byteCount { value = value >> 8 | UInt32(bytes[place + index]) << 24 }
    return Float(Int32(bitPattern: value)) * 0x1p-31
  }

  private static func float(_ bytes: [UInt8], at place: Int, bits: Int) -> Float {
    let low = bytes.word32(at: place)
    var value = Float(bitPattern: low)
    if bits == 64 {
      let high = bytes.word32(at: place + 4)
      value = Float(Double(bitPattern: UInt64(high) << 32 | UInt64(low)))
    }
    guard value.isFinite else { return 0 }
    return min(max(value, -16), 16)
  }

  /// The sample of each byte of a logarithmic coding; empty for others.
  private var lawTable: [Float] {
    switch self {
    case .pcm, .float: []
    case .muLaw: (0..<256).map { Float(Self.muLawSample(UInt8($0))) / 32_768 }
    case .aLaw: (0..<256).map { Float(Self.aLawSample(UInt8($0))) / 32_768 }
    }
  }

  /// The sample of a byte of mu-law, of 16 bits: `±((2 m + 33) 2ᵉ - 33)` of 14 bits, times 4.
  private static func muLawSample(_ byte: UInt8) -> Int {
    let code = ~byte
    let exponent = Int(code >> 4 & 7)
    let magnitude = ((Int(code & 15) << 3 + 0x84) << exponent) - 0x84
    return code & 0x80 != 0 ? -magnitude : magnitude
  }

  /// The sample of a byte of A-law, of 16 bits.
  private static func aLawSample(_ byte: UInt8) -> Int {
    let code = byte ^ 0x55
    let exponent = Int(code >> 4 & 7)
    let mantissa = Int(code & 15) << 4 + 8
    let magnitude = exponent == 0 ? mantissa : (mantissa + 0x100) << (exponent - 1)
    return code & 0x80 != 0 ? magnitude : -magnitude
  }
}

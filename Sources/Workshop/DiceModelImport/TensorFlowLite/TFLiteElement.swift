internal import DiceNumerics
internal import DiceWeights

/// The type of a tensor's numbers, by its code in the file.
enum TFLiteElement: Int, Sendable {
  case float32 = 0
  case float16 = 1
  case int32 = 2
  case uint8 = 3
  case int64 = 4
  case bool = 6
  case int16 = 7
  case complex64 = 8
  case int8 = 9
  case float64 = 10
  case uint64 = 12
  /// A handle of a variable.
  case resource = 13
  case uint32 = 15
  case uint16 = 16
  case int4 = 17
  case bfloat16 = 18

  /// The bits of a number.
  var bitCount: Int {
    switch self {
    case .int4: 4
    case .uint8, .int8, .bool: 8
    case .float16, .bfloat16, .int16, .uint16: 16
    case .float32, .int32, .uint32, .resource: 32
    case .float64, .int64, .uint64, .complex64: 64
    }
  }

  /// Whether numbers have no places behind the point, where no quantization gives them any.
  var isInteger: Bool {
    switch self {
    case .float16, .float32, .float64, .bfloat16, .complex64: false
    default: true
    }
  }

  /// The integers that a quantized number may be; nil where types are not quantized.
  var quantizedRange: ClosedRange<Int>? {
    switch self {
    case .int4: -8...7
    case .int8: -128...127
    case .uint8: 0...255
    case .int16: -32_768...32_767
    default: nil
    }
  }

  /// The numbers of some bytes.
  ///
  /// - Precondition: There are enough of them.
  func numbers(_ bytes: ArraySlice<UInt8>, count: Int) -> ConstantTensor.Numbers {
    func word(_ index: Int) -> UInt64 {
      let size = bitCount / 8
      var word: UInt64 = 0
      let start = bytes.startIndex + index * size
      for place in (start..<start + size).reversed() { word = word << 8 | UInt64(bytes[place]) }
      return word
    }
    func floats(_ float: (UInt64) -> Float) -> ConstantTensor.Numbers {
      .floats((0..<count).map { float(word($0)) })
    }
    func integers(_ integer: (UInt64) -> Int) -> ConstantTensor.Numbers {
      .integers((0..<count).map { integer(word($0)) })
    }
    switch self {
    case .float32: return floats { Float(bitPattern: UInt32(truncatingIfNeeded: $0)) }
    case .float16:
      return floats { HalfPrecision.float(float16: UInt16(truncatingIfNeeded: $0)) }
    case .bfloat16: return floats { Float(bitPattern: UInt32(truncatingIfNeeded: $0 << 16)) }
    case .float64: return floats { Float(Double(bitPattern: $0)) }
    // Real parts; no constant is complex.
    case .complex64: return floats { Float(bitPattern: UInt32(truncatingIfNeeded: $0)) }
    case .int8: return integers { Int(Int8(truncatingIfNeeded: $0)) }
    case .int16: return integers { Int(Int16(truncatingIfNeeded: $0)) }
    case .int32: return integers { Int(Int32(truncatingIfNeeded: $0)) }
    case .int64: return integers { Int(Int64(bitPattern: $0)) }
    case .uint8, .uint16, .uint32: return integers { Int($0) }
    case .uint64: return integers { Int(clamping: $0) }
    case .resource: return integers { Int($0) }
    case .bool: return integers { $0 == 0 ? 0 : 1 }
    case .int4:
      // Two to a byte, the lower bits first.
      return .integers(
        (0..<count).map { (index) in
          let byte = bytes[bytes.startIndex + index / 2]
          let half = index % 2 == 0 ? byte << 4 : byte & 0xF0
          return Int(Int8(bitPattern: half) >> 4)
        })
    }
  }
}

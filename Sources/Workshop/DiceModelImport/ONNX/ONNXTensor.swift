internal import DiceNumerics
internal import DiceWeights

/// A tensor of an ONNX file: its numbers stand in a field for their type, or as bytes.
struct ONNXTensor {
  var name = ""
  var shape: [Int] = []
  var elementType = 0
  var isSegment = false
  var floats: [Float] = []
  var integers: [Int] = []
  var doubles: [Double] = []
  /// Where the numbers' bytes lie, little-endian.
  var raw: Range<Int>?

  /// Types of elements, as `TensorProto.DataType` numbers them.
  enum ElementType: Int {
    case float = 1
    case uint8, int8, uint16, int16, int32, int64
    case bool = 9
    case float16, double, uint32, uint64
    case bfloat16 = 16

    /// Whether numbers of the type are integers here.
    var isInteger: Bool {
      switch self {
      case .float, .float16, .double, .bfloat16: false
      default: true
      }
    }

    /// The bytes of an element.
    var byteCount: Int {
      switch self {
      case .uint8, .int8, .bool: 1
      case .uint16, .int16, .float16, .bfloat16: 2
      case .float, .int32, .uint32: 4
      case .int64, .double, .uint64: 8
      }
    }

    /// The type's name.
    static func name(_ code: Int) -> String {
      ElementType(rawValue: code).map { "\($0)" } ?? (code == 8 ? "string" : "type \(code)")
    }
  }

  /// The tensor's numbers: floats of any size as binary32, integers as such.
  func constant(_ bytes: [UInt8]) throws(LoweringFault) -> ConstantTensor {
    guard !isSegment else { throw .unsupported("it is stored in segments") }
    guard let type = ElementType(rawValue: elementType) else {
      throw .unsupported("its elements are of \(ElementType.name(elementType))")
    }
    var count = 1
    for extent in shape {
      let (next, overflow) = count.multipliedReportingOverflow(by: extent)
      guard extent >= 0, !overflow else { throw .invalid("Its shape is \(shape).") }
      count = next
    }
    if let raw {
      let (byteCount, overflow) = count.multipliedReportingOverflow(by: type.byteCount)
      guard !overflow, raw.count == byteCount else {
        throw .invalid("It has \(raw.count) bytes for \(count) elements of \(type.byteCount).")
      }
      return ConstantTensor(
        shape: shape, Self.numbers(bytes, raw, type, count))
    }
    switch type {
    case .float:
      try check(floats.count, count)
      return ConstantTensor(shape: shape, floats: floats)
    case .double:
      try check(doubles.count, count)
      return ConstantTensor(shape: shape, floats: doubles.map { Float($0) })
    case .float16, .bfloat16:
      try check(integers.count, count)
      return ConstantTensor(
        shape: shape,
        floats: integers.map { (bits) in
          let bits = UInt16(truncatingIfNeeded: bits)
          return type == .float16
            ? HalfPrecision.float(float16: bits) : HalfPrecision.float(bfloat16: bits)
        })
    default:
      try check(integers.count, count)
      return ConstantTensor(shape: shape, integers: integers)
    }
  }

  private func check(_ found: Int, _ required: Int) throws(LoweringFault) {
    guard found == required else {
      throw .invalid("It has \(found) numbers for \(required) elements.")
    }
  }

  private static func numbers(
    _ bytes: [UInt8], _ range: Range<Int>, _ type: ElementType, _ count: Int
  ) -> ConstantTensor.Numbers {
    let size = type.byteCount
    func word(_ index: Int) -> UInt64 {
      var word: UInt64 = 0
      let start = range.lowerBound + index * size
      for place in (start..<start + size).reversed() { word = word << 8 | UInt64(bytes[place]) }
      return word
    }
    func floats(_ number: (UInt64) -> Float) -> ConstantTensor.Numbers {
      .floats((0..<count).map { (index) in number(word(index)) })
    }
    func integers(_ number: (UInt64) -> Int) -> ConstantTensor.Numbers {
      .integers((0..<count).map { (index) in number(word(index)) })
    }
    switch type {
    case .float: return floats { Float(bitPattern: UInt32(truncatingIfNeeded: $0)) }
    case .double: return floats { Float(Double(bitPattern: $0)) }
    case .float16:
      return floats { HalfPrecision.float(float16: UInt16(truncatingIfNeeded: $0)) }
    case .bfloat16:
      return floats { HalfPrecision.float(bfloat16: UInt16(truncatingIfNeeded: $0)) }
    case .int8: return integers { Int(Int8(truncatingIfNeeded: $0)) }
    case .int16: return integers { Int(Int16(truncatingIfNeeded: $0)) }
    case .int32: return integers { Int(Int32(truncatingIfNeeded: $0)) }
    case .uint8, .uint16, .uint32, .uint64, .int64, .bool:
      return integers { Int(truncatingIfNeeded: $0) }
    }
  }
}

internal import DiceNumerics
internal import DiceWeights

extension CoreMLParameters {
  /// The numbers of a message `WeightParams`, whatever they are stored as.
  ///
  /// Full and half precision are taken as they are. Quantized numbers have 1 to 8 bits, the first one in
  /// the highest bits of the first byte; they stand for `scale * q + bias`, with one scale for all or
  /// one for each position of an axis, or for the entry `q` of a table.
  ///
  /// - Parameters:
  ///   - field: The field that holds the message.
  ///   - shape: The shape that the numbers have.
  ///   - axis: The axis of `shape` that scales differ along: the layer's output channels.
  /// - Throws: `invalid` where there are other numbers than the shape has positions.
  func weights(
    _ field: Int, shape: [Int], scaledAlong axis: Int = 0
  ) throws(LoweringFault) -> [Float] {
    guard let weights = try parameters(field) else {
      throw .invalid("Its weights are missing.")
    }
    var count = 1
    for extent in shape {
      let (next, overflow) = count.multipliedReportingOverflow(by: extent)
      guard extent >= 0, !overflow, next <= WeightFormat.maximumElementCount else {
        throw .invalid("Weights of the shape \(shape).")
      }
      count = next
    }
    return try weights.storedNumbers(count, shape: shape, axis: axis)
  }

  private func storedNumbers(
    _ count: Int, shape: [Int], axis: Int
  ) throws(LoweringFault) -> [Float] {
    let floats = try Self.wire { () throws(ProtobufError) in try message.floats(1) }
    if !floats.isEmpty || count == 0 {
      try Self.check(floats.count, count)
      return floats
    }
    if let half = try bytes(2) {
      try Self.check(half.count / 2, count)
      guard half.count % 2 == 0 else { throw .invalid("Its half-precision weights end in a byte.") }
      let bytes = message.bytes
      return stride(from: half.lowerBound, to: half.upperBound, by: 2).map { (place) in
        HalfPrecision.float(float16: UInt16(bytes[place]) | UInt16(bytes[place + 1]) << 8)
      }
    }
    guard let quantization = try parameters(40) else { throw .invalid("Its weights are missing.") }
    if let raw = try bytes(31) {
      try Self.check(raw.count, count)
      let bytes = message.bytes
      return try quantization.scaled(shape, axis) { (place) in
        Double(Int8(bitPattern: bytes[raw.lowerBound + place]))
      }
    }
    guard let raw = try bytes(30) else { throw .invalid("Its weights are missing.") }
    let bitCount = try quantization.integer(1)
    guard (1...8).contains(bitCount) else {
      throw .invalid("Its weights are quantized to \(bitCount) bits; 1 to 8 are possible.")
    }
    // The last byte may have bits left.
    guard raw.count == (count * bitCount + 7) / 8 else {
      throw .invalid(
        "Its weights have \(raw.count) bytes for \(count) numbers of \(bitCount) bits.")
    }
    let numbers = Self.unpacked(message.bytes, raw, count, bitCount)
    guard let table = try quantization.parameters(102) else {
      return try quantization.scaled(shape, axis) { (place) in Double(numbers[place]) }
    }
    let entries = try Self.wire { () throws(ProtobufError) in try table.message.floats(1) }
    guard entries.count == 1 << bitCount else {
      throw .invalid(
        "Its table has \(entries.count) entries; \(bitCount) bits have \(1 << bitCount).")
    }
    return numbers.map { entries[Int($0)] }
  }

  /// Numbers that linear quantization stands for.
  private func scaled(
    _ shape: [Int], _ axis: Int, _ code: (Int) -> Double
  ) throws(LoweringFault) -> [Float] {
    guard let linear = try parameters(101) else {
      throw .invalid("Its weights are quantized in an unknown way.")
    }
    let scales = try Self.wire { () throws(ProtobufError) in try linear.message.floats(1) }
    let biases = try Self.wire { () throws(ProtobufError) in try linear.message.floats(2) }
    // A vector has one scale, or one for each number.
    let extent = shape.isEmpty ? 1 : shape[axis]
    for numbers in [scales, biases] {
      guard numbers.count == 1 || numbers.count == extent || numbers.isEmpty else {
        throw .invalid(
          "Its weights have \(numbers.count) scales or biases for \(extent) channels.")
      }
    }
    guard !scales.isEmpty else { throw .invalid("Its quantized weights have no scale.") }
    let inner = shape.isEmpty ? 1 : shape[(axis + 1)...].reduce(1, *)
    func number(_ numbers: [Float], _ place: Int) -> Double {
      if numbers.isEmpty { return 0 }
      return Double(numbers.count == 1 ? numbers[0] : numbers[place / inner % extent])
    }
    return (0..<shape.reduce(1, *)).map { (place) in
      Float(code(place) * number(scales, place) + number(biases, place))
    }
  }

  /// Numbers of a few bits each, the first one in the highest bits.
  private static func unpacked(
    _ bytes: [UInt8], _ range: Range<Int>, _ count: Int, _ bitCount: Int
  ) -> [UInt8] {
    if bitCount == 8 { return Array(bytes[range]) }
    let mask = (1 << bitCount) - 1
    var numbers: [UInt8] = []
    numbers.reserveCapacity(count)
    var window = 0
    var available = 0
    var place = range.lowerBound
    for _ in 0..<count {
      if available < bitCount {
        window = (window << 8 | Int(bytes[place])) & 0xFFFF
        place += 1
        available += 8
      }
      available -= bitCount
      numbers.append(UInt8((window >> available) & mask))
    }
    return numbers
  }

  /// The bytes of a field; nil where there are none.
  private func bytes(_ field: Int) throws(LoweringFault) -> Range<Int>? {
    let range = try Self.wire { () throws(ProtobufError) in try message.range(field) }
    return range?.isEmpty == false ? range : nil
  }

  private static func check(_ found: Int, _ required: Int) throws(LoweringFault) {
    guard found == required else {
      throw .invalid("It has \(found) weights; its parameters make \(required).")
    }
  }
}

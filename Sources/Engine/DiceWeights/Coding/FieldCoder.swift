/// Goes through the fields of a description in the order of the file.
///
/// A reader sets each field to what the file has, a writer appends it to the file. So each record
/// is described once, and what is written is what is read.
protocol FieldCoder {
  /// An unsigned little-endian integer of `byteCount` bytes.
  mutating func integer(_ value: inout UInt64, _ byteCount: Int) throws(WeightFileError)

  /// The bytes of UTF-8, whose number is in `allowed`: a `u32` with that number, then the bytes.
  mutating func text(
    _ value: inout String, _ field: WeightFileError.TextField, _ allowed: ClosedRange<Int>
  ) throws(WeightFileError)

  /// A section: its tag, a `u32` with the bytes of its content, and that.
  mutating func section(
    _ tag: StaticString, _ content: (inout Self) throws(WeightFileError) -> Void
  ) throws(WeightFileError)

  /// A layer's record behind its kind: a `u16` with the bytes of its fields, and those.
  mutating func record(
    ofLayer index: Int, _ fields: (inout Self) throws(WeightFileError) -> Void
  ) throws(WeightFileError)
}

extension FieldCoder {
  mutating func uint8(_ value: inout Int) throws(WeightFileError) { try number(&value, 1) }
  mutating func uint16(_ value: inout Int) throws(WeightFileError) { try number(&value, 2) }
  mutating func uint32(_ value: inout Int) throws(WeightFileError) { try number(&value, 4) }

  mutating func byte(_ value: inout UInt8) throws(WeightFileError) {
    var word = UInt64(value)
    try integer(&word, 1)
    value = UInt8(truncatingIfNeeded: word)
  }

  mutating func float(_ value: inout Float) throws(WeightFileError) {
    var word = UInt64(value.bitPattern)
    try integer(&word, 4)
    value = Float(bitPattern: UInt32(truncatingIfNeeded: word))
  }

  mutating func text(
    _ value: inout String, _ field: WeightFileError.TextField
  ) throws(WeightFileError) {
    try text(&value, field, TextRule.byteCounts(field))
  }

  /// A field that has passed the limits of the format.
  ///
  /// Where `Int` has 32 bits, values of a file beyond `Int.max`, which are beyond every limit,
  /// become `Int.max`.
  private mutating func number(
    _ value: inout Int, _ byteCount: Int
  ) throws(WeightFileError) {
    var word = UInt64(UInt(bitPattern: value))
    try integer(&word, byteCount)
    value = Int(clamping: word)
  }

  /// A `u8` that stands for one of a few possibilities.
  mutating func option<Option: RawRepresentable>(
    _ option: inout Option, otherwise failure: (UInt8) -> WeightFileError
  ) throws(WeightFileError) where Option.RawValue == UInt8 {
    var code = option.rawValue
    try byte(&code)
    guard let known = Option(rawValue: code) else { throw failure(code) }
    option = known
  }

  /// A `u32` with the number of elements, then each of them.
  ///
  /// - Parameters:
  ///   - elements: Empty where a reader fills it.
  ///   - blank: What a reader's `element` begins with.
  ///   - allowed: How many elements there may be; nothing is reserved before that is checked.
  ///   - failure: The error where there are fewer or more.
  ///   - element: Goes through the fields of the element with the given index.
  mutating func list<Element>(
    _ elements: inout [Element], blank: Element,
    allowed: ClosedRange<Int>, otherwise failure: (Int, ClosedRange<Int>) -> WeightFileError,
    element: (inout Self, inout Element, Int) throws(WeightFileError) -> Void
  ) throws(WeightFileError) {
    var count = elements.count
    try uint32(&count)
    try WeightFileError.check(count, in: allowed, failure)
    for index in 0..<count {
      var next = index < elements.count ? elements[index] : blank
      try element(&self, &next, index)
      if index == elements.count { elements.append(next) }
    }
  }
}

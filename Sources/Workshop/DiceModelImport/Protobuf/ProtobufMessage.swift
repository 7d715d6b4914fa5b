/// A message of protocol buffers whose fields are looked up by their numbers.
///
/// Nothing is kept: each look-up walks through the message, so that a file with very many fields needs
/// no memory for them. Where a field that may appear once appears several times the last one counts.
struct ProtobufMessage {
  private let reader: ProtobufReader

  init(_ reader: ProtobufReader) { self.reader = reader }

  /// A whole file.
  init(_ bytes: [UInt8]) { reader = ProtobufReader(bytes) }

  /// The file's bytes, which ranges count.
  var bytes: [UInt8] { reader.bytes }

  /// The last field of a number.
  func field(_ number: Int) throws(ProtobufError) -> ProtobufReader.Field? {
    var reader = reader
    var found: ProtobufReader.Field?
    while let field = try reader.next() {
      if field.number == number { found = field }
    }
    return found
  }

  /// The last field of those with some numbers, such as the one that is set of a `oneof`.
  func lastField(_ isWanted: (Int) -> Bool) throws(ProtobufError) -> ProtobufReader.Field? {
    var reader = reader
    var found: ProtobufReader.Field?
    while let field = try reader.next() {
      if isWanted(field.number) { found = field }
    }
    return found
  }

  /// A field of type int32, int64, uint64, bool or enum.
  func integer(_ number: Int) throws(ProtobufError) -> Int? {
    guard let field = try field(number) else { return nil }
    return try reader.integer(field)
  }

  /// A field of type float.
  func float(_ number: Int) throws(ProtobufError) -> Float? {
    guard let field = try field(number) else { return nil }
    return try reader.float(field)
  }

  /// A field of type double.
  func double(_ number: Int) throws(ProtobufError) -> Double? {
    guard let field = try field(number) else { return nil }
    return try reader.double(field)
  }

  /// A field of type string.
  func text(_ number: Int) throws(ProtobufError) -> String? {
    guard let field = try field(number) else { return nil }
    return try reader.text(field)
  }

  /// Where the bytes of a field lie.
  func range(_ number: Int) throws(ProtobufError) -> Range<Int>? {
    guard let field = try field(number) else { return nil }
    return try reader.range(field)
  }

  /// A field that is a message.
  func message(_ number: Int) throws(ProtobufError) -> ProtobufMessage? {
    guard let field = try field(number) else { return nil }
    return try message(field)
  }

  /// The message that a field of this one holds.
  func message(_ field: ProtobufReader.Field) throws(ProtobufError) -> ProtobufMessage {
    ProtobufMessage(try reader.message(field))
  }

  /// A text that a field of this message holds.
  func text(_ field: ProtobufReader.Field) throws(ProtobufError) -> String {
    try reader.text(field)
  }

  /// All numbers of a repeated field of integers; nil where there are more than a limit.
  func integers(_ number: Int, limit: Int) throws(ProtobufError) -> [Int]? {
    var reader = reader
    var integers: [Int] = []
    while let field = try reader.next() {
      guard field.number == number else { continue }
      // A number has ten bytes at most.
      if case .bytes(let range) = field.content, range.count > 10 * limit { return nil }
      try reader.append(field, to: &integers)
      guard integers.count <= limit else { return nil }
    }
    return integers
  }

  /// All numbers of a repeated field of type float.
  func floats(_ number: Int) throws(ProtobufError) -> [Float] {
    var reader = reader
    var floats: [Float] = []
    while let field = try reader.next() {
      if field.number == number { try reader.append(field, to: &floats) }
    }
    return floats
  }

  /// All numbers of a repeated field of type double.
  func doubles(_ number: Int) throws(ProtobufError) -> [Double] {
    var reader = reader
    var doubles: [Double] = []
    while let field = try reader.next() {
      if field.number == number { try reader.append(field, to: &doubles) }
    }
    return doubles
  }

  /// All messages of a repeated field; nil where there are more than a limit.
  func messages(_ number: Int, limit: Int) throws(ProtobufError) -> [ProtobufMessage]? {
    var reader = reader
    var messages: [ProtobufMessage] = []
    while let field = try reader.next() {
      guard field.number == number else { continue }
      guard messages.count < limit else { return nil }
      messages.append(try message(field))
    }
    return messages
  }

  /// All texts of a repeated field; nil where there are more than a limit.
  func texts(_ number: Int, limit: Int) throws(ProtobufError) -> [String]? {
    var reader = reader
    var texts: [String] = []
    while let field = try reader.next() {
      guard field.number == number else { continue }
      guard texts.count < limit else { return nil }
      texts.append(try reader.text(field))
    }
    return texts
  }
}

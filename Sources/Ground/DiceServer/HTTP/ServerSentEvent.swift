/// An event of a stream that a browser reads with `EventSource`.
///
/// Source: HTML Living Standard, section 9.2.
public struct ServerSentEvent: Hashable, Sendable {
  /// What the client says in `Last-Event-ID` if it comes again; nil leaves it as it was.
  public var identifier: String?
  /// The kind of event; nil for `message`.
  public var name: String?
  /// What happened: any text.
  public var data: String

  /// An event.
  public init(identifier: String? = nil, name: String? = nil, data: String) {
    self.identifier = identifier
    self.name = name
    self.data = data
  }

  /// The bytes of the event in the stream.
  ///
  /// A line break in the data begins another line of data. In the identifier and the name, nothing behind a
  /// line break is sent.
  public var bytes: [UInt8] {
    var text: [UInt8] = []
    func append(_ field: String, _ value: some Sequence<UInt8>) {
      text += Array("\(field): ".utf8)
      text += value
      text.append(0x0A)
    }
    let isBreak = { (byte: UInt8) in byte == 0x0A || byte == 0x0D || byte == 0 }
    if let identifier { append("id", identifier.utf8.prefix { !isBreak($0) }) }
    if let name { append("event", name.utf8.prefix { !isBreak($0) }) }
    var line: [UInt8] = []
    var isAfterReturn = false
    for byte in data.utf8 {
      if byte == 0x0A && isAfterReturn {
        isAfterReturn = false
        continue
      }
      isAfterReturn = byte == 0x0D
      if byte == 0x0A || byte == 0x0D {
        append("data", line)
        line.removeAll(keepingCapacity: true)
      } else {
        line.append(byte)
      }
    }
    append("data", line)
    text.append(0x0A)
    return text
  }
}

import DiceServer

/// Frames of a WebSocket's client, whole and in pieces, which must give the same.
enum Target {
  static let limit = 200

  static func run(_ bytes: [UInt8]) {
    let whole = read(bytes, chunk: max(bytes.count, 1))
    let cut = read(bytes, chunk: 1 + bytes.count % 11)
    require(whole == cut, "pieces do not matter")
    let half = read(Array(bytes.prefix(bytes.count / 2)), chunk: 5)
    require(whole.events.starts(with: half.events), "a beginning gives the same events")
    for event in whole.events {
      switch event {
      case .message(.text(let text)): require(text.utf8.count <= limit, "messages are limited")
      case .message(.binary(let bytes)): require(bytes.count <= limit, "messages are limited")
      case .ping(let bytes), .pong(let bytes): require(bytes.count <= 125, "pings are short")
      case .close: require(event == whole.events.last, "nothing comes behind the end")
      }
    }
  }

  struct Result: Equatable {
    var events: [WebSocketParser.Event] = []
    var error: WebSocketError?
  }

  static func read(_ bytes: [UInt8], chunk: Int) -> Result {
    var parser = WebSocketParser(messageByteCount: limit)
    var result = Result()
    var rest = bytes[...]
    while !rest.isEmpty {
      var part = rest.prefix(chunk)
      rest = rest.dropFirst(part.count)
      do throws(WebSocketError) {
        while let event = try parser.next(from: &part) { result.events.append(event) }
        require(part.isEmpty, "everything is read")
      } catch {
        require(error.description.hasSuffix("."), "an error is a sentence")
        require((1002...1009).contains(error.closeCode), "an error has a code")
        result.error = error
        return result
      }
    }
    return result
  }

  static func frame(_ head: UInt8, _ payload: [UInt8]) -> [UInt8] {
    let length = payload.count
    let size: [UInt8] =
      length < 126 ? [0x80 | UInt8(length)] : [0xFE, UInt8(length >> 8), UInt8(length & 255)]
    let mask: [UInt8] = [1, 2, 3, 4]
    let masked = payload.enumerated().map { $0.element ^ mask[$0.offset & 3] }
    return [head] + size + mask + masked
  }

  static func seeds() -> [[UInt8]] {
    let text = Array("é🎲".utf8)
    return [
      frame(0x81, text), frame(0x01, Array(text.prefix(3))) + frame(0x80, Array(text.dropFirst(3))),
      frame(0x82, [UInt8](repeating: 7, count: 130)), frame(0x89, [1]) + frame(0x8A, []),
      frame(0x02, [1]) + frame(0x89, []) + frame(0x80, [2]) + frame(0x88, [3, 232]),
      frame(0x88, [3, 232, 65]), [0x82, 0xFF, 0, 0, 0, 0, 0, 1, 0, 0, 1, 2, 3, 4],
    ]
  }
}

import DiceServer

/// Requests, whole and in pieces, which must give the same.
enum Target {
  static let limits = {
    var limits = ServerLimits()
    limits.headerByteCount = 300
    limits.bodyByteCount = 50
    return limits
  }()

  static func run(_ bytes: [UInt8]) {
    let whole = read(bytes, chunk: max(bytes.count, 1))
    let cut = read(bytes, chunk: 1 + bytes.count % 13)
    require(whole == cut, "pieces do not matter")
    let half = read(Array(bytes.prefix(bytes.count / 2)), chunk: 7)
    require(half.error == nil || half.error == whole.error, "a beginning has no other error")
    if let request = half.request { require(request == whole.request, "a request is a request") }
    if let request = whole.request {
      require(request.path.utf8.first == UInt8(ascii: "/"), "a path begins with a slash")
      require(request.body.count <= limits.bodyByteCount, "bodies are limited")
      for header in request.headers {
        require(!header.name.isEmpty, "a header has a name")
        require(
          !header.value.utf8.contains { $0 == 13 || $0 == 10 || $0 == 0 }, "a value is a line")
      }
    }
  }

  struct Result: Equatable {
    var request: HTTPRequest?
    var error: HTTPRequestError?
  }

  static func read(_ bytes: [UInt8], chunk: Int) -> Result {
    var parser = HTTPRequestParser(limits: limits)
    var rest = bytes[...]
    while !rest.isEmpty {
      var part = rest.prefix(chunk)
      rest = rest.dropFirst(part.count)
      do throws(HTTPRequestError) {
        if let request = try parser.next(from: &part) { return Result(request: request) }
        require(part.isEmpty, "everything is read")
      } catch {
        require(error.description.hasSuffix("."), "an error is a sentence")
        require((400...505).contains(error.status), "an error has a status")
        return Result(error: error)
      }
    }
    return Result()
  }

  static func seeds() -> [[UInt8]] {
    let texts =
      [
        "GET / HTTP/1.1\r\n\r\n", "GET /a?b=c&d HTTP/1.0\r\nHost: a:1\r\nX: \t y \r\n\r\n",
        "POST /read HTTP/1.1\r\nContent-Length: 5\r\nExpect: 100-continue\r\n\r\nhello",
        "GET /socket HTTP/1.1\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n"
          + "Sec-WebSocket-Version: 13\r\nSec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\n\r\n",
      ] + HostileRequests.all.map { $0.text }
    return texts.map { Array($0.utf8) }.filter { $0.count <= 400 }
  }
}

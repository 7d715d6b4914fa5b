import TestSupport
import Testing

@testable import DiceServer

/// What comes of bytes that are cut in pieces.
func parsed(
  _ bytes: [UInt8], cuts: [Int] = [], limits: ServerLimits = ServerLimits()
) -> (request: HTTPRequest?, error: HTTPRequestError?, rest: Int) {
  var parser = HTTPRequestParser(limits: limits)
  var start = 0
  for end in cuts + [bytes.count] {
    var piece = bytes[start..<end]
    start = end
    do throws(HTTPRequestError) {
      if let request = try parser.next(from: &piece) {
        return (request, nil, piece.count + bytes.count - end)
      }
    } catch {
      return (nil, error, 0)
    }
  }
  return (nil, nil, 0)
}

func parsed(_ text: String) -> (request: HTTPRequest?, error: HTTPRequestError?, rest: Int) {
  parsed(Array(text.utf8))
}

struct HTTPRequestParserTests {
  static let requests = [
    "GET / HTTP/1.1\r\n\r\n",
    "GET /a?b=c&d&e=f=g&b=h HTTP/1.0\r\nHost: a:1\r\nX-Y:\t z \t\r\nEmpty:\r\n\r\n",
    "POST /read?confidence=0.5&x HTTP/1.1\r\nHost: a\r\ncontent-LENGTH:  12 \r\n"
      + "Expect: 100-continue\r\n\r\nhello, world",
    "POST / HTTP/1.1\r\nContent-Length: 0\r\n\r\nGET / HTTP/1.1\r\n\r\n",
    "DELETE /a/%20/\u{E9} HTTP/1.1\r\nA: \u{1F3B2}\r\n\r\n\r\n",
  ]

  @Test func readsARequest() throws {
    let (request, error, rest) = parsed(Self.requests[2])
    expectEqual(error, nil)
    let found = try #require(request)
    expectEqual(found.method, "POST")
    expectEqual(found.path, "/read")
    expectEqual(found.query, ["confidence": "0.5", "x": ""])
    expectEqual(found.header("host"), "a")
    expectEqual(found.body, Array("hello, world".utf8))
    expectEqual(rest, 0)
    let second = try #require(parsed(Self.requests[1]).request)
    expectEqual(second.query, ["b": "h", "d": "", "e": "f=g"])
    expectEqual(second.header("x-y"), "z")
    expectEqual(second.header("empty"), "")
    // What follows a request stays.
    expectEqual(parsed(Self.requests[3]).rest, 18)
  }

  @Test(arguments: HostileRequests.all)
  func refuses(_ hostile: HostileRequests.Case) {
    let (request, error, _) = parsed(hostile.text)
    expectEqual(request, nil)
    expectEqual(error?.status, hostile.status)
    #expect(error?.description.hasSuffix(".") ?? false)
  }

  @Test func namesTheBrokenRule() {
    expectEqual(parsed("GET\r\n\r\n").error, .invalidRequestLine)
    expectEqual(parsed("GET / HTTP/2.0\r\n\r\n").error, .unsupportedVersion(found: "HTTP/2.0"))
    expectEqual(parsed("GET / HTTP/1.1\r\nA: b\r\nC\r\n\r\n").error, .invalidHeader(line: 3))
    expectEqual(parsed("POST / HTTP/1.1\r\n\r\n").error, .missingLength)
    expectEqual(
      parsed("GET / HTTP/1.1\r\nHost: a\r\nHost: a\r\n\r\n").error, .repeatedHeader(name: "host"))
    expectEqual(
      parsed(Array("GET / HTTP/1.1\r\nA: ".utf8) + [0xFF, 13, 10, 13, 10]).error, .notText)
    expectEqual(parsed("GET / HTTP/1.1\r\nContent-Length: a\r\n\r\n").error, .invalidLength)
    expectEqual(parsed("GET / HTTP/1.1\r\nTransfer-Encoding: a\r\n\r\n").error, .transferCoding)
    expectEqual(parsed("GET / HTTP/1.1\r\nExpect: a\r\n\r\n").error, .unknownExpectation)
  }

  @Test func limitsHoldToTheByte() {
    var limits = ServerLimits()
    limits.headerByteCount = 18
    limits.bodyByteCount = 4
    #expect(parsed(Array("GET / HTTP/1.1\r\n\r\n".utf8), limits: limits).request != nil)
    expectEqual(
      parsed(Array("GET /a HTTP/1.1\r\n\r\n".utf8), limits: limits).error,
      .headersTooLong(limit: 18))
    limits.headerByteCount = 100
    func post(_ count: String) -> HTTPRequestError? {
      let text = "POST / HTTP/1.1\r\nContent-Length: \(count)\r\n\r\n1234"
      return parsed(Array(text.utf8), limits: limits).error
    }
    expectEqual(post("4"), nil)
    expectEqual(post("5"), .bodyTooLong(limit: 4))
    expectEqual(post("18446744073709551616"), .bodyTooLong(limit: 4))
  }

  @Test func nothingDependsOnHowTheBytesAreCut() {
    let texts = Self.requests + HostileRequests.all.map(\.text).filter { $0.utf8.count < 200 }
    var count = 0
    for text in texts {
      let bytes = Array(text.utf8)
      let whole = parsed(bytes)
      for cut in bytes.indices.dropFirst() {
        #expect(parsed(bytes, cuts: [cut]) == whole)
        count += 1
      }
      #expect(parsed(bytes, cuts: Array(bytes.indices.dropFirst())) == whole)
    }
    #expect(count > 1000)
  }

  @Test func aPartIsNoRequest() {
    for text in Self.requests {
      let bytes = Array(text.utf8)
      let used = bytes.count - parsed(bytes).rest
      for count in 0..<used {
        let (request, error, _) = parsed(Array(bytes[..<count]))
        #expect(request == nil && error == nil, "\(count) of \(text.debugDescription)")
      }
    }
  }

  @Test func anErrorStays() {
    var parser = HTTPRequestParser()
    for _ in 0..<2 {
      var bytes = Array("GET\r\n\r\nGET / HTTP/1.1\r\n\r\n".utf8)[...]
      #expect(throws: HTTPRequestError.invalidRequestLine) { try parser.next(from: &bytes) }
    }
  }

  @Test func aRequestIsAnnouncedBeforeItsBody() throws {
    var parser = HTTPRequestParser()
    var bytes = Array(Self.requests[2].utf8.dropLast(5))[...]
    try expectEqual(parser.next(from: &bytes), nil)
    let announced = try #require(parser.announced)
    expectEqual(announced.path, "/read")
    #expect(announced.body.isEmpty)
    expectEqual(parser.missingByteCount, 5)
    bytes = Array("world".utf8)[...]
    try expectEqual(parser.next(from: &bytes)?.body.count, 12)
    expectEqual(parser.announced, nil)
  }
}

struct HTTPResponseTests {
  private func text(_ response: HTTPResponse) -> String {
    String(decoding: response.head, as: UTF8.self)
  }

  @Test func writesItsHead() {
    let response = HTTPResponse(
      status: 200, contentType: "text/plain", headers: [HTTPHeader("A", "b")], body: [1, 2])
    expectEqual(
      text(response),
      "HTTP/1.1 200 OK\r\nContent-Type: text/plain\r\nContent-Length: 2\r\n"
        + "Connection: close\r\nA: b\r\n\r\n")
    #expect(text(.events { _ in }).contains("text/event-stream"))
    #expect(!text(.events { _ in }).contains("Content-Length"))
  }

  @Test func aRefusalIsASentence() {
    let refusal = HTTPResponse.refusal(HTTPError(503, "Say \"please\"."))
    #expect(String(decoding: refusal.body, as: UTF8.self) == #"{"error":"Say \"please\"."}"# + "\n")
    #expect(text(refusal).contains("Retry-After: 2\r\n"))
  }
}

struct ServerSentEventTests {
  private func text(_ event: ServerSentEvent) -> String {
    String(decoding: event.bytes, as: UTF8.self)
  }

  @Test func writesAnEvent() {
    expectEqual(text(ServerSentEvent(data: "a")), "data: a\n\n")
    expectEqual(
      text(ServerSentEvent(identifier: "7", name: "roll", data: "{}")),
      "id: 7\nevent: roll\ndata: {}\n\n")
  }

  @Test func noTextBecomesAnotherField() {
    expectEqual(
      text(ServerSentEvent(data: "a\nb\r\nc\rd\n")),
      "data: a\ndata: b\ndata: c\ndata: d\ndata: \n\n")
    expectEqual(
      text(ServerSentEvent(identifier: "1\ndata: x", name: "a\rb", data: "")),
      "id: 1\nevent: a\ndata: \n\n")
  }
}

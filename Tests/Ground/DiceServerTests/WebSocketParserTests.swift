import TestSupport
import Testing

@testable import DiceServer

/// The bytes of a client's frame.
func clientFrame(
  _ kind: UInt8, _ payload: [UInt8], isFinal: Bool = true, mask: [UInt8] = [0x37, 0xFA, 0x21, 0x3D]
) -> [UInt8] {
  var bytes: [UInt8] = [(isFinal ? 0x80 : 0) | kind]
  switch payload.count {
  case ..<126: bytes.append(0x80 | UInt8(payload.count))
  case ..<65_536: bytes += [0xFE, UInt8(payload.count >> 8), UInt8(payload.count & 255)]
  default:
    bytes.append(0xFF)
    for place in (0..<8).reversed() {
      bytes.append(UInt8(truncatingIfNeeded: payload.count >> (8 * place)))
    }
  }
  bytes += mask
  for (index, byte) in payload.enumerated() { bytes.append(byte ^ mask[index % 4]) }
  return bytes
}

struct WebSocketParserTests {
  typealias Event = WebSocketParser.Event

  private func read(
    _ bytes: [UInt8], cuts: [Int] = [], limit: Int = 70_000
  ) -> (events: [Event], error: WebSocketError?) {
    var parser = WebSocketParser(messageByteCount: limit)
    var events: [Event] = []
    var start = 0
    for end in cuts + [bytes.count] {
      var piece = bytes[start..<end]
      start = end
      do throws(WebSocketError) {
        while let event = try parser.next(from: &piece) { events.append(event) }
      } catch {
        return (events, error)
      }
    }
    return (events, nil)
  }

  private let conversation: [UInt8] =
    clientFrame(1, Array("Hel".utf8), isFinal: false) + clientFrame(9, [1, 2])
    + clientFrame(0, Array("lo, \u{E9}".utf8.prefix(5)), isFinal: false)
    + clientFrame(0, Array("\u{E9}".utf8.suffix(1))) + clientFrame(2, []) + clientFrame(10, [])
    + clientFrame(2, [UInt8](repeating: 7, count: 126))
    + clientFrame(8, [3, 232] + Array("bye".utf8))

  @Test func readsTheExamplesOfTheStandard() {
    // RFC 6455, section 5.7.
    let hello: [UInt8] = [0x81, 0x85, 0x37, 0xFA, 0x21, 0x3D, 0x7F, 0x9F, 0x4D, 0x51, 0x58]
    expectEqual(read(hello).events, [.message(.text("Hello"))])
    expectEqual(
      WebSocketFrame.bytes(.text, Array("Hello".utf8)), [0x81, 5, 72, 101, 108, 108, 111])
    expectEqual(
      WebSocketFrame.bytes(.binary, [UInt8](repeating: 0, count: 256)).prefix(4),
      [0x82, 0x7E, 1, 0])
    expectEqual(
      WebSocketFrame.bytes(.binary, [UInt8](repeating: 0, count: 65_536)).prefix(10),
      [0x82, 0x7F, 0, 0, 0, 0, 0, 1, 0, 0])
  }

  @Test func joinsPartsAroundControlFrames() {
    let (events, error) = read(conversation)
    expectEqual(error, nil)
    expectEqual(
      events,
      [
        .ping([1, 2]), .message(.text("Hello, \u{E9}")), .message(.binary([])), .pong([]),
        .message(.binary([UInt8](repeating: 7, count: 126))), .close(code: 1000),
      ])
  }

  @Test func nothingDependsOnHowTheBytesAreCut() {
    let whole = read(conversation)
    for cut in conversation.indices.dropFirst() {
      #expect(read(conversation, cuts: [cut]) == whole)
    }
    #expect(read(conversation, cuts: Array(conversation.indices.dropFirst())) == whole)
  }

  @Test func aPartGivesTheBeginning() {
    let whole = read(conversation).events
    for count in conversation.indices {
      let (events, error) = read(Array(conversation[..<count]))
      expectEqual(error, nil)
      expectEqual(events, Array(whole.prefix(events.count)))
    }
  }

  @Test func everyChangedByteGivesEventsOrAnError() {
    var count = 0
    for index in conversation.indices {
      for bit in 0..<8 {
        var changed = conversation
        changed[index] ^= 1 << UInt8(bit)
        let (events, error) = read(changed)
        #expect(error != nil || !events.isEmpty || index < 20)
        count += 1
      }
    }
    #expect(count > 1000)
  }

  @Test func eachBrokenRuleHasItsError() {
    func error(_ bytes: [UInt8], limit: Int = 1000) -> WebSocketError? {
      read(bytes, limit: limit).error
    }
    expectEqual(error([0xC1]), .reservedBits)
    expectEqual(error([0x91]), .reservedBits)
    expectEqual(error([0x83]), .unknownKind(found: 3))
    expectEqual(error([0x8F]), .unknownKind(found: 15))
    expectEqual(error([0x81, 0x05]), .missingMask)
    expectEqual(error([0x09]), .fragmentedControl)
    expectEqual(error([0x89, 0xFE, 0, 126]), .controlTooLong(found: 126))
    expectEqual(error([0x82, 0xFE, 0, 125]), .invalidLength)
    expectEqual(error([0x82, 0xFF, 0, 0, 0, 0, 0, 0, 255, 255]), .invalidLength)
    expectEqual(error([0x82, 0xFF, 128, 0, 0, 0, 0, 0, 0, 0]), .invalidLength)
    expectEqual(
      error([0x82, 0xFF, 127, 255, 255, 255, 255, 255, 255, 255, 0, 0, 0, 0]),
      .messageTooLong(limit: 1000))
    expectEqual(error(clientFrame(2, [UInt8](repeating: 0, count: 1000))), nil)
    expectEqual(
      error(clientFrame(2, [UInt8](repeating: 0, count: 1001))), .messageTooLong(limit: 1000))
    let half = clientFrame(2, [UInt8](repeating: 0, count: 600), isFinal: false)
    expectEqual(
      error(half + clientFrame(0, [UInt8](repeating: 0, count: 401))), .messageTooLong(limit: 1000))
    expectEqual(error(clientFrame(0, [])), .nothingToContinue)
    expectEqual(error(half + clientFrame(1, [])), .unfinishedMessage)
    expectEqual(error(clientFrame(1, [0xC3])), .invalidText)
    expectEqual(error(clientFrame(1, [0xED, 0xA0, 0x80])), .invalidText)
    expectEqual(error(clientFrame(8, [3])), .invalidClose)
    expectEqual(error(clientFrame(8, [3, 232, 0xFF])), .invalidText)
    for code in [0, 999, 1004, 1005, 1006, 1015, 2999, 5000, 65_535] {
      expectEqual(
        error(clientFrame(8, [UInt8(code >> 8), UInt8(code & 255)])),
        .invalidCloseCode(found: UInt16(code)))
    }
    for code in [1000, 1001, 1011, 3000, 4999] {
      expectEqual(error(clientFrame(8, [UInt8(code >> 8), UInt8(code & 255)])), nil)
    }
  }

  @Test func nothingIsReadBehindTheEnd() {
    expectEqual(read(clientFrame(8, []) + [0xFF, 0xFF]).events, [.close(code: nil)])
    expectEqual(read(clientFrame(8, []) + [0xFF, 0xFF]).error, nil)
  }

  @Test func aReasonIsCutBetweenCharacters() {
    let frame = WebSocketFrame.close(1000, String(repeating: "\u{1F3B2}", count: 40))
    expectEqual(frame[1], 2 + 120)
  }
}

struct WebSocketHandshakeTests {
  private func accept(_ headers: [HTTPHeader], method: String = "GET") throws(HTTPError) -> String?
  {
    try WebSocketHandshake.accept(HTTPRequest(method: method, path: "/", headers: headers))
      .first?.value
  }

  private let headers = [
    HTTPHeader("upgrade", "h2c, WebSocket"), HTTPHeader("connection", "keep-alive, Upgrade"),
    HTTPHeader("sec-websocket-version", "13"),
    HTTPHeader("sec-websocket-key", "dGhlIHNhbXBsZSBub25jZQ=="),
  ]

  @Test func answersTheExampleOfTheStandard() throws {
    try expectEqual(accept(headers), "s3pPLMBiTxaQ9kYGzzhZRbK+xOo=")
  }

  @Test func refusesWhatIsNoHandshake() {
    func status(_ change: (inout [HTTPHeader]) -> Void, method: String = "GET") -> Int? {
      var headers = headers
      change(&headers)
      do throws(HTTPError) {
        _ = try accept(headers, method: method)
        return nil
      } catch { return error.status }
    }
    expectEqual(status({ _ in }, method: "POST"), 400)
    for index in 0..<2 { expectEqual(status { $0.remove(at: index) }, 400) }
    expectEqual(status { $0[2].value = "8" }, 426)
    for key in [
      "", "dGhlIHNhbXBsZSBub25jZQ", "dGhlIHNhbXBsZSBub25j!Q==", "dGhlIHNhbXBsZSBub25jZQAA",
    ] {
      expectEqual(status { $0[3].value = key }, 400)
    }
    expectEqual(status { $0.append($0[3]) }, 400)
  }

  @Test func hashesAsTheStandardSays() {
    func hash(_ text: String) -> String {
      SHA1.digest(Array(text.utf8)).map { String($0 >> 4, radix: 16) + String($0 & 15, radix: 16) }
        .joined()
    }
    expectEqual(hash(""), "da39a3ee5e6b4b0d3255bfef95601890afd80709")
    expectEqual(hash("abc"), "a9993e364706816aba3e25717850c26c9cd0d89d")
    expectEqual(
      hash("abcdbcdecdefdefgefghfghighijhijkijkljklmklmnlmnomnopnopq"),
      "84983e441c3bd26ebaae4aa1f95129e5e54670f1")
    // Around the length at which another block is needed: python3, hashlib.sha1(b"a" * n).
    expectEqual(hash(String(repeating: "a", count: 55)), "c1c8bbdc22796e28c0e15163d20899b65621d65a")
    expectEqual(hash(String(repeating: "a", count: 56)), "c2db330f6083854c99d4b5bfb6e8f29f201be699")
    expectEqual(hash(String(repeating: "a", count: 64)), "0098ba824b5c16427bd7a1122a5a442a25ec644d")
  }
}

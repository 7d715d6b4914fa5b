import DiceCodecs
import DiceVisionKit
import Foundation
import Testing

@testable import HTTPServer
@testable import WebService

struct HTTPHeadTests {
  private func head(
    _ text: String, limits: Limits = Limits()
  ) -> Result<HTTPHead, HTTPError> {
    do throws(HTTPError) { return .success(try HTTPHead(Array(text.utf8), limits: limits)) } catch {
      return .failure(error)
    }
  }

  private func status(_ text: String) -> Int? {
    if case .failure(let error) = head(text) { error.status } else { nil }
  }

  @Test func readsARequest() throws {
    let head = try head(
      "POST /read?confidence=0.5&x HTTP/1.1\r\nHost: a\r\ncontent-LENGTH:  12 \r\nExpect: 100-continue"
    ).get()
    #expect(head.request.method == "POST")
    #expect(head.request.path == "/read")
    #expect(head.request.query == ["confidence": "0.5", "x": ""])
    #expect(head.bodyByteCount == 12)
    #expect(head.expectsContinue)
  }

  @Test(arguments: [
    "", "GET", "GET / HTTP/2.0", "GET read HTTP/1.1", " / HTTP/1.1", "GET /  HTTP/1.1",
    "GET / HTTP/1.1\r\nno colon", "GET / HTTP/1.1\r\nA: b\r\n folded",
    "POST / HTTP/1.1\r\nContent-Length: 1\r\nContent-Length: 2",
    "POST / HTTP/1.1\r\nContent-Length: -1", "POST / HTTP/1.1\r\nContent-Length: 0x10",
  ])
  func refusesWhatIsNoRequest(text: String) {
    #expect(status(text) == 400)
  }

  @Test func wantsALengthNotChunks() {
    #expect(status("POST /read HTTP/1.1\r\nHost: a") == 411)
    #expect(status("POST /read HTTP/1.1\r\nTransfer-Encoding: chunked") == 501)
  }

  @Test func refusesALongBodyBeforeItIsSent() {
    #expect(status("POST / HTTP/1.1\r\nContent-Length: \(20 << 20)") == nil)
    #expect(status("POST / HTTP/1.1\r\nContent-Length: \((20 << 20) + 1)") == 413)
    #expect(status("POST / HTTP/1.1\r\nContent-Length: 99999999999999999999999") == 413)
  }
}

struct ReadingServiceTests {
  private static let picture = URL(filePath: #filePath)
    .deletingLastPathComponent().appending(path: "../../../../../Fixtures/scenes/scene-15.jpg")
    .standardizedFileURL
  private let service: ReadingService

  init() throws {
    var limits = Limits()
    limits.pixelCount = 640 * 480
    limits.waitingTime = .milliseconds(20)
    service = try ReadingService(limits: limits)
  }

  private func status(_ method: String, _ path: String, body: [UInt8] = []) -> Int {
    service.respond(to: HTTPRequest(method: method, path: path, body: body)).status
  }

  @Test func readsAPostedPicture() throws {
    let bytes = [UInt8](try Data(contentsOf: Self.picture))
    let response = service.respond(to: HTTPRequest(method: "POST", path: "/read", body: bytes))
    #expect(response.status == 200)
    let answer = try JSONDecoder().decode(ReadingService.Answer.self, from: Data(response.body))
    #expect(answer.values == [6, 1])
    #expect(answer.sum == 7)
    #expect(answer.width == 640 && answer.height == 480)
    #expect(answer.dice.count == 2)
    var sure = HTTPRequest(method: "POST", path: "/read", body: bytes)
    sure.query["confidence"] = "1"
    let none = try JSONDecoder().decode(
      ReadingService.Answer.self, from: Data(service.respond(to: sure).body))
    #expect(none.values == [])
  }

  @Test func refusesWhatItCannotRead() throws {
    #expect(status("POST", "/read") == 422)
    #expect(status("POST", "/read", body: Array("no picture".utf8)) == 422)
    // One pixel row more than the limit allows.
    let large = PixelImage(
      width: 640, height: 481, format: .gray, samples: [UInt8](repeating: 0, count: 640 * 481))
    #expect(status("POST", "/read", body: PortableMapEncoder.encode(large)) == 422)
    var query = HTTPRequest(method: "POST", path: "/read")
    query.query["confidence"] = "nan"
    #expect(service.respond(to: query).status == 400)
  }

  @Test func knowsItsPaths() {
    #expect(status("GET", "/") == 200)
    #expect(status("GET", "/health") == 200)
    #expect(status("GET", "/read") == 405)
    #expect(status("DELETE", "/") == 405)
    #expect(status("GET", "/other") == 404)
  }

  @Test func gateLetsInOnlySoMany() {
    let gate = Gate(places: 1)
    #expect(gate.enter(within: .zero))
    #expect(!gate.enter(within: .milliseconds(5)))
    gate.leave()
    #expect(gate.enter(within: .zero))
  }
}

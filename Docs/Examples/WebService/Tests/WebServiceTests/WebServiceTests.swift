import DiceCodecs
import DiceServer
import DiceVisionKit
import Foundation
import Testing

@testable import ServiceSupport
@testable import WebService

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

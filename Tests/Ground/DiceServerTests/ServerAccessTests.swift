import TestSupport
import Testing

@testable import DiceServer

struct ServerAccessTests {
  private func request(
    _ headers: [String: String] = [:], query: [String: String] = [:]
  ) -> HTTPRequest {
    HTTPRequest(
      method: "GET", path: "/", query: query, headers: headers.map { HTTPHeader($0.key, $0.value) })
  }

  @Test func aLoopbackServerAnswersToItsNames() {
    let access = ServerAccess()
    for host in ["localhost", "LOCALHOST:80", "127.0.0.1:1", "127.1.2.3", "[::1]", "[::1]:80"] {
      expectEqual(access.refusal(of: request(["host": host])), nil, "\(host)")
    }
    for host in [
      "evil.example", "127.0.0.1.evil.example", "128.0.0.1", "[::2]", "[::1", "", "127.0.0",
    ] {
      expectEqual(access.refusal(of: request(["host": host]))?.status, 421, "\(host)")
    }
    expectEqual(access.refusal(of: request()), nil)
    var open = access
    open.allowsAnyHost = true
    expectEqual(open.refusal(of: request(["host": "evil.example"])), nil)
  }

  @Test func pagesOfOtherSitesMayAskIfTheyAreNamed() {
    var access = ServerAccess()
    let own = request(["host": "localhost:1", "origin": "http://localhost:1"])
    let other = request(["host": "localhost:1", "origin": "http://localhost:30000"])
    expectEqual(access.refusal(of: own), nil)
    expectEqual(access.refusal(of: other)?.status, 403)
    expectEqual(access.refusal(of: request(["host": "localhost", "origin": "null"]))?.status, 403)
    #expect(access.headers(for: own).isEmpty)
    access.origins = ["http://localhost:30000"]
    expectEqual(access.refusal(of: other), nil)
    #expect(
      access.headers(for: other).first
        == HTTPHeader("Access-Control-Allow-Origin", "http://localhost:30000"))
    access.origins = ["*"]
    expectEqual(access.refusal(of: request(["host": "localhost", "origin": "null"])), nil)
  }

  @Test func aTokenIsWholeAndRight() {
    let token = "abcdefghijklmnop"
    let access = ServerAccess(address: "0.0.0.0", token: token)
    expectEqual(access.refusal(of: request(query: ["token": token])), nil)
    expectEqual(access.refusal(of: request(["authorization": "Bearer \(token)"])), nil)
    expectEqual(
      access.refusal(of: request(["authorization": "bearer \(token)", "host": "any"])), nil)
    for wrong in [
      "", "a", "abcdefghijklmno", "abcdefghijklmnopq", token + token, "Abcdefghijklmnop",
    ] {
      expectEqual(access.refusal(of: request(query: ["token": wrong]))?.status, 401, "\(wrong)")
    }
    expectEqual(access.refusal(of: request(["authorization": "Basic \(token)"]))?.status, 401)
  }

  @Test func otherComputersNeedAToken() {
    func error(_ access: ServerAccess) -> ServerError? {
      do throws(ServerError) {
        _ = try Server(access)
        return nil
      } catch { return error }
    }
    expectEqual(error(ServerAccess(address: "0.0.0.0")), .missingToken(address: "0.0.0.0"))
    expectEqual(error(ServerAccess(address: "::")), .missingToken(address: "::"))
    expectEqual(error(ServerAccess(token: "short")), .unusableToken(required: 16))
    expectEqual(error(ServerAccess(token: "with a space in it")), .unusableToken(required: 16))
    for address in ["", "example.org", "1.2.3", "127.0.0.1 ", "127.0.0.1\u{0}"] {
      expectEqual(error(ServerAccess(address: address)), .invalidAddress(found: address))
    }
    expectEqual(
      error(ServerAccess(address: "192.0.2.1", token: "abcdefghijklmnop")),
      .unknownAddress(found: "192.0.2.1"))
    expectEqual(error(ServerAccess(address: "localhost")), nil)
  }

  @Test func aPortIsTakenOnce() throws {
    let first = try Server(ServerAccess())
    #expect(first.port > 0)
    #expect(throws: ServerError.portInUse(port: first.port)) {
      try Server(ServerAccess(port: first.port))
    }
  }
}

struct RateLimiterTests {
  @Test func admitsABurstAndThenTheRate() {
    var limiter = RateLimiter(rate: 2, burst: 3)
    var answers: [Bool] = []
    for _ in 0..<5 { answers.append(limiter.admits("a", at: 0)) }
    answers.append(limiter.admits("b", at: 0))
    answers.append(limiter.admits("a", at: 0.5))
    answers.append(limiter.admits("a", at: 0.5))
    // A clock that goes back gives nothing.
    answers.append(limiter.admits("a", at: 0.1))
    for _ in 0..<4 { answers.append(limiter.admits("a", at: 100)) }
    expectEqual(
      answers,
      [
        true, true, true, false, false, true, true, false, false, true, true, true, false,
      ])
  }

  @Test func remembersOnlySoManyAddresses() {
    var limiter = RateLimiter(rate: 1, burst: 2)
    var count = 0
    for number in 0..<RateLimiter.addressLimit where limiter.admits("\(number)", at: 0) {
      count += 1
    }
    expectEqual(count, RateLimiter.addressLimit)
    let isEarly = limiter.admits("one more", at: 0)
    let isLate = limiter.admits("one more", at: 5)
    #expect(!isEarly && isLate)
  }
}

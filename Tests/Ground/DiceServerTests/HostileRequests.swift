/// Requests that no honest client sends, with the status that each gets.
enum HostileRequests {
  struct Case: Sendable, CustomStringConvertible {
    var text: String
    var status: Int
    var description: String { text.debugDescription.prefix(80) + " \(status)" }
  }

  static let all: [Case] = requestLines + headers + bodies

  private static func cases(_ status: Int, _ texts: [String]) -> [Case] {
    texts.map { Case(text: $0 + "\r\n\r\n", status: status) }
  }

  private static let requestLines: [Case] =
    cases(
      400,
      [
        "", "GET", "GET /", "GET read HTTP/1.1", " / HTTP/1.1", "GET /  HTTP/1.1",
        "GET  / HTTP/1.1",
        "GET http://a/ HTTP/1.1", "GET * HTTP/1.1", "G\u{E9}T / HTTP/1.1", "GET / HTTP/1.1 more",
        "GET /\t HTTP/1.1", "GET /\u{7F} HTTP/1.1", "GET / FTP/1.1", "\u{16}\u{3}\u{1}\u{2}",
        "G(T / HTTP/1.1", "GET /\u{0} HTTP/1.1", "PRI / HTTP", "GET /\rX HTTP/1.1", "\r\n",
      ])
    + cases(
      505, ["GET / HTTP/2.0", "GET / HTTP/1.2", "GET / HTTP/1", "GET / HTTP/", "GET / HTTP/11"])

  private static let headers: [Case] =
    cases(
      400,
      [
        "GET / HTTP/1.1\r\nno colon", "GET / HTTP/1.1\r\nA: b\r\n folded",
        "GET / HTTP/1.1\r\n: b", "GET / HTTP/1.1\r\nA : b", "GET / HTTP/1.1\r\nA: b\rC: d",
        "GET / HTTP/1.1\r\nA: b\nC: d", "GET / HTTP/1.1\r\nA: \u{0}", "GET / HTTP/1.1\r\nA\u{0}: b",
        "GET / HTTP/1.1\r\nHost: a\r\nHost: b", "GET / HTTP/1.1\nHost: a",
        "GET / HTTP/1.1\r\n\tA: b", "GET / HTTP/1.1\r\nA: \u{1B}[2J",
      ])
    + cases(
      431,
      [
        "GET / HTTP/1.1\r\nA: " + String(repeating: "a", count: 20_000),
        String(repeating: "a", count: 20_000),
        "GET /" + String(repeating: "?", count: 20_000) + " HTTP/1.1",
        "GET / HTTP/1.1" + String(repeating: "\r\nA: b", count: 4_000),
      ])
    + cases(417, ["POST / HTTP/1.1\r\nContent-Length: 1\r\nExpect: cake"])

  private static let bodies: [Case] =
    cases(
      400,
      [
        "POST / HTTP/1.1\r\nContent-Length: 1\r\nContent-Length: 2",
        "POST / HTTP/1.1\r\nContent-Length: 1\r\ncontent-length: 1",
        "POST / HTTP/1.1\r\nContent-Length: -1", "POST / HTTP/1.1\r\nContent-Length: 0x10",
        "POST / HTTP/1.1\r\nContent-Length: +1", "POST / HTTP/1.1\r\nContent-Length: 1 1",
        "POST / HTTP/1.1\r\nContent-Length: 1,1", "POST / HTTP/1.1\r\nContent-Length:",
        "POST / HTTP/1.1\r\nContent-Length: \u{661}",
      ])
    + cases(411, ["POST /read HTTP/1.1\r\nHost: a"])
    + cases(
      413,
      [
        "POST / HTTP/1.1\r\nContent-Length: 1048577",
        "POST / HTTP/1.1\r\nContent-Length: 9223372036854775807",
        "POST / HTTP/1.1\r\nContent-Length: 99999999999999999999999",
      ])
    + cases(
      501,
      [
        "POST / HTTP/1.1\r\nTransfer-Encoding: chunked",
        "POST / HTTP/1.1\r\nContent-Length: 1\r\nTransfer-Encoding: chunked",
        "GET / HTTP/1.1\r\nTransfer-Encoding: identity",
      ])
}

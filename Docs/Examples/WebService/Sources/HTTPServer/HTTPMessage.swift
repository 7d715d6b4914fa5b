import Foundation

/// A request as the service needs it.
package struct HTTPRequest: Hashable, Sendable {
  package var method: String
  /// The part of the target before the question mark.
  package var path: String
  /// The names and values behind the question mark, as they stand: nothing is decoded.
  package var query: [String: String]
  package var body: [UInt8]

  package init(
    method: String, path: String, query: [String: String] = [:], body: [UInt8] = []
  ) {
    self.method = method
    self.path = path
    self.query = query
    self.body = body
  }
}

/// A response; the connection ends with it.
package struct HTTPResponse: Hashable, Sendable {
  package var status: Int
  package var contentType: String
  package var body: [UInt8]

  package init(status: Int, contentType: String = "application/json", body: [UInt8]) {
    self.status = status
    self.contentType = contentType
    self.body = body
  }

  /// The response to a request that cannot be served.
  package static func refusal(_ error: HTTPError) -> HTTPResponse {
    let body = (try? JSONEncoder().encode(["error": error.sentence])) ?? Data()
    return HTTPResponse(status: error.status, body: Array(body))
  }

  /// The reasons of the statuses in use.
  private static let reasons = [
    200: "OK", 400: "Bad Request", 404: "Not Found", 405: "Method Not Allowed",
    408: "Request Timeout", 409: "Conflict", 411: "Length Required", 413: "Content Too Large",
    422: "Unprocessable Content", 431: "Request Header Fields Too Large",
    500: "Internal Server Error", 501: "Not Implemented", 503: "Service Unavailable",
  ]

  /// The bytes to send.
  var bytes: [UInt8] {
    var head = "HTTP/1.1 \(status) \(Self.reasons[status] ?? "Unknown")\r\n"
    head += "Content-Type: \(contentType)\r\nContent-Length: \(body.count)\r\n"
    if status == 503 { head += "Retry-After: 2\r\n" }
    head += "Connection: close\r\n\r\n"
    return Array(head.utf8) + body
  }
}

/// Why a request is not served: a status and a sentence.
package struct HTTPError: Error, Hashable, Sendable {
  package let status: Int
  package let sentence: String

  package init(_ status: Int, _ sentence: String) {
    self.status = status
    self.sentence = sentence
  }

  static let badRequest = HTTPError(400, "The request is not HTTP/1.1.")
}

/// The first line and the headers of a request, as far as the service needs them.
struct HTTPHead: Hashable, Sendable {
  var request: HTTPRequest
  /// The bytes of the body; 0 where there is none.
  var bodyByteCount: Int
  /// Whether the client waits for permission before it sends the body.
  var expectsContinue: Bool

  /// Reads the bytes before the empty line.
  ///
  /// - Throws: ``HTTPError``: 400 for what is no request, 411 where a posted body does not say how
  ///   long it is, 413 where it is longer than the limit, 501 for bodies in chunks.
  init(_ bytes: some Collection<UInt8>, limits: Limits) throws(HTTPError) {
    guard let text = String(validating: bytes, as: UTF8.self) else { throw .badRequest }
    var lines = text.split(separator: "\r\n", omittingEmptySubsequences: false)[...]
    let parts = (lines.popFirst() ?? "").split(separator: " ", omittingEmptySubsequences: false)
    guard parts.count == 3, parts[2].hasPrefix("HTTP/1."), parts[1].hasPrefix("/"),
      !parts[0].isEmpty
    else { throw .badRequest }
    request = HTTPRequest(
      method: String(parts[0]), path: String(parts[1].prefix { $0 != "?" }),
      query: Self.query(of: parts[1]))
    var length: Int?
    var expectsContinue = false
    for line in lines {
      guard let colon = line.firstIndex(of: ":"), line.first != " ", line.first != "\t" else {
        throw .badRequest
      }
      let value = line[line.index(after: colon)...].trimmed
      switch line[..<colon].lowercased() {
      case "content-length":
        // Digits only, once: two lengths are two opinions on where the body ends.
        guard length == nil, !value.isEmpty, value.utf8.allSatisfy({ (48...57).contains($0) })
        else { throw .badRequest }
        length = Int(value) ?? .max
      case "transfer-encoding":
        throw HTTPError(501, "Bodies in chunks are not read: send a Content-Length.")
      case "expect":
        expectsContinue = value.lowercased() == "100-continue"
      default: break
      }
    }
    if request.method == "POST", length == nil {
      throw HTTPError(411, "Say with Content-Length how many bytes the body has.")
    }
    bodyByteCount = length ?? 0
    self.expectsContinue = expectsContinue
    guard bodyByteCount <= limits.bodyByteCount else {
      throw HTTPError(413, "A body may have \(limits.bodyByteCount) bytes at most.")
    }
  }

  private static func query(of target: Substring) -> [String: String] {
    guard let mark = target.firstIndex(of: "?") else { return [:] }
    var query: [String: String] = [:]
    for pair in target[target.index(after: mark)...].split(separator: "&") {
      let parts = pair.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
      query[String(parts[0])] = parts.count == 2 ? String(parts[1]) : ""
    }
    return query
  }
}

extension Substring {
  /// Without spaces and tabs at both ends.
  var trimmed: Substring {
    var text = self
    while let first = text.first, first == " " || first == "\t" { text.removeFirst() }
    while let last = text.last, last == " " || last == "\t" { text.removeLast() }
    return text
  }
}

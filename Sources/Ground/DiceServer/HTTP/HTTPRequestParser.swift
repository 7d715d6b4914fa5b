/// Reads a request from bytes that come in pieces of any size.
///
///     var parser = HTTPRequestParser(limits: limits)
///     while let piece = receive() {
///       var bytes = piece[...]
///       if let request = try parser.next(from: &bytes) { return request }
///     }
///
/// Requests and errors do not depend on how the bytes are cut. Memory is that of the headers and the
/// body, within the limits.
///
/// Source: RFC 9112. Bodies in chunks and headers over several lines are refused.
public struct HTTPRequestParser: Sendable {
  /// Whether the client waits for `100 Continue` before it sends the body.
  public private(set) var wantsContinue = false

  /// The request without its body, while the body is being read; nil before and after.
  public var announced: HTTPRequest? {
    guard var request, missingByteCount > 0 else { return nil }
    request.body = []
    return request
  }
  /// How many bytes of the body are missing.
  public private(set) var missingByteCount = 0

  private let headerByteCount: Int
  private let bodyByteCount: Int
  private var head: [UInt8] = []
  /// How many bytes of the empty line that ends the headers have been seen in a row, 0...4.
  private var matched = 0
  private var request: HTTPRequest?
  private var error: HTTPRequestError?

  /// A parser at the beginning of a request.
  public init(limits: ServerLimits = ServerLimits()) {
    headerByteCount = limits.headerByteCount
    bodyByteCount = limits.bodyByteCount
  }

  /// Reads up to the end of the request.
  ///
  /// - Parameter bytes: The next bytes; those that were read are removed. What follows the request
  ///   stays.
  /// - Returns: the request, once; nil where more bytes are needed.
  /// - Throws: the broken rule, and the same each time from then on.
  public mutating func next(
    from bytes: inout ArraySlice<UInt8>
  ) throws(HTTPRequestError) -> HTTPRequest? {
    if let error { throw error }
    do throws(HTTPRequestError) {
      if request == nil { try readHead(&bytes) }
    } catch {
      self.error = error
      throw error
    }
    guard request != nil else { return nil }
    let piece = bytes.prefix(missingByteCount)
    request?.body += piece
    missingByteCount -= piece.count
    bytes = bytes.dropFirst(piece.count)
    if !piece.isEmpty { wantsContinue = false }
    if missingByteCount > 0 { return nil }
    wantsContinue = false
    let whole = request
    self = HTTPRequestParser(headerByteCount: headerByteCount, bodyByteCount: bodyByteCount)
    return whole
  }

  private init(headerByteCount: Int, bodyByteCount: Int) {
    self.headerByteCount = headerByteCount
    self.bodyByteCount = bodyByteCount
  }

  private mutating func readHead(_ bytes: inout ArraySlice<UInt8>) throws(HTTPRequestError) {
    var index = bytes.startIndex
    let end = index + min(bytes.count, headerByteCount - head.count)
    while index < end, matched < 4 {
      switch bytes[index] {
      case 0x0D: matched = matched == 2 ? 3 : 1
      case 0x0A: matched = matched == 1 || matched == 3 ? matched + 1 : 0
      default: matched = 0
      }
      index += 1
    }
    head += bytes[..<index]
    bytes = bytes[index...]
    guard matched == 4 else {
      if head.count >= headerByteCount { throw .headersTooLong(limit: headerByteCount) }
      return
    }
    let parsed = try HTTPHead(head.dropLast(4))
    guard parsed.bodyByteCount <= bodyByteCount else { throw .bodyTooLong(limit: bodyByteCount) }
    request = parsed.request
    missingByteCount = parsed.bodyByteCount
    wantsContinue = parsed.expectsContinue
    head = []
  }
}

/// The first line and the headers of a request.
struct HTTPHead {
  var request: HTTPRequest
  /// The bytes of the body; 0 where there is none.
  var bodyByteCount: Int
  /// Whether the client waits for permission before it sends the body.
  var expectsContinue = false

  /// Reads the bytes before the empty line.
  init(_ bytes: ArraySlice<UInt8>) throws(HTTPRequestError) {
    let lines = Self.lines(of: bytes)
    guard let first = lines.first else { throw .invalidRequestLine }
    request = try Self.request(first)
    var length: Int?
    for (index, line) in lines.enumerated().dropFirst() {
      let header = try Self.header(line, number: index + 1)
      switch header.name {
      case "content-length":
        // Two lengths are two opinions on where the body ends.
        if length != nil { throw .repeatedHeader(name: header.name) }
        let digits = header.value.utf8
        guard !digits.isEmpty, digits.allSatisfy({ (0x30...0x39).contains($0) }) else {
          throw .invalidLength
        }
        length = Int(header.value) ?? .max
      case "host":
        if request.header("host") != nil { throw .repeatedHeader(name: header.name) }
      case "transfer-encoding": throw .transferCoding
      case "expect":
        guard header.value.lowercased() == "100-continue" else { throw .unknownExpectation }
        expectsContinue = true
      default: break
      }
      request.headers.append(header)
    }
    if request.method == "POST", length == nil { throw .missingLength }
    bodyByteCount = length ?? 0
  }

  /// The parts between line breaks, which are a carriage return and a line feed.
  private static func lines(of bytes: ArraySlice<UInt8>) -> [ArraySlice<UInt8>] {
    var lines: [ArraySlice<UInt8>] = []
    var start = bytes.startIndex
    var index = start
    while index < bytes.endIndex {
      if bytes[index] == 0x0D, index + 1 < bytes.endIndex, bytes[index + 1] == 0x0A {
        lines.append(bytes[start..<index])
        start = index + 2
        index = start
      } else {
        index += 1
      }
    }
    lines.append(bytes[start...])
    return lines
  }

  private static func request(_ line: ArraySlice<UInt8>) throws(HTTPRequestError) -> HTTPRequest {
    guard let text = String(validating: line, as: UTF8.self) else { throw .notText }
    let parts = line.split(separator: 0x20, omittingEmptySubsequences: false)
    guard parts.count == 3, !parts[0].isEmpty, parts[0].allSatisfy(HTTPText.isTokenByte),
      parts[1].first == UInt8(ascii: "/"), parts[1].allSatisfy({ $0 > 0x20 && $0 != 0x7F })
    else { throw .invalidRequestLine }
    let words = text.split(separator: " ")
    guard parts[2].starts(with: "HTTP/".utf8) else { throw .invalidRequestLine }
    guard words[2] == "HTTP/1.1" || words[2] == "HTTP/1.0" else {
      throw .unsupportedVersion(found: String(words[2].prefix(20)))
    }
    let target = words[1].split(separator: "?", maxSplits: 1, omittingEmptySubsequences: false)
    var query: [String: String] = [:]
    for pair in (target.count == 2 ? target[1] : "").split(separator: "&") {
      let parts = pair.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
      query[String(parts[0])] = parts.count == 2 ? String(parts[1]) : ""
    }
    return HTTPRequest(method: String(words[0]), path: String(target[0]), query: query)
  }

  private static func header(
    _ line: ArraySlice<UInt8>, number: Int
  ) throws(HTTPRequestError) -> HTTPHeader {
    guard let colon = line.firstIndex(of: UInt8(ascii: ":")), colon > line.startIndex,
      line[..<colon].allSatisfy(HTTPText.isTokenByte)
    else { throw .invalidHeader(line: number) }
    let value = line[(colon + 1)...]
    guard value.allSatisfy({ $0 >= 0x20 && $0 != 0x7F || $0 == 0x09 }) else {
      throw .invalidHeader(line: number)
    }
    guard let text = String(validating: value, as: UTF8.self) else { throw .notText }
    return HTTPHeader(
      String(decoding: line[..<colon], as: UTF8.self).lowercased(), HTTPText.trimmed(text[...]))
  }
}

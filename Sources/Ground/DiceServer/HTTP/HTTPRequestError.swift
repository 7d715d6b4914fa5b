/// Which rule a request breaks.
public enum HTTPRequestError: Error, Hashable, Sendable {
  /// The first line and the headers are not too long.
  case headersTooLong(limit: Int)
  /// The first line and the headers are UTF-8.
  case notText
  /// The first line is a method, a target that begins with a slash, and a version.
  case invalidRequestLine
  /// The version is HTTP/1.0 or HTTP/1.1.
  case unsupportedVersion(found: String)
  /// A header is a name, a colon and a value on one line; lines are counted from 2.
  case invalidHeader(line: Int)
  /// A header that says where the body ends, or for whom the request is, is there once.
  case repeatedHeader(name: String)
  /// A length is a number in digits.
  case invalidLength
  /// A posted body says how long it is.
  case missingLength
  /// A body comes in one piece.
  case transferCoding
  /// A body is not too long.
  case bodyTooLong(limit: Int)
  /// What a client expects is known here.
  case unknownExpectation
  /// The request is whole.
  case incomplete
  /// The request is there in time.
  case tooSlow
}

extension HTTPRequestError: CustomStringConvertible {
  /// The status of the response.
  public var status: Int {
    switch self {
    case .headersTooLong: 431
    case .notText, .invalidRequestLine, .invalidHeader, .repeatedHeader, .invalidLength,
      .incomplete:
      400
    case .unsupportedVersion: 505
    case .missingLength: 411
    case .transferCoding: 501
    case .bodyTooLong: 413
    case .unknownExpectation: 417
    case .tooSlow: 408
    }
  }

  /// One sentence for whoever sent the request.
  public var description: String {
    switch self {
    case .headersTooLong(let limit): "Headers may have \(limit) bytes at most."
    case .notText: "The headers are not UTF-8."
    case .invalidRequestLine:
      "The first line is not a method, a target that begins with a slash, and HTTP/1.1."
    case .unsupportedVersion: "The version must be HTTP/1.1 or HTTP/1.0."
    case .invalidHeader(let line): "Line \(line) of the request is not a name, a colon and a value."
    case .repeatedHeader(let name): "The header \(name) is there twice."
    case .invalidLength: "Content-Length is not a number in digits."
    case .missingLength: "Say with Content-Length how many bytes the body has."
    case .transferCoding: "Bodies in chunks are not read: send a Content-Length."
    case .bodyTooLong(let limit): "A body may have \(limit) bytes at most."
    case .unknownExpectation: "Of expectations only 100-continue is known."
    case .incomplete: "The request is not whole."
    case .tooSlow: "The request took too long."
    }
  }
}

/// Why a request is not served: a status and a sentence.
public struct HTTPError: Error, Hashable, Sendable {
  /// The status of the response, 400...599.
  public let status: Int
  /// What is wrong, for whoever sent the request.
  public let sentence: String

  /// A refusal.
  ///
  /// - Parameters:
  ///   - status: the status of the response, 400...599.
  ///   - sentence: what is wrong.
  public init(_ status: Int, _ sentence: String) {
    self.status = status
    self.sentence = sentence
  }

  /// The refusal of a request that breaks a rule.
  public init(_ error: HTTPRequestError) {
    self.init(error.status, error.description)
  }
}

/// A header of a request or a response.
public struct HTTPHeader: Hashable, Sendable {
  /// The name; lower case in a request.
  public var name: String
  /// The value without spaces around it.
  public var value: String

  /// A header.
  ///
  /// - Parameters:
  ///   - name: the name: letters, digits and hyphens.
  ///   - value: the value: one line.
  public init(_ name: String, _ value: String) {
    self.name = name
    self.value = value
  }
}

/// A request as it was read.
public struct HTTPRequest: Hashable, Sendable {
  /// The method in capital letters, such as `GET`.
  public var method: String
  /// The part of the target before the question mark; it begins with a slash.
  public var path: String
  /// The names and values behind the question mark, as they stand: nothing is decoded.
  ///
  /// Of a name that is there twice, the last value counts.
  public var query: [String: String]
  /// The headers in their order.
  public var headers: [HTTPHeader]
  /// The body; empty where there is none.
  public var body: [UInt8]
  /// The client's numeric address; empty where it is not known.
  public var address: String

  /// A request.
  public init(
    method: String, path: String, query: [String: String] = [:], headers: [HTTPHeader] = [],
    body: [UInt8] = [], address: String = ""
  ) {
    self.method = method
    self.path = path
    self.query = query
    self.headers = headers
    self.body = body
    self.address = address
  }

  /// The value of a header, the first one where there are several; nil where there is none.
  ///
  /// - Parameter name: the name in lower case.
  public func header(_ name: String) -> String? {
    headers.first { $0.name == name }?.value
  }

  /// Whether a header that lists words with commas between them has one of them.
  ///
  /// - Parameter word: the word in lower case.
  func hasWord(_ word: String, in name: String) -> Bool {
    headers.contains { header in
      header.name == name
        && header.value.split(separator: ",").contains {
          HTTPText.trimmed($0).lowercased() == word
        }
    }
  }
}

/// Small matters of text in headers.
enum HTTPText {
  /// Without spaces and tabs at both ends.
  static func trimmed(_ text: Substring) -> String {
    let bytes = text.utf8
    let isSpace = { (byte: UInt8) in byte == 0x20 || byte == 0x09 }
    guard let first = bytes.firstIndex(where: { !isSpace($0) }),
      let last = bytes.lastIndex(where: { !isSpace($0) })
    else { return "" }
    return String(text[first...last])
  }

  /// Whether a byte may stand in a method or in the name of a header.
  ///
  /// Source: RFC 9110, section 5.6.2.
  static func isTokenByte(_ byte: UInt8) -> Bool {
    switch byte {
    case 0x30...0x39, 0x41...0x5A, 0x61...0x7A: true
    case 0x21, 0x23...0x27, 0x2A, 0x2B, 0x2D, 0x2E, 0x5E...0x60, 0x7C, 0x7E: true
    default: false
    }
  }
}

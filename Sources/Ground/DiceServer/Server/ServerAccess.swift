/// Where a server listens, and who may ask.
///
/// On a loopback address, only programs of this computer reach it. The pages that its browser shows are such
/// programs, too: so requests must name the server by a loopback name, and a page of another site is refused
/// unless ``origins`` has it. On any other address, every request must bring the token.
public struct ServerAccess: Hashable, Sendable {
  /// The fewest characters of a token.
  public static let tokenLength = 16

  /// The numeric address to listen on, or `localhost`.
  ///
  /// `0.0.0.0` and `::` are all addresses of this computer.
  public var address: String
  /// The port; 0 takes any free one.
  public var port: UInt16
  /// What a request must bring, as `Authorization: Bearer TOKEN` or as `token=TOKEN` behind the question
  /// mark of its target; nil for nothing.
  public var token: String?
  /// Other sites whose pages may ask, such as `http://localhost:30000`; `*` is all.
  public var origins: [String] = []
  /// Whether requests on a loopback address may name any host, as behind a proxy.
  public var allowsAnyHost = false

  /// A place to listen.
  public init(address: String = "127.0.0.1", port: UInt16 = 0, token: String? = nil) {
    self.address = address
    self.port = port
    self.token = token
  }

  /// Why a request is refused; nil where it is not.
  func refusal(of request: HTTPRequest) -> HTTPError? {
    if let token {
      guard Self.isSame(Array(Self.token(of: request).utf8), Array(token.utf8)) else {
        return HTTPError(401, "The token is missing or wrong: add ?token=TOKEN to the address.")
      }
    } else if !allowsAnyHost, let host = request.header("host"), !Self.isLoopback(host: host) {
      return HTTPError(421, "The host must be localhost or a loopback address.")
    }
    if let origin = request.header("origin"), !isOwn(origin, request), !allows(origin) {
      return HTTPError(403, "Pages of other sites may not ask.")
    }
    return nil
  }

  /// The headers that let a page of another site read the answer.
  func headers(for request: HTTPRequest) -> [HTTPHeader] {
    guard let origin = request.header("origin"), allows(origin) else { return [] }
    return [HTTPHeader("Access-Control-Allow-Origin", origin), HTTPHeader("Vary", "Origin")]
  }

  private func allows(_ origin: String) -> Bool {
    origins.contains("*") || origins.contains(origin)
  }

  private func isOwn(_ origin: String, _ request: HTTPRequest) -> Bool {
    guard let host = request.header("host") else { return false }
    return origin == "http://\(host)" || origin == "https://\(host)"
  }

  private static func token(of request: HTTPRequest) -> String {
    let prefix = "bearer "
    if let header = request.header("authorization"), header.lowercased().hasPrefix(prefix) {
      return String(header.dropFirst(prefix.count))
    }
    return request.query["token"] ?? ""
  }

  /// Compares in a time that does not depend on where texts differ.
  static func isSame(_ found: [UInt8], _ required: [UInt8]) -> Bool {
    guard !found.isEmpty else { return required.isEmpty }
    var difference = found.count ^ required.count
    for index in required.indices {
      difference |= Int(found[index % found.count] ^ required[index])
    }
    return difference == 0
  }

  /// Whether a host, with or without a port, is a name of this computer for itself.
  static func isLoopback(host: String) -> Bool {
    var name = host[...]
    if name.hasPrefix("[") {
      guard let end = name.firstIndex(of: "]") else { return false }
      name = name[name.index(after: name.startIndex)..<end]
      return name == "::1"
    }
    if let colon = name.firstIndex(of: ":") { name = name[..<colon] }
    if name.lowercased() == "localhost" { return true }
    let parts = name.split(separator: ".", omittingEmptySubsequences: false)
    return parts.count == 4 && parts[0] == "127" && parts.allSatisfy { UInt8($0) != nil }
  }
}

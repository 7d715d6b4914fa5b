/// Why a server cannot listen.
public enum ServerError: Error, Hashable, Sendable {
  /// An address is numeric, or `localhost`.
  case invalidAddress(found: String)
  /// An address that other computers reach needs a token.
  case missingToken(address: String)
  /// A token is long enough, and of letters, digits, `-`, `.`, `_` and `~`.
  case unusableToken(required: Int)
  /// The port is free.
  case portInUse(port: UInt16)
  /// The port may be used.
  case noPermission(port: UInt16)
  /// The address is one of this computer's.
  case unknownAddress(found: String)
  /// The system does what it is asked for.
  case failed(call: String, code: Int32, reason: String)
}

extension ServerError: CustomStringConvertible {
  /// One sentence for the user.
  public var description: String {
    switch self {
    case .invalidAddress(let found):
      "\(found) is no numeric address, such as 127.0.0.1, 0.0.0.0 or ::1."
    case .missingToken(let address): "Other computers reach \(address): this needs a token."
    case .unusableToken(let required):
      "A token has \(required) characters at least: letters, digits, and the signs - . _ ~."
    case .portInUse(let port): "Another program listens on port \(port)."
    case .noPermission(let port): "Listening on port \(port) is not permitted."
    case .unknownAddress(let found): "\(found) is no address of this computer."
    case .failed(let call, let code, let reason): "\(call) failed: \(reason) (\(code))."
    }
  }
}

/// Why bytes are not the state of a ``RollTracker``.
public enum TrackerStateError: Error, Hashable, Sendable {
  /// The bytes end within a field.
  case truncated(offset: Int, required: Int, available: Int)
  /// The bytes do not begin with "DTRK".
  case notATrackerState
  /// The version is not one that is known.
  case unsupportedVersion(found: UInt16, supported: UInt16)
  /// The bytes are not those that were written.
  case checksumMismatch(found: UInt64, computed: UInt64)
  /// A field holds what no tracker holds; the offset behind it.
  case fieldOutOfRange(name: String, offset: Int)
  /// The configuration cannot be used.
  case invalidConfiguration(RollTracker.ConfigurationError)
  /// There are bytes behind the state.
  case trailingBytes(count: Int)
}

extension TrackerStateError: CustomStringConvertible {
  /// One sentence that says what was found and what was required.
  public var description: String {
    switch self {
    case .truncated(let offset, let required, let available):
      "The state ends at byte \(offset): \(required) more bytes are required and \(available) are "
        + "there."
    case .notATrackerState: "The bytes do not begin with \"DTRK\", as a tracker's state does."
    case .unsupportedVersion(let found, let supported):
      "The state has version \(found); only version \(supported) is supported."
    case .checksumMismatch(let found, let computed):
      "The state is damaged: its checksum is \(found), and its bytes have \(computed)."
    case .fieldOutOfRange(let name, let offset):
      "The field \(name) before byte \(offset) is out of its range."
    case .invalidConfiguration(let error): "The configuration cannot be used: \(error.description)"
    case .trailingBytes(let count): "\(count) bytes follow behind the state."
    }
  }
}

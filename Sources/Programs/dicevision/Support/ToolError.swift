internal import DiceFiles

/// Why a call, or a part of it, came to nothing.
enum ToolError: Error, Hashable, Sendable {
  /// The command line breaks a rule.
  case usage(UsageError)
  /// Nobody reads standard output any more: nothing is left to do, and nothing to complain about.
  case outputClosed
  /// A file cannot be read or written.
  case file(FileError)
  /// Something else is wrong with a file or another subject: the sentence names the broken rule.
  case failure(subject: String, sentence: String)
  /// The user interrupted, by this signal.
  case interrupted(signal: Int32)

  /// The exit status that says so.
  var exitStatus: CallStatus {
    switch self {
    case .usage: .usage
    case .outputClosed: .success
    case .file, .failure: .failure
    case .interrupted(let signal): CallStatus(rawValue: 128 + signal)
    }
  }
}

extension ToolError: CustomStringConvertible {
  /// One sentence for the user.
  var description: String {
    switch self {
    case .usage(let error): "\(error)"
    case .outputClosed: "Nobody reads the output any more."
    case .file(let error): "\(error)"
    case .failure(let subject, let sentence): "\(printable(subject)): \(sentence)"
    case .interrupted: "Interrupted."
    }
  }
}

/// How a call ended, for the program that made it.
struct CallStatus: RawRepresentable, Hashable, Sendable {
  /// The number that the process leaves behind.
  var rawValue: Int32

  /// Everything was done.
  static let success = CallStatus(rawValue: 0)
  /// Some input could not be read or processed, or a result could not be written.
  static let failure = CallStatus(rawValue: 1)
  /// The command line is wrong; nothing was done.
  static let usage = CallStatus(rawValue: 2)
}

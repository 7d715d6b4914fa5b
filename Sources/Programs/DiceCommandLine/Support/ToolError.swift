package import DiceFiles

/// Why a call, or a part of it, came to nothing.
package enum ToolError: Error, Hashable, Sendable {
  /// The command line breaks a rule.
  case usage(UsageError)
  /// Nobody reads standard output any more: nothing is left to do, and nothing to complain about.
  case outputClosed
  /// A file cannot be read or written.
  case file(FileError)
  /// Something else is wrong with a file or another subject: the sentence names the broken rule.
  case failure(subject: String, sentence: String)
  /// Another program of the tool has what is needed for this.
  case elsewhere(subject: String, program: String)
  /// The user interrupted, by this signal.
  case interrupted(signal: Int32)

  /// The exit status that says so.
  package var exitStatus: CallStatus {
    switch self {
    case .usage: .usage
    case .outputClosed: .success
    case .file, .failure, .elsewhere: .failure
    case .interrupted(let signal): CallStatus(rawValue: 128 + signal)
    }
  }
}

extension ToolError: CustomStringConvertible {
  /// One sentence for the user.
  package var description: String {
    switch self {
    case .usage(let error): "\(error)"
    case .outputClosed: "Nobody reads the output any more."
    case .file(let error): "\(error)"
    case .failure(let subject, let sentence): "\(printable(subject)): \(sentence)"
    case .elsewhere(let subject, let program): "\(printable(subject)): This is in \(program)."
    case .interrupted: "Interrupted."
    }
  }
}

/// How a call ended, for the program that made it.
package struct CallStatus: RawRepresentable, Hashable, Sendable {
  /// The number that the process leaves behind.
  package var rawValue: Int32

  /// The status with a number.
  package init(rawValue: Int32) {
    self.rawValue = rawValue
  }

  /// Everything was done.
  package static let success = CallStatus(rawValue: 0)
  /// Some input could not be read or processed, or a result could not be written.
  package static let failure = CallStatus(rawValue: 1)
  /// The command line is wrong; nothing was done.
  package static let usage = CallStatus(rawValue: 2)
}

package import DiceFiles

/// What the tool gets from the world around it; tests hand in their own.
///
/// The clock and standard input are used by several threads at once where
/// `processorCount` and the command line allow it.
package struct Environment {
  /// Writes results.
  package var writeOutput: ([UInt8]) throws(FileError) -> Void
  /// Writes messages, as well as it can.
  package var writeError: ([UInt8]) -> Void
  /// Whether a person at a terminal reads the messages.
  package var isErrorTerminal: Bool
  /// Whether a person at a terminal reads the results.
  package var isOutputTerminal: Bool
  /// How many columns the terminal has on which messages are read; nil where it does not say.
  package var terminalColumns: () -> Int?
  /// The value of an environment variable; nil where it is not set.
  package var variable: (_ name: String) -> String?
  /// Whether text is coloured, as far as the call says.
  package var colors = ColorChoice.auto
  /// Reads standard input to its end, or the beginning of what is no picture.
  package var readStandardInput: (_ byteLimit: Int) throws(FileError) -> [UInt8]
  /// Opens standard input to be read piece by piece: each call gives the next bytes, nil at the end.
  package var openStandardInput: () throws(FileError) -> () throws(FileError) -> [UInt8]?
  /// Seconds on a clock that only goes forward, from any start.
  package var seconds: () -> Double
  /// From now on interruptions are noted instead of ending the process; the result says by which
  /// signal there has been one.
  package var watchInterruptions: () -> () -> Int32?
  /// How many threads can work at once.
  package var processorCount: Int
  /// Has a sister program carry out a call in place of this process; nil if it is not there.
  package var handOver: (_ program: String, _ arguments: [String]) -> CallStatus?
  /// Has a sister program carry out a call, and waits for its end; nil if it is not there.
  package var runSister: (_ program: String, _ arguments: [String]) -> CallStatus?
  /// What prepares detectors of dice in a test, in place of the library; nil for the library.
  package var finderMaker: Any?
  /// The program that carries out the call.
  package var program = Program(name: Tool.name, commands: [])
}

extension Environment {
  /// Reads standard input to its end, whatever it holds.
  ///
  /// - Throws: `FileError.tooLarge`, and what stands in the way of reading.
  package func readAllStandardInput(_ byteLimit: Int) throws(FileError) -> [UInt8] {
    let next = try openStandardInput()
    var bytes: [UInt8] = []
    while let chunk = try next() {
      bytes += chunk
      guard bytes.count <= byteLimit else {
        throw .tooLarge(path: "standard input", found: bytes.count, limit: byteLimit)
      }
    }
    return bytes
  }

  /// Writes text to standard output.
  ///
  /// - Throws: `ToolError.outputClosed` where nobody reads it any more, `.file` where it cannot be
  ///   written.
  package func print(_ text: String) throws(ToolError) {
    if text.isEmpty { return }
    do throws(FileError) {
      try writeOutput([UInt8](text.utf8))
    } catch {
      if case .closedPipe = error { throw .outputClosed }
      throw .file(error)
    }
  }

  /// Prints a help text.
  package func printHelp(_ text: String) throws(ToolError) {
    try print(HelpText.styled(text, style(on: .output)))
  }

  /// Tells the user of an error, on a line that begins with the tool's name.
  package func report(_ error: ToolError) {
    switch error {
    case .outputClosed, .interrupted: return
    default:
      let name = style(on: .error).error("\(Tool.name):")
      writeError([UInt8]("\(name) \(error)\n".utf8))
    }
  }

  /// A message on a line of its own that begins with the tool's name.
  package func note(_ text: String) {
    let name = style(on: .error).faint("\(Tool.name):")
    writeError([UInt8]("\(name) \(text)\n".utf8))
  }
}

#if canImport(DiceSystem)
  internal import DiceSystem

  /// The process's standard output and standard error, without a buffer in between.
  public enum StandardStream: Int32, Hashable, Sendable {
    /// Standard output: results.
    case output = 1
    /// Standard error: messages.
    case error = 2

    /// Writes every byte before it returns.
    ///
    /// When nobody reads the other end, as after `dicevision … | head`, this throws `.closedPipe`;
    /// the signal that would otherwise end the process is held back for this write alone, and
    /// the process's settings stay as they were.
    ///
    /// - Throws: `FileError.closedPipe`, `.diskFull` and others.
    public func write(_ bytes: [UInt8]) throws(FileError) {
      let code = BrokenPipes.held { FileDescriptor.writeAll(bytes, to: rawValue) }
      if code != 0 { throw .system(code, .write, name) }
    }

    /// Writes text as UTF-8; see `write(_:)`.
    public func write(_ text: String) throws(FileError) {
      try write([UInt8](text.utf8))
    }

    /// Whether a person at a terminal reads the stream, rather than a file or a program.
    public var isTerminal: Bool { isatty(rawValue) == 1 }

    private var name: String { self == .output ? "standard output" : "standard error" }
  }

  extension FileSystem {
    /// Reads standard input to its end.
    ///
    /// - Parameters:
    ///   - byteLimit: the most bytes to return; at least 0.
    ///   - isWanted: whether to read on, as `readFile` asks.
    /// - Throws: `FileError.tooLarge` and others.
    public static func readStandardInput(
      byteLimit: Int, where isWanted: ([UInt8]) -> Bool = { _ in true }
    ) throws(FileError) -> [UInt8] {
      precondition(byteLimit >= 0, "a byte limit is not negative")
      let duplicate = dup(0)
      if duplicate < 0 { throw .system(errno, .open, "standard input") }
      let file = FileDescriptor(adopting: duplicate)
      return try file.readToEnd(
        "standard input", expectedByteCount: 0, byteLimit: min(byteLimit, Int.max - 1),
        where: isWanted)
    }
  }

  /// Turns the signal of a closed pipe into an error number, for one thread and one call.
  enum BrokenPipes {
    /// Runs the body with SIGPIPE blocked on this thread, and takes back one that it caused.
    static func held<Result, Failure: Error>(
      _ body: () throws(Failure) -> Result
    ) throws(Failure) -> Result {
      var pipeSignal = sigset_t()
      unsafe sigemptyset(&pipeSignal)
      unsafe sigaddset(&pipeSignal, SIGPIPE)
      let wasPending = isPending()
      var before = sigset_t()
      guard unsafe pthread_sigmask(SIG_BLOCK, &pipeSignal, &before) == 0 else {
        return try body()
      }
      defer {
        if !wasPending, isPending() {
          var taken: Int32 = 0
          _ = unsafe sigwait(&pipeSignal, &taken)
        }
        _ = unsafe pthread_sigmask(SIG_SETMASK, &before, nil)
      }
      return try body()
    }

    private static func isPending() -> Bool {
      var pending = sigset_t()
      unsafe sigemptyset(&pending)
      return unsafe sigpending(&pending) == 0 && sigismember(&pending, SIGPIPE) == 1
    }
  }

#endif

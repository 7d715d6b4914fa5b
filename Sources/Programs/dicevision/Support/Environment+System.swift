internal import DiceCodecs
internal import DiceFiles
internal import DiceParallel
internal import DiceSystem
internal import Synchronization

extension Environment {
  /// The process's own streams, clock, signals and files.
  static var system: Environment {
    Environment(
      writeOutput: { (bytes) throws(FileError) in try StandardStream.output.write(bytes) },
      writeError: { bytes in try? StandardStream.error.write(bytes) },
      isErrorTerminal: StandardStream.error.isTerminal,
      isOutputTerminal: StandardStream.output.isTerminal,
      terminalColumns: {
        var size = winsize()
        #if canImport(Darwin)
          // TIOCGWINSZ, a macro that Swift does not see.
          let request: UInt = 0x4008_7468
        #else
          let request = UInt(TIOCGWINSZ)
        #endif
        guard unsafe ioctl(2, request, &size) == 0, size.ws_col > 0 else { return nil }
        return Int(size.ws_col)
      },
      variable: { name in
        guard !name.utf8.contains(0), let value = unsafe getenv(name) else { return nil }
        return unsafe String(cString: value)
      },
      readStandardInput: { (byteLimit) throws(FileError) in
        try FileSystem.readStandardInput(
          byteLimit: byteLimit, where: { ImageDecoder.decodes(beginning: $0) })
      },
      openStandardInput: { () throws(FileError) in
        let chunks = ByteChunks(try ByteSource.standardInput())
        return { () throws(FileError) in try chunks.next() }
      },
      seconds: {
        var time = timespec()
        _ = unsafe clock_gettime(CLOCK_MONOTONIC, &time)
        return Double(time.tv_sec) + Double(time.tv_nsec) / 1e9
      },
      watchInterruptions: Interruption.watch,
      processorCount: WorkerPool.processorCount,
      makeFinder: { (options) throws(ToolError) in
        if let finder = try ObjectFinder(options) { return finder }
        return try DetectorFinder(options)
      })
  }

  /// The command line without the executable's name; arguments that are not UTF-8 are kept.
  static var arguments: [String] {
    (1..<max(1, Int(CommandLine.argc))).compactMap { index in
      guard let argument = unsafe CommandLine.unsafeArgv[index] else { return nil }
      return unsafe FileName.text(
        UnsafeRawBufferPointer(start: argument, count: strlen(argument)))
    }
  }

  /// Ends the process.
  static func exit(_ status: CallStatus) -> Never {
    DiceSystem.exit(status.rawValue)
  }
}

/// Notes that the user wants the process to stop.
private enum Interruption {
  /// The signal that came; 0 for none.
  static let signalNumber = Atomic<Int32>(0)

  /// Notes SIGINT and SIGTERM; a second one of the same kind ends the process.
  static func watch() -> () -> Int32? {
    // Made before a handler can meet it.
    signalNumber.store(0, ordering: .relaxed)
    var noted = sigset_t()
    unsafe sigemptyset(&noted)
    for number in [SIGINT, SIGTERM] {
      signal(number) { number in
        Interruption.signalNumber.store(number, ordering: .relaxed)
        _ = signal(number, SIG_DFL)
      }
      unsafe sigaddset(&noted, number)
    }
    // A process that a thread with blocked signals started has them blocked, too.
    _ = unsafe pthread_sigmask(SIG_UNBLOCK, &noted, nil)
    return {
      let number = signalNumber.load(ordering: .relaxed)
      return number == 0 ? nil : number
    }
  }
}

internal import DiceCodecs
internal import DiceFiles
internal import DiceParallel
internal import DiceSystem
internal import Synchronization

extension Environment {
  /// The process's own streams, clock, signals and files.
  package static var system: Environment {
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
      variable: { variable($0) },
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
      handOver: { (program, arguments) in
        guard let path = sister(program) else { return nil }
        replaceProcess(path, arguments)
        return nil
      },
      runSister: { (program, arguments) in
        guard let path = sister(program) else { return nil }
        let words = ([path] + arguments).map {
          "'"
            + $0.split(separator: "'", omittingEmptySubsequences: false).joined(separator: "'\\''")
            + "'"
        }
        let status = unsafe DiceSystem.system(words.joined(separator: " ") + " >/dev/null 2>&1")
        return status == 0 ? .success : .failure
      })
  }

  /// The path of a sister program, which lies beside this one; nil if it is not there.
  private static func sister(_ name: String) -> String? {
    guard let own = ownPath() else { return nil }
    let path = Paths.joined(Paths.parent(of: own), name)
    return FileSystem.kind(of: path) == .file ? path : nil
  }

  /// The path of this program, without links.
  private static func ownPath() -> String? {
    let called = unsafe CommandLine.unsafeArgv[0].map { unsafe String(cString: $0) } ?? ""
    var places = [called]
    if !called.utf8.contains(UInt8(ascii: "/")), let folders = variable("PATH") {
      places = folders.split(separator: ":").map { Paths.joined(String($0), called) }
    }
    for place in ["/proc/self/exe"] + places {
      guard let path = unsafe realpath(place, nil) else { continue }
      defer { unsafe free(path) }
      return unsafe String(cString: path)
    }
    return nil
  }

  /// The value of an environment variable.
  private static func variable(_ name: String) -> String? {
    guard !name.utf8.contains(0), let value = unsafe getenv(name) else { return nil }
    return unsafe String(cString: value)
  }

  /// Has this process carry out another program; returns if that cannot be.
  private static func replaceProcess(_ path: String, _ arguments: [String]) {
    var words = unsafe ([path] + arguments).map { word in
      unsafe (FileName.bytes(of: word) + [0]).withUnsafeBytes { bytes in
        unsafe strdup(bytes.baseAddress!.assumingMemoryBound(to: CChar.self))
      }
    }
    unsafe words.append(nil)
    _ = unsafe execv(path, &words)
  }

  /// The command line without the executable's name; arguments that are not UTF-8 are kept.
  package static var arguments: [String] {
    (1..<max(1, Int(CommandLine.argc))).compactMap { index in
      guard let argument = unsafe CommandLine.unsafeArgv[index] else { return nil }
      return unsafe FileName.text(
        UnsafeRawBufferPointer(start: argument, count: strlen(argument)))
    }
  }

  /// Ends the process.
  package static func exit(_ status: CallStatus) -> Never {
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

internal import DiceCommandLine
internal import DiceFiles
internal import DiceSystem
internal import Synchronization

/// Another program, whose output is read piece by piece.
final class ChildProcess: Sendable {
  /// How long a program may write nothing.
  private static let silenceLimit = Duration.seconds(15)

  private let output: Int32
  private let errors: Int32
  private let process: Mutex<pid_t>
  private let isStopped = Atomic(false)
  private let lastWords = Mutex("")
  private let hasWords = Atomic(true)

  /// Starts a program, which is looked for in the folders of `PATH`.
  ///
  /// - Throws: `ToolError.failure` where it cannot be started.
  init(_ program: String, _ arguments: [String]) throws(ToolError) {
    var ends: [Int32] = [-1, -1, -1, -1]
    let isOpen: Bool = unsafe ends.withUnsafeMutableBufferPointer { ends in
      guard let first = ends.baseAddress else { return false }
      return unsafe (pipe(first) == 0 && pipe(first + 2) == 0)
    }
    guard isOpen else { throw .failure(subject: program, sentence: "There are no more pipes.") }
    for end in ends { _ = fcntl(end, F_SETFD, FD_CLOEXEC) }
    #if canImport(Darwin)
      var actions: posix_spawn_file_actions_t?
    #else
      var actions = unsafe posix_spawn_file_actions_t()
    #endif
    unsafe posix_spawn_file_actions_init(&actions)
    unsafe posix_spawn_file_actions_addopen(&actions, 0, "/dev/null", O_RDONLY, 0)
    unsafe posix_spawn_file_actions_adddup2(&actions, ends[1], 1)
    unsafe posix_spawn_file_actions_adddup2(&actions, ends[3], 2)
    var words = unsafe ([program] + arguments).map { word in unsafe strdup(word) }
    unsafe words.append(nil)
    var number = pid_t()
    let code = unsafe posix_spawnp(&number, program, &actions, nil, words, environ)
    unsafe words.forEach { word in unsafe free(word) }
    unsafe posix_spawn_file_actions_destroy(&actions)
    close(ends[1])
    close(ends[3])
    (output, errors) = (ends[0], ends[2])
    process = Mutex(code == 0 ? number : 0)
    guard code == 0 else {
      let reason = unsafe strerror(code).map { unsafe String(cString: $0) } ?? "unknown error"
      throw .failure(
        subject: program,
        sentence: code == ENOENT
          ? "It is not installed; cameras, streams and most films are read through it."
          : "It cannot be started: \(reason).")
    }
  }

  deinit {
    end()
    close(output)
    close(errors)
  }

  /// The last line that the program wrote as a message; empty where there was none.
  var message: String { lastWords.withLock { $0 } }

  /// The next bytes of the output; nil at its end, after ``stop()``, and where none come for long.
  func read(into buffer: inout [UInt8]) -> Int? {
    var silenceEnd = ContinuousClock.now + Self.silenceLimit
    while !isStopped.load(ordering: .relaxed) {
      var entries = [
        pollfd(fd: output, events: Int16(POLLIN), revents: 0),
        pollfd(
          fd: hasWords.load(ordering: .relaxed) ? errors : -1, events: Int16(POLLIN), revents: 0),
      ]
      _ = unsafe poll(&entries, 2, 200)
      if entries[1].revents != 0, !takeWords() { hasWords.store(false, ordering: .relaxed) }
      if entries[0].revents != 0 {
        let count = unsafe DiceSystem.read(output, &buffer, buffer.count)
        if count > 0 { return count }
        if count < 0, errno == EINTR { continue }
        while takeWords() {}
        reap()
        return nil
      }
      if ContinuousClock.now > silenceEnd {
        lastWords.withLock { $0 = "No picture came for 15 seconds." }
        silenceEnd = .now + Self.silenceLimit
        stop()
      }
    }
    reap()
    return nil
  }

  /// Takes what the program says; false at the end.
  private func takeWords() -> Bool {
    var buffer = [UInt8](repeating: 0, count: 4096)
    let count = unsafe DiceSystem.read(errors, &buffer, buffer.count)
    guard count > 0 else { return false }
    let text = String(decoding: buffer[..<count], as: UTF8.self)
    if let line = text.split(whereSeparator: { $0 == "\n" || $0 == "\r\n" }).last {
      lastWords.withLock { $0 = printable(LiveSource.withoutSecrets(String(line))) }
    }
    return true
  }

  /// Ends the program, and waits until it has ended.
  func end() {
    stop()
    reap()
  }

  /// Tells the program to end.
  func stop() {
    isStopped.store(true, ordering: .relaxed)
    process.withLock { number in
      if number > 0 { _ = kill(number, SIGTERM) }
    }
  }

  /// Waits for the end of the program; one that does not listen is ended by force.
  private func reap() {
    process.withLock { number in
      guard number > 0 else { return }
      var status: Int32 = 0
      for attempt in 0..<200 {
        if unsafe waitpid(number, &status, WNOHANG) != 0 { break }
        if attempt == 100 { _ = kill(number, SIGKILL) }
        usleep(10_000)
      }
      number = 0
    }
  }
}

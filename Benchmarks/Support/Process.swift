package import DiceFiles
internal import DiceSystem

/// This process, and others that it starts.
package enum Process {
  /// The path of this executable.
  package static var executable: String {
    var buffer = [UInt8](repeating: 0, count: 4096)
    let count = unsafe buffer.withUnsafeMutableBytes { (bytes) in
      unsafe readlink(
        "/proc/self/exe", bytes.baseAddress!.assumingMemoryBound(to: CChar.self), bytes.count)
    }
    return count > 0 ? String(decoding: buffer[..<count], as: UTF8.self) : CommandLine.arguments[0]
  }

  /// Runs a program to its end, found on the path where its name has no slash.
  ///
  /// - Returns: What it wrote to its standard output; nil where it cannot be started or fails.
  package static func output(of words: [String]) -> [UInt8]? {
    var ends: [Int32] = [0, 0]
    guard unsafe pipe(&ends) == 0 else { return nil }
    var actions = unsafe posix_spawn_file_actions_t()
    unsafe posix_spawn_file_actions_init(&actions)
    unsafe posix_spawn_file_actions_adddup2(&actions, ends[1], 1)
    unsafe posix_spawn_file_actions_addopen(&actions, 2, "/dev/null", O_WRONLY, 0)
    unsafe posix_spawn_file_actions_addclose(&actions, ends[0])
    unsafe posix_spawn_file_actions_addclose(&actions, ends[1])
    var texts = unsafe [UnsafeMutablePointer<CChar>?](repeating: nil, count: words.count + 1)
    for (index, word) in words.enumerated() { unsafe texts[index] = strdup(word) }
    var identifier: pid_t = 0
    let failure = unsafe posix_spawnp(
      &identifier, words[0], &actions, nil, &texts, environ)
    unsafe posix_spawn_file_actions_destroy(&actions)
    for index in 0..<words.count { unsafe free(texts[index]) }
    close(ends[1])
    defer { close(ends[0]) }
    guard failure == 0 else { return nil }
    var bytes: [UInt8] = []
    var buffer = [UInt8](repeating: 0, count: 1 << 16)
    while true {
      let count = unsafe read(ends[0], &buffer, buffer.count)
      guard count > 0 else { break }
      bytes += buffer[..<count]
    }
    var status: Int32 = 0
    guard unsafe waitpid(identifier, &status, 0) == identifier, status == 0 else { return nil }
    return bytes
  }

  /// The most memory that this process had in use so far, in bytes; nil where the system does not
  /// say.
  package static var peakMemory: Int? { statusSize("VmHWM") }

  /// The memory that this process has in use, in bytes; nil where the system does not say.
  package static var memory: Int? { statusSize("VmRSS") }

  private static func statusSize(_ name: String) -> Int? {
    guard let bytes = try? FileSystem.readFile(at: "/proc/self/status", byteLimit: 1 << 20) else {
      return nil
    }
    for line in String(decoding: bytes, as: UTF8.self).split(separator: "\n") {
      let words = line.split(whereSeparator: { " \t:".contains($0) })
      if words.count == 3, words[0] == name { return Int(words[1]).map { $0 * 1024 } }
    }
    return nil
  }

  /// The processor time of all threads of this process, in milliseconds.
  package static var processorMilliseconds: Double {
    var time = timespec()
    _ = unsafe clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &time)
    return Double(time.tv_sec) * 1e3 + Double(time.tv_nsec) / 1e6
  }

  /// Today, as `2026-01-31`.
  package static var date: String {
    var now = time_t()
    var parts = unsafe tm()
    unsafe time(&now)
    unsafe gmtime_r(&now, &parts)
    func padded(_ value: Int32) -> String { value < 10 ? "0\(value)" : "\(value)" }
    return unsafe "\(parts.tm_year + 1900)-\(padded(parts.tm_mon + 1))-\(padded(parts.tm_mday))"
  }

  /// Ends this process.
  package static func exit(_ status: Int32) -> Never {
    DiceSystem.exit(status)
  }
}

extension StandardStream {
  /// Writes a message to standard error.
  package static func write(_ text: String) {
    try? StandardStream.error.write([UInt8](text.utf8))
  }
}

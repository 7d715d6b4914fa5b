#if canImport(DiceSystem)
  internal import DiceSystem

  extension FileError {
    /// The error for a system error number.
    static func system(
      _ code: Int32, _ operation: FileOperation, _ path: String
    ) -> FileError {
      switch code {
      case ENOENT: .notFound(path: path)
      case EISDIR: .isFolder(path: path)
      case ENOTDIR: .isNotFolder(path: path)
      case EACCES, EPERM: .noPermission(path: path)
      case EROFS: .readOnly(path: path)
      case ENOSPC, EDQUOT: .diskFull(path: path)
      case EPIPE: .closedPipe(path: path)
      default:
        .failed(
          operation: operation, path: path, code: code,
          reason: unsafe strerror(code).map { unsafe String(cString: $0) } ?? "unknown error")
      }
    }

    /// Refuses paths that a C string cannot carry.
    static func check(_ path: String) throws(FileError) {
      if path.isEmpty || path.utf8.contains(0) { throw .unusablePath(path: path) }
    }
  }

  /// An open file, closed when it goes out of scope.
  struct FileDescriptor: ~Copyable {
    /// Its number; -1 when it has been closed.
    private(set) var number: Int32

    /// Opens a file, again when a signal interrupts.
    ///
    /// The descriptor is not handed to child processes.
    init(
      opening path: String, _ flags: Int32, permissions: UInt32 = 0o666
    ) throws(FileError) {
      try FileError.check(path)
      var number: Int32
      repeat {
        number = unsafe open(path.systemPath, flags | O_CLOEXEC, mode_t(permissions))
      } while number < 0 && errno == EINTR
      if number < 0 { throw .system(errno, .open, path) }
      self.number = number
    }

    /// Takes over an open descriptor.
    init(adopting number: Int32) {
      self.number = number
    }

    deinit { if number >= 0 { _ = close(number) } }

    /// Closes and says whether the last bytes could not be stored.
    consuming func closeChecked(_ path: String) throws(FileError) {
      let number = self.number
      self.number = -1
      if close(number) != 0, errno != EINTR { throw .system(errno, .write, path) }
    }

    /// Size and kind.
    borrowing func status(_ path: String) throws(FileError) -> stat {
      var status = stat()
      if unsafe fstat(number, &status) != 0 { throw .system(errno, .examine, path) }
      return status
    }

    /// Reads to the end.
    ///
    /// - Parameters:
    ///   - path: the path for errors.
    ///   - expectedByteCount: how many bytes to make room for at first.
    ///   - byteLimit: the most bytes to return.
    ///   - isWanted: whether to read on behind the first bytes.
    borrowing func readToEnd(
      _ path: String, expectedByteCount: Int, byteLimit: Int,
      where isWanted: ([UInt8]) -> Bool = { _ in true }
    ) throws(FileError) -> [UInt8] {
      var bytes: [UInt8] = []
      // Of a large file the beginning is read by itself, and then once more with the rest, which
      // costs less than to join the two.
      let isLarge = expectedByteCount > 1 << 16
      if isLarge, let beginning = beginning(), !isWanted(beginning) { return beginning }
      var isAsked = isLarge
      // One more byte than expected lets the end show itself without another chunk.
      var chunkCount = max(4096, min(expectedByteCount, byteLimit) &+ 1)
      while true {
        let number = self.number
        var code: Int32 = 0
        let start = bytes.count
        // One byte beyond the limit is asked for, to tell a full file from one that is too large.
        // Some systems refuse calls above 2 GiB.
        let wanted = min(chunkCount, byteLimit - start + 1, 1 << 30)
        let chunk = unsafe [UInt8](unsafeUninitializedCapacity: wanted) { buffer, count in
          var found: Int
          repeat {
            found = unsafe read(number, buffer.baseAddress, wanted)
          } while found < 0 && errno == EINTR
          if found < 0 { code = errno }
          count = max(found, 0)
        }
        if code == EAGAIN {
          FileDescriptor.wait(for: number, events: Int16(POLLIN))
          continue
        }
        if code != 0 { throw .system(code, .read, path) }
        if chunk.isEmpty { return bytes }
        if chunk.count > byteLimit - start {
          throw .tooLarge(path: path, found: start + chunk.count, limit: byteLimit)
        }
        if start == 0 { bytes = chunk } else { bytes.append(contentsOf: chunk) }
        if !isAsked, bytes.count >= FileSystem.beginningByteCount {
          isAsked = true
          if !isWanted(bytes) { return bytes }
        }
        chunkCount = min(max(4096, bytes.count), 1 << 24)
      }
    }

    /// The first bytes of a file, from wherever it stands; nil where they cannot be read.
    private borrowing func beginning() -> [UInt8]? {
      let number = self.number
      let bytes = unsafe [UInt8](
        unsafeUninitializedCapacity: FileSystem.beginningByteCount
      ) { buffer, count in
        count = max(0, unsafe pread(number, buffer.baseAddress, buffer.count, 0))
      }
      return bytes.count == FileSystem.beginningByteCount ? bytes : nil
    }

    /// Writes every byte.
    borrowing func write(_ bytes: [UInt8], _ path: String) throws(FileError) {
      let code = FileDescriptor.writeAll(bytes, to: number)
      if code != 0 { throw .system(code, .write, path) }
    }

    /// Writes every byte, going on after partial writes, signals and a pipe that is full just now.
    ///
    /// - Returns: 0, or the system's error number.
    static func writeAll(_ bytes: [UInt8], to number: Int32) -> Int32 {
      unsafe bytes.withUnsafeBytes { buffer in
        var start = 0
        while start < buffer.count {
          // Some systems refuse calls above 2 GiB.
          let count = min(buffer.count - start, 1 << 30)
          let written = unsafe DiceSystem.write(number, buffer.baseAddress! + start, count)
          if written >= 0 {
            start += written
          } else if errno == EAGAIN {
            wait(for: number, events: Int16(POLLOUT))
          } else if errno != EINTR {
            return errno
          }
        }
        return 0
      }
    }

    /// The system's `read`.
    @unsafe
    static func readOnce(_ number: Int32, _ bytes: UnsafeMutableRawPointer, _ count: Int) -> Int {
      unsafe read(number, bytes, count)
    }

    /// Waits until a descriptor that does not block is ready, for at most a second a time.
    static func wait(for number: Int32, events: Int16) {
      var entry = pollfd(fd: number, events: events, revents: 0)
      _ = unsafe poll(&entry, 1, 1000)
    }
  }

#endif

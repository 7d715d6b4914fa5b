#if canImport(DiceSystem)
  internal import DiceSystem

  /// A file, pipe or device, or standard input, that is read piece by piece and never as a whole.
  ///
  ///     var source = try ByteSource(readingFileAt: path)
  ///     var buffer = [UInt8](repeating: 0, count: ByteSource.standardByteCount)
  ///     while let count = try source.read(into: &buffer) { use(buffer[..<count]) }
  ///
  /// The file is closed when the source goes out of scope.
  public struct ByteSource: ~Copyable {
    /// A good size for the buffer: 256 KiB.
    public static let standardByteCount = 1 << 18

    /// What is read, for messages: the path, or `standard input`.
    public let name: String
    private let file: FileDescriptor

    /// Opens a file, pipe or device; opening a pipe waits for its writer.
    ///
    /// - Throws: `FileError`: `.notFound`, `.isFolder`, `.noPermission` and others.
    public init(readingFileAt path: String) throws(FileError) {
      let file = try FileDescriptor(opening: path, O_RDONLY)
      if FileSystem.kind(try file.status(path)) == .folder { throw .isFolder(path: path) }
      self.init(adopting: file, name: path)
    }

    /// Takes over an open descriptor.
    init(adopting file: consuming FileDescriptor, name: String) {
      self.file = file
      self.name = name
    }

    /// Standard input, from where it stands; it stays open when the source goes out of scope.
    ///
    /// - Throws: `FileError.failed` where there is no standard input.
    public static func standardInput() throws(FileError) -> ByteSource {
      let duplicate = fcntl(0, F_DUPFD_CLOEXEC, 0)
      if duplicate < 0 { throw .system(errno, .open, "standard input") }
      return ByteSource(adopting: FileDescriptor(adopting: duplicate), name: "standard input")
    }

    /// Reads the next bytes into the beginning of a buffer, whose size stays as it is.
    ///
    /// Waits until there are some. A pipe or terminal often gives fewer than asked for.
    ///
    /// - Parameter buffer: Takes the bytes; those behind them are unspecified. A slice of it that is
    ///   still held keeps its bytes, at the price of a copy.
    /// - Returns: how many bytes were read, at least 1; nil at the end.
    /// - Throws: `FileError.failed` and others.
    /// - Precondition: the buffer is not empty.
    public mutating func read(into buffer: inout [UInt8]) throws(FileError) -> Int? {
      precondition(!buffer.isEmpty, "a buffer has at least one byte")
      let number = file.number
      while true {
        var code: Int32 = 0
        // Some systems refuse calls above 2 GiB.
        let found = unsafe buffer.withUnsafeMutableBytes { bytes in
          let found = unsafe FileDescriptor.readOnce(
            number, bytes.baseAddress!, min(bytes.count, 1 << 30))
          if found < 0 { code = errno }
          return found
        }
        if found > 0 { return found }
        if found == 0 { return nil }
        switch code {
        case EINTR: continue
        case EAGAIN: FileDescriptor.wait(for: number, events: Int16(POLLIN))
        default: throw .system(code, .read, name)
        }
      }
    }
  }

#endif

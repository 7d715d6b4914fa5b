#if canImport(DiceSystem)
  internal import DiceSystem

  /// Files and folders of the computer, through the system's own calls.
  ///
  /// Every function takes the path of the file as text, relative to the working folder or absolute,
  /// and follows symbolic links unless it says otherwise. Names that are not UTF-8 have texts, too
  /// (`FileName`). An empty path and a path with a NUL are refused (`FileError.unusablePath`).
  public enum FileSystem {
    /// What stands at a path.
    public enum Kind: Hashable, Sendable {
      /// An ordinary file.
      case file
      /// A folder.
      case folder
      /// A pipe, a device or a socket.
      case other
    }

    /// What stands at the path, links followed; nil where nothing does or it cannot be told.
    public static func kind(of path: String) -> Kind? {
      if path.isEmpty || path.utf8.contains(0) { return nil }
      var status = stat()
      if unsafe stat(path.systemPath, &status) != 0 { return nil }
      return kind(status)
    }

    /// Whether anything stands at the path, links followed.
    public static func exists(at path: String) -> Bool {
      kind(of: path) != nil
    }

    /// Whether a folder, or a link to one, stands at the path.
    public static func isFolder(at path: String) -> Bool {
      kind(of: path) == .folder
    }

    /// How many bytes of a file are looked at before the rest is read: 1024.
    public static let beginningByteCount = 1024

    /// Reads a whole file, pipe or device.
    ///
    /// A file that is larger than allowed is refused before it is read. A pipe is read until it
    /// ends, and opening one waits for its writer.
    ///
    /// - Parameters:
    ///   - path: the file.
    ///   - byteLimit: the most bytes to return; at least 0.
    ///   - isWanted: whether to read on, told from the first `beginningByteCount` bytes or a few more;
    ///     not asked about a pipe or device that has fewer. A device may have no end.
    /// - Returns: the bytes; an empty array for an empty file; the first ones of a file that is not
    ///   wanted.
    /// - Throws: `FileError`: `.notFound`, `.isFolder`, `.noPermission`, `.tooLarge` and others.
    /// - Precondition: `byteLimit >= 0`.
    /// - Complexity: O(n) time and memory in the file's size.
    public static func readFile(
      at path: String, byteLimit: Int, where isWanted: ([UInt8]) -> Bool = { _ in true }
    ) throws(FileError) -> [UInt8] {
      precondition(byteLimit >= 0, "a byte limit is not negative")
      let file = try FileDescriptor(opening: path, O_RDONLY)
      let status = try file.status(path)
      if kind(status) == .folder { throw .isFolder(path: path) }
      let size = kind(status) == .file ? Int(status.st_size) : 0
      if size > byteLimit { throw .tooLarge(path: path, found: size, limit: byteLimit) }
      return try file.readToEnd(
        path, expectedByteCount: size, byteLimit: min(byteLimit, Int.max - 1), where: isWanted)
    }

    /// Writes a file so that a reader sees the old content or the new one, and never a part.
    ///
    /// The bytes go to a new file beside the target, are made durable and then take the target's
    /// name. When anything fails the new file is removed and the target stays as it was. The
    /// permissions of a file that is replaced are kept. A link is followed and stays a link. A
    /// device or pipe, such as `/dev/stdout`, is written to directly.
    ///
    /// - Parameters:
    ///   - bytes: the whole content.
    ///   - path: the file; its folder must exist.
    /// - Throws: `FileError`: `.notFound` (the folder), `.isFolder`, `.noPermission`, `.readOnly`,
    ///   `.diskFull`, `.closedPipe` and others, with the target's path.
    public static func writeFile(_ bytes: [UInt8], to path: String) throws(FileError) {
      try FileError.check(path)
      var permissions: UInt32?
      var status = stat()
      if unsafe stat(path.systemPath, &status) == 0 {
        switch kind(status) {
        case .folder: throw .isFolder(path: path)
        case .other:
          let file = try FileDescriptor(opening: path, O_WRONLY)
          try BrokenPipes.held { () throws(FileError) in try file.write(bytes, path) }
          return
        case .file: permissions = UInt32(status.st_mode) & 0o7777
        }
      } else if path.utf8.last == Paths.slash {
        throw .notFound(path: path)
      }
      let target = linkTarget(of: path)
      do {
        try replaceFile(bytes, at: target, permissions: permissions)
      } catch {
        throw error.naming(path)
      }
    }

    /// Adds bytes at the end of a file, which is created where it does not exist.
    ///
    /// Lines added by several processes at once are not torn apart as long as each is small and the
    /// file system is local. The bytes are handed to the system, and not waited for until the disk
    /// has them.
    ///
    /// - Throws: `FileError`, as `writeFile(_:to:)`.
    public static func append(_ bytes: [UInt8], toFileAt path: String) throws(FileError) {
      let file = try FileDescriptor(opening: path, O_WRONLY | O_APPEND | O_CREAT)
      try BrokenPipes.held { () throws(FileError) in try file.write(bytes, path) }
      try file.closeChecked(path)
    }

    /// Removes a file; a link is removed itself, not what it leads to.
    ///
    /// - Throws: `FileError.notFound`, `.isFolder`, `.noPermission` and others.
    public static func removeFile(at path: String) throws(FileError) {
      try FileError.check(path)
      if unsafe unlink(path.systemPath) != 0 {
        let code = errno
        // Linux answers EISDIR, other systems EPERM.
        if code == EPERM, isFolder(at: path) { throw .isFolder(path: path) }
        throw .system(code, .remove, path)
      }
    }

    // MARK: - Parts

    static func kind(_ status: stat) -> Kind {
      switch status.st_mode & S_IFMT {
      case S_IFREG: .file
      case S_IFDIR: .folder
      default: .other
      }
    }

    /// Where a chain of links ends; the path itself where it is no link or leads nowhere.
    private static func linkTarget(of path: String) -> String {
      guard let resolved = unsafe realpath(path.systemPath, nil) else { return path }
      defer { unsafe free(resolved) }
      var bytes: [UInt8] = []
      var place = unsafe resolved
      while unsafe place.pointee != 0 {
        bytes.append(UInt8(truncatingIfNeeded: unsafe place.pointee))
        unsafe place += 1
      }
      return FileName.text(bytes)
    }

    private static func replaceFile(
      _ bytes: [UInt8], at target: String, permissions: UInt32?
    ) throws(FileError) {
      let folder = Paths.parent(of: target)
      let temporary = try createTemporaryFile(in: folder, bytes, permissions: permissions)
      if unsafe rename(temporary.systemPath, target.systemPath) != 0 {
        let code = errno
        _ = unsafe unlink(temporary.systemPath)
        throw .system(code, .rename, target)
      }
      // The new name lasts once its folder is stored; not every file system can be asked for it.
      if let entry = try? FileDescriptor(opening: folder, O_RDONLY) { _ = fsync(entry.number) }
    }

    /// Writes a new file under a name nobody else has; leaves nothing behind when it fails.
    private static func createTemporaryFile(
      in folder: String, _ bytes: [UInt8], permissions: UInt32?
    ) throws(FileError) -> String {
      var attemptsLeft = 16
      while true {
        let name = ".\(String(UInt64.random(in: 0...UInt64.max), radix: 36)).temporary"
        let path = Paths.joined(folder, name)
        let file: FileDescriptor
        do {
          file = try FileDescriptor(opening: path, O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW)
        } catch {
          attemptsLeft -= 1
          if case .failed(_, _, EEXIST, _) = error, attemptsLeft > 0 { continue }
          throw error
        }
        do throws(FileError) {
          // Best effort: a file system without permissions refuses, and the content matters more.
          if let permissions { _ = fchmod(file.number, mode_t(permissions)) }
          try file.write(bytes, path)
          if fsync(file.number) != 0, errno != EINVAL, errno != ENOTSUP {
            throw FileError.system(errno, .write, path)
          }
          try file.closeChecked(path)
        } catch {
          _ = unsafe unlink(path.systemPath)
          throw error
        }
        return path
      }
    }
  }

  extension FileError {
    /// The same error about another path: the user knows the target, not the temporary file.
    fileprivate func naming(_ path: String) -> FileError {
      switch self {
      case .unusablePath: .unusablePath(path: path)
      case .notAFileURL: .notAFileURL(url: path)
      case .notFound: .notFound(path: path)
      case .isFolder: .isFolder(path: path)
      case .isNotFolder: .isNotFolder(path: path)
      case .noPermission: .noPermission(path: path)
      case .readOnly: .readOnly(path: path)
      case .diskFull: .diskFull(path: path)
      case .tooLarge(_, let found, let limit): .tooLarge(path: path, found: found, limit: limit)
      case .tooManyEntries(_, let limit): .tooManyEntries(path: path, limit: limit)
      case .closedPipe: .closedPipe(path: path)
      case .failed(let operation, _, let code, let reason):
        .failed(operation: operation, path: path, code: code, reason: reason)
      }
    }
  }

#endif

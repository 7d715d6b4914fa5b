#if canImport(DiceSystem)
  internal import DiceSystem

  extension FileSystem {
    /// Makes a folder, and the folders on the way to it; nothing happens where it exists.
    ///
    /// - Throws: `FileError.isNotFolder` where a file is in the way, `.noPermission`, `.readOnly`
    ///   and others.
    public static func createFolder(at path: String) throws(FileError) {
      try FileError.check(path)
      // From the longest part that exists downwards.
      var missing: [String] = []
      var part = path
      while kind(of: part) == nil {
        missing.append(part)
        let parent = Paths.parent(of: part)
        if parent == part || parent == "." { break }
        part = parent
      }
      if let found = kind(of: part), found != .folder { throw .isNotFolder(path: part) }
      for folder in missing.reversed() where unsafe mkdir(folder.systemPath, 0o777) != 0 {
        let code = errno
        // Another process may have made it meanwhile; `a/..` exists as soon as `a` does.
        if code == EEXIST, isFolder(at: folder) { continue }
        if code == EEXIST { throw .isNotFolder(path: folder) }
        throw .system(code, .createFolder, folder)
      }
    }

    /// The files of a folder, and of the folders in it as deep as asked.
    ///
    /// Ordinary files and links to such files are listed; pipes, devices and links that lead
    /// nowhere are not. Links to folders are not followed, so that no loop arises; `folder` itself
    /// may be one. A name that is not UTF-8 comes back as `FileName` says, and can be opened.
    ///
    /// - Parameters:
    ///   - folder: the folder.
    ///   - extensions: which file extensions to list, without dots, letter case aside (A to Z);
    ///     nil for all files.
    ///   - depth: how many folders deep to go; 0 lists the folder's own files.
    ///   - includesHidden: whether names that begin with a dot count, folders included.
    ///   - entryLimit: the most entries to look at, folders and unlisted files included.
    /// - Returns: paths that begin with `folder`, in ascending order of their UTF-8 bytes.
    /// - Throws: `FileError.notFound`, `.isNotFolder`, `.noPermission` (also of a folder inside),
    ///   `.tooManyEntries` and others.
    /// - Complexity: O(n log n) for n entries.
    public static func files(
      in folder: String, withExtensions extensions: [String]? = nil, depth: Int = 0,
      includesHidden: Bool = false, entryLimit: Int = 1_000_000
    ) throws(FileError) -> [String] {
      try FileError.check(folder)
      var result: [[UInt8]] = []
      var pending: [(path: String, depth: Int)] = [(folder, depth)]
      var entriesLeft = entryLimit
      while let (current, depthLeft) = pending.popLast() {
        for entry in try entries(of: current, includesHidden: includesHidden, limit: entriesLeft) {
          entriesLeft -= 1
          if entriesLeft < 0 { throw .tooManyEntries(path: folder, limit: entryLimit) }
          switch entry.kind {
          case .folder:
            if depthLeft > 0, !entry.isLink { pending.append((entry.path, depthLeft - 1)) }
          case .file:
            let path = entry.path
            if extensions?.contains(where: { Paths.hasExtension($0, path: path) }) ?? true {
              result.append([UInt8](path.utf8))
            }
          case .other, nil:
            break
          }
        }
      }
      result.sort { $0.lexicographicallyPrecedes($1) }
      return result.map { String(decoding: $0, as: UTF8.self) }
    }

    /// The folders directly in a folder, links to folders included, sorted as `files(in:)` does.
    ///
    /// - Throws: `FileError`, as `files(in:)`.
    public static func folders(
      in folder: String, includesHidden: Bool = false, entryLimit: Int = 1_000_000
    ) throws(FileError) -> [String] {
      try FileError.check(folder)
      let found = try entries(of: folder, includesHidden: includesHidden, limit: entryLimit)
      if found.count > entryLimit { throw .tooManyEntries(path: folder, limit: entryLimit) }
      var paths: [[UInt8]] = []
      for entry in found where entry.kind == .folder { paths.append([UInt8](entry.path.utf8)) }
      paths.sort { $0.lexicographicallyPrecedes($1) }
      return paths.map { String(decoding: $0, as: UTF8.self) }
    }

    private struct Entry {
      var path: String
      var kind: Kind?
      var isLink: Bool
    }

    /// The entries of one folder but `.` and `..`; stops at one more than the limit.
    private static func entries(
      of folder: String, includesHidden: Bool, limit: Int
    ) throws(FileError) -> [Entry] {
      guard let stream = unsafe opendir(folder.systemPath) else {
        throw .system(errno, .list, folder)
      }
      defer { _ = unsafe closedir(stream) }
      var result: [Entry] = []
      while result.count <= limit {
        errno = 0
        guard let record = unsafe readdir(stream) else {
          if errno != 0 { throw .system(errno, .list, folder) }
          break
        }
        let name = unsafe withUnsafeBytes(of: &record.pointee.d_name) { bytes in
          unsafe FileName.text(bytes.prefix { $0 != 0 })
        }
        if name == "." || name == ".." { continue }
        if !includesHidden, name.utf8.first == UInt8(ascii: ".") { continue }
        let path = Paths.joined(folder, name)
        var status = stat()
        let isLink =
          unsafe lstat(path.systemPath, &status) == 0 && status.st_mode & S_IFMT == S_IFLNK
        result.append(
          Entry(path: path, kind: isLink ? kind(of: path) : kind(status), isLink: isLink))
      }
      return result
    }
  }

#endif

#if canImport(Glibc)
  internal import Glibc
#elseif canImport(Musl)
  internal import Musl
#elseif canImport(Darwin)
  internal import Darwin
#endif

/// What tells a file or folder from all others, whatever name leads to it: links of both kinds, and
/// every spelling of a path, give the same.
package struct FileIdentity: Hashable, Sendable {
  private let device: UInt64
  private let number: UInt64

  /// The numbers of a device and of a file on it.
  init(device: UInt64, number: UInt64) {
    self.device = device
    self.number = number
  }
}

#if canImport(Glibc) || canImport(Musl) || canImport(Darwin)

  extension FileSystem {
    /// The file or folder at a path, links followed; nil where nothing stands there.
    package static func identity(of path: String) -> FileIdentity? {
      if path.isEmpty || path.utf8.contains(0) { return nil }
      var status = stat()
      if unsafe stat(path.systemPath, &status) != 0 { return nil }
      return FileIdentity(
        device: UInt64(truncatingIfNeeded: status.st_dev),
        number: UInt64(truncatingIfNeeded: status.st_ino))
    }

    /// Whether an ordinary file without a byte stands at a path.
    package static func isEmptyFile(at path: String) -> Bool {
      guard kind(of: path) == .file else { return false }
      var status = stat()
      return unsafe stat(path.systemPath, &status) == 0 && status.st_size == 0
    }

    /// The first bytes of a file; fewer where it is shorter, none where it cannot be read.
    ///
    /// Only ordinary files are opened: a pipe would wait, and lose what is read.
    package static func beginning(of path: String, byteCount: Int = 1024) -> [UInt8] {
      guard kind(of: path) == .file, var source = try? ByteSource(readingFileAt: path) else {
        return []
      }
      var buffer = [UInt8](repeating: 0, count: byteCount)
      guard let count = try? source.read(into: &buffer) else { return [] }
      return Array(buffer.prefix(count))
    }
  }

#endif

package import DiceFiles

/// A file, a pipe or standard input, piece by piece.
package final class ByteChunks {
  private var source: ByteSource
  private var buffer = [UInt8](repeating: 0, count: ByteSource.standardByteCount)

  /// Takes over an open source.
  package init(_ source: consuming ByteSource) { self.source = source }

  /// The next bytes, at least one; nil at the end.
  package func next() throws(FileError) -> [UInt8]? {
    guard let count = try source.read(into: &buffer) else { return nil }
    return Array(buffer[..<count])
  }
}

/// Decompression of DEFLATE data (RFC 1951) and zlib streams (RFC 1950).
///
/// Any bytes are accepted: the result is the output or an `InflateError`. Time and memory grow with
/// the input and the output, and the output stops at the limit that the caller sets.
package enum Inflate {
  /// Decompresses a whole zlib stream and verifies its Adler-32 checksum.
  ///
  /// - Parameters:
  ///   - bytes: the stream, with nothing behind it.
  ///   - outputLimit: the most bytes of output, at least 0.
  /// - Throws: `InflateError`; `trailingBytes` where bytes follow the checksum.
  /// - Complexity: O(n) in the bytes of input and output.
  package static func zlib(
    _ bytes: [UInt8], outputLimit: Int
  ) throws(InflateError) -> [UInt8] {
    precondition(outputLimit >= 0, "the output limit is not negative")
    return try unsafe withBuffer(bytes) { (input) throws(InflateError) -> [UInt8] in
      unsafe try ZlibStream.checkHeader(input)
      var stream = InflateStream(offset: ZlibStream.headerByteCount)
      let output = try unsafe wholeOutput(of: &stream, input, limit: outputLimit)
      let end = stream.offset
      let stored = try unsafe ZlibStream.storedChecksum(input, at: end)
      let computed = Adler32.checksum(output)
      if stored != computed { throw .checksumMismatch(stored: stored, computed: computed) }
      let trailing = input.count - end - ZlibStream.checksumByteCount
      if trailing > 0 { throw .trailingBytes(count: trailing) }
      return output
    }
  }

  /// Decompresses whole DEFLATE data without a header or a checksum.
  ///
  /// - Parameters:
  ///   - bytes: the data, with nothing behind it.
  ///   - outputLimit: the most bytes of output, at least 0.
  /// - Throws: `InflateError`; `trailingBytes` where whole bytes follow the last block.
  /// - Complexity: O(n) in the bytes of input and output.
  package static func raw(
    _ bytes: [UInt8], outputLimit: Int
  ) throws(InflateError) -> [UInt8] {
    precondition(outputLimit >= 0, "the output limit is not negative")
    return try unsafe withBuffer(bytes) { (input) throws(InflateError) -> [UInt8] in
      var stream = InflateStream()
      let output = try unsafe wholeOutput(of: &stream, input, limit: outputLimit)
      if stream.offset < input.count { throw .trailingBytes(count: input.count - stream.offset) }
      return output
    }
  }

  private static func withBuffer(
    _ bytes: [UInt8],
    _ body: (UnsafeBufferPointer<UInt8>) throws(InflateError) -> [UInt8]
  ) throws(InflateError) -> [UInt8] {
    try unsafe bytes.withUnsafeBufferPointer { (input) throws(InflateError) -> [UInt8] in
      try unsafe body(input)
    }
  }

  /// Reads a stream to its end, in memory that doubles as the output grows.
  private static func wholeOutput(
    of stream: inout InflateStream, _ input: UnsafeBufferPointer<UInt8>, limit: Int
  ) throws(InflateError) -> [UInt8] {
    let estimate = input.count.multipliedReportingOverflow(by: 4)
    let firstSize = estimate.overflow ? limit : max(estimate.partialValue, 4096)
    var output = [UInt8](repeating: 0, count: min(limit, firstSize))
    var position = 0
    while true {
      position = try unsafe output.withUnsafeMutableBufferPointer {
        (buffer) throws(InflateError) -> Int in
        try unsafe stream.read(input, into: buffer, at: position)
      }
      if stream.isFinished { break }
      // Not finished, so the output is full.
      if output.count == limit { throw .outputLimitExceeded(limit: limit) }
      let growth = min(limit - output.count, output.count)
      output.append(contentsOf: repeatElement(0, count: growth))
    }
    output.removeLast(output.count - position)
    return output
  }
}

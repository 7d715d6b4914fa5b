extension RawFrame {
  /// Writes the frame's luminance, rows as stored, a byte for each pixel without padding.
  ///
  /// Luminance is luma where the frame has it, spread over 0...255 where it uses video range, gray as it
  /// is, and `(77 R + 150 G + 29 B + 128) / 256` rounded down otherwise: that of BT.601 to within 1.
  ///
  /// - Parameters:
  ///   - plane: Takes `[rows, columns]` samples; it must have at least as many.
  ///   - columns: The stored columns to take; in the frame, and not empty.
  ///   - rows: The stored rows to take; in the frame, and not empty.
  /// - Complexity: O(pixels taken).
  package func copyLuminance(
    into plane: inout [UInt8], columns: Range<Int>, rows: Range<Int>
  ) {
    precondition(
      !columns.isEmpty && columns.lowerBound >= 0 && columns.upperBound <= width,
      "the columns lie in the frame")
    precondition(
      !rows.isEmpty && rows.lowerBound >= 0 && rows.upperBound <= height,
      "the rows lie in the frame")
    precondition(
      plane.count >= columns.count * rows.count, "the plane has room for all samples")
    let base = unsafe pixels.base
    let bytesPerRow = unsafe pixels.bytesPerRow
    let format = format
    unsafe plane.withUnsafeMutableBufferPointer { (plane) in
      var target = plane.baseAddress!
      for row in rows {
        let line = unsafe base + row &* bytesPerRow
        switch format {
        case .packed(.gray), .luma(.full):
          unsafe Self.copy(line + columns.lowerBound, to: target, count: columns.count)
        case .packed(.rgb):
          unsafe Self.mix(
            line + columns.lowerBound &* 3, to: target, count: columns.count, step: 3,
            weights: (77, 29))
        case .packed(.rgba):
          unsafe Self.mix(
            line + columns.lowerBound &* 4, to: target, count: columns.count, step: 4,
            weights: (77, 29))
        case .packed(.bgra):
          unsafe Self.mix(
            line + columns.lowerBound &* 4, to: target, count: columns.count, step: 4,
            weights: (29, 77))
        case .luma(.video):
          unsafe Self.spread(line + columns.lowerBound, to: target, count: columns.count)
        case .yCbCr420(let encoding), .yCbCr422(let encoding), .yCbCr444(let encoding):
          if encoding.range == .full {
            unsafe Self.copy(line + columns.lowerBound, to: target, count: columns.count)
          } else {
            unsafe Self.spread(line + columns.lowerBound, to: target, count: columns.count)
          }
        }
        unsafe target += columns.count
      }
    }
  }

  @unsafe
  private static func copy(
    _ source: UnsafeRawPointer, to target: UnsafeMutablePointer<UInt8>, count: Int
  ) {
    unsafe UnsafeMutableRawPointer(target).copyMemory(from: source, byteCount: count)
  }

  /// `(luma − 16) 255 / 219`, rounded to nearest and clamped.
  @unsafe
  private static func spread(
    _ source: UnsafeRawPointer, to target: UnsafeMutablePointer<UInt8>, count: Int
  ) {
    for index in 0..<count {
      let luma = unsafe Int32(source.load(fromByteOffset: index, as: UInt8.self))
      let value = ((luma &- 16) &* 76_309 &+ 32_768) >> 16
      unsafe target[index] = UInt8(truncatingIfNeeded: min(max(value, 0), 255))
    }
  }

  /// The mean of three samples with weights; the middle one has 150 of 256.
  @unsafe @inline(__always)
  private static func mix(
    _ source: UnsafeRawPointer, to target: UnsafeMutablePointer<UInt8>, count: Int, step: Int,
    weights: (first: UInt16, last: UInt16)
  ) {
    for index in 0..<count {
      let place = index &* step
      let first = unsafe UInt16(source.load(fromByteOffset: place, as: UInt8.self))
      let middle = unsafe UInt16(source.load(fromByteOffset: place &+ 1, as: UInt8.self))
      let last = unsafe UInt16(source.load(fromByteOffset: place &+ 2, as: UInt8.self))
      let sum = first &* weights.first &+ middle &* 150 &+ last &* weights.last &+ 128
      unsafe target[index] = UInt8(truncatingIfNeeded: sum >> 8)
    }
  }
}

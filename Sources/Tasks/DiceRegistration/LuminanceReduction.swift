/// Makes a small luminance plane of a large one, by the means of boxes.
package enum LuminanceReduction {
  /// The longest side of a plane.
  package static let maximumSide = 16_384

  /// The means of a plane's boxes, `columns` by `rows`, row by row.
  ///
  /// Box `c` covers the pixels from `c · width / columns` (rounded down) up to the next box's first,
  /// and likewise downwards. Of its rows at most four count, evenly spread: enough for registration,
  /// and a quarter of the work. Means are rounded down.
  ///
  /// - Throws: ``ImageRegistrationError`` where a side is not in its range, the stride is too short or
  ///   the bytes are too few.
  package static func reduced(
    _ luminance: [UInt8], width: Int, height: Int, rowStride: Int, columns: Int, rows: Int
  ) throws(ImageRegistrationError) -> [UInt8] {
    guard (1...512).contains(columns), (1...512).contains(rows) else {
      throw .planeSizeOutOfRange(width: columns, height: rows)
    }
    var result = [UInt8](repeating: 0, count: columns * rows)
    try reduce(
      luminance, width: width, height: height, rowStride: rowStride, into: &result,
      columns: columns, rows: rows)
    return result
  }

  static func reduce(
    _ luminance: [UInt8], width: Int, height: Int, rowStride: Int, into result: inout [UInt8],
    columns: Int, rows: Int
  ) throws(ImageRegistrationError) {
    guard (columns...maximumSide).contains(width), (rows...maximumSide).contains(height) else {
      throw .frameSizeOutOfRange(
        width: width, height: height, minimumWidth: columns, minimumHeight: rows)
    }
    guard rowStride >= width else { throw .rowStrideTooShort(found: rowStride, required: width) }
    let (before, overflow) = rowStride.multipliedReportingOverflow(by: height - 1)
    let (required, overflowToo) = before.addingReportingOverflow(width)
    guard !overflow, !overflowToo, luminance.count >= required else {
      throw .frameByteCount(found: luminance.count, required: overflow ? .max : required)
    }
    let bytes = luminance.span
    for row in 0..<rows {
      let top = row * height / rows
      let boxHeight = (row + 1) * height / rows - top
      let count = min(boxHeight, 4)
      var left = 0
      for column in 0..<columns {
        let right = (column + 1) * width / columns
        var sum: UInt32 = 0
        for line in 0..<count {
          // The middles of `count` equal parts.
          let start = (top + (2 * line + 1) * boxHeight / (2 * count)) * rowStride
          for index in start + left..<start + right { sum &+= UInt32(bytes[index]) }
        }
        result[row * columns + column] = UInt8(
          truncatingIfNeeded: sum / UInt32(count * (right - left)))
        left = right
      }
    }
  }
}

/// Why planes cannot be reduced or registered.
public enum ImageRegistrationError: Error, Hashable, Sendable {
  /// A side of the reduced plane is not a power of two in 16...512 (1...512 for a reduction alone).
  case planeSizeOutOfRange(width: Int, height: Int)
  /// The reduced plane has not one byte for each sample.
  case planeByteCount(found: Int, required: Int)
  /// A scale is not positive, or beyond 100,000 pixels a sample.
  case scaleOutOfRange(pixelsPerColumn: Double, pixelsPerRow: Double)
  /// A side of the frame is shorter than the reduced plane's or beyond 16,384.
  case frameSizeOutOfRange(width: Int, height: Int, minimumWidth: Int, minimumHeight: Int)
  /// Rows overlap.
  case rowStrideTooShort(found: Int, required: Int)
  /// The frame ends before its last row does.
  case frameByteCount(found: Int, required: Int)
}

extension ImageRegistrationError: CustomStringConvertible {
  /// One sentence that says what was found and what was required.
  public var description: String {
    switch self {
    case .planeSizeOutOfRange(let width, let height):
      "The reduced plane is \(width) by \(height); its sides must be from 1 to 512, and for a "
        + "registration powers of two from 16 on."
    case .planeByteCount(let found, let required):
      "The reduced plane has \(found) bytes; \(required) are required."
    case .scaleOutOfRange(let pixelsPerColumn, let pixelsPerRow):
      "A sample stands for \(pixelsPerColumn) by \(pixelsPerRow) pixels; both must be above 0 and at "
        + "most 100000."
    case .frameSizeOutOfRange(let width, let height, let minimumWidth, let minimumHeight):
      "The frame is \(width) by \(height) pixels; it must be at least \(minimumWidth) by "
        + "\(minimumHeight), and neither side longer than \(LuminanceReduction.maximumSide)."
    case .rowStrideTooShort(let found, let required):
      "The row stride is \(found) bytes; a row has \(required)."
    case .frameByteCount(let found, let required):
      "The frame has \(found) bytes; \(required) are required."
    }
  }
}

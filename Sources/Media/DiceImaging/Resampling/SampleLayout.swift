/// Where the samples of a `[height, width, 3]` picture lie in a buffer.
///
/// Row `y`, column `x`, channel `c` (0 red, 1 green, 2 blue) lies at element
/// `offset + y * rowStride + x * pixelStride + c * channelStride`. Strides are counted in elements,
/// not in bytes; elements in between are left alone.
package struct SampleLayout: Hashable, Sendable {
  /// The element of row 0, column 0, red.
  package var offset: Int
  /// Elements from a row to the next.
  package var rowStride: Int
  /// Elements from a pixel to its right neighbour.
  package var pixelStride: Int
  /// Elements from a channel to the next.
  package var channelStride: Int

  /// A layout with the given strides, in elements.
  package init(offset: Int = 0, rowStride: Int, pixelStride: Int = 3, channelStride: Int = 1) {
    self.offset = offset
    self.rowStride = rowStride
    self.pixelStride = pixelStride
    self.channelStride = channelStride
  }

  /// Red, green, blue of a pixel side by side, rows without padding: `[height, width, 3]`.
  package static func interleaved(width: Int) -> SampleLayout { SampleLayout(rowStride: width * 3) }

  /// The number of elements up to the last one of a picture; nil where a stride or the offset is
  /// negative or the number is too large.
  ///
  /// - Precondition: `width` and `height` are positive.
  package func elementCount(width: Int, height: Int) -> Int? {
    guard offset >= 0, rowStride >= 0, pixelStride >= 0, channelStride >= 0 else { return nil }
    var last = offset
    var overflows = false
    func add(_ count: Int, _ stride: Int) {
      let step = count.multipliedReportingOverflow(by: stride)
      let sum = last.addingReportingOverflow(step.partialValue)
      overflows = overflows || step.overflow || sum.overflow
      last = sum.partialValue
    }
    add(height - 1, rowStride)
    add(width - 1, pixelStride)
    add(2, channelStride)
    return overflows || last == Int.max ? nil : last + 1
  }
}

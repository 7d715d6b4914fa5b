package import DiceKernelTemplates
internal import DiceKernels

/// Rows and columns of zeros around a map, as many on opposite sides.
struct Border: Hashable {
  var rows = 0
  var columns = 0

  /// Widens the border to what another one has.
  mutating func widen(to other: Border) {
    rows = max(rows, other.rows)
    columns = max(columns, other.columns)
  }
}

/// The activations of one layer for all samples of a batch, or their gradients.
///
/// Layout `[sample, height + 2 * border.rows, width + 2 * border.columns, pixelStep]`; the border
/// stays zero, so that kernels read over the edge. Channels from `channelCount` to `pixelStep` stay
/// zero too.
@safe package final class BatchMap {
  package let sampleCount: Int
  package let height: Int
  package let width: Int
  package let channelCount: Int
  /// Floats of a pixel: `channelCount` rounded up to a multiple of 16, or as told.
  package let pixelStep: Int
  let border: Border
  /// Floats between rows.
  package let rowStep: Int

  private let buffer: FloatBuffer
  private let sampleStep: Int

  init(
    sampleCount: Int, height: Int, width: Int, channelCount: Int, border: Border = Border(),
    pixelStep: Int? = nil
  ) {
    self.sampleCount = sampleCount
    self.height = height
    self.width = width
    self.channelCount = channelCount
    self.border = border
    self.pixelStep = pixelStep ?? paddedChannelCount(channelCount)
    rowStep = (width + 2 * border.columns) * self.pixelStep
    sampleStep = (height + 2 * border.rows) * rowStep
    // One spare block: vectors of a narrow last pixel may be read whole.
    buffer = FloatBuffer(count: sampleCount * sampleStep + channelGranularity)
    refresh()
  }

  /// Fills what is written before it is read, so that tests see where it is not: the channels of the pixels,
  /// and what lies behind the last sample.
  private func refresh() {
    guard FreshMemory.pattern != 0 else { return }
    buffer.refresh(sampleCount * sampleStep..<buffer.count)
    for sample in 0..<sampleCount {
      for row in 0..<height {
        let start = sample * sampleStep + (row + border.rows) * rowStep + border.columns * pixelStep
        for column in 0..<width {
          buffer.refresh(start + column * pixelStep..<start + column * pixelStep + channelCount)
        }
      }
    }
  }

  /// A map without samples.
  static func empty() -> BatchMap {
    BatchMap(sampleCount: 0, height: 0, width: 0, channelCount: 0)
  }

  /// The first float of a sample's row, inside the border.
  package func row(_ row: Int, of sample: Int) -> Address {
    precondition(sample >= 0 && sample < sampleCount, "sample outside the batch")
    return buffer.address.advanced(
      by: sample * sampleStep + (row + border.rows) * rowStep + border.columns * pixelStep)
  }

  /// The first float of a sample, inside the border.
  package func origin(of sample: Int) -> Address { row(0, of: sample) }

  /// The pixels of a sample from a place on, every so many rows and columns.
  func grid(
    of sample: Int, row: Int = 0, column: Int = 0, strideY: Int = 1, strideX: Int = 1
  ) -> PixelGrid<Address> {
    PixelGrid(
      self.row(row, of: sample).advanced(by: column * pixelStep),
      columnStep: strideX * pixelStep, rowStep: strideY * rowStep)
  }

  /// The floats of a sample, its border included.
  var sampleFloatCount: Int { sampleStep }

  /// The first float of a sample's border, and how far its first pixel lies behind it.
  func corner(of sample: Int) -> (start: Address, originOffset: Int) {
    let offset = border.rows * rowStep + border.columns * pixelStep
    return (origin(of: sample).advanced(by: -offset), offset)
  }

  /// Sets a sample's values to zero, its border included.
  package func clear(_ sample: Int) {
    precondition(sample >= 0 && sample < sampleCount, "sample outside the batch")
    buffer.clear(sample * sampleStep..<(sample + 1) * sampleStep)
  }
}

public import DiceKernels

/// An input of the network as memory that the caller writes, layout `[H, W, C]` with gaps.
///
/// Channel `c` of the pixel in column `x` and row `y` is
/// `pointer[y * rowStride + x * pixelStride + c]`. Only the channels of the pixels inside the
/// bounds may be written: what lies between them must stay zero.
@safe public struct InputRegion {
  /// Channel 0 of the pixel in the top left corner.
  public let pointer: UnsafeMutablePointer<Float>
  /// Floats between vertical neighbours.
  public let rowStride: Int
  /// Floats between horizontal neighbours.
  public let pixelStride: Int
  /// Columns.
  public let width: Int
  /// Rows.
  public let height: Int
  /// Channels of a pixel.
  public let channelCount: Int
}

/// An output of the network as it lies in memory, layout `[H, W, C]` with gaps.
///
/// Channel `c` of the pixel in column `x` and row `y` is
/// `origin[y * rowStep + x * columnStep + slots[c]]`.
@safe public struct OutputRegion {
  /// The first slot of the pixel in the top left corner.
  public let origin: Address
  /// Floats between vertical neighbours.
  public let rowStep: Int
  /// Floats between horizontal neighbours.
  public let columnStep: Int
  /// Rows.
  public let height: Int
  /// Columns.
  public let width: Int
  /// For each channel its place in a pixel.
  public let slots: [Int]

  /// Groups the parts.
  ///
  /// The memory must stay valid while the value is in use, and all places lie inside it.
  public init(
    origin: Address, rowStep: Int, columnStep: Int, height: Int, width: Int, slots: [Int]
  ) {
    self.origin = origin
    self.rowStep = rowStep
    self.columnStep = columnStep
    self.height = height
    self.width = width
    self.slots = slots
  }

  /// The value of one channel of one pixel.
  ///
  /// - Precondition: All three lie inside the output.
  public subscript(row: Int, column: Int, channel: Int) -> Float {
    precondition(
      row >= 0 && row < height && column >= 0 && column < width && slots.indices.contains(channel),
      "an index lies inside the output")
    return origin.scalar(at: row * rowStep + column * columnStep + slots[channel])
  }

  /// Copies all numbers, `[H, W, C]`, into an array that has as many.
  ///
  /// - Precondition: the array has a number for each row, column and channel.
  package func copy(into numbers: inout [Float]) {
    precondition(
      numbers.count == height * width * slots.count,
      "there is one number for each row, column and channel")
    var place = 0
    for y in 0..<height {
      for x in 0..<width {
        let start = y * rowStep + x * columnStep
        for slot in slots {
          numbers[place] = origin.scalar(at: start + slot)
          place += 1
        }
      }
    }
  }
}

/// A copy of one layer's output, layout `[H, W, C]`.
public struct FeatureMap: Hashable, Sendable {
  /// Rows.
  public let height: Int
  /// Columns.
  public let width: Int
  /// Channels.
  public let channelCount: Int
  /// `height * width * channelCount` values: row by row, then column by column, then by channel.
  public let values: [Float]

  /// The value of one channel of one pixel.
  ///
  /// - Precondition: All three lie inside the map.
  public subscript(row: Int, column: Int, channel: Int) -> Float {
    precondition(
      (0..<height).contains(row) && (0..<width).contains(column)
        && (0..<channelCount).contains(channel), "an index lies inside the feature map")
    return values[(row * width + column) * channelCount + channel]
  }
}

/// The network's input as memory that the caller writes, layout `[H, W, C]` with gaps.
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
  /// Channels of a pixel: 3.
  public let channelCount: Int
}

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

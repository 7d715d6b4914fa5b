extension Layer {
  /// The products of two values as matrices, row by row.
  ///
  /// `out[y, x, c] = Σ over j of first[y, x, j] * second[y, j, c]`, where a value that is transposed has
  /// its columns and channels exchanged first. Both values have the same number of rows, and what is
  /// summed over has the same extent in both.
  public struct MatrixProduct: Hashable, Sendable {
    /// Where the left matrices come from, `[H, M, K]`; `[H, K, M]` where they are transposed.
    public var first: Source
    /// Where the right matrices come from, `[H, K, N]`; `[H, N, K]` where they are transposed.
    public var second: Source
    /// Whether columns and channels of the first value are exchanged.
    public var transposesFirst: Bool
    /// Whether columns and channels of the second value are exchanged.
    public var transposesSecond: Bool

    /// Groups the parts without checking them.
    public init(
      _ first: Source, _ second: Source, transposesFirst: Bool = false,
      transposesSecond: Bool = false
    ) {
      self.first = first
      self.second = second
      self.transposesFirst = transposesFirst
      self.transposesSecond = transposesSecond
    }

    /// How many products each sum has: the extent of the first value that is summed over.
    ///
    /// - Parameter first: The shape of the first value.
    public func termCount(_ first: TensorShape) -> Int {
      transposesFirst ? first.width : first.channels
    }
  }
}

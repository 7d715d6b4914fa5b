extension Layer {
  /// The places of the greatest numbers along the columns, for each row and channel by itself.
  ///
  /// `out[y, k, c]` is the column, from 0, of the number that is in place `k` when those of row `y` and
  /// channel `c` are sorted, the greatest first, of equal ones the first. NaN is less than all numbers.
  public struct Ranking: Hashable, Sendable {
    /// Where the numbers come from, `[H, W, C]`.
    public var input: Source
    /// How many places are given: the columns of the output, `1...W`.
    public var count: Int

    /// Groups the parts without checking them.
    public init(input: Source, count: Int) {
      self.input = input
      self.count = count
    }
  }

  /// Columns that a second value names.
  ///
  /// `out[y, x, c] = in[y, p, c]`, where `p` is `places[y, x, c]`, or `places[y, x, 0]` where that value
  /// has one channel, rounded down and limited to the columns of the input; 0 where it is NaN.
  public struct Selection: Hashable, Sendable {
    /// Where the numbers come from, `[H, W, C]`.
    public var input: Source
    /// Which columns are taken, `[H, M, 1]` or `[H, M, C]`.
    public var places: Source

    /// Groups the parts without checking them.
    public init(input: Source, places: Source) {
      self.input = input
      self.places = places
    }
  }
}

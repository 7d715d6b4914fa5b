/// The numbers of an output as a head reads them, layout `[rows, columns, channels]`.
///
/// A list of boxes is a map of one column: a row for each box.
public struct HeadValues: Hashable, Sendable {
  /// Rows.
  public let rows: Int
  /// Columns.
  public let columns: Int
  /// The numbers at each place.
  public let channels: Int
  /// All numbers; channels side by side, then columns, then rows.
  public var numbers: [Float]

  /// Groups the parts.
  ///
  /// - Precondition: The extents are not negative, and there are `rows * columns * channels` numbers.
  public init(rows: Int, columns: Int, channels: Int, numbers: [Float]) {
    precondition(
      rows >= 0 && columns >= 0 && channels >= 0 && numbers.count == rows * columns * channels,
      "there is one number for each row, column and channel")
    self.rows = rows
    self.columns = columns
    self.channels = channels
    self.numbers = numbers
  }

  /// Zeros of a shape, to be filled again and again.
  public init(rows: Int, columns: Int, channels: Int) {
    self.init(
      rows: rows, columns: columns, channels: channels,
      numbers: [Float](repeating: 0, count: rows * columns * channels))
  }

  /// Places: rows times columns.
  public var placeCount: Int { rows * columns }
}

/// The size of a network's input in pixels, which boxes are measured in.
public struct HeadInputSize: Hashable, Sendable {
  /// Columns.
  public let width: Int
  /// Rows.
  public let height: Int

  /// Groups the two.
  public init(width: Int, height: Int) {
    self.width = width
    self.height = height
  }
}

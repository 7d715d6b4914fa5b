/// A picture of one digit as the classifier sees it: 28 by 28 samples, a bright digit on black.
///
/// As in the MNIST collection the digit is scaled into 20 by 20 samples, keeping its shape, and its
/// centre of mass lies in the middle.
public struct DigitBitmap: Hashable, Sendable {
  /// Rows and columns: 28.
  public static let side = 28

  /// The samples row by row, 0 (ground) to 255 (ink): 784 of them.
  public let samples: [UInt8]

  /// A picture of the given samples; nil unless there are exactly 784.
  public init?(samples: [UInt8]) {
    guard samples.count == Self.side * Self.side else { return nil }
    self.samples = samples
  }

  /// The sample in a row and a column.
  ///
  /// - Precondition: both are in `0..<28`.
  public subscript(row: Int, column: Int) -> UInt8 {
    precondition(
      (0..<Self.side).contains(row) && (0..<Self.side).contains(column),
      "a row and a column of the picture")
    return samples[row * Self.side + column]
  }
}

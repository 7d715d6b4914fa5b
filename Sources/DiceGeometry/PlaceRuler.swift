/// How far up or down in its picture a place lies, shown to a reader along the left edge of its input.
///
/// What lies around a die does not tell which of two faces is its top: of a die at the lower edge of
/// a picture taken from straight above, the upper face is a side. A black ruler along the left edge of
/// the input has a white mark as far down as the place lies in its picture; it covers what the input
/// would show there.
///
/// Source: that a network is told where its input lies is the idea of Liu et al., "An Intriguing
/// Failing of Convolutional Neural Networks and the CoordConv Solution", 2018.
package struct PlaceRuler: Hashable, Sendable {
  /// How many pixels of the input the ruler is wide: 6.
  package static let breadth = 6
  /// The share of the ruler's length that the mark takes up: one sixth.
  package static let markShare: Float = 1 / 6

  /// The rows of the input, all of which the ruler takes up.
  package let height: Int
  /// The rows of the mark.
  package let mark: Range<Int>

  /// The ruler of one place.
  ///
  /// - Parameters:
  ///   - y: how far below its picture's centre the place lies, as a share of the picture's longer side,
  ///     -0.5...0.5; what lies beyond is taken as that, and what is no number as the middle.
  ///   - height: rows of the input.
  package init(y: Float, height: Int) {
    let place = y == y ? min(max(y, -0.5), 0.5) : 0
    let length = Float(height)
    // Rounded by hand: where there is no operating system, there is no library of mathematics.
    let first = Int(length * (1 - Self.markShare) * (0.5 + place) + 0.5)
    self.height = height
    mark = first..<min(height, first + Int(length * Self.markShare + 0.5))
  }

  /// Calls a function for each pixel of the ruler, with 1 for white and 0 for black.
  @inline(__always)
  package func forEachPixel(_ body: (_ column: Int, _ row: Int, _ value: Float) -> Void) {
    for row in 0..<height {
      let value: Float = mark.contains(row) ? 1 : 0
      for column in 0..<Self.breadth { body(column, row, value) }
    }
  }
}

/// How far up or down in its picture a crop lies, drawn along the left edge of the crop.
///
/// What lies around a die does not tell which of two faces is its top: of a die at the lower edge
/// of a picture taken from straight above, the upper face is a side. A black bar along the left
/// edge of the crop has a white mark as far down as the crop's middle lies in its picture; it
/// covers what the crop would show there.
///
/// Source: that a network is told where its input lies is the idea of Liu et al., "An Intriguing
/// Failing of Convolutional Neural Networks and the CoordConv Solution", 2018.
package struct PositionalEncoding: Hashable, Sendable {
  /// How many pixels of the crop the bar is wide unless told: 6.
  package static let standardBreadth = 6
  /// The share of the bar's length that the mark takes up unless told: one sixth.
  package static let standardMarkShare: Float = 1 / 6

  /// The columns of the crop that the bar takes up.
  package let breadth: Int
  /// The rows of the crop, all of which the bar takes up.
  package let height: Int
  /// The rows of the mark.
  package let mark: Range<Int>

  /// The encoding of one place.
  ///
  /// - Parameters:
  ///   - y: how far below its picture's centre the place lies, as a share of the picture's longer
  ///     side, -0.5...0.5; what lies beyond is taken as that, and what is no number as the middle.
  ///   - height: rows of the crop.
  ///   - breadth: columns of the bar.
  ///   - markShare: the share of the bar's length that the mark takes up, 0...1.
  package init(
    y: Float, height: Int, breadth: Int = standardBreadth, markShare: Float = standardMarkShare
  ) {
    let place = y == y ? min(max(y, -0.5), 0.5) : 0
    let length = Float(height)
    // Rounded by hand: where there is no operating system, there is no library of mathematics.
    let first = Int(length * (1 - markShare) * (0.5 + place) + 0.5)
    self.height = height
    self.breadth = breadth
    mark = first..<min(height, first + Int(length * markShare + 0.5))
  }

  /// Calls a function for each pixel of the bar, with 1 for white and 0 for black.
  @inline(__always)
  package func forEachPixel(_ body: (_ column: Int, _ row: Int, _ value: Float) -> Void) {
    for row in 0..<height {
      let value: Float = mark.contains(row) ? 1 : 0
      for column in 0..<breadth { body(column, row, value) }
    }
  }
}

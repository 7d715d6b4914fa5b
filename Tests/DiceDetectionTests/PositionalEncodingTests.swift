import DiceDetection
import Testing

/// How far down in its picture a crop lies, as the second stage is told.
@Suite struct PositionalEncodingTests {
  @Test(arguments: [
    (Float(0), 40..<56), (-0.5, 0..<16), (0.5, 80..<96), (0.25, 60..<76), (-3, 0..<16),
    (.infinity, 80..<96), (.nan, 40..<56),
  ])
  func theMarkLiesWhereTheCropLies(_ y: Float, _ marked: Range<Int>) {
    #expect(PositionalEncoding(y: y, height: 96).mark == marked)
  }

  /// Along the left edge, each pixel once, white where the mark is.
  @Test(arguments: [96, 160, 32])
  func allPixelsOfTheBarAreDrawn(_ height: Int) {
    let encoding = PositionalEncoding(y: 0.3, height: height)
    var values: [[Float]] = Array(repeating: [], count: 6 * height)
    encoding.forEachPixel { (column, row, value) in values[row * 6 + column].append(value) }
    for row in 0..<height {
      for column in 0..<6 {
        #expect(values[row * 6 + column] == [encoding.mark.contains(row) ? 1 : 0])
      }
    }
    #expect(!encoding.mark.isEmpty)
  }
}

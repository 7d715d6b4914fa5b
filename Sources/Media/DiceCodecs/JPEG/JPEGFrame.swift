/// How the samples of a frame were coded, as its frame header says.
enum JPEGProcess {
  case baseline
  case extendedSequential
  case progressive
}

/// How the bits of a frame's scans are packed.
enum JPEGCoding {
  case huffman
  case arithmetic
}

/// What a frame's components stand for.
enum JPEGColorModel {
  case gray
  case yCbCr
  case rgb
  /// Cyan, magenta, yellow and black, each less than 255 by the ink.
  case cmyk
  /// The same, with cyan, magenta and yellow as luminance and chrominance of their complements.
  case ycck
}

/// One component of a frame: its parameters from the frame header and the sizes that follow.
struct JPEGComponent {
  let identifier: UInt8
  /// Horizontal sampling factor, 1 to 4.
  let horizontal: Int
  /// Vertical sampling factor, 1 to 4.
  let vertical: Int
  let quantizationIndex: Int
  /// Blocks that hold the component's samples, as scans of this component alone carry them.
  var blocksWide = 0
  var blocksHigh = 0
  /// The same, rounded up to whole units of interleaved scans.
  var paddedBlocksWide = 0
  var paddedBlocksHigh = 0
}

/// The frame header and the sizes that follow from it.
struct JPEGFrame {
  let process: JPEGProcess
  let coding: JPEGCoding
  let width: Int
  let height: Int
  var components: [JPEGComponent]
  let maximumHorizontal: Int
  let maximumVertical: Int
  /// Units of interleaved scans in a row and in a column.
  let unitsWide: Int
  let unitsHigh: Int

  init(
    process: JPEGProcess, coding: JPEGCoding, width: Int, height: Int,
    components: [JPEGComponent]
  ) {
    self.process = process
    self.coding = coding
    self.width = width
    self.height = height
    let maximumHorizontal = components.reduce(1) { max($0, $1.horizontal) }
    let maximumVertical = components.reduce(1) { max($0, $1.vertical) }
    self.maximumHorizontal = maximumHorizontal
    self.maximumVertical = maximumVertical
    unitsWide = ceilingDivide(width, 8 * maximumHorizontal)
    unitsHigh = ceilingDivide(height, 8 * maximumVertical)
    self.components = components
    for index in components.indices {
      let component = components[index]
      self.components[index].blocksWide = ceilingDivide(
        width * component.horizontal, 8 * maximumHorizontal)
      self.components[index].blocksHigh = ceilingDivide(
        height * component.vertical, 8 * maximumVertical)
      self.components[index].paddedBlocksWide = unitsWide * component.horizontal
      self.components[index].paddedBlocksHigh = unitsHigh * component.vertical
    }
  }

  /// Blocks of all components without padding.
  var blockCount: Int { components.reduce(0) { $0 + $1.blocksWide * $1.blocksHigh } }
}

/// `a / b` rounded up, for `a` not negative and `b` positive.
func ceilingDivide(_ a: Int, _ b: Int) -> Int { (a + b - 1) / b }

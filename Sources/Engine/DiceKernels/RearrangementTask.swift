public import DiceKernelTemplates

/// Numbers put into another order: `output[j] = input[Σ i[k] * strides[k]]`, where `j` and the input's
/// place count in the order of `[H, W, C]` and `i` are the digits of `j` to the bases `extents`.
@safe public struct RearrangementTask {
  /// The first pixel of the input and of the output, and their steps; `width` is the output's.
  public var map: MapTask
  /// Columns of the input.
  public var inputWidth: Int
  /// For each channel of the input its place in a pixel.
  public var inputSlots: [Int]
  /// For each channel of the output its place in a pixel.
  public var outputSlots: [Int]
  /// The extents of the axes, slowest first; 1 where there is no axis.
  public var extents: SIMD8<Int>
  /// How many numbers of the input lie between neighbours along each axis.
  public var strides: SIMD8<Int>

  /// A task of the given parts.
  public init(
    map: MapTask, inputWidth: Int, inputSlots: [Int], outputSlots: [Int], extents: SIMD8<Int>,
    strides: SIMD8<Int>
  ) {
    self.map = map
    self.inputWidth = inputWidth
    self.inputSlots = inputSlots
    self.outputSlots = outputSlots
    self.extents = extents
    self.strides = strides
  }

  /// The most numbers whose places are looked at beforehand.
  private static let offsetLimit = 1 << 22

  /// For each output row, column and channel a distance in the input, so that a number's place there is
  /// the sum of its three; nil where there are no such distances, or too many numbers to look at.
  ///
  /// There are where no axis runs through both channels and columns, or columns and rows, of input or
  /// output: then ``GatheringTask`` does the same without a division.
  ///
  /// - Parameter height: Rows of the output.
  public func separateOffsets(height: Int) -> (rows: [Int], columns: [Int], channels: [Int])? {
    let (width, channelCount) = (map.width, outputSlots.count)
    guard height * width * channelCount <= Self.offsetLimit else { return nil }
    let first = inputOffset(ofOutput: 0)
    let rows = (0..<height).map { (y) in inputOffset(ofOutput: y * width * channelCount) }
    let columns = (0..<width).map { (x) in inputOffset(ofOutput: x * channelCount) - first }
    let channels = (0..<channelCount).map { (c) in inputOffset(ofOutput: c) - first }
    var output = 0
    for row in rows {
      for column in columns {
        for channel in channels {
          if inputOffset(ofOutput: output) != row + column + channel { return nil }
          output += 1
        }
      }
    }
    return (rows, columns, channels)
  }

  /// The distance of the number that goes to a place in the output.
  private func inputOffset(ofOutput place: Int) -> Int {
    var (rest, input) = (place, 0)
    var axis = 7
    while rest > 0 {
      input += rest % extents[axis] * strides[axis]
      rest /= extents[axis]
      axis -= 1
    }
    let (pixel, channel) = (input / inputSlots.count, input % inputSlots.count)
    return pixel / inputWidth * map.inputRowStep + pixel % inputWidth * map.inputColumnStep
      + inputSlots[channel]
  }
}

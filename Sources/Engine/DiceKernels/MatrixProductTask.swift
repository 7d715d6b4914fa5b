public import DiceKernelTemplates

/// The products of two values as matrices, one for each row.
///
/// `output[y, x, c] = Σ over j of first[y, x, j] * second[y, j, c]`
///
/// | letter | meaning |
/// |---|---|
/// | y | row: the number of a matrix |
/// | x | row of the output's matrix, `0..<width` |
/// | c | column of the output's matrix, `0..<channelCount` |
/// | j | what is summed over, `0..<termCount`, in ascending order in every implementation |
///
/// The number `[y, x, j]` of an operand stands in row y, column x and channel j of its value; in
/// column j and channel x of an operand that is transposed. The output's channels lie side by side;
/// those up to the next multiple of 16 are written, too: as 0 where all numbers are finite.
@safe public struct MatrixProductTask {
  /// A value that is read as matrices.
  @safe public struct Operand {
    /// The first pixel.
    public var start: Address
    /// Floats between neighbouring columns.
    public var columnStep: Int
    /// Floats between neighbouring rows.
    public var rowStep: Int
    /// For each channel its place in a pixel, ascending.
    ///
    /// Of the second value, which is read in whole vectors, a pixel has the floats up to the next
    /// multiple of 16.
    public var slots: [Int]
    /// Whether columns and channels are exchanged.
    public var isTransposed: Bool
    /// Whether channels lie side by side from the pixel's first float on.
    public let isPlain: Bool

    /// An operand of the given parts.
    public init(
      _ start: Address, columnStep: Int, rowStep: Int, slots: [Int], isTransposed: Bool
    ) {
      self.start = start
      self.columnStep = columnStep
      self.rowStep = rowStep
      self.slots = slots
      self.isTransposed = isTransposed
      isPlain = slots.isEmpty || slots[slots.count - 1] == slots.count - 1
    }

    /// The place of a number of a matrix, from its first pixel on.
    @inline(__always)
    func place(_ row: Int, _ column: Int) -> Int {
      isTransposed ? column * columnStep + slots[row] : row * columnStep + slots[column]
    }
  }

  /// The left matrices.
  public var first: Operand
  /// The right matrices.
  public var second: Operand
  /// What is summed over.
  public var termCount: Int
  /// The first output pixel.
  public var output: PixelGrid<Address>
  /// Output columns.
  public var width: Int
  /// Output channels.
  public var channelCount: Int

  /// Where the terms stand that are packed at once, from the first of them on.
  ///
  /// Up to ``termsAtOnce`` distances, each the first value's `columnStep` longer than the one before;
  /// the distance 0 alone where that value is not transposed. The reference needs none.
  public var termOffsets: OffsetList

  /// A task of the given parts.
  public init(
    _ first: Operand, _ second: Operand, termCount: Int, termOffsets: OffsetList,
    output: PixelGrid<Address>, width: Int, channelCount: Int
  ) {
    self.first = first
    self.second = second
    self.termCount = termCount
    self.output = output
    self.width = width
    self.channelCount = channelCount
    self.termOffsets = termOffsets
  }

  /// The output's blocks of 16 channels.
  public var blockCount: Int { (channelCount + channelGranularity - 1) / channelGranularity }

  /// How many terms are packed at once: those of two blocks take 32 KiB.
  public static let termsAtOnce = 256

  /// The most blocks that are packed at once, where there are few terms.
  private static let blockLimit = 16

  /// The floats of memory that one thread works with.
  public static let scratchCount = (2 * termsAtOnce + blockLimit) * channelGranularity

  /// The terms, and channels of the first value without one between them.
  var packedTermCount: Int {
    first.isTransposed || first.isPlain ? termCount : first.slots[termCount - 1] + 1
  }

  /// How many blocks are packed at once: two, or more where their terms take no more memory.
  public var blocksAtOnce: Int {
    max(1, min(Self.blockLimit / 2, Self.termsAtOnce / packedTermCount)) * 2
  }
}

extension ReferenceKernels {
  /// Some columns of a row of a matrix product; the formula stands at `MatrixProductTask`.
  ///
  /// - Parameter blocks: Blocks of 16 output channels.
  public static func multiply(
    _ task: MatrixProductTask, row y: Int, columns: Range<Int>, blocks: Range<Int>
  ) {
    let first = task.first.start.advanced(by: y * task.first.rowStep)
    let second = task.second.start.advanced(by: y * task.second.rowStep)
    for x in columns {
      let output = task.output.start.advanced(
        by: y * task.output.rowStep + x * task.output.columnStep)
      for c in blocks.lowerBound * channelGranularity..<blocks.upperBound * channelGranularity {
        var sum: Float = 0
        for j in 0..<(c < task.channelCount ? task.termCount : 0) {
          sum +=
            first.scalar(at: task.first.place(x, j)) * second.scalar(at: task.second.place(j, c))
        }
        output.store(sum, at: c)
      }
    }
  }
}

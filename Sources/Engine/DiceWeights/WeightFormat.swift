/// The fixed numbers of the weight format, version 2.0.
///
/// Source: `Docs/WeightFormat.md`.
public enum WeightFormat {
  /// The first eight bytes of a file.
  public static let magic: [UInt8] = [0x89, 0x44, 0x56, 0x57, 0x0D, 0x0A, 0x1A, 0x0A]
  /// The major version that is read and written; another one is refused.
  public static let majorVersion = 2
  /// The minor version that is written; newer ones may add sections that can be skipped.
  public static let minorVersion = 0
  /// Bytes before the description.
  public static let headerByteCount = 64
  /// Every tensor begins at a multiple of this.
  public static let tensorAlignment = 64

  /// The most bytes of a file: 256 MiB.
  public static let maximumFileByteCount = 1 << 28
  /// The most bytes of a description: 4 MiB.
  public static let maximumDescriptionByteCount = 1 << 22
  /// How many inputs a network has.
  public static let inputCounts = 1...64
  /// How many outputs a network has.
  public static let outputCounts = 1...256
  /// How many layers a network has.
  public static let layerCounts = 1...4096
  /// How many tensors a network has.
  public static let tensorCounts = 0...16_384
  /// How many dimensions a tensor has.
  public static let tensorRanks = 1...4
  /// The extents of a tensor's dimensions.
  public static let tensorDimensions = 1...(1 << 24)
  /// The most values of one tensor, or of one layer's output.
  public static let maximumElementCount = 1 << 28
  /// The most rows, columns or channels of a value.
  public static let maximumExtent = 1 << 20
  /// The rows and columns of an input.
  public static let inputSizes = 1...16_384
  /// How many labels (classes) a head has.
  public static let labelCounts = 0...65_536
  /// How many lists of named values a head or a profile has.
  public static let namedValueCounts = 0...256
  /// How many values have one name.
  public static let valueCounts = 1...65_536
  /// How many entries of provenance a file has.
  public static let provenanceCounts = 0...256
  /// How many sources a concatenation has.
  public static let concatenationCounts = 2...64
  /// The rows and columns of a convolution's kernel.
  public static let kernelSizes = 1...64
  /// The rows and columns of a pooling window.
  public static let poolingSizes = 1...1024
  /// The strides of windows.
  public static let strides = 1...64
  /// The dilations of kernels.
  public static let dilations = 1...64
  /// The factors of a resizing.
  public static let resizingFactors = 1...64
  /// The rows, columns or channels that a padding adds at an edge.
  public static let paddings = 0...4096
  /// How many axes a rearrangement has.
  public static let rearrangementRanks = 1...8

  /// Offsets of the fields of the header.
  enum Offset {
    static let majorVersion = 8
    static let minorVersion = 10
    static let descriptionByteCount = 12
    static let byteCount = 16
    static let checksum = 24
    static let reserved = 32
  }

  /// The next multiple of ``tensorAlignment``, `offset` itself included.
  static func aligned(_ offset: Int) -> Int {
    (offset + tensorAlignment - 1) / tensorAlignment * tensorAlignment
  }
}

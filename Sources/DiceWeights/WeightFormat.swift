/// The fixed numbers of the weight format, version 1.0.
///
/// Source: `Docs/WeightFormat.md`.
public enum WeightFormat {
  /// The first eight bytes of a file.
  public static let magic: [UInt8] = [0x89, 0x44, 0x56, 0x57, 0x0D, 0x0A, 0x1A, 0x0A]
  /// The major version that is read and written; another one is refused.
  public static let majorVersion = 1
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
  /// How many layers a network has.
  public static let layerCounts = 1...1024
  /// How many tensors a network has.
  public static let tensorCounts = 1...4096
  /// How many dimensions a tensor has.
  public static let tensorRanks = 1...4
  /// The most values of one tensor.
  public static let maximumElementCount = 1 << 28
  /// How many channels an output has.
  public static let channelCounts = 1...4096
  /// How many labels (classes) a network has.
  public static let labelCounts = 1...1024
  /// How many entries of provenance a file has.
  public static let provenanceCounts = 0...256
  /// How many sources a concatenation has.
  public static let concatenationCounts = 2...64
  /// The sides of a convolution's kernel.
  public static let kernelSizes = 1...7
  /// The sides of a pooling window.
  public static let poolingSizes = 1...15
  /// The factors of an upsampling.
  public static let upsamplingFactors = 2...32
  /// The default input's width and height, multiples of ``inputMultiple``.
  public static let inputSizes = 32...4096
  /// Every input's width and height is a multiple of this.
  public static let inputMultiple = 32

  /// Offsets of the fields of the header.
  enum Offset {
    static let majorVersion = 8
    static let minorVersion = 10
    static let descriptionByteCount = 12
    static let byteCount = 16
    static let checksum = 24
    static let reserved = 32
  }

  /// The tag of each section of the description, in the order of the file.
  static let sectionTags: [StaticString] = ["NAME", "INPT", "LABL", "THRS", "LAYR", "TENS", "PROV"]

  /// The next multiple of ``tensorAlignment``, `offset` itself included.
  static func aligned(_ offset: Int) -> Int {
    (offset + tensorAlignment - 1) / tensorAlignment * tensorAlignment
  }
}

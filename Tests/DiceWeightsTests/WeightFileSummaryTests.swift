import DiceWeights
import TestSupport
import Testing

struct WeightFileSummaryTests {
  @Test func printsTheWholeFileInColumns() throws {
    let file = try WeightFile(bytes: Fixtures.bytes("golden/weights/everything.dvweights"))
    let summary = file.summary()
    #expect(summary == Self.everything)
    #expect(summary == file.overview.text)
    #expect(!summary.split(separator: "\n").contains { $0.hasSuffix(" ") })
  }

  @Test func printsTheSmallestFile() throws {
    let file = try WeightFile(bytes: Fixtures.bytes("golden/weights/smallest.dvweights"))
    #expect(file.summary() == Self.smallest)
  }

  @Test func overviewHasTheNumbersThatTheFileGives() throws {
    let file = try WeightFile(bytes: Fixtures.bytes("golden/weights/everything.dvweights"))
    let overview = file.overview
    #expect(overview.name == file.description.name && overview.formatVersion == "1.0")
    #expect(overview.byteCount == 4060 && overview.checksum == file.checksum)
    #expect(overview.layers.count == 14)
    #expect(overview.layers.map(\.multiplyAddCount).reduce(0, +) == overview.multiplyAddCount)
    #expect(overview.storages.map(\.parameterCount).reduce(0, +) == overview.parameterCount)
    #expect(overview.storages.map(\.tensorCount).reduce(0, +) == file.tensorCount)
    let row = overview.layers[10]
    #expect(row.sources == [.layer(9), .layer(2)] && row.storage == nil)
    #expect([row.width, row.height, row.channels] == [48, 32, 11])
  }

  @Test func groupsLongNumbers() throws {
    var description = Networks.smallest
    description.input.width = 4096
    description.input.height = 2048
    let file = try WeightFile(
      bytes: WeightFile.encode(
        description: description, tensors: Networks.smallestValues, storage: .float32))
    #expect(file.summary().contains("150,994,944 at 4096 x 2048"))
  }

  private static let everything = """
    everything ⚂

    format         weight format 1.0, 4,060 bytes
    checksum       6bd368bb984ddeab
    input          96 x 64, BGR, scaled to fill without keeping the shape
    values         sample * 0.003921569, sample * 0.5 - 1.5, sample * -2 + 0.25
    classes        "heads" "Zahl é"
    thresholds     confidence 1, intersection over union 0.45
    parameters     2,351
                   float32: 60 in 3 tensors, 240 bytes
                   float16: 112 in 2 tensors, 224 bytes
                   bfloat16: 23 in 2 tensors, 46 bytes
                   int8: 2,156 in 3 tensors, 2,240 bytes
    multiply-adds  3,248,736 at 96 x 64

    layer  kind            reads        output  details                               storage   parameters  multiply-adds
        0  convolution     input   48 x 32 x 4  3x3 stride 2, leaky 0.125             float16          112        165,888
        1  convolution     0       48 x 32 x 4  1x1, sigmoid weighted                 bfloat16          20         24,576
        2  addition        0, 1    48 x 32 x 4
        3  max pooling     2       24 x 16 x 4  2x2 stride 2
        4  max pooling     3       24 x 16 x 4  5x5
        5  concatenation   3, 4    24 x 16 x 8
        6  convolution     5        12 x 8 x 7  2x2 stride 2                          int8             231         21,504
        7  convolution     6        12 x 8 x 7  1x1, rectified                        float32           56          4,704
        8  detection head  7        12 x 8 x 7  stride 8, base size 48.5, 2 classes
        9  upsampling      6       48 x 32 x 7  4 times
       10  concatenation   9, 2   48 x 32 x 11
       11  convolution     10      48 x 32 x 7  5x5                                   int8           1,932      2,956,800
       12  convolution     11      48 x 32 x 7  1x1                                   float32           56         75,264
       13  detection head  12      48 x 32 x 7  stride 2, base size 12.25, 2 classes

    provenance
      licence  MIT
      credits  first line
               second line: 世界
      credits

    """

  private static let smallest = """
    a

    format         weight format 1.0, 396 bytes
    checksum       700860e26b1f23b1
    input          32 x 32, RGB, scaled to fit, rest filled with 114
    values         sample * 1
    classes        "1"
    thresholds     confidence 0.25, intersection over union 0.5
    parameters     24
                   float16: 24 in 2 tensors, 48 bytes
    multiply-adds  18,432 at 32 x 32

    layer  kind            reads       output  details                         storage  parameters  multiply-adds
        0  convolution     input  32 x 32 x 6  1x1                             float16          24         18,432
        1  detection head  0      32 x 32 x 6  stride 1, base size 8, 1 class

    """
}

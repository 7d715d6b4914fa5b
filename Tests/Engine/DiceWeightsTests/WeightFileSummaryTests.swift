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
    #expect(overview.name == file.description.name && overview.formatVersion == "2.0")
    #expect(overview.task == "tests of a reader" && overview.sizeMultiple == 4)
    #expect(overview.inputs == file.description.inputs)
    #expect(overview.outputs == file.description.outputs)
    #expect(overview.profile == file.description.profile)
    #expect(overview.byteCount == 5016 && overview.checksum == file.checksum)
    #expect(overview.layers.count == 58)
    #expect(overview.layers.map(\.multiplyAddCount).reduce(0, +) == overview.multiplyAddCount)
    #expect(overview.storages.map(\.parameterCount).reduce(0, +) == overview.parameterCount)
    #expect(overview.storages.map(\.tensorCount).reduce(0, +) == file.tensorCount)
    let row = overview.layers[17]
    #expect(row.sources == [.layer(16), .input(2)] && row.storage == nil)
    #expect(row.shape == file.shapes.layers[17])
    #expect(overview.layers[19].storage == .float32 && overview.layers[25].storage == .float16)
  }

  @Test func groupsLongNumbers() throws {
    var description = Networks.detector
    description.inputs[0].shape = TensorShape(height: 2048, width: 4096, channels: 3)
    let file = try WeightFile(
      bytes: WeightFile.encode(
        description: description, tensors: Networks.detectorValues, storage: .float32))
    #expect(file.summary().contains("150,994,944\n"))
  }

  @Test func shortensLongLists() throws {
    var description = Networks.smallest
    description.profile = [NamedValues("many", (0..<20).map { Float($0) })]
    let file = try WeightFile(
      bytes: WeightFile.encode(description: description, tensors: [], storages: []))
    #expect(file.summary().contains(" 14 15 and 4 more\n"))
  }

  private static let everything = """
    everything ⚂

    format         weight format 2.0, 5,016 bytes
    checksum       81f5e723dee8a415
    task           tests of a reader
    input          "picture", 16 x 24 x 3, or another size in steps of 4
                   BGR, sample * 0.003921569, sample * 0.5 - 1.5, sample * -2 + 0.25, scaled to fill without keeping the shape
    input          "Ton é", 1 x 5 x 4
    input          "gray", 8 x 8 x 1
                   gray, sample * 2 - 1, scaled to cover, cropped around the centre
    output         "boxes", layer 48, 4 x 6 x 6, grid boxes
                   "heads" "Zahl é"
                   base size 48.5
                   anchors 1 -2.5 1e-30
    output         "plain", layer 49, 2 x 6 x 7
    output         "classes", layer 47, 1 x 1 x 4, classes
                   "a" "b" "c" "d"
    output         "again", layer 47, 1 x 1 x 4
    output         "map", layer 50, 6 x 10 x 7
    output         "products", layer 54, 6 x 7 x 10
    output         "greatest", layer 57, 6 x 3 x 10
    profile        tile sizes 416 640
                   weight 0.5
    parameters     1,105
                   float32: 110 in 11 tensors, 440 bytes
                   float16: 140 in 4 tensors, 280 bytes
                   bfloat16: 23 in 2 tensors, 46 bytes
                   int8: 832 in 5 tensors, 956 bytes
    multiply-adds  37,308

    layer  kind                    reads            output  details                                         storage   parameters  multiply-adds
        0  convolution             "picture"    8 x 12 x 4  3x3 stride 2, leaky ReLU 0.125                  float16          112         10,368
        1  convolution             0            8 x 12 x 4  1x1, SiLU                                       bfloat16          20          1,536
        2  addition                0, 1         8 x 12 x 4  ReLU6
        3  max pooling             2             4 x 6 x 4  2x2 stride 2
        4  max pooling             3             4 x 6 x 4  5x5
        5  concatenation           3, 4          4 x 6 x 8  channels
        6  convolution             5             2 x 6 x 7  2x3 stride 2x1                                  int8             343          4,032
        7  convolution             6             2 x 6 x 7  1x1, ReLU                                       float32           56            588
        8  depthwise convolution   7             2 x 6 x 7  3x3 dilation 1x2, hard swish                    int8              70            756
        9  transposed convolution  8            4 x 11 x 6  3x3 stride 2, larger by 1 x 0, parametric ReLU  int8             390          4,536
       10  slice                   9             4 x 5 x 6  columns 1 to 9 in steps of 2
       11  padding                 10            7 x 5 x 7  top 1, bottom 2, channels 0 1, with -1.5
       12  padding                 11            7 x 8 x 7  left 1, right 2, mirrored
       13  padding                 12            8 x 8 x 7  top 1, with the nearest
       14  slice                   13            4 x 8 x 7  rows 0 to 6 in steps of 2
       15  slice                   14            4 x 8 x 1  channels 2 to 2
       16  resizing                15            8 x 8 x 1  2 by 1 times, bilinear
       17  subtraction             16, "gray"    8 x 8 x 1  tanh
       18  multiplication          17, 13        8 x 8 x 7  sigmoid
       19  batch normalization     18            8 x 8 x 7  epsilon 0.001                                   float32           28
       20  resizing                19            3 x 5 x 7  to 3 x 5, nearest
       21  resizing                20           6 x 10 x 7  2 times, nearest
       22  resizing                21            2 x 2 x 7  to 2 x 2, nearest
       23  resizing                22            2 x 4 x 7  1 by 2 times, nearest
       24  rearrangement           23            7 x 2 x 4  as 2 4 7, axes 2 0 1
       25  constant                              1 x 1 x 4                                                  float16            4
       26  division                24, 25        7 x 2 x 4  hard sigmoid 0.25 0.5
       27  activation              "Ton é"       1 x 5 x 4  ELU 1.5
       28  mean                    26            1 x 2 x 4  rows
       29  concatenation           27, 28        1 x 7 x 4  columns
       30  greater of two          29, 25        1 x 7 x 4  GELU
       31  smaller of two          30, 25        1 x 7 x 4  softplus
       32  softmax                 31            1 x 7 x 4  columns
       33  maximum                 32            1 x 7 x 1  channels
       34  sum                     32            1 x 1 x 4  rows, columns
       35  index of maximum        31            1 x 7 x 1  channels
       36  concatenation           33, 35        2 x 7 x 1  rows
       37  average pooling         36            2 x 6 x 1  2x2
       38  average pooling         37            2 x 6 x 1  3x3, padding counts
       39  dense                   38            1 x 1 x 4  exponential                                     int8              52             48
       40  addition                39, 34        1 x 1 x 4  linear 2 -1
       41  activation              40            1 x 1 x 4  logarithm 0.001
       42  activation              41            1 x 1 x 4  square root
       43  activation              42            1 x 1 x 4  reciprocal
       44  activation              43            1 x 1 x 4  absolute
       45  activation              44            1 x 1 x 4  power 2.5
       46  activation              45            1 x 1 x 4  floor
       47  softmax                 46            1 x 1 x 4  channels
       48  convolution             5             4 x 6 x 6  1x1, 2 groups                                   float16           30            576
       49  convolution             7             2 x 6 x 7  1x1                                             float32           56            588
       50  softmax                 21           6 x 10 x 7  rows
       51  matrix product          50, 21      6 x 10 x 10  second transposed                                                             4,200
       52  matrix product          51, 21       6 x 10 x 7                                                                                4,200
       53  matrix product          52, 50        6 x 7 x 7  first transposed                                                              2,940
       54  matrix product          53, 21       6 x 7 x 10  first transposed, second transposed                                           2,940
       55  ranking                 54           6 x 3 x 10  the greatest 3
       56  selection               54, 55       6 x 3 x 10
       57  activation              56           6 x 3 x 10  error function

    provenance
      licence  MIT
      credits  first line
               second line: 世界
      credits

    """

  private static let smallest = """
    a

    format         weight format 2.0, 201 bytes
    checksum       16d34e6c3460ce3f
    input          "x", 1 x 1 x 1
    output         "y", layer 0, 1 x 1 x 1
    parameters     0
    multiply-adds  0

    layer  kind        reads     output  details  storage  parameters  multiply-adds
        0  activation  "x"    1 x 1 x 1

    """
}

import TestSupport
import Testing

@testable import DiceModelImport

/// Convolutions larger than the weight format's become several.
struct WideWindowTests {
  /// A window along two axes, and maps that it moves over.
  struct Case: Sendable, CustomTestStringConvertible {
    var kernel = [1, 1]
    var strides = [1, 1]
    var dilations = [1, 1]
    var before = [0, 0]
    var after = [0, 0]
    var size: [Int]
    var channels = 2
    var outputs = 3
    var groups = 1
    var pictures = 1

    var testDescription: String { "\(kernel) by \(strides), dilated by \(dilations)" }
  }

  static let cases = [
    Case(kernel: [1, 130], size: [1, 200]),
    Case(kernel: [130, 1], strides: [3, 1], size: [200, 2]),
    Case(
      kernel: [70, 66], before: [3, 5], after: [1, 0], size: [72, 70], channels: 1, outputs: 2),
    Case(kernel: [1, 3], dilations: [1, 100], before: [0, 7], size: [2, 220]),
    Case(kernel: [3, 2], strides: [2, 1], dilations: [65, 2], size: [140, 9]),
    Case(kernel: [1, 150], strides: [1, 100], size: [2, 470]),
    Case(kernel: [1, 200], strides: [1, 100], before: [0, 30], after: [0, 11], size: [1, 459]),
    Case(kernel: [3, 1], strides: [80, 1], size: [245, 3], outputs: 1),
    Case(kernel: [1, 90], size: [1, 100], channels: 4, outputs: 4, groups: 2),
    Case(kernel: [1, 90], size: [1, 100], pictures: 2),
  ]

  /// Numbers that repeat late.
  private static func numbers(_ count: Int, _ step: Int) -> [Float] {
    (0..<count).map { Float($0 * step % 101 - 50) / 50 }
  }

  private static func model(_ item: Case, rank: Int) -> (bytes: [UInt8], weights: [Float]) {
    let depth = item.channels / item.groups
    let weights = numbers(item.outputs * depth * item.kernel[0] * item.kernel[1], 37)
    let skipped = 4 - rank
    func cut(_ numbers: [Int]) -> [Int] { Array(numbers.dropFirst(skipped)) }
    let bytes = ONNXFile.model(
      nodes: [
        ONNXFile.node(
          "Conv", ["x", "w", "b"], ["y"],
          attributes: [
            ONNXFile.attribute("strides", cut(item.strides)),
            ONNXFile.attribute("dilations", cut(item.dilations)),
            ONNXFile.attribute("pads", cut(item.before) + cut(item.after)),
            ONNXFile.attribute("group", item.groups),
          ])
      ],
      constants: [
        ONNXFile.constant("w", [item.outputs, depth] + cut(item.kernel), weights),
        ONNXFile.constant("b", [item.outputs], numbers(item.outputs, 11)),
      ], inputs: [("x", [item.pictures, item.channels] + cut(item.size))], outputs: ["y"])
    return (bytes, weights)
  }

  /// The convolution, sum by sum.
  private static func right(_ item: Case, _ x: [Float], _ weights: [Float]) -> [Float] {
    let depth = item.channels / item.groups
    let bias = numbers(item.outputs, 11)
    func count(_ axis: Int) -> Int {
      let span = (item.kernel[axis] - 1) * item.dilations[axis] + 1
      let extent = item.size[axis] + item.before[axis] + item.after[axis]
      return (extent - span) / item.strides[axis] + 1
    }
    let counts = [count(0), count(1)]
    var result: [Float] = []
    for picture in 0..<item.pictures {
      for output in 0..<item.outputs {
        let first = output / (item.outputs / item.groups) * depth
        for row in 0..<counts[0] {
          for column in 0..<counts[1] {
            var sum = Double(bias[output])
            for channel in 0..<depth {
              for i in 0..<item.kernel[0] {
                let y = row * item.strides[0] + i * item.dilations[0] - item.before[0]
                guard (0..<item.size[0]).contains(y) else { continue }
                for j in 0..<item.kernel[1] {
                  let z = column * item.strides[1] + j * item.dilations[1] - item.before[1]
                  guard (0..<item.size[1]).contains(z) else { continue }
                  let weight = weights[
                    ((output * depth + channel) * item.kernel[0] + i) * item.kernel[1] + j]
                  let place = (picture * item.channels + first + channel) * item.size[0] + y
                  sum += Double(weight) * Double(x[place * item.size[1] + z])
                }
              }
            }
            result.append(Float(sum))
          }
        }
      }
    }
    return result
  }

  @Test(arguments: cases)
  func aLargeConvolutionIsTheSumOfSmallOnes(_ item: Case) throws {
    let isOneRow = item.kernel[0] == 1 && item.size[0] == 1
    for rank in isOneRow ? [3, 4] : [4] {
      let (bytes, weights) = Self.model(item, rank: rank)
      let x = Self.numbers(item.pictures * item.channels * item.size[0] * item.size[1], 53)
      let imported = try ModelImporter.importONNX(bytes)
      let right = Self.right(item, x, weights)
      expectEqual(imported.outputs[0].shape.reduce(1, *), right.count)
      #expect(difference(try run(imported, [x])[0], right) < 5e-6)
    }
  }

  @Test func kernelsHaveAnEnd() {
    for item in [
      Case(kernel: [1, 20_000], size: [1, 20_000], channels: 1, outputs: 1),
      Case(kernel: [1, 40_000], strides: [1, 100], size: [1, 40_000], channels: 1, outputs: 1),
      Case(kernel: [1, 3], dilations: [1, 1 << 40], size: [1, 300]),
      Case(kernel: [2, 2], strides: [100, 100], size: [200, 200]),
      Case(kernel: [1, 90], size: [1, 80]),
    ] {
      let bytes = Self.model(item, rank: 4).bytes
      #expect(throws: ModelImportError.self) { try ModelImporter.importONNX(bytes) }
    }
  }

  @Test func aLongRowIsAnInput() throws {
    let count = 20_000
    let bytes = ONNXFile.model(
      nodes: [ONNXFile.node("Relu", ["x"], ["y"])], inputs: [("x", [1, count, 1, 1])],
      outputs: ["y"])
    let x = Self.numbers(count, 53)
    try expectEqual(run(ModelImporter.importONNX(bytes), [x])[0], x.map { max(0, $0) })
  }
}

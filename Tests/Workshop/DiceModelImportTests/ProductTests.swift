import DiceWeights
import TestSupport
import Testing

@testable import DiceModelImport

/// Products of two tensors that depend on the input.
struct ProductTests {
  private func model(
    _ first: [Int], _ second: [Int], firstOrder: [Int]? = nil, secondOrder: [Int]? = nil,
    resultOrder: [Int]? = nil
  ) throws -> ImportedModel {
    var nodes: [[UInt8]] = []
    func turned(_ name: String, _ order: [Int]?) -> String {
      guard let order else { return name }
      nodes.append(
        ONNXFile.node(
          "Transpose", [name], [name + "t"], attributes: [ONNXFile.attribute("perm", order)]))
      return name + "t"
    }
    let (x, z) = (turned("x", firstOrder), turned("z", secondOrder))
    nodes.append(ONNXFile.node("MatMul", [x, z], ["y"]))
    return try ModelImporter.importONNX(
      ONNXFile.model(
        nodes: nodes, inputs: [("x", first), ("z", second)], outputs: [turned("y", resultOrder)]))
  }

  @Test func matricesAreReadWhereTheyLie() throws {
    func layers(
      _ first: [Int], _ second: [Int], _ firstOrder: [Int]? = nil, _ secondOrder: [Int]? = nil
    ) throws -> [Layer] {
      try model(first, second, firstOrder: firstOrder, secondOrder: secondOrder)
        .description.layers
    }
    let turned = [1, 0]
    for (transposesFirst, transposesSecond) in [
      (false, false), (false, true), (true, false), (true, true),
    ] {
      try expectEqual(
        layers(
          transposesFirst ? [4, 3] : [3, 4], transposesSecond ? [5, 4] : [4, 5],
          transposesFirst ? turned : nil, transposesSecond ? turned : nil),
        [
          .matrixProduct(
            Layer.MatrixProduct(
              .input(0), .input(1), transposesFirst: transposesFirst,
              transposesSecond: transposesSecond))
        ])
    }
    // A sum of one product is a product number by number.
    let outer = try layers([2, 3, 1], [2, 1, 5])
    #expect(outer.contains { if case .elementwise = $0 { true } else { false } })
    #expect(!outer.contains { if case .matrixProduct = $0 { true } else { false } })
  }

  /// Shapes, and the product's.
  private static let cases: [([Int], [Int], [Int])] = [
    ([3, 4], [4, 5], [3, 5]), ([4], [4, 5], [5]), ([2, 3, 4], [4], [2, 3]), ([4], [4], []),
    ([2, 3, 4], [4, 5], [2, 3, 5]), ([3, 4], [2, 4, 5], [2, 3, 5]),
    ([2, 1, 3, 4], [1, 5, 4, 2], [2, 5, 3, 2]), ([2, 5, 3, 4], [2, 1, 4, 2], [2, 5, 3, 2]),
    ([1, 5, 3, 4], [2, 5, 4, 2], [2, 5, 3, 2]), ([2, 3, 1, 4], [2, 3, 4, 1], [2, 3, 1, 1]),
    ([7, 2, 3], [3, 6], [7, 2, 6]), ([2, 2, 2, 3, 4], [2, 1, 2, 4, 3], [2, 2, 2, 3, 3]),
    ([3, 300], [300, 2], [3, 2]),
  ]

  @Test func axesInFrontAreCombinedNumberByNumber() throws {
    var generator = SeededGenerator(seed: 5)
    for (first, second, shape) in Self.cases {
      let model = try model(first, second)
      expectEqual(model.outputs[0].shape, shape)
      let x = (0..<first.reduce(1, *)).map { _ in Float.random(in: -1...1, using: &generator) }
      let z = (0..<second.reduce(1, *)).map { _ in Float.random(in: -1...1, using: &generator) }
      let right = Self.product(x, first, z, second)
      #expect(difference(try run(model, [x, z])[0], right) < 1e-5, "\(first) \(second)")
    }
  }

  /// The product in double precision, each number by itself.
  private static func product(
    _ x: [Float], _ first: [Int], _ z: [Float], _ second: [Int]
  ) -> [Float] {
    let a = first.count == 1 ? [1] + first : first
    let b = second.count == 1 ? second + [1] : second
    let rank = max(a.count, b.count)
    let (left, right) = (
      [Int](repeating: 1, count: rank - a.count) + a, [Int](repeating: 1, count: rank - b.count) + b
    )
    let (m, k, n) = (left[rank - 2], left[rank - 1], right[rank - 1])
    let batch = (0..<rank - 2).map { max(left[$0], right[$0]) }
    var result: [Float] = []
    for index in 0..<batch.reduce(1, *) {
      var (rest, i, j, iStep, jStep) = (index, 0, 0, 1, 1)
      for axis in batch.indices.reversed() {
        let digit = rest % batch[axis]
        rest /= batch[axis]
        if left[axis] > 1 { i += digit * iStep }
        if right[axis] > 1 { j += digit * jStep }
        iStep *= left[axis]
        jStep *= right[axis]
      }
      for row in 0..<m {
        for column in 0..<n {
          var sum = 0.0
          for term in 0..<k {
            let one = Double(x[(i * m + row) * k + term])
            let other = Double(z[(j * k + term) * n + column])
            sum += one * other
          }
          result.append(Float(sum))
        }
      }
    }
    return result
  }

  @Test func largeMatricesAreMultiplied() throws {
    // 1100 x 1100 times 1100 x 1300: more than 2 to the 30 products.
    let bytes = ONNXFile.model(
      nodes: [
        ONNXFile.node("Expand", ["x", "s"], ["a"]), ONNXFile.node("Expand", ["z", "t"], ["b"]),
        ONNXFile.node("MatMul", ["a", "b"], ["c"]),
        ONNXFile.node("Slice", ["c", "from", "to", "axis"], ["y"]),
      ],
      constants: [
        ONNXFile.constant("s", [1100, 1100]), ONNXFile.constant("t", [1100, 1300]),
        ONNXFile.constant("from", [1299]), ONNXFile.constant("to", [1300]),
        ONNXFile.constant("axis", [1]),
      ], inputs: [("x", [1100, 1]), ("z", [1, 1300])], outputs: ["y"])
    let model = try ModelImporter.importONNX(bytes)
    // Whole numbers and halves: every sum is exact.
    let rows = (0..<1100).map { Float($0 % 16) }
    let found = try run(model, [rows, (0..<1300).map { $0 == 1299 ? 0.5 : 0 }])[0]
    expectEqual(found, rows.map { 550 * $0 })
  }

  @Test func productsThatNoValueHoldsAreRefused() {
    // 2 to the 34 numbers.
    #expect(throws: ModelImportError.self) { try model([131_072, 1, 2], [1, 2, 131_072]) }
    #expect(throws: ModelImportError.self) { try model([131_072, 2], [2, 131_072]) }
    #expect(throws: ModelImportError.self) { try model([3, 4], [3, 4]) }
    #expect(throws: ModelImportError.self) { try model([2, 3, 4], [3, 4, 5]) }
  }

  @Test func knownMatricesAreMultipliedAtOnce() throws {
    let model = try ModelImporter.importONNX(
      ONNXFile.model(
        nodes: [
          ONNXFile.node("MatMul", ["a", "b"], ["c"]), ONNXFile.node("Add", ["x", "c"], ["y"]),
        ],
        constants: [
          ONNXFile.constant("a", [2, 1, 2], [1, 2, 3, 4]),
          ONNXFile.constant("b", [2, 2], [1, 0.5, -1, 2]),
        ], inputs: [("x", [2, 1, 2])], outputs: ["y"]))
    #expect(
      !model.description.layers.contains { if case .matrixProduct = $0 { true } else { false } })
    try expectEqual(run(model, [[0, 0, 0, 10]])[0], [-1, 4.5, -1, 19.5])
  }
}

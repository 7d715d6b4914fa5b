import DiceWeights
import TestSupport
import Testing

@testable import DiceModelImport

struct TFLiteImportTests {
  /// A model of one operation behind an input, with a float result.
  private static func chain(
    _ code: Int, _ shape: [Int], _ options: Table? = nil,
    _ others: (inout TFLiteModel) -> [Int] = { _ in [] }
  ) -> [UInt8] {
    var model = TFLiteModel()
    let x = model.input("x", shape)
    let rest = others(&model)
    let y = model.tensor("y", [])
    model.operation(code, [x] + rest, [y], options)
    return model.bytes(outputs: [y])
  }

  private static func answer(_ bytes: [UInt8], _ numbers: [Float]) throws -> [Float] {
    try run(ModelImporter.importTensorFlowLite(bytes), [numbers])[0]
  }

  // MARK: Operations

  @Test func samePaddingPutsTheOddRowBelow() throws {
    // A kernel of two rows, ones, over three rows.
    let bytes = Self.chain(
      3, [1, 3, 1, 1], Table([0: .byte(0), 1: .integer(1), 2: .integer(1)])
    ) { (model) in [model.floats([1, 2, 1, 1], [1, 1])] }
    try expectEqual(Self.answer(bytes, [1, 2, 4]), [3, 6, 4])
  }

  @Test func aStrideLeavesOutWhatTheWindowsNeed() throws {
    // Four columns, stride 2, kernel 3: one column of padding, at the right.
    let bytes = Self.chain(
      3, [1, 1, 4, 1], Table([0: .byte(0), 1: .integer(2), 2: .integer(1)])
    ) { (model) in [model.floats([1, 1, 3, 1], [1, 10, 100])] }
    try expectEqual(Self.answer(bytes, [1, 2, 3, 4]), [321, 43])
  }

  @Test func aDepthwiseKernelHasItsResultsSideBySide() throws {
    // Two channels, two results of each.
    let bytes = Self.chain(
      4, [1, 1, 1, 2], Table([0: .byte(1), 1: .integer(1), 2: .integer(1), 3: .integer(2)])
    ) { (model) in [model.floats([1, 1, 1, 4], [1, 2, 3, 4])] }
    try expectEqual(Self.answer(bytes, [10, 100]), [10, 20, 300, 400])
  }

  @Test func aFunctionIsPartOfItsOperation() throws {
    let bytes = Self.chain(0, [1, 4], Table([0: .byte(3)])) { (model) in
      [model.floats([1], [1])]
    }
    try expectEqual(Self.answer(bytes, [-3, 0, 4, 9]), [0, 1, 5, 6])
  }

  @Test(arguments: [
    (false, false, [0, 0, 1, 1]), (true, false, [0, 0, 1, 1]), (false, true, [0, 0, 1, 1]),
  ])
  func nearestNumbersFollowTheRule(isAligned: Bool, isHalf: Bool, right: [Float]) throws {
    let bytes = Self.chain(
      97, [1, 1, 2, 1], Table([0: .byte(isAligned ? 1 : 0), 1: .byte(isHalf ? 1 : 0)])
    ) { (model) in [model.integers([1, 4])] }
    try expectEqual(Self.answer(bytes, [0, 1]), right)
  }

  @Test(arguments: [
    (false, false, [0, 1, 2, 2]), (true, false, [0, Float(2) / 3, Float(4) / 3, 2]),
    (false, true, [0, 0.5, 1.5, 2]),
  ])
  func linearNumbersFollowTheRule(isAligned: Bool, isHalf: Bool, right: [Float]) throws {
    let bytes = Self.chain(
      23, [1, 1, 2, 1], Table([2: .byte(isAligned ? 1 : 0), 3: .byte(isHalf ? 1 : 0)])
    ) { (model) in [model.integers([1, 4])] }
    #expect(difference(try Self.answer(bytes, [0, 2]), right) < 1e-6)
  }

  @Test func channelsLieLastInInputsAndOutputs() throws {
    let model = try ModelImporter.importTensorFlowLite(Self.chain(19, [1, 2, 3, 4]))
    #expect(model.inputs[0].shape == [1, 2, 3, 4] && model.outputs[0].shape == [1, 2, 3, 4])
    expectEqual(
      model.description.inputs[0].shape, TensorShape(height: 2, width: 3, channels: 4))
  }

  @Test func aConvolutionOverPiecesIsADilatedOne() throws {
    var model = TFLiteModel()
    let x = model.input("x", [1, 1, 5, 1])
    let (pieces, amounts) = (model.integers([1, 2]), model.integers([0, 0, 0, 1]))
    let crops = model.integers([0, 0, 0, 0])
    let kernel = model.floats([1, 1, 2, 1], [1, 10])
    let (cut, sum, y) = (
      model.tensor("cut", []), model.tensor("sum", []), model.tensor("y", [])
    )
    model.operation(38, [x, pieces, amounts], [cut])
    model.operation(
      3, [cut, kernel], [sum], Table([0: .byte(1), 1: .integer(1), 2: .integer(1)]))
    model.operation(37, [sum, pieces, crops], [y])
    let imported = try ModelImporter.importTensorFlowLite(model.bytes(outputs: [y]))
    expectEqual(imported.outputs[0].shape, [1, 1, 4, 1])
    try expectEqual(run(imported, [[1, 2, 3, 4, 5]])[0], [31, 42, 53, 4])
    // Pieces that are no maps again.
    let open = model.bytes(outputs: [cut])
    #expect(throws: ModelImportError.self) { try ModelImporter.importTensorFlowLite(open) }
  }

  // MARK: Numbers

  @Test func scalesMayDifferAlongAnAxis() throws {
    var model = TFLiteModel()
    let x = model.input("x", [1, 2])
    let weights = model.tensor(
      "w", [2, 2], type: 9, data: [1, 2, 0xFF, 4], scales: [1, 10], zeros: [0, 1])
    let y = model.tensor("y", [])
    model.operation(9, [x, weights, -1], [y], Table())
    // Rows [1, 2] and 10 * ([-1, 4] - 1).
    try expectEqual(Self.answer(model.bytes(outputs: [y]), [1, 1]), [3, 10])
  }

  @Test func halfPrecisionAndFourBitsAreRead() throws {
    for (type, data, scales) in [
      (1, [UInt8](arrayLiteral: 0x00, 0x3E, 0x00, 0xC0), []), (17, [0xC3], [Float(0.5)]),
    ] {
      var model = TFLiteModel()
      let x = model.input("x", [1, 2])
      let half = model.tensor(
        "w", [1, 2], type: type, data: data, scales: scales, zeros: scales.isEmpty ? [] : [0])
      let (weights, y) = (model.tensor("float", []), model.tensor("y", []))
      model.operation(6, [half], [weights])
      model.operation(18, [x, weights], [y], Table())
      try expectEqual(Self.answer(model.bytes(outputs: [y]), [1, 1]), [1.5, -2])
    }
  }

  @Test func resultsAreRoundedAsIntegersAre() throws {
    // Steps of 0.5 from -64 on, and the integers that come out.
    var model = TFLiteModel()
    let x = model.input("x", [1, 4], type: 9, scales: [0.25], zeros: [3])
    let y = model.tensor("y", [], type: 9, scales: [0.5], zeros: [-1])
    model.operation(18, [x, model.floats([1], [1])], [y], Table())
    let imported = try ModelImporter.importTensorFlowLite(model.bytes(outputs: [y]))
    // 0, 0.25, -1 and 31 are 0, 1 (in the middle), -2 and 62 steps.
    try expectEqual(run(imported, [[3, 4, -1, 127]])[0], [-1, 0, -3, 61])
    expectEqual(imported.report.notes.count, 1)
  }

  /// What LiteRT makes of a sum of products of integers: multiplied by a factor in fixed point, with two
  /// roundings (`MultiplyByQuantizedMultiplier`).
  private static func scaled(_ sum: Int, by factor: Double) -> Int {
    let multiplier = Int((factor.significand / 2 * 0x1p31).rounded())
    let shift = -(Int(factor.exponent) + 1)
    let product = sum * multiplier
    let high = (product + (product >= 0 ? 1 << 30 : 1 - (1 << 30))) / (1 << 31)
    let rest = high & ((1 << shift) - 1)
    return (high >> shift) + (rest > ((1 << shift) - 1) / 2 + (high < 0 ? 1 : 0) ? 1 : 0)
  }

  @Test(arguments: [3, 9])
  func productsOfIntegersAreThoseOfLiteRT(type: Int) throws {
    let range = type == 3 ? 0...255 : -128...127
    let zeros = type == 3 ? [131, 97, 120] : [3, -31, -8]
    for value in [range.lowerBound, range.lowerBound + 60, range.upperBound - 45] {
      var model = TFLiteModel()
      let x = model.input("x", [1, 256], type: type, scales: [0.1], zeros: [zeros[0]])
      let y = model.input("y", [1, 1], type: type, scales: [0.05], zeros: [zeros[1]])
      let z = model.tensor("z", [], type: type, scales: [0.6], zeros: [zeros[2]])
      model.operation(18, [x, y], [z], Table())
      let imported = try ModelImporter.importTensorFlowLite(model.bytes(outputs: [z]))
      let found = try run(imported, [range.map { Float($0) }, [Float(value)]])[0]
      let factor = Double(Float(0.1)) * Double(Float(0.05)) / Double(Float(0.6))
      let right = range.map { (integer) in
        let product = Self.scaled((integer - zeros[0]) * (value - zeros[1]), by: factor)
        return Float(min(max(product + zeros[2], range.lowerBound), range.upperBound))
      }
      expectEqual(found, right, "times \(value)")
      #expect(Set(right).count > 20)
    }
  }

  @Test func aLeakyRectifierOfIntegersIsThatOfLiteRT() throws {
    var model = TFLiteModel()
    let x = model.input("x", [1, 256], type: 9, scales: [0.1], zeros: [20])
    let y = model.tensor("y", [], type: 9, scales: [0.11], zeros: [-5])
    model.operation(98, [x], [y], Table([0: .float(0.3)]))
    let imported = try ModelImporter.importTensorFlowLite(model.bytes(outputs: [y]))
    let ratio = Double(Float(0.1)) / Double(Float(0.11))
    let right = (-128...127).map { (integer) in
      let factor = integer < 20 ? ratio * Double(Float(0.3)) : ratio
      return Float(min(max(Self.scaled(integer - 20, by: factor) - 5, -128), 127))
    }
    try expectEqual(run(imported, [(-128...127).map { Float($0) }])[0], right)
  }

  @Test func whatAnIntegerCannotBeIsTheNearestThatItCan() throws {
    var model = TFLiteModel()
    let x = model.input("x", [1, 3])
    let y = model.tensor("y", [], type: 3, scales: [0.1], zeros: [10])
    let z = model.tensor("z", [])
    model.operation(114, [x], [y])
    model.operation(6, [y], [z])
    let found = try Self.answer(model.bytes(outputs: [z]), [-50, 0.13, 50])
    #expect(difference(found, [-1, 0.1, 24.5]) < 1e-6)
  }

  @Test func aLimitIsPartOfTheRounding() throws {
    // ReLU6 between steps of 1.
    var model = TFLiteModel()
    let x = model.input("x", [1, 3])
    let y = model.tensor("y", [], type: 3, scales: [1], zeros: [100])
    model.operation(0, [x, model.floats([1], [0])], [y], Table([0: .byte(3)]))
    try expectEqual(Self.answer(model.bytes(outputs: [y]), [-7, 3.4, 9]), [100, 103, 106])
  }

  // MARK: Shapes

  @Test func openSizesAreAskedForAndTaken() throws {
    var model = TFLiteModel()
    let x = model.input("x", [1, 1, 1, 2], signature: [-1, -1, -1, 2])
    let y = model.tensor("y", [])
    model.operation(19, [x], [y])
    let bytes = model.bytes(outputs: [y])
    #expect(
      throws: ModelImportError.openShapes([OpenInput(name: "x", shape: [1, nil, nil, 2])])
    ) { try ModelImporter.importTensorFlowLite(bytes) }
    let imported = try ModelImporter.importTensorFlowLite(
      bytes, options: ImportOptions(inputShapes: ["x": [1, 4, 6, 2]]))
    expectEqual(imported.inputs[0].shape, [1, 4, 6, 2])
    #expect(imported.description.inputs[0].isResizable)
    #expect(
      throws: ModelImportError.inputShape(
        name: "x", given: [1, 4, 6, 3], required: [nil, nil, nil, 2])
    ) {
      try ModelImporter.importTensorFlowLite(
        bytes, options: ImportOptions(inputShapes: ["x": [1, 4, 6, 3]]))
    }
  }

  @Test func arithmeticOnShapesIsDoneBeforehand() throws {
    var model = TFLiteModel()
    let x = model.input("x", [2, 3])
    let (shape, count, y) = (
      model.tensor("shape", [], type: 2), model.tensor("count", [], type: 2),
      model.tensor("y", [])
    )
    model.operation(77, [x], [shape])
    model.operation(81, [shape, model.integers([0])], [count], Table([0: .byte(1)]))
    model.operation(22, [x, count], [y])
    let imported = try ModelImporter.importTensorFlowLite(model.bytes(outputs: [y]))
    expectEqual(imported.outputs[0].shape, [6])
  }

  // MARK: Refusals

  @Test func allOperationsWithoutACounterpartAreNamed() throws {
    var model = TFLiteModel()
    let x = model.input("x", [1, 4])
    let names = ["a", "b", "c"]
    let tensors = names.map { model.tensor($0, []) }
    model.operation(16, [x], [tensors[0]])
    model.operation(32, [tensors[0]], [tensors[1]], custom: "FlexErf")
    model.operation(16, [tensors[1]], [tensors[2]])
    let bytes = model.bytes(outputs: [tensors[2]])
    #expect(
      throws: ModelImportError.unsupported([
        UnsupportedOperation(
          name: "LSTM", place: "a", count: 2,
          reason: "only recurrent operations over whole sequences are read"),
        UnsupportedOperation(
          name: "FlexErf", place: "b", count: 1,
          reason: "it is one of TensorFlow's own, which the file does not define"),
      ])
    ) { try ModelImporter.importTensorFlowLite(bytes) }
  }

  @Test func whatIsBehindASuppressionIsRefused() throws {
    var model = TFLiteModel()
    let (boxes, scores) = (model.input("boxes", [1, 2, 4]), model.input("scores", [1, 2, 3]))
    let anchors = model.floats([2, 4], [Float](repeating: 0.5, count: 8))
    let found = (0..<4).map { model.tensor("found \($0)", []) }
    model.operation(
      32, [boxes, scores, anchors], found, custom: "TFLite_Detection_PostProcess",
      customOptions: Flexbuffer.map([("num_classes", .integer(2)), ("x_scale", .number(10))]))
    let imported = try ModelImporter.importTensorFlowLite(model.bytes(outputs: found))
    expectEqual(imported.description.task, "objects")
    expectEqual(imported.outputs.map { $0.name }, ["boxes", "scores", "constant 2"])
    expectEqual(imported.outputs.map { $0.shape }, [[1, 2, 4], [1, 2, 3], [2, 4]])
    let heads = imported.description.outputs.compactMap { $0.head }
    expectEqual(heads.map { $0.kind }, ["listed boxes", "box scores", "default boxes"])
    #expect(heads[0].parameters.contains(NamedValues("offset scales", [1, 10, 1, 1])))
    #expect(heads[1].parameters.contains(NamedValues("background", [1])))
    #expect(heads[1].parameters.contains(NamedValues("classes", [2])))
    let y = model.tensor("y", [])
    model.operation(19, [found[0]], [y])
    let behind = model.bytes(outputs: [y])
    #expect(throws: ModelImportError.self) { try ModelImporter.importTensorFlowLite(behind) }
  }

  // MARK: Damage

  @Test func everyTruncationIsRefused() {
    let bytes = Self.chain(
      3, [1, 3, 3, 1], Table([0: .byte(0), 1: .integer(1), 2: .integer(1)])
    ) { (model) in [model.floats([1, 2, 2, 1], [1, 2, 3, 4])] }
    var count = 0
    for end in 0..<bytes.count {
      do {
        _ = try ModelImporter.importTensorFlowLite(Array(bytes[..<end]))
      } catch {
        count += 1
      }
    }
    // The last bytes may be padding.
    #expect(count >= bytes.count - 8)
  }

  @Test func noChangedByteEndsTheProgram() {
    let bytes = Self.chain(
      3, [1, 3, 3, 1], Table([0: .byte(0), 1: .integer(1), 2: .integer(1)])
    ) { (model) in [model.floats([1, 2, 2, 1], [1, 2, 3, 4])] }
    var refusedCount = 0
    for place in bytes.indices {
      for value: UInt8 in [0, 1, 0x7F, 0x80, 0xFF] {
        var damaged = bytes
        damaged[place] = value
        do {
          _ = try ModelImporter.importTensorFlowLite(damaged).weightFile()
        } catch {
          refusedCount += 1
        }
      }
    }
    #expect(refusedCount > bytes.count)
  }

  @Test func theLeastIntegerIsNoAxis() {
    let bytes = Self.chain(56, [1, 4]) { (model) in [model.floats([1], [-0x1p63])] }
    #expect(
      throws: ModelImportError.invalid(
        place: "y", rule: "Its axis has the number \(Float(-0x1p63)).")
    ) { try ModelImporter.importTensorFlowLite(bytes) }
  }

  @Test func biasesMustBeAsManyAsSums() {
    let bytes = Self.chain(9, [1, 2], Table()) { (model) in
      [model.floats([1, 2], [1, 1]), model.floats([3], [1, 2, 3])]
    }
    #expect(
      throws: ModelImportError.invalid(place: "y", rule: "It has 3 biases for 1 sums.")
    ) { try ModelImporter.importTensorFlowLite(bytes) }
  }

  @Test func otherFilesAreNamed() {
    #expect(
      throws: ModelImportError.flatbuffer(.wrongIdentifier(required: "TFL3"))
    ) { try ModelImporter.importTensorFlowLite(Array("no model at all".utf8)) }
  }
}

import DiceDetectorHeads
import DiceNumerics
import DiceWeights
import TestSupport
import Testing

@testable import DicePoses

/// What other people's networks say of joints.
@Suite struct JointHeadsTests {
  private static let input = HeadInputSize(width: 48, height: 64)

  /// Zeros with some numbers in them.
  private static func values(
    _ rows: Int, _ columns: Int, _ channels: Int, _ numbers: [(Int, Int, Int, Float)] = []
  ) -> HeadValues {
    var values = HeadValues(rows: rows, columns: columns, channels: channels)
    for (row, column, channel, number) in numbers {
      values.numbers[(row * columns + column) * channels + channel] = number
    }
    return values
  }

  // MARK: Heatmaps

  @Test(arguments: [
    (HeatmapHead.Refinement.none, Float(12.5), Float(20.5)), (.quarter, 13.5, 19.5),
  ])
  func thePeakMovesTowardsTheHigherNeighbour(
    refinement: HeatmapHead.Refinement, x: Float, y: Float
  ) {
    let maps = Self.values(
      16, 12, 2,
      [(5, 3, 1, 0.75), (5, 4, 1, 0.5), (5, 2, 1, 0.25), (4, 3, 1, 0.5), (9, 9, 0, 0.9)])
    let place = HeatmapHead(refinement: refinement).place(of: 1, in: maps, Self.input)
    expectEqual(place, JointPlace(x: x, y: y, confidence: 0.75))
  }

  @Test func theFirstOfEqualPeaksCountsAndEdgesStay() {
    let maps = Self.values(16, 12, 1, [(0, 11, 0, 2), (3, 3, 0, 2), (0, 10, 0, 1)])
    let place = HeatmapHead(refinement: .quarter).place(of: 0, in: maps, Self.input)
    // 2 is no confidence: it is limited to 1.
    expectEqual(place, JointPlace(x: 44.5, y: 0.5, confidence: 1))
    let negative = HeadValues(
      rows: 2, columns: 2, channels: 1, numbers: [-3, -1, -2, -4])
    let least = HeatmapHead(refinement: .none).place(of: 0, in: negative, Self.input)
    expectEqual(least, JointPlace(x: 24.5, y: 0.5, confidence: 0))
  }

  @Test func theParabolaFindsTheMiddleOfABell() {
    var maps = HeadValues(rows: 32, columns: 24, channels: 1)
    for row in 0..<32 {
      for column in 0..<24 {
        let (dx, dy) = (Float(column) - 10.3, Float(row) - 14.6)
        maps.numbers[row * 24 + column] = exponential(-(dx * dx + dy * dy) / 8)
      }
    }
    let place = HeatmapHead(refinement: .dark).place(of: 0, in: maps, Self.input)
    // A place is two pixels. Eleven places are not the whole bell.
    #expect((place.x - (2 * 10.3 + 0.5)).magnitude < 0.04, "\(place)")
    #expect((place.y - (2 * 14.6 + 0.5)).magnitude < 0.04, "\(place)")
    // At the edge there is no parabola, and in a flat map no peak.
    let edge = Self.values(32, 24, 1, [(1, 12, 0, 1)])
    let dark = HeatmapHead(refinement: .dark)
    expectEqual(dark.place(of: 0, in: edge, Self.input).y, 2.5)
    let flat = HeadValues(
      rows: 8, columns: 8, channels: 1, numbers: [Float](repeating: -1, count: 64))
    expectEqual(dark.place(of: 0, in: flat, Self.input), JointPlace(x: 0.5, y: 0.5, confidence: 0))
  }

  @Test func offsetsAreAddedToPlacesThatReachTheLastPixel() {
    let input = HeadInputSize(width: 513, height: 513)
    let maps = Self.values(33, 33, 2, [(2, 3, 1, 0.6)])
    let offsets = Self.values(33, 33, 4, [(2, 3, 1, 1.5), (2, 3, 3, -2), (2, 3, 0, 99)])
    let place = HeatmapHead(refinement: .quarter).place(
      of: 1, in: maps, offsets: offsets, input)
    expectEqual(place, JointPlace(x: 46.5, y: 34, confidence: 0.6))
  }

  @Test(arguments: [Float.nan, .infinity, -.infinity])
  func numbersThatAreNotFiniteGiveNoPlace(number: Float) {
    let maps = Self.values(4, 4, 2, [(1, 1, 0, number), (2, 2, 0, 1), (1, 1, 1, 1)])
    let head = HeatmapHead(refinement: .dark)
    expectEqual(head.place(of: 0, in: maps, Self.input), .none)
    #expect(head.place(of: 1, in: maps, Self.input) != .none)
    let offsets = Self.values(4, 4, 4, [(1, 1, 1, number)])
    expectEqual(head.place(of: 1, in: maps, offsets: offsets, Self.input), .none)
    expectEqual(
      JointBins.place(of: 0, columns: maps, rows: maps, Self.input, count: 2), .none)
    let points = JointPointsHead(format: JointPointFormat(), numberCount: 3, scoreIndex: 2)
    let numbers = HeadValues(rows: 2, columns: 1, channels: 3, numbers: [0, 1, number, 0, 0, 0])
    expectEqual(points.place(of: 0, in: numbers, Self.input), .none)
  }

  // MARK: Other heads

  @Test func binsArePartsOfPixels() {
    let columns = Self.values(2, 96, 1, [(1, 21, 0, 0.8), (1, 22, 0, 0.7), (0, 3, 0, 5)])
    let rows = Self.values(2, 128, 1, [(1, 40, 0, 1.2)])
    let place = JointBins.place(of: 1, columns: columns, rows: rows, Self.input, count: 2)
    expectEqual(place, JointPlace(x: 11, y: 20.5, confidence: 0.8))
  }

  @Test func pointsAreSharesOrPixelsAndScoresMayBeLogits() {
    let moveNet = JointPointsHead(
      format: JointPointFormat(hasRowFirst: true, unit: .shares), numberCount: 3, scoreIndex: 2)
    let shares = HeadValues(
      rows: 2, columns: 1, channels: 3, numbers: [0, 0, 0, 0.25, 0.5, 0.875])
    expectEqual(
      moveNet.place(of: 1, in: shares, Self.input), JointPlace(x: 24, y: 16, confidence: 0.875))
    let blazePose = JointPointsHead(
      format: JointPointFormat(isLogit: true), numberCount: 5, scoreIndex: 3)
    let pixels = HeadValues(rows: 1, columns: 1, channels: 5, numbers: [30, 40, 7, 0, -9])
    expectEqual(
      blazePose.place(of: 0, in: pixels, Self.input), JointPlace(x: 30, y: 40, confidence: 0.5))
  }

  @Test func thePersonWithTheHighestScoreCounts() throws {
    let heads = try Self.heads([(.personRows, ["nose", "leftEye"], (3, 1, 11), [])])
    let row: [Float] = [0, 0, 9, 9]
    let numbers =
      row + [0.2, 1, 1, 1, 2, 2, 1] + row + [0.9, 5, 6, 0.75, 7, 8, 0.5] + row
      + [.nan, 3, 3, 1, 4, 4, 1]
    var places: [JointPlace] = []
    heads.forEachPlace(
      in: [HeadValues(rows: 3, columns: 1, channels: 11, numbers: numbers)], Self.input
    ) { places.append($1) }
    expectEqual(
      places,
      [
        JointPlace(x: 5, y: 6, confidence: 0.75), JointPlace(x: 7, y: 8, confidence: 0.5),
      ])
    let nobody = HeadValues(
      rows: 3, columns: 1, channels: 11, numbers: [Float](repeating: .nan, count: 33))
    heads.forEachPlace(in: [nobody], Self.input) { expectEqual($1, .none, "\($0)") }
  }

  // MARK: Weight files

  private typealias Output = (
    kind: PoseHeadKind?, labels: [String], shape: (Int, Int, Int), parameters: [NamedValues]
  )

  /// The heads of a network whose outputs are inputs of other shapes.
  private static func heads(_ outputs: [Output]) throws -> JointHeads {
    var description = NetworkDescription(
      name: "heads", inputs: [], layers: [], outputs: [])
    for (index, output) in outputs.enumerated() {
      let shape = TensorShape(
        height: output.shape.0, width: output.shape.1, channels: output.shape.2)
      description.inputs.append(
        NetworkInput(
          name: "in\(index)", shape: TensorShape(height: 1, width: 1, channels: shape.elementCount)
        ))
      description.layers.append(
        .rearrangement(
          Layer.Rearrangement(
            input: .input(index), dimensions: [shape.elementCount], permutation: [0],
            output: shape)))
      description.outputs.append(
        NetworkOutput(
          name: "out\(index)", layer: index,
          head: output.kind.map {
            NetworkHead(kind: $0.rawValue, labels: output.labels, parameters: output.parameters)
          }))
    }
    return try JointHeads(description, shapes: try description.validated())
  }

  @Test func headsAreReadAndUnknownJointsPassedOver() throws {
    let heads = try Self.heads([
      (.offsets, [], (4, 3, 6), []),
      (.heatmaps, ["l_wrist", "left pinky", "Head Top"], (4, 3, 3), []),
    ])
    expectEqual(heads.points, [.joint(.leftWrist), nil, .topOfHead])
    expectEqual(heads.outputs, [1, 0])
    expectEqual(heads.points[0]?.mirrored, .joint(.rightWrist))
    let bins = try Self.heads([
      (.rows, [], (2, 9, 1), []), (.columns, ["nose", "neck"], (2, 7, 1), []),
    ])
    expectEqual(bins.outputs, [1, 0])
    _ = try Self.heads([
      (
        .points, ["nose", "neck"], (1, 1, 10),
        [NamedValues("numbers", [5]), NamedValues("score", [3])]
      )
    ])
  }

  @Test func eachBrokenRuleHasItsError() {
    func refuses(_ outputs: [Output], _ error: PoseHeadError) {
      #expect(throws: error) { try Self.heads(outputs) }
      #expect(error.description.hasSuffix("."))
    }
    let two = ["nose", "neck"]
    refuses(
      [(.heatmaps, two, (4, 3, 3), [])],
      .shape(
        output: "out0", found: TensorShape(height: 4, width: 3, channels: 3),
        required: "2 channels, one for each joint"))
    refuses(
      [(.heatmaps, two, (4, 3, 2), []), (.offsets, [], (4, 3, 2), [])],
      .shape(
        output: "out1", found: TensorShape(height: 4, width: 3, channels: 2),
        required: "4 rows, 3 columns and 4 channels, as its heatmaps have"))
    refuses([(.heatmaps, [], (4, 3, 2), [])], .noJoints(output: "out0"))
    refuses([(.heatmaps, ["tail", "ear"], (4, 3, 2), [])], .noJoints(output: "out0"))
    refuses(
      [(.heatmaps, ["leftWrist", "l_wrist"], (4, 3, 2), [])],
      .repeatedJoint(output: "out0", name: "l_wrist"))
    refuses(
      [(.heatmaps, two, (4, 3, 2), [NamedValues("refinement", [3])])],
      .parameter(
        output: "out0", name: "refinement", found: [3], required: "one whole number in 0...2"))
    refuses(
      [(.points, two, (2, 1, 3), [NamedValues("score", [3])])],
      .parameter(output: "out0", name: "score", found: [3], required: "one whole number in 2...2"))
    refuses(
      [(.points, two, (3, 1, 3), [])], Self.shape((3, 1, 3), "3 numbers for each of 2 joints"))
    refuses(
      [(.personRows, two, (9, 1, 10), [])],
      Self.shape((9, 1, 10), "11 channels: five of a box and three of each of 2 joints"))
    refuses(
      [(.columns, two, (3, 9, 1), []), (.rows, [], (2, 9, 1), [])],
      Self.shape((3, 9, 1), "2 rows, one for each joint, and one channel"))
    refuses(
      [(.columns, two, (2, 9, 1), [])],
      .missingOutput(kind: "joint columns", needed: "joint rows"))
    refuses(
      [(.rows, two, (2, 9, 1), [])], .missingOutput(kind: "joint rows", needed: "joint columns"))
    refuses(
      [(.offsets, two, (2, 9, 4), [])],
      .missingOutput(kind: "joint offsets", needed: "joint heatmaps"))
    refuses(
      [(.heatmaps, two, (4, 3, 2), []), (.heatmaps, two, (4, 3, 2), [])],
      .repeated(kind: "joint heatmaps"))
    refuses(
      [(.heatmaps, two, (4, 3, 2), []), (.points, two, (2, 1, 3), [])],
      .tooMany(["joint heatmaps", "joint points"]))
    refuses([(nil, [], (4, 3, 2), [])], .noHead)
  }

  private static func shape(_ found: (Int, Int, Int), _ required: String) -> PoseHeadError {
    .shape(
      output: "out0", found: TensorShape(height: found.0, width: found.1, channels: found.2),
      required: required)
  }
}

import DiceExport
import DiceWeights
import TestSupport
import Testing

@Suite struct ONNXResizingTests {
  private func model(
    height: Int = 4, width: Int = 6, _ extent: Layer.Resizing.Extent,
    _ interpolation: Layer.Resizing.Interpolation, _ coordinates: Layer.Resizing.Coordinates
  ) throws -> ReadModel {
    var network = CaseNetwork(seed: 0)
    let source = network.input(height, width, 2)
    let layer = Layer.Resizing(
      input: source, extent: extent, interpolation: interpolation, coordinates: coordinates)
    network.output(network.add(.resizing(layer)))
    return try ReadModel(ONNXModel.encode(network.file()))
  }

  @Test func factorsAreScales() throws {
    let model = try model(.factors(y: 2, x: 3), .nearestFloor, .asymmetric)
    expectEqual(model.nodes.map { $0.operation }, ["Resize"])
    expectEqual(model.nodes[0].inputs, ["in0", "", "layer0.scales"])
    expectEqual(
      model.nodes[0].texts,
      [
        "coordinate_transformation_mode": "asymmetric", "mode": "nearest",
        "nearest_mode": "floor",
      ])
    expectEqual(model.tensors["layer0.scales"]?.values, [1, 1, 2, 3])
    // A size that is a multiple is the same.
    let size = try self.model(.size(height: 8, width: 18), .nearestFloor, .asymmetric)
    expectEqual(size.tensors["layer0.scales"]?.values, [1, 1, 2, 3])
    expectEqual(size.nodes[0].inputs, model.nodes[0].inputs)
  }

  @Test func roundingsAndCoordinatesHaveTheirNames() throws {
    let roundings: [(Layer.Resizing.Interpolation, String)] = [
      (.nearestFloor, "floor"), (.nearestPreferringFloor, "round_prefer_floor"),
      (.nearestPreferringCeiling, "round_prefer_ceil"), (.nearestCeiling, "ceil"),
    ]
    for (interpolation, name) in roundings {
      let node = try model(.factors(y: 2, x: 2), interpolation, .halfPixel).nodes[0]
      #expect(node.texts["nearest_mode"] == name && node.texts["mode"] == "nearest")
    }
    let coordinates: [(Layer.Resizing.Coordinates, String)] = [
      (.halfPixel, "half_pixel"), (.alignCorners, "align_corners"), (.asymmetric, "asymmetric"),
    ]
    for (coordinates, name) in coordinates {
      let model = try model(.size(height: 3, width: 5), .bilinear, coordinates)
      expectEqual(model.nodes[0].inputs, ["in0", "", "", "layer0.size"])
      expectEqual(
        model.nodes[0].texts, ["coordinate_transformation_mode": name, "mode": "linear"])
      expectEqual(model.tensors["layer0.size"]?.integers, [1, 2, 3, 5])
    }
  }

  @Test func nearestPositionsAreExact() throws {
    // From 4 rows to 6, worked out by hand. Half pixel: -1/6, 1/2, 7/6, 11/6, 5/2, 19/6; align
    // corners: 0, 3/5, 6/5, 9/5, 12/5, 3; asymmetric: 0, 2/3, 4/3, 2, 8/3, 10/3.
    let expected: [(Layer.Resizing.Interpolation, Layer.Resizing.Coordinates, [Int])] = [
      (.nearestFloor, .halfPixel, [0, 0, 1, 1, 2, 3]),
      (.nearestPreferringFloor, .halfPixel, [0, 0, 1, 2, 2, 3]),
      (.nearestPreferringCeiling, .halfPixel, [0, 1, 1, 2, 3, 3]),
      (.nearestCeiling, .halfPixel, [0, 1, 2, 2, 3, 3]),
      (.nearestFloor, .alignCorners, [0, 0, 1, 1, 2, 3]),
      (.nearestPreferringFloor, .alignCorners, [0, 1, 1, 2, 2, 3]),
      (.nearestPreferringCeiling, .alignCorners, [0, 1, 1, 2, 2, 3]),
      (.nearestCeiling, .alignCorners, [0, 1, 2, 2, 3, 3]),
      (.nearestFloor, .asymmetric, [0, 0, 1, 2, 2, 3]),
      (.nearestPreferringFloor, .asymmetric, [0, 1, 1, 2, 3, 3]),
      (.nearestPreferringCeiling, .asymmetric, [0, 1, 1, 2, 3, 3]),
      (.nearestCeiling, .asymmetric, [0, 1, 2, 2, 3, 3]),
    ]
    for (interpolation, coordinates, rows) in expected {
      let model = try model(.size(height: 6, width: 1), interpolation, coordinates)
      expectEqual(model.nodes.map { $0.operation }, ["Gather", "Gather"])
      expectEqual(model.nodes.map { $0.integers }, [["axis": [2]], ["axis": [3]]])
      expectEqual(model.nodes[0].inputs, ["in0", "layer0.rows"])
      expectEqual(model.nodes[1].inputs, ["layer0.between", "layer0.columns"])
      expectEqual(
        model.tensors["layer0.rows"]?.integers, rows, "\(interpolation), \(coordinates)")
    }
    // One of six columns: the middle lies at 5/2.
    for (interpolation, coordinates, column) in [
      (Layer.Resizing.Interpolation.nearestPreferringFloor, .halfPixel, 2),
      (.nearestPreferringCeiling, .halfPixel, 3), (.nearestCeiling, .alignCorners, 0),
      (.nearestCeiling, .asymmetric, 0),
    ] as [(Layer.Resizing.Interpolation, Layer.Resizing.Coordinates, Int)] {
      let model = try model(.size(height: 6, width: 1), interpolation, coordinates)
      expectEqual(model.tensors["layer0.columns"]?.integers, [column])
    }
  }
}

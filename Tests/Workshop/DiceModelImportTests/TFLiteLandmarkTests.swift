import Foundation
import TestSupport
import Testing

@testable import DiceModelImport

/// MediaPipe's operations on landmarks.
struct TFLiteLandmarkTests {
  private static let landmarks: [Float] = [1, 2, 9, 4, 3, 9, 2, 5, 9, 6, 6, 9]

  private static func options(
    subset: [Int] = [0, 1, 2, 3], left: Int = 0, width: Int = 4, height: Int = 2
  ) -> [UInt8] {
    Flexbuffer.map([
      ("left_rotation_idx", .integer(left)), ("output_height", .integer(height)),
      ("output_width", .integer(width)), ("right_rotation_idx", .integer(1)),
      ("scale_x", .number(1.5)), ("scale_y", .number(1.25)), ("subset_idxs", .list(subset)),
      ("target_rotation_radians", .number(0.3)),
    ])
  }

  /// The transform's numbers, by the rule's own steps.
  private static var matrix: [Double] {
    let points = (0..<4).map { (index) in
      (Double(landmarks[3 * index]), Double(landmarks[3 * index + 1]))
    }
    let angle =
      Double(Float(0.3)) - atan2(points[1].1 - points[0].1, points[1].0 - points[0].0)
    let turned = points.map { (point) in
      (
        point.0 * cos(angle) - point.1 * sin(angle), point.0 * sin(angle) + point.1 * cos(angle)
      )
    }
    let (xs, ys) = (turned.map { $0.0 }, turned.map { $0.1 })
    let (left, right) = (xs.min() ?? 0, xs.max() ?? 0)
    let (top, bottom) = (ys.min() ?? 0, ys.max() ?? 0)
    func back(_ x: Double, _ y: Double) -> (Double, Double) {
      (x * cos(-angle) - y * sin(-angle), x * sin(-angle) + y * cos(-angle))
    }
    let centre = back((left + right) / 2, (top + bottom) / 2)
    // Where places (0, 0), (1, 0) and (0, 1) of the part lie.
    func place(_ x: Double, _ y: Double) -> (Double, Double) {
      let scaled = back(
        (x - 2) * 1.5 * (right - left) / 4, (y - 1) * 1.25 * (bottom - top) / 2)
      return (scaled.0 + centre.0, scaled.1 + centre.1)
    }
    let (zero, first, second) = (place(0, 0), place(1, 0), place(0, 1))
    return [
      first.0 - zero.0, second.0 - zero.0, 0, zero.0, first.1 - zero.1, second.1 - zero.1, 0,
      zero.1, 0, 0, 1, 0, 0, 0, 0, 1,
    ]
  }

  @Test func aTransformFollowsFromLandmarks() throws {
    var model = TFLiteModel()
    let x = model.input("x", [1, 4, 3])
    let y = model.tensor("y", [])
    model.operation(
      32, [x], [y], custom: "Landmarks2TransformMatrix", customOptions: Self.options())
    let imported = try ModelImporter.importTensorFlowLite(model.bytes(outputs: [y]))
    expectEqual(imported.outputs[0].shape, [1, 4, 4])
    let found = try run(imported, [Self.landmarks])[0]
    #expect(difference(found, Self.matrix.map { Float($0) }) < 2e-6)
  }

  @Test func aPartOfMapsIsInterpolated() throws {
    var model = TFLiteModel()
    let (x, matrix) = (model.input("x", [1, 3, 4, 2]), model.input("matrix", [1, 4, 4]))
    let y = model.tensor("y", [])
    model.operation(
      32, [x, matrix], [y], custom: "TransformTensorBilinear", customOptions: Self.options())
    let maps = (0..<24).map { Float($0 * 7 % 11) }
    let numbers: [Float] = [0.7, 0.2, 0, 0.1, -0.3, 0.9, 0, 1, 0, 0, 1, 0, 0, 0, 0, 1]
    var right: [Float] = []
    for row in 0..<2 {
      for column in 0..<4 {
        let (i, j) = (Float(row) + 0.5, Float(column) + 0.5)
        let u = numbers[0] * j + numbers[1] * i + numbers[3] - 0.5
        let v = numbers[4] * j + numbers[5] * i + numbers[7] - 0.5
        for channel in 0..<2 {
          guard (0...3).contains(u), (0...2).contains(v) else {
            right.append(0)
            continue
          }
          var sum: Float = 0
          for y in 0..<3 {
            for x in 0..<4 {
              let weight = max(0, 1 - abs(u - Float(x))) * max(0, 1 - abs(v - Float(y)))
              sum += weight * maps[(y * 4 + x) * 2 + channel]
            }
          }
          right.append(sum)
        }
      }
    }
    #expect(right.contains(0) && right.contains { $0 > 1 })
    let imported = try ModelImporter.importTensorFlowLite(model.bytes(outputs: [y]))
    expectEqual(imported.outputs[0].shape, [1, 2, 4, 2])
    #expect(difference(try run(imported, [maps, numbers])[0], right) < 2e-6)
  }

  @Test(arguments: [2, 3])
  func landmarksAreTransformed(count: Int) throws {
    var model = TFLiteModel()
    let (x, matrix) = (model.input("x", [1, 2, count]), model.input("matrix", [1, 4, 4]))
    let y = model.tensor("y", [])
    model.operation(32, [x, matrix], [y], custom: "TransformLandmarks")
    let points: [Float] = count == 2 ? [1, 2, 3, 4] : [1, 2, 7, 3, 4, 8]
    let numbers: [Float] = [2, 1, 0, 10, 0, 3, 0, 20, 0, 0, 1, 0, 0, 0, 0, 1]
    let found = try run(
      ModelImporter.importTensorFlowLite(model.bytes(outputs: [y])), [points, numbers])[0]
    expectEqual(found, (count == 2 ? [14, 26, 20, 32] : [14, 26, 7, 20, 32, 8]))
  }

  @Test func optionsThatDoNotFitAreRefused() {
    for (shape, options) in [
      ([1, 4, 3], Self.options(subset: [0, 4])), ([1, 4, 3], Self.options(subset: [0, -1])),
      ([1, 4, 3], Self.options(subset: [])), ([1, 4, 3], Self.options(left: 4)),
      ([1, 4, 3], Self.options(width: 0)), ([1, 4, 3], []), ([1, 1, 1, 12], Self.options()),
    ] {
      var model = TFLiteModel()
      let x = model.input("x", shape)
      let y = model.tensor("y", [])
      model.operation(
        32, [x], [y], custom: "Landmarks2TransformMatrix", customOptions: options)
      let bytes = model.bytes(outputs: [y])
      #expect(throws: ModelImportError.self) { try ModelImporter.importTensorFlowLite(bytes) }
    }
    // Too many pairs of places.
    for (side, options) in [(4096, Self.options()), (1, Self.options(width: 4096, height: 4096))] {
      var model = TFLiteModel()
      let (x, matrix) = (model.input("x", [1, side, side, 1]), model.input("matrix", [1, 4, 4]))
      let y = model.tensor("y", [])
      model.operation(
        32, [x, matrix], [y], custom: "TransformTensorBilinear", customOptions: options)
      let bytes = model.bytes(outputs: [y])
      #expect(throws: ModelImportError.self) { try ModelImporter.importTensorFlowLite(bytes) }
    }
  }

  @Test func damagedListsAreRefused() {
    let options = Self.options()
    for index in options.indices {
      for change in [UInt8(0), 0x7F, 0xFF] {
        var damaged = options
        damaged[index] = change
        // Whatever it says, it is read or refused.
        _ = try? FlexbufferMap(damaged[...])
      }
    }
    expectEqual((try? FlexbufferMap(options[...]))?.lists["subset_idxs"], [0, 1, 2, 3])
  }
}

import DiceGeometry
import Foundation
import TestSupport
import Testing

extension Fixtures {
  /// A golden file of this module.
  static func golden<Value: Decodable>(_ name: String, as type: Value.Type) throws -> Value {
    try JSONDecoder().decode(type, from: Data(bytes("golden/geometry/\(name)")))
  }
}

extension BoundingBox {
  /// A box from `[x, y, width, height]` in sixteenths, the unit of the golden files.
  init(sixteenths: [Int]) {
    self.init(
      x: Double(sixteenths[0]) / 16, y: Double(sixteenths[1]) / 16,
      width: Double(sixteenths[2]) / 16, height: Double(sixteenths[3]) / 16)
  }
}

/// The largest difference of the four edges.
func edgeDistance(_ first: BoundingBox, _ second: BoundingBox) -> Double {
  max(
    max(abs(first.minX - second.minX), abs(first.minY - second.minY)),
    max(abs(first.maxX - second.maxX), abs(first.maxY - second.maxY)))
}

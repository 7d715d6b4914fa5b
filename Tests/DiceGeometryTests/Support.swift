import DiceGeometry
import Foundation
import TestSupport
import Testing

/// A small generator with a fixed seed (SplitMix64).
struct SeededGenerator: RandomNumberGenerator {
  var state: UInt64

  init(seed: UInt64) { state = seed }

  mutating func next() -> UInt64 {
    state &+= 0x9e37_79b9_7f4a_7c15
    var z = state
    z = (z ^ (z >> 30)) &* 0xbf58_476d_1ce4_e5b9
    z = (z ^ (z >> 27)) &* 0x94d0_49bb_1331_11eb
    return z ^ (z >> 31)
  }

  mutating func uniform(_ range: ClosedRange<Double>) -> Double {
    Double.random(in: range, using: &self)
  }
}

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

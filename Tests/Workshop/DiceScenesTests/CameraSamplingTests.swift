import Foundation
import Testing

@testable import DiceScenes

struct CameraSamplingTests {
  /// Degrees above the table, and degrees by which the picture is turned from upright.
  private func view(_ camera: Camera) -> (elevation: Double, roll: Double) {
    let elevation = asin(Double(-camera.forward.z)) * 180 / .pi
    return (elevation, atan2(Double(-camera.right.z), Double(-camera.down.z)) * 180 / .pi)
  }

  @Test func picturesFromTheSideStandUpright() {
    var tilts: [Double] = []
    var turnsFromAbove: [Double] = []
    for seed in UInt64(1)...400 {
      let (elevation, roll) = view(DiceScene.random(seed: seed, options: .training).camera)
      if elevation < 74.9 { tilts.append(abs(roll)) }
      if elevation > 75.1 { turnsFromAbove.append(abs(roll)) }
    }
    #expect(tilts.count > 150 && turnsFromAbove.count > 80)
    #expect(tilts.allSatisfy { $0 < 13 })
    #expect(tilts.contains { $0 > 8 }, "cameras are held by hand")
    #expect(turnsFromAbove.contains { $0 > 90 }, "from above any turn is as good")
  }
}

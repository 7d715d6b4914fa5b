import TestSupport
import Testing

@testable import DiceScenes

@Suite struct DieLayoutTests {
  private let layouts = [
    DieLayout(handedness: .right, quarterTurns: 0), DieLayout(handedness: .left, quarterTurns: 0),
  ]

  @Test func oppositeSidesSumToSeven() {
    for layout in layouts {
      for side in [0, 2, 4] {
        expectEqual(layout.value(onSide: side) + layout.value(onSide: side + 1), 7)
      }
      expectEqual(Set((0..<6).map { layout.value(onSide: $0) }), Set(1...6))
    }
  }

  @Test func valuesRunAroundTheCornerOfOneTwoThreeAsTheHandednessSays() {
    for layout in layouts {
      let one = DieLayout.direction(ofSide: layout.side(of: 1))
      let two = DieLayout.direction(ofSide: layout.side(of: 2))
      let three = DieLayout.direction(ofSide: layout.side(of: 3))
      // Counterclockwise seen from outside is a positive triple product.
      let turn = dot(cross(one, two), three)
      expectEqual(turn, (layout.handedness == .right ? 1 : -1))
    }
  }

  @Test func rotationsBringEachValueToTheTop() {
    for layout in layouts {
      for value in 1...6 {
        for yaw in [Float(0), 0.1, 0.37, 0.8] {
          let rotation = Rotation.yaw(turns: yaw).after(layout.rotation(showing: value))
          expectEqual(layout.value(onSide: layout.topSide(for: rotation)), value)
          let up = rotation.toWorld(DieLayout.direction(ofSide: layout.side(of: value)))
          #expect(up.z > 0.99999)
          // Still a rotation, not a mirror image.
          #expect(abs(dot(cross(rotation.x, rotation.y), rotation.z) - 1) < 1e-4)
        }
      }
    }
  }

  @Test func faceCoordinatesAndPointsAreInverse() {
    for side in 0..<6 {
      let c = Vector2(0.3, -0.7)
      let p = DieLayout.point(c, height: 1, onSide: side)
      expectEqual(DieLayout.coordinates(of: p, onSide: side), c)
      expectEqual(DieLayout.side(nearest: p), side)
      expectEqual(dot(p, DieLayout.direction(ofSide: side)), 1)
    }
  }

  @Test func everyValueHasAsManyPipsWithoutOverlap() {
    var styles = 0
    for seed in 0..<60 {
      let scene = DiceScene.random(seed: UInt64(seed), options: .training)
      for appearance in scene.appearances {
        styles += 1
        let pips = appearance.pips
        for value in 1...6 {
          for first in 0..<value {
            let a = pips.position(of: first, value: value)
            let turned = appearance.layout.isTurned(value)
            let place = turned ? Vector2(-a.y, a.x) : a
            expectEqual(pips.pip(at: place, value: value, turned: turned)?.index, first)
            let reach = max(abs(a.x), abs(a.y)) + pips.radius(ofValue: value)
            #expect(reach < 1)
            for second in 0..<first {
              let b = pips.position(of: second, value: value)
              #expect(length(a - b) > 2 * pips.radius)
            }
          }
        }
      }
    }
    #expect(styles > 60)
  }
}

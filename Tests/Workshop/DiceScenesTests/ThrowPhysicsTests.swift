import TestSupport
import Testing

@testable import DiceScenes

@Suite struct ThrowPhysicsTests {
  private let felt = ThrowPhysics.Contact(restitution: 0.3, friction: 0.5)
  private let glass = ThrowPhysics.Contact(restitution: 0.6, friction: 0.2)

  private func cubes(_ count: Int, seed: UInt64) -> [RigidCube] {
    var random = SceneRandom(seed: seed)
    return (0..<count).map { index in
      var cube = RigidCube(size: 1, rounding: 0.12)
      cube.center = Vector3D(Double(index % 3) * 1.9 - 1.9, Double(index / 3) * 1.9, 3)
      cube.velocity = Vector3D(
        Double(random.number(-30, 30)), Double(random.number(-30, 30)), 0)
      cube.spin =
        Vector3D(
          Double(random.normal()), Double(random.normal()), Double(random.normal())) * 15
      cube.orientation =
        Quaternion(
          parts: SIMD4(Double(random.normal()), Double(random.normal()), Double(random.normal()), 1)
        ).normalized
      return cube
    }
  }

  @Test func energyNeverGrows() {
    for (number, contact) in [felt, glass].enumerated() {
      var tray = Tray(
        center: .zero, walls: Tray.polygonWalls(sides: 6, radius: 6, turns: 0.1), height: 5,
        lean: 0.2, thickness: 0.2, isRound: false, floor: 0, wall: 0, rimColour: .zero, seam: 0)
      tray.height = 8
      var physics = ThrowPhysics(
        cubes: cubes(6, seed: UInt64(number)), table: contact, between: glass, tray: tray)
      let start = physics.energy
      var before = start
      for _ in 0..<2000 {
        physics.advance()
        let energy = physics.energy
        // Where all motion is gone, pushing bodies apart may still lift them by a hair.
        #expect(energy <= before + 1e-6 * start)
        before = energy
      }
      #expect(before < 0.3 * start, "bounces and friction take energy")
    }
  }

  @Test func aBallisticFlightFallsAsGravitySays() {
    var physics = ThrowPhysics(cubes: cubes(1, seed: 9), table: felt, between: felt, tray: nil)
    physics.cubes[0].center.z = 50
    let velocity = physics.cubes[0].velocity
    let start = physics.cubes[0].center
    let spin = physics.cubes[0].spin
    for _ in 0..<192 { physics.advance() }
    let fallen = start.z - physics.cubes[0].center.z
    // A fifth of a second: g t² / 2, and half a step's fall more.
    #expect(abs(fallen - 0.5 * ThrowPhysics.gravity * 0.04) < 0.1)
    #expect(abs(physics.cubes[0].center.x - start.x - velocity.x * 0.2) < 1e-9)
    #expect(length(physics.cubes[0].spin - spin) < 1e-9)
  }

  @Test func aTiltedCubeFallsOnAFaceAndStops() {
    for seed in 0..<8 {
      var physics = ThrowPhysics(
        cubes: cubes(1, seed: UInt64(seed)), table: felt, between: felt, tray: nil)
      for _ in 0..<3000 { physics.advance() }
      let cube = physics.cubes[0]
      #expect(physics.isStill)
      // The cosine of one degree.
      #expect(cube.orientation.uprightness > 0.99985, "seed \(seed)")
      #expect(abs(cube.center.z - 0.5) < 0.01)
      #expect(physics.deepestOverlap < 0.01)
    }
  }

  @Test func edgesThatCrossDoNotPassThroughEachOther() {
    // Both stand on an edge, turned by a quarter against each other.
    var lower = RigidCube(size: 1, rounding: 0.1)
    lower.orientation = Quaternion(parts: SIMD4(0.38268343, 0, 0, 0.92387953)).normalized
    lower.center = Vector3D(0, 0, 5)
    var upper = RigidCube(size: 1, rounding: 0.1)
    upper.orientation = Quaternion(parts: SIMD4(0, 0.38268343, 0, 0.92387953)).normalized
    upper.center = Vector3D(0, 0, 7)
    upper.velocity = Vector3D(0, 0, -60)
    var physics = ThrowPhysics(cubes: [lower, upper], table: felt, between: felt, tray: nil)
    var least = Double.greatestFiniteMagnitude
    for _ in 0..<48 {
      physics.advance()
      least = min(least, physics.cubes[1].center.z - physics.cubes[0].center.z)
    }
    // Twice the height of a rounded edge above the centre.
    #expect(least > 2 * (0.4 * 1.41421356 + 0.1) - 0.03)
    #expect(physics.cubes[0].velocity.z < physics.cubes[1].velocity.z)
  }

  @Test func uprightTurnsLayTheNearestFaceFlat() {
    for seed in 0..<20 {
      let orientation = cubes(1, seed: UInt64(seed))[0].orientation
      let upright = orientation.upright
      #expect(upright.uprightness > 1 - 1e-12)
      let layout = DieLayout(handedness: .right, quarterTurns: 0)
      expectEqual(
        layout.topSide(for: orientation.rotation), layout.topSide(for: upright.rotation))
    }
  }
}

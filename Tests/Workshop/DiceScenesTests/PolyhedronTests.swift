import TestSupport
import Testing

@testable import DiceScenes

@Suite struct PolyhedronTests {
  @Test(arguments: [(4, 4, 3), (6, 8, 4), (8, 6, 3), (10, 12, 4), (12, 20, 5), (20, 12, 3)])
  func hasAsManyFacesAndCornersAsItsNameSays(sides: Int, corners: Int, perFace: Int) {
    let body = Polyhedron.with(sides: sides)
    expectEqual(body.faces.count, sides)
    expectEqual(body.corners.count, corners)
    for face in body.faces {
      expectEqual(face.corners.count, perFace)
      // All corners of a face lie in its plane, one unit from the centre.
      for corner in face.corners { #expect(abs(dot(corner, face.normal) - 1) < 1e-4) }
      #expect(face.reach > 0.2)
      #expect(length(cross(face.right, face.up) - face.normal) < 1e-5)
    }
    // Euler's formula, with each edge counted at both of its faces.
    expectEqual(corners - sides * perFace / 2 + sides, 2)
  }

  @Test(arguments: [6, 8, 10, 12, 20]) func facesNextToEachOtherInTheListAreOpposite(sides: Int) {
    let faces = Polyhedron.with(sides: sides).faces
    for index in stride(from: 0, to: sides, by: 2) {
      #expect(length(faces[index].normal + faces[index + 1].normal) < 1e-6)
    }
  }

  @Test(arguments: Polyhedron.sideCounts)
  func distanceIsThatToTheNearestPlaneInTheMiddleOfAFace(sides: Int) {
    let body = Body.facets(sides: sides, rounding: 0.05)
    for face in Polyhedron.with(sides: sides).faces {
      #expect(abs(body.distance(face.normal)) < 1e-5)
      #expect(abs(body.distance(face.normal * 1.5) - 0.5) < 1e-4)
      #expect(length(body.normal(face.normal) - face.normal) < 0.01)
      let hit = body.firstHit(from: face.normal * 3, along: -face.normal, speed: 1)
      #expect(abs((hit ?? 0) - 2) < 0.002)
    }
    expectEqual(body.firstHit(from: Vector3(5, 5, 0), along: Vector3(0, 0, 1), speed: 1), nil)
  }

  @Test(arguments: Polyhedron.sideCounts) func roundingOnlyTakesAway(sides: Int) {
    var random = SceneRandom(seed: 5)
    let sharp = Polyhedron.with(sides: sides)
    for _ in 0..<200 {
      let p = Vector3(random.number(-2, 2), random.number(-2, 2), random.number(-2, 2))
      let planes = sharp.faces.map { dot($0.normal, p) - 1 }.max() ?? 0
      let rounded = sharp.distance(p, rounding: 0.2)
      #expect(rounded >= planes - 1e-5 && rounded <= planes + 0.0501)
      #expect(abs(sharp.distance(p, rounding: 0) - planes) < 1e-5)
    }
  }

  private func die(sides: Int, order: UInt32, countsTens: Bool = false) -> NumeralDie {
    let white = Vector3(repeating: 0.8)
    return NumeralDie(
      sides: sides,
      material: Material(
        pattern: .plain, base: white, second: white, third: white, patternScale: 1, gloss: 0.04,
        roughness: 0.3, metallic: 0, translucency: 0, seed: 1),
      ink: .zero, halfLine: 0.08, size: 1, width: 1, mark: .bar, countsTens: countsTens,
      isTurned: false, isEngraved: false, wear: 0, order: order)
  }

  @Test(arguments: [(6, 7), (8, 9), (10, 9), (12, 13), (20, 21)])
  func oppositeNumbersHaveTheUsualSumAndEachOccursOnce(sides: Int, sum: Int) {
    for order: UInt32 in [0, 1, 0x1234_5678, 0xFEDC_BA99] {
      let die = die(sides: sides, order: order)
      let numbers = (0..<sides).map { die.number(onFace: $0) }
      expectEqual(Set(numbers), Set(sides == 10 ? 0...9 : 1...sides))
      for face in stride(from: 0, to: sides, by: 2) {
        expectEqual(numbers[face] + numbers[face + 1], sum)
      }
    }
  }

  @Test func tensAreWrittenWithTwoDigits() {
    let die = die(sides: 10, order: 7, countsTens: true)
    let numbers = (0..<10).map { die.number(onFace: $0) }
    expectEqual(Set(numbers), Set(stride(from: 0, through: 90, by: 10)))
    #expect(die.digits(of: 0) == (0, 0, 2) && die.digits(of: 70) == (7, 0, 2))
    #expect(self.die(sides: 20, order: 0).digits(of: 17) == (1, 7, 2))
    #expect(self.die(sides: 20, order: 0).digits(of: 7) == (0, 7, 1))
    #expect(die.text(of: 0) == "00" && die.text(of: 70) == "70" && die.kind == "d%")
    expectEqual(self.die(sides: 10, order: 7).text(of: 0), "0")
  }

  /// How far the paint of a number reaches to the left and to the right, in its heights.
  private func reach(_ die: NumeralDie, _ number: Int) -> (left: Float, right: Float) {
    let places = (-100...100).map { Float($0) / 100 }.filter { x in
      (-10...10).contains { die.distance(Vector2(x, Float($0) / 20), number) < 0 }
    }
    return (places.first ?? 0, places.last ?? 0)
  }

  @Test func digitsStandAsCloseAsTheirShapesAllow() {
    var die = die(sides: 20, order: 0)
    die.forms = 2 << 3  // Ones are bare lines.
    die.gap = 0.1
    let eleven = reach(die, 11)
    // Two lines of 0.16, and the gap.
    #expect(abs(eleven.right - eleven.left - 0.42) < 0.03 && abs(eleven.left + eleven.right) < 0.02)
    let seventeen = reach(die, 17)
    #expect(seventeen.right - seventeen.left > eleven.right - eleven.left + 0.3)
    #expect(abs(seventeen.left + seventeen.right) < 0.02)
    die.gap = nil
    let apart = reach(die, 11)
    #expect(apart.right - apart.left > 0.9)
  }

  @Test(arguments: Polyhedron.sideCounts, [false, true])
  func numeralsStayOnTheirFaces(sides: Int, hasOtherForms: Bool) {
    var die = die(sides: sides, order: 0x55)
    if hasOtherForms {
      (die.forms, die.isReadAtBase, die.contrast, die.slant) = (0x1234_5679, true, 0.04, 0.12)
      (die.gap, die.waist) = (nil, 0.07)
    }
    let body = Polyhedron.with(sides: sides)
    for (index, face) in body.faces.enumerated() {
      var painted = 0
      for row in -20...20 {
        for column in -20...20 {
          let offset = face.right * (Float(column) * 0.15) + face.up * (Float(row) * 0.15)
          let p = face.center + offset * face.reach
          guard die.distance(p, onFace: index) < 0 else { continue }
          painted += 1
          expectEqual(body.face(nearest: p), index, "\(sides) sides, face \(index)")
        }
      }
      #expect(painted > 4)
    }
  }
}

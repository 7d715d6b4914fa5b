import DiceImaging
import TestSupport
import Testing

@testable import DiceScenes

/// What is true of the numeral that counts on a die.
@Suite struct NumeralTruthTests {
  /// A plain scene in which a die with numerals stands in the place of the one with pips.
  private func scene(
    sides: Int, face: Int = 0, countsTens: Bool = false, isReadAtBase: Bool = false,
    ink: Vector3 = .zero, size: Float = 1, isTurned: Bool = false, turns: Float = 0
  ) throws -> DiceScene {
    var options = SceneOptions.fixture
    options.diceCount = 1...1
    options.dieSize = 150...150
    options.cameraElevation = 80...80
    var scene = DiceScene.random(seed: 3, options: options)
    let place = try #require(scene.dice.first)
    scene.dice = []
    let white = Vector3(repeating: 0.8)
    scene.numeralDice = [
      NumeralDie(
        sides: sides,
        material: Material(
          pattern: .plain, base: white, second: white, third: white, patternScale: 1, gloss: 0.03,
          roughness: 0.5, metallic: 0, translucency: 0, seed: 1),
        ink: ink, halfLine: 0.07, size: size, width: 1, mark: .bar, countsTens: countsTens,
        isTurned: isTurned, isReadAtBase: isReadAtBase, isEngraved: false, wear: 0, order: 0x1234)
    ]
    let shape = Polyhedron.with(sides: sides)
    let scale = SceneBuilder.reach(ofSides: sides) * place.size
    let lying = SceneBuilder.turning(shape.faces[face].normal)
    let turn = Rotation.yaw(turns: turns)
    scene.props.append(
      Solid(
        body: .facets(sides: sides, rounding: 0.04),
        center: Vector3(place.center.x, place.center.y, scale),
        rotation: Rotation(
          x: turn.toWorld(lying.x), y: turn.toWorld(lying.y), z: turn.toWorld(lying.z)),
        scale: scale, paint: .numerals, look: 0, seed: 1))
    scene.pieces = [
      ScenePiece(kind: try #require(PieceKind(sides: sides)), prop: scene.props.count - 1)
    ]
    return scene
  }

  private func truth(of scene: DiceScene) throws -> NumeralTruth {
    try #require(
      SceneRenderer.render(scene, width: 640, height: 640).pieces.first?.numeral)
  }

  @Test(arguments: [6, 8, 10, 12, 20]) func theUppermostFaceCounts(sides: Int) throws {
    for face in [0, sides / 2, sides - 1] {
      let scene = try scene(sides: sides, face: face)
      let truth = try truth(of: scene)
      // It lies on the face; the opposite one is up.
      let number = scene.numeralDice[0].number(onFace: face ^ 1)
      #expect(truth.kind == "d\(sides)" && truth.face == "\(number)")
      #expect(truth.visibility > 0.95 && truth.legibility.isSufficient)
      #expect(truth.boundingBox.width > 10 && truth.boundingBox.height > 10)
    }
  }

  @Test func tensAreWrittenOut() throws {
    let truth = try truth(of: try scene(sides: 10, countsTens: true))
    #expect(truth.kind == "d%" && truth.face.count == 2 && truth.face.last == "0")
  }

  @Test(arguments: [false, true]) func fourSidesCountTheCornerThatIsUp(isReadAtBase: Bool) throws {
    for face in 0..<4 {
      let scene = try scene(sides: 4, face: face, isReadAtBase: isReadAtBase)
      let shape = Polyhedron.with(sides: 4)
      // The corner that does not belong to the face below.
      let apex = try #require(
        shape.corners.indices.first { index in
          !shape.faces[face].corners.contains { length($0 - shape.corners[index]) < 1e-3 }
        })
      let truth = try truth(of: scene)
      expectEqual(truth.kind, "d4")
      expectEqual(truth.face, "\(scene.numeralDice[0].number(atCorner: apex))")
      #expect(truth.legibility.isSufficient, "face \(face)")
    }
  }

  /// A quarter turn of the die, clockwise from above, is one of its numeral, and a numeral that stands on
  /// its head is turned by a half.
  @Test(arguments: [8, 20]) func numeralsTurnWithTheDie(sides: Int) throws {
    func angle(turns: Float = 0, isTurned: Bool = false) throws -> Double {
      let scene = try scene(sides: sides, isTurned: isTurned, turns: turns)
      return try #require(try truth(of: scene).angle)
    }
    func difference(_ one: Double, _ other: Double) -> Double {
      (one - other).remainder(dividingBy: 360)
    }
    let first = try angle()
    for (turns, degrees) in [(Float(-0.25), 90.0), (0.25, -90), (-0.125, 45)] {
      #expect(abs(difference(try angle(turns: turns), first + degrees)) < 6)
    }
    #expect(abs(difference(try angle(isTurned: true), first + 180)) < 3)
  }

  @Test func fourSidesHaveNoAngle() throws {
    expectEqual(try truth(of: try scene(sides: 4)).angle, nil)
  }

  /// On four sides the numeral that counts stands upright, on all makes.
  @Test(arguments: [4, 6, 20]) func onlyFourSidesNeverStandOnTheirHeads(sides: Int) throws {
    let upright = try scene(sides: sides).numeralDice[0]
    let turned = try scene(sides: sides, isTurned: true).numeralDice[0]
    expectEqual(upright.spot(0, onFace: 1) == turned.spot(0, onFace: 1), sides == 4)
  }

  @Test func paintInTheColourOfTheBodyCannotBeRead() throws {
    let white = Vector3(repeating: 0.8)
    try expectEqual(truth(of: scene(sides: 20, ink: white)).legibility.isSufficient, false)
    try expectEqual(truth(of: scene(sides: 20, size: 0.2)).legibility.isSufficient, false)
  }

  @Test func labelsChangeNothingElse() {
    var options = SceneOptions.training
    options.polyhedra = 3...6
    options.diceCount = 1...2
    let plain = DiceScene.random(seed: 4, options: options)
    for labels in [SceneOptions.PolyhedronLabels.kinds, .values] {
      options.polyhedronLabels = labels
      var labelled = DiceScene.random(seed: 4, options: options)
      #expect(labelled.pieces.count >= 3)
      labelled.pieces = plain.pieces
      #expect(
        labelled.props.count == plain.props.count && labelled.numeralDice == plain.numeralDice)
    }
  }
}

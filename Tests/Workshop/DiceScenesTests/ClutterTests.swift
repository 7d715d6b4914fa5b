import TestSupport
import Testing

@testable import DiceScenes

@Suite struct ClutterTests {
  private var mixed: SceneOptions {
    var options = SceneOptions.training
    options.diceCount = 2...5
    options.polyhedra = 4...4
    return options
  }

  @Test func sameSeedGivesTheSamePicture() {
    for options in [SceneOptions.clutter, mixed] {
      let pictures = (0..<2).map { _ in
        SceneRenderer.render(.random(seed: 21, options: options), width: 64, height: 64)
      }
      expectEqual(pictures[0], pictures[1])
    }
  }

  @Test func clutterHasNoDieAndNoLabel() {
    var kinds: Set<Panel.Kind> = []
    for seed in 0..<60 {
      let scene = DiceScene.random(seed: UInt64(seed), options: .clutter)
      #expect(scene.diceCount == 0 && scene.numeralDice.isEmpty)
      for panel in scene.panels { kinds.insert(panel.kind) }
      guard seed < 12 else { continue }
      let rendered = SceneRenderer.render(scene, width: 40, height: 40)
      #expect(rendered.dice.isEmpty)
      #expect(Set(rendered.image.samples).count > 8)
    }
    expectEqual(kinds.count, Panel.Kind.allCases.count, "every kind occurs")
  }

  @Test func otherScenesHaveNothingOfIt() {
    for options in [SceneOptions.fixture, .training, .hardNegatives] {
      for seed in 0..<10 {
        let scene = DiceScene.random(seed: UInt64(seed), options: options)
        #expect(scene.panels.isEmpty && scene.numeralDice.isEmpty)
        expectEqual(scene.effects.bloomShare, 0)
      }
    }
  }

  @Test func everyKindOfPanelPaintsFiniteColours() {
    var random = SceneRandom(seed: 8)
    for kind in Panel.Kind.allCases {
      for glow: Float in [0, 2] {
        let panel = Panel(
          kind: kind, center: .zero, turn: Turn(turns: 0.1), half: Vector2(5, 4), corner: 0.1,
          pitch: 0.9, first: Vector3(0.2, 0.3, 0.1), second: Vector3(0.5, 0.1, 0.1),
          third: Vector3(0.1, 0.1, 0.6), glow: Vector3(repeating: glow), rainbow: random.unit(),
          variety: Vector3(random.unit(), random.unit(), random.unit()), lift: 0.05, gloss: 0.02,
          roughness: 0.4, seed: UInt32(truncatingIfNeeded: random.next()))
        var colours: Set<Vector3> = []
        for _ in 0..<300 {
          let point = Vector2(random.number(-7, 7), random.number(-7, 7))
          guard let paint = panel.paint(at: point, footprint: random.number(0.001, 0.5)) else {
            continue
          }
          for value in [paint.colour, paint.glow] {
            #expect(value.min() > -1e-3 && value.max() < 10, "\(kind): \(value)")
          }
          #expect(paint.cover >= 0 && paint.cover <= 1 && length(paint.slope) < 20)
          colours.insert(paint.colour + paint.glow)
        }
        #expect(colours.count > 1, "\(kind)")
      }
    }
  }

  @Test func diceWithNumeralsHaveNoLabelAndOverlapNothing() {
    var count = 0
    for seed in 0..<12 {
      let scene = DiceScene.random(seed: UInt64(seed), options: mixed)
      let truths = SceneRenderer.truths(of: scene, width: 96, height: 96)
      #expect(truths.count <= scene.diceCount && scene.diceCount <= 5)
      let polyhedra = scene.props.filter { $0.paint == .numerals }
      count += polyhedra.count
      for solid in polyhedra {
        // It rests on a face.
        let body = Polyhedron.with(sides: solid.body.sides)
        let heights = body.corners.map { solid.toWorld($0).z }
        #expect(abs(heights.min() ?? 1) < 1e-4)
        #expect(heights.filter { abs($0) < 1e-4 }.count >= 3)
        // No corner is inside of a die.
        for die in scene.dice {
          let layout = scene.appearances[die.appearance].body
          let inside = Solid(
            body: layout, center: die.center, rotation: die.rotation, scale: die.size * 0.5,
            paint: .die, look: die.appearance, seed: 0)
          for corner in body.corners {
            #expect(inside.distance(solid.toWorld(corner)) > 0)
          }
        }
      }
    }
    #expect(count > 20)
  }

  @Test func onlyDiceWithNumeralsMayBeAskedFor() {
    var options = SceneOptions.training
    options.diceCount = 0...0
    options.polyhedra = 3...12
    var sides: Set<Int> = []
    for seed in 0..<12 {
      let scene = DiceScene.random(seed: UInt64(seed), options: options)
      expectEqual(scene.diceCount, 0)
      for solid in scene.props where solid.paint == .numerals { sides.insert(solid.body.sides) }
    }
    expectEqual(sides, Set(Polyhedron.sideCounts))
  }

  @Test func aDieWithNumeralsHidesWhatIsBehindIt() throws {
    let options = SceneOptions(
      diceCount: 1...1, dieSize: 90...90, cameraElevation: 30...30, hasDistractors: false,
      style: .plain)
    var scene = DiceScene.random(seed: 3, options: options)
    let before = try #require(SceneRenderer.truths(of: scene, width: 160, height: 160).first)
    let die = scene.dice[0]
    var toEye = scene.camera.position - die.center
    toEye.z = 0
    let place = die.center + normalized(toEye) * 1.3
    scene.props.append(
      Solid(
        body: .facets(sides: 20, rounding: 0.05), center: Vector3(place.x, place.y, 0.7),
        rotation: .identity, scale: 0.7, paint: .numerals, look: 0, seed: 1))
    let material = scene.appearances[0].material
    scene.numeralDice = [
      NumeralDie(
        sides: 20, material: material, ink: .zero, halfLine: 0.08, size: 1, width: 1, mark: .bar,
        countsTens: false, isTurned: false, isEngraved: true, wear: 0, order: 3)
    ]
    let after = SceneRenderer.render(scene, width: 160, height: 160).dice.first
    #expect((after?.visibility ?? 0) < before.visibility)
  }
}

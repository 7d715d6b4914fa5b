import DiceGeometry
import TestSupport
import Testing

@testable import DiceScenes

@Suite struct LegibilityTests {
  /// A die alone, seen well, and what is found of it after a change.
  private func legibility(
    seed: UInt64 = 9, size: Double = 80, elevation: Double = 70,
    _ change: (inout DiceScene) -> Void = { _ in }
  ) throws -> (value: Int, legibility: Legibility) {
    let options = SceneOptions(
      diceCount: 1...1, dieSize: size...size, cameraElevation: elevation...elevation,
      hasDistractors: false, style: .plain)
    var scene = DiceScene.random(seed: seed, options: options)
    change(&scene)
    let die = try #require(SceneRenderer.render(scene, width: 320, height: 320).dice.first)
    return (die.value, try #require(die.legibility))
  }

  @Test func diceThatAreSeenWellAreLegibleWhateverTheirValue() throws {
    var values: Set<Int> = []
    for seed: UInt64 in 0..<24 {
      let (value, legibility) = try legibility(seed: seed)
      #expect(legibility.isSufficient, "seed \(seed), value \(value): \(legibility)")
      values.insert(value)
    }
    expectEqual(values.count, 6)
  }

  /// A large pip counts with all of its width, and places that it covers count for no other value.
  @Test func largeOnesAreLegible() throws {
    var count = 0
    for seed: UInt64 in 0..<40 {
      for radius: Float in [0.3, 0.4, 0.5] {
        let (value, legibility) = try legibility(seed: seed) {
          for index in $0.appearances.indices {
            let isDark = SceneBuilder.difference($0.appearances[index].material.base, .zero) < 0.5
            $0.appearances[index].pips.oneFactor = radius / $0.appearances[index].pips.radius
            $0.appearances[index].pips.oneColour =
              isDark ? Vector3(repeating: 0.9) : Vector3(0.2, 0.01, 0.01)
          }
        }
        guard value == 1 else { break }
        count += 1
        #expect(legibility.isSufficient, "seed \(seed), \(radius): \(legibility)")
      }
    }
    #expect(count >= 6)
  }

  @Test func theSpacingGrowsWithTheDieAndShrinksWithTheAngle() throws {
    let near = try legibility(size: 160, elevation: 89).legibility.spacing
    let far = try legibility(size: 80, elevation: 89).legibility.spacing
    let flat = try legibility(size: 80, elevation: 30).legibility.spacing
    // The die's top is nearer than its middle, by a share that depends on the distance.
    #expect(abs(near / far - 2) < 0.2, "\(near) \(far)")
    // Half as high as wide seen so, and farther away where it lies behind the middle.
    #expect(flat < 0.6 * far, "\(flat) \(far)")
    // 40 pixels an edge at 320 pixels; pips lie about a quarter of the edge apart.
    #expect(far > 8 && far < 13, "\(far)")
  }

  @Test func theSmallTheBlurredTheDarkAndTheUnpaintedAreNot() throws {
    #expect(try !legibility(size: 11).legibility.isSufficient)
    for seed: UInt64 in 9..<14 {
      let blurred = try legibility(seed: seed, size: 40) { $0.effects.blur = 12 }
      #expect(!blurred.legibility.isSufficient, "\(blurred)")
      let dark = try legibility(seed: seed) {
        $0.effects.darkest = 0.0005
        $0.effects.brightest = 0.001
      }
      #expect(!dark.legibility.isSufficient, "\(dark)")
      let noisy = try legibility(seed: seed, size: 30) {
        $0.effects.readNoise = 0.8
      }
      #expect(!noisy.legibility.isSufficient, "\(noisy)")
      let unpainted = try legibility(seed: seed) {
        for index in $0.appearances.indices {
          let body = $0.appearances[index].material.base
          $0.appearances[index].material.pattern = .plain
          $0.appearances[index].pips.kind = .flat
          $0.appearances[index].pips.colour = body
          $0.appearances[index].pips.oneColour = body
          $0.appearances[index].pips.fourColour = body
          $0.appearances[index].pips.discRadius = 0
          $0.appearances[index].pips.wear = 0
        }
      }
      #expect(!unpainted.legibility.isSufficient, "\(unpainted)")
    }
  }

  @Test func truthsWithoutAPictureHaveNone() {
    let scene = DiceScene.random(seed: 4, options: .training)
    let truths = SceneRenderer.truths(of: scene, width: 200, height: 200)
    #expect(!truths.isEmpty && truths.allSatisfy { $0.legibility == nil })
  }

  /// The pips of ordinary dice.
  private func style() throws -> PipStyle {
    let options = SceneOptions(
      diceCount: 1...1, dieSize: 80...80, cameraElevation: 70...70, hasDistractors: false,
      style: .plain)
    var style = try #require(
      DiceScene.random(seed: 9, options: options).appearances.first
    ).pips
    style.straightTwo = false
    return style
  }

  @Test(arguments: 1...6, [false, true])
  func aPatternPaintsAsManyPlacesAsTheValue(value: Int, isTurned: Bool) throws {
    let pattern = FacePattern(try style(), value: value, isTurned: isTurned)
    for drawing in pattern.drawings {
      expectEqual(drawing.isPainted.filter { $0 }.count, drawing.value)
    }
    expectEqual(pattern.drawings[pattern.shown].value, value)
    // Four corners, the middle, and the middles of the sides for the six either way.
    expectEqual(pattern.places.count, 9)
  }

  @Test func hiddenPlacesCannotTellValuesApart() throws {
    let pattern = FacePattern(try style(), value: 5, isTurned: false)
    let isPainted = pattern.drawings[pattern.shown].isPainted
    // Painted places are bright, up to a little that differs.
    let features: [[Float]?] = isPainted.enumerated().map {
      [($1 ? 100 : 0) + ($0 % 2 == 0 ? 5 : -5)]
    }
    let whole = pattern.separation(features, noise: 2)
    #expect(whole > 10 && whole < 25, "\(whole)")
    let middle = try #require(pattern.places.firstIndex { length($0) < 0.1 })
    var covered = features
    covered[middle] = nil
    // A four and a five differ in the middle only.
    expectEqual(pattern.separation(covered, noise: 2), 0)
    let corner = try #require(pattern.places.firstIndex { $0.x > 0.2 && $0.y > 0.2 })
    covered = features
    covered[corner] = nil
    #expect(pattern.separation(covered, noise: 2) > 10)
    expectEqual(pattern.separation(features.map { _ in nil }, noise: 2), 0)
  }

  @Test func noiseTellsNothing() throws {
    var random = SceneRandom(seed: 3)
    var sufficient = 0
    for round in 0..<200 {
      let pattern = FacePattern(try style(), value: round % 6 + 1, isTurned: false)
      let features: [[Float]?] = pattern.places.map { _ in
        (0..<39).map { _ in random.normal() * 20 }
      }
      if pattern.separation(features, noise: 2) >= Legibility.leastSeparation { sufficient += 1 }
    }
    expectEqual(sufficient, 0)
  }

  @Test func numeralsAreLegibleWhereTheyAreLargeEnough() throws {
    var options = SceneOptions(
      diceCount: 1...1, dieSize: 90...90, cameraElevation: 70...70, hasDistractors: false,
      style: .plain)
    options.faces = .numerals
    for seed: UInt64 in 0..<8 {
      let scene = DiceScene.random(seed: seed, options: options)
      let large = try #require(
        SceneRenderer.render(scene, width: 400, height: 400).dice.first?.legibility)
      #expect(large.isSufficient, "seed \(seed): \(large)")
      let small = try #require(
        SceneRenderer.render(scene, width: 48, height: 48).dice.first?.legibility)
      #expect(!small.isSufficient, "seed \(seed): \(small)")
    }
  }
}

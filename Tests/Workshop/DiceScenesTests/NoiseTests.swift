import DiceNumerics
import Foundation
import Testing

@testable import DiceScenes

@Suite struct NoiseTests {
  private func points(_ count: Int, reach: Float, seed: UInt64) -> [Vector2] {
    var random = SceneRandom(seed: seed)
    return (0..<count).map { _ in
      Vector2(random.number(-reach, reach), random.number(-reach, reach))
    }
  }

  @Test func lanesAgreeWithTheMathLibrary() {
    for step in 1...3000 {
      let x = Float(step) * 0.013
      let root = inverseSquareRoot(Lanes(x, x * 1e-6, x * 1e6, 1))
      for (lane, value) in [x, x * 1e-6, x * 1e6, 1].enumerated() {
        #expect(abs(Double(root[lane]) * Double(value).squareRoot() - 1) < 1e-6)
      }
      let power = exponential2(Lanes(x, -x, x * 0.1, 0))
      for (lane, value) in [x, -x, x * 0.1, 0].enumerated() {
        #expect(abs(Double(power[lane]) / exp2(Double(value)) - 1) < 4e-6)
      }
      let logarithm = logarithm2(Lanes(x, 1 / x, x * 1e4, 1))
      for (lane, value) in [x, 1 / x, x * 1e4, 1].enumerated() {
        #expect(abs(Double(logarithm[lane]) - log2(Double(value))) < 4e-6)
      }
    }
    let zero = Lanes(repeating: 0)
    #expect(inverseSquareRoot(zero)[0].isFinite)
    #expect(exponential2(Lanes(repeating: -1000))[0] < 1e-37)
    #expect(exponential2(Lanes(repeating: 1000))[0].isFinite)
  }

  @Test func fourOctavesAtOnceAreTheSumOfEach() {
    for p in points(300, reach: 40, seed: 1) {
      for octaves in 1...5 {
        for footprint: Float in [0, 0.05, 0.3, 0.7] {
          var sum: Float = 0
          var amplitude: Float = 0.55
          var frequency: Float = 1
          for octave in 0..<octaves {
            let fade = min(max(2 - 3 * footprint * frequency, 0), 1)
            sum += amplitude * fade * noise(p * frequency, 9 + UInt32(octave))
            amplitude *= 0.52
            frequency *= 2.03
          }
          // Coordinates of some hundreds leave errors of 1e-5 in the fractions.
          #expect(
            abs(fractal(p, octaves: octaves, footprint: footprint, 9) - sum) < 2e-3,
            "\(p) \(octaves) \(footprint)")
        }
      }
    }
  }

  @Test func theNearestPointsAreThoseOfASearchOfAllSquares() {
    for (number, p) in points(2000, reach: 20, seed: 2).enumerated() {
      let jitter: Float = [1, 0.6, 0][number % 3]
      var found: [(square: Float, identity: UInt32)] = []
      let x = Int32(floor(p.x))
      let y = Int32(floor(p.y))
      for row in (y - 2)...(y + 2) {
        for column in (x - 2)...(x + 2) {
          let h = latticeHash(column, row, 5)
          let place = Vector2(
            Float(column) + (Float(h & 0xFFFF) * 0x1p-16 - 0.5) * jitter + 0.5,
            Float(row) + (Float(h >> 16) * 0x1p-16 - 0.5) * jitter + 0.5)
          found.append((dot(p - place, p - place), h))
        }
      }
      found.sort { $0.square < $1.square }
      // Two points can be equally near; beyond one square's reach a second one may be missed.
      let both = cell(p, jitter: jitter, 5)
      let one = nearestCell(p, jitter: jitter, 5)
      #expect(abs(both.nearest - found[0].square.squareRoot()) < 1e-4)
      #expect(abs(one.nearest - both.nearest) < 1e-4)
      #expect(abs(length(both.offset) - both.nearest) < 1e-4)
      if found[1].square - found[0].square > 1e-3 {
        #expect(both.identity == found[0].identity && one.identity == found[0].identity)
      }
      if found[1].square < 1 {
        #expect(abs(both.second - found[1].square.squareRoot()) < 1e-4)
      }
    }
  }

  @Test func aBlockHoldsTheNoiseAroundTheOrigin() {
    let block = NoiseBlock(seed: 77)
    var random = SceneRandom(seed: 3)
    for _ in 0..<500 {
      let p = Vector3(random.number(-2.9, 2.9), random.number(-2.9, 2.9), random.number(-2.9, 2.9))
      #expect(abs(block.value(at: p) - noise(p, 77)) < 1e-6)
    }
    // Outside it is some number, and no trap.
    for far: Float in [1e9, -.infinity, .nan] { _ = block.value(at: Vector3(far, 0, 0)) }
  }

  @Test func noiseFarAwayIsBounded() {
    for far: Float in [3_999_999, -1e8, 1e30, .infinity] {
      #expect(abs(noise(Vector2(far, 0.3), 1)) < 3)
      #expect(abs(fractal(Vector2(far, 0.3), octaves: 5, footprint: 0, 1)) < 3)
    }
  }
}

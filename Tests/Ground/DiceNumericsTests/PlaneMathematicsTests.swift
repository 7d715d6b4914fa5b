import DiceNumerics
import TestSupport
import Testing

@Suite struct ArctangentTests {
  @Test func anglesOfKnownDirections() {
    let root = 3.0.squareRoot()
    let known: [(y: Double, x: Double, angle: Double)] = [
      (0, 1, 0), (1, 1, .pi / 4), (1, 0, .pi / 2), (1, -1, 3 * .pi / 4), (0, -1, .pi),
      (-1, -1, -3 * .pi / 4), (-1, 0, -.pi / 2), (-1, 1, -.pi / 4), (1, root, .pi / 6),
      (root, 1, .pi / 3), (0, 0, 0), (.infinity, 5, .pi / 2), (.infinity, .infinity, .pi / 4),
    ]
    for (y, x, angle) in known { #expect(abs(arctangent(y: y, x: x) - angle) < 2e-15) }
    #expect(arctangent(y: .nan, x: 1).isNaN)
  }

  @Test func undoesSineAndCosine() {
    for step in -499...499 {
      let turns = Double(step) / 1000
      let (sine, cosine) = sineAndCosine(turns: turns)
      #expect(abs(arctangent(y: 3 * sine, x: 3 * cosine) - turns * 2 * .pi) < 4e-15)
    }
  }
}

@Suite struct NormalEquationsTests {
  @Test func aLineThroughPoints() throws {
    var equations = NormalEquations(unknownCount: 2)
    for (x, y) in [(0.0, 1.0), (1, 3), (2, 5)] {
      equations.add(SIMD8(x, 1, 0, 0, 0, 0, 0, 0), value: y)
    }
    let line = try #require(equations.solution())
    #expect(abs(line[0] - 2) < 1e-14 && abs(line[1] - 1) < 1e-14 && line[2] == 0)
  }

  @Test func dependentColumnsHaveNoSolution() {
    var equations = NormalEquations(unknownCount: 2)
    for x in [1.0, 2, 3] { equations.add(SIMD8(x, 2 * x, 0, 0, 0, 0, 0, 0), value: 1) }
    expectEqual(equations.solution(), nil)
    expectEqual(NormalEquations(unknownCount: 8).solution(), nil)
  }
}

@Suite struct SplitMix64Tests {
  /// The first numbers of the published generator for the seed 0.
  @Test func givesThePublishedNumbers() {
    var generator = SplitMix64(seed: 0)
    expectEqual(generator.next(), 0xE220_A839_7B1D_CDAF)
    expectEqual(generator.next(), 0x6E78_9E6A_A1B9_65F4)
    var counts = [Int](repeating: 0, count: 3)
    for _ in 0..<300 { counts[generator.below(3)] += 1 }
    #expect(counts.allSatisfy { $0 > 60 })
  }
}

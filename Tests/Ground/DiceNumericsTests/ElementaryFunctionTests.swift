import DiceNumerics
import Foundation
import TestSupport
import Testing

@Suite struct ElementaryFunctionTests {
  @Test func theExponentialIsWithinAnUlpOfTheSystems() {
    var generator = SeededGenerator(seed: 10)
    for step in 0..<6000 {
      let x =
        switch step % 3 {
        case 0: generator.uniform(-4...4)
        case 1: generator.uniform(-700...0)
        default: generator.uniform(0...709)
        }
      let expected = exp(x)
      #expect(abs(exponential(x) - expected) <= expected.ulp, "\(x)")
    }
    #expect(exponential(0.0) == 1 && exponential(-0.0) == 1)
    #expect(exponential(-1e-300) == 1 && exponential(1e-300) == 1)
    #expect(exponential(-Double.infinity) == 0 && exponential(-746.0) == 0)
    expectEqual(exponential(-745.1), .leastNonzeroMagnitude)
    #expect(exponential(709.78).isFinite && exponential(709.79) == .infinity)
    expectEqual(exponential(Double.infinity), .infinity)
    #expect(exponential(Double.nan).isNaN)
  }

  @Test func theLogarithmIsExactEnough() {
    let logarithms: [(Double, Double)] = [
      (1, 0), (2, 0.6931471805599453), (0.03, -3.506557897319982), (10, 2.302585092994046),
      (1e-30, -69.07755278982137), (1.4142135623730951, 0.34657359027997264),
    ]
    for (argument, value) in logarithms {
      #expect(abs(naturalLogarithm(argument) - value) <= 1e-14 * max(1, value.magnitude))
      #expect(abs(exponential(value) / argument - 1) < 1e-13)
    }
  }

  @Test func sineAndCosineAreThoseOfTheSystem() {
    for step in -1000...1000 {
      let turns = Double(step) / 1000
      let (sine, cosine) = sineAndCosine(turns: turns)
      #expect(abs(sine - sin(2 * .pi * turns)) < 2e-15, "\(turns)")
      #expect(abs(cosine - cos(2 * .pi * turns)) < 2e-15, "\(turns)")
    }
  }

  @Test func durationsAreBoundedNanoseconds() {
    #expect(nanoseconds(.milliseconds(3)) == 3_000_000 && nanoseconds(.zero) == 0)
    expectEqual(nanoseconds(.milliseconds(-3)), -3_000_000)
    expectEqual(nanoseconds(.seconds(Int64.max)), 1 << 61)
    expectEqual(nanoseconds(.seconds(Int64.min)), -(1 << 61))
    // Longer than their components can say.
    let long = Duration.seconds(Int64.max) + .seconds(Int64.max)
    #expect(nanoseconds(long) == 1 << 61 && nanoseconds(.zero - long) == -(1 << 61))
    #expect(long.inSeconds == 0x1p63 && (.zero - long).inSeconds == -0x1p63)
    expectEqual(Duration.milliseconds(-1500).inSeconds, -1.5)
  }

  @Test func functionsOfSinglePrecisionAgreeWithTheSystems() {
    for step in -2000...2000 {
      let x = Float(step) * 0.013
      #expect(abs(Double(exponential2(x)) / exp2(Double(x)) - 1) < 2e-6)
      #expect(abs(Double(sineOfTurns(x)) - sin(Double(x) * 2 * .pi)) < 3e-5)
      if x > 0 {
        #expect(abs(Double(logarithm2(x)) - log2(Double(x))) < 3e-6)
        #expect(abs(Double(power(x, 0.4)) / pow(Double(x), 0.4) - 1) < 5e-6)
      }
      expectEqual(wholeBelow(x), Int32(floor(x)))
      expectEqual(nearestWhole(x), x.rounded(.toNearestOrEven))
    }
    expectEqual(exponential2(Float.nan), 0)
    #expect(exponential2(1000).isFinite)
    expectEqual(wholeBelow(.infinity), 4_000_000)
    expectEqual(wholeBelow(-.infinity), -4_000_000)
    expectEqual(wholeBelow(.nan), -4_000_000)
    expectEqual(sineOfTurns(.infinity), 0)
  }
}

import DiceKernels
import Foundation
import TestSupport
import Testing

/// Functions of one number: vectors against scalars bit for bit, scalars against the C library.
@Suite struct FunctionTests {
  private static var functions: [ActivationFunction] {
    [
      .identity, .leakyReLU(slope: 0.1), .leakyReLU(slope: -0.5), .clamp(lower: -1, upper: 2),
      .sigmoid, .hardSigmoid(scale: 0.2, offset: 0.5), .silu, .hardSwish, .tanh, .elu(alpha: 0.7),
      .gelu, .softplus, .linear(scale: -0.5, offset: 0.25), .exponential, .logarithm(lower: 0.01),
      .squareRoot, .reciprocal, .absolute, .power(exponent: 1.7), .floor, .errorFunction,
      .steps(SteppedLine(scale: 3, offset: 0.5, lower: -3, upper: 4.5, step: 0.25, start: 2)),
    ]
  }

  /// The functions in double precision.
  private static func exact(_ function: ActivationFunction, _ x: Double) -> Double {
    switch function {
    case .identity, .parametricReLU, .requantization, .table: x
    case .leakyReLU(let slope): x < 0 ? x * Double(slope) : x
    case .clamp(let lower, let upper): min(max(x, Double(lower)), Double(upper))
    case .sigmoid: 1 / (1 + exp(-x))
    case .hardSigmoid(let scale, let offset): min(max(Double(scale) * x + Double(offset), 0), 1)
    case .silu: x / (1 + exp(-x))
    case .hardSwish: x * min(max(x + 3, 0), 6) / 6
    case .tanh: tanh(x)
    case .elu(let alpha): x < 0 ? Double(alpha) * expm1(x) : x
    case .gelu:
      0.5 * x * (1 + tanh(Double(Float(0.79788456)) * (x + 0.044715 * x * x * x)))
    case .softplus: max(x, 0) + log1p(exp(-abs(x)))
    case .linear(let scale, let offset): Double(scale) * x + Double(offset)
    case .exponential: exp(x)
    case .logarithm(let lower): log(max(x, Double(lower)))
    case .squareRoot: max(x, 0).squareRoot()
    case .reciprocal: 1 / x
    case .absolute: abs(x)
    case .power(let exponent): pow(max(x, 0), Double(exponent))
    case .floor: floor(x)
    case .errorFunction: erf(x)
    case .steps(let line):
      floor(
        min(
          max(x * Double(line.scale) + Double(line.offset), Double(line.lower)), Double(line.upper))
      )
        * Double(line.step) + Double(line.start)
    }
  }

  @Test(arguments: 0..<21)
  func vectorsGiveTheBitsOfTheReferenceAlsoInPlace(_ number: Int) {
    let function = Self.functions[number]
    for (width, channelCount) in [(1, 16), (2, 48), (13, 32)] {
      let map = TestMap(height: 3, width: width, channelCount: channelCount)
      compareBits(map, map) { (task, rows) in
        ReferenceKernels.activate(task, function, rows: rows)
      } fast: { (kernels, task, rows) in
        kernels.activate(task, function, rows: rows)
      }
      var generator = SeededGenerator(seed: 10)
      let start = generator.fractions(map.count).map { (value) in value * 4 }
      let expected = Guarded(start)
      ReferenceKernels.activate(mapTask(expected, map, expected, map), function, rows: 0..<3)
      for implementation in implementations {
        let found = Guarded(start)
        Kernels(implementation).activate(mapTask(found, map, found, map), function, rows: 0..<3)
        expectEqual(found.bits, expected.bits)
      }
    }
  }

  @Test func everyChannelHasItsSlope() {
    let map = TestMap(height: 2, width: 3, channelCount: 32)
    let slopes = Guarded((0..<32).map { (channel) in Float(channel) / 8 })
    defer { withExtendedLifetime(slopes) {} }
    compareBits(map, map) { (task, rows) in
      ReferenceKernels.activate(task, .parametricReLU(slopes: slopes.address), rows: rows)
    } fast: { (kernels, task, rows) in
      kernels.activate(task, .parametricReLU(slopes: slopes.address), rows: rows)
    }
    let function = ActivationFunction.parametricReLU(slopes: slopes.address)
    expectEqual(ReferenceKernels.value(of: function, at: -2, channel: 12), -3)
    expectEqual(ReferenceKernels.value(of: function, at: 2, channel: 12), 2)
    expectEqual(ReferenceKernels.value(of: function.advanced(by: 8), at: -2, channel: 4), -3)
  }

  @Test(arguments: 0..<21)
  func extremesGiveTheScalarBits(_ number: Int) {
    let extremes: [Float] = [
      0, -0.0, .leastNonzeroMagnitude, -.leastNonzeroMagnitude, 86.9, 87.1, 88.1, -86.9, -87.1,
      -88.1, 1000, -1000, 3e38, -3e38, .infinity, -.infinity, 0.624_999_9, 0.625, -0.625,
      8_388_607.5, -8_388_608, 0.5, -0.5, 1, -1, 2, -2, 1e-20, -1e-20, 1e-6, 3, .nan,
    ]
    let map = TestMap(height: 1, width: 1, channelCount: 32)
    let input = Guarded(extremes + [Float](repeating: 0, count: map.count - 32))
    let expected = Guarded(count: map.count)
    defer { withExtendedLifetime(input) {} }
    let function = Self.functions[number]
    ReferenceKernels.activate(mapTask(input, map, expected, map), function, rows: 0..<1)
    for implementation in implementations {
      let found = Guarded(count: map.count)
      Kernels(implementation).activate(mapTask(input, map, found, map), function, rows: 0..<1)
      for channel in 0..<31 where !expected.values[channel].isNaN {
        expectEqual(
          found.values[channel].bitPattern, expected.values[channel].bitPattern,
          "\(function) of \(extremes[channel])")
      }
      #expect(found.values[31].isNaN)
    }
  }

  @Test(arguments: 0..<21)
  func agreesWithTheCLibrary(_ number: Int) {
    let function = Self.functions[number]
    var greatest = 0.0
    for index in 0...24_000 {
      let x = -12 + Float(index) / 1000
      if case .reciprocal = function, x == 0 { continue }
      let exact = Self.exact(function, Double(x))
      let found = Double(ReferenceKernels.value(of: function, at: x, channel: 0))
      greatest = max(greatest, abs(found - exact) / max(abs(exact), 0.25))
    }
    #expect(greatest <= 1e-6, "\(function) differs by \(greatest)")
  }

  @Test func theTangentStaysWithinFourUnitsInTheLastPlace() {
    var greatest = 0.0
    for index in 0...200_000 {
      let x = Float(index) * 0.0001 + 1e-7
      let exact = tanh(Double(x))
      for sign: Float in [-1, 1] {
        let found = Double(ReferenceKernels.hyperbolicTangent(sign * x) * sign)
        greatest = max(greatest, abs(found - exact) / Double(Float(exact).ulp))
      }
    }
    #expect(greatest <= 4, "\(greatest) units in the last place")
  }

  @Test func powersOfNothingAndOfNegativeNumbersAreNothing() {
    expectEqual(ReferenceKernels.power(0, 0.5), 0)
    expectEqual(ReferenceKernels.power(-3, 2), 0)
    expectEqual(ReferenceKernels.power(3, 2), 9)
    expectEqual(ReferenceKernels.power(1e30, 10), .infinity)
    expectEqual(ReferenceKernels.power(.infinity, 0.5), .infinity)
    #expect(ReferenceKernels.power(.nan, 2).isNaN)
  }
}

@Suite struct ExponentialTests {
  @Test func staysWithinTwoUnitsInTheLastPlace() {
    var greatest = 0.0
    for index in 0...87_500 {
      let x = min(-87 + Float(index) * 0.002, 88)
      let exact = exp(Double(x))
      let found = Double(ReferenceKernels.exponential(x))
      greatest = max(greatest, abs(found - exact) / Double(Float(exact).ulp))
    }
    #expect(greatest <= 2, "\(greatest) units in the last place")
  }

  @Test func isClampedOutsideItsRange() {
    expectEqual(ReferenceKernels.exponential(1000), ReferenceKernels.exponential(88))
    expectEqual(ReferenceKernels.exponential(.infinity), ReferenceKernels.exponential(88))
    expectEqual(ReferenceKernels.exponential(-.infinity), ReferenceKernels.exponential(-87))
    expectEqual(ReferenceKernels.exponential(0), 1)
    #expect(ReferenceKernels.exponential(.nan).isNaN)
  }

  @Test func sigmoidIsExactAtItsLandmarks() {
    expectEqual(ReferenceKernels.sigmoid(0), 0.5)
    expectEqual(ReferenceKernels.sigmoid(100), 1)
    #expect(ReferenceKernels.sigmoid(-100) < 1e-37)
    #expect(ReferenceKernels.sigmoid(.nan).isNaN)
    for x: Float in [-20, -3, -0.5, 0.1, 2, 7, 15] {
      let exact = 1 / (1 + exp(-Double(x)))
      #expect(abs(Double(ReferenceKernels.sigmoid(x)) - exact) <= 4 * Double(Float(exact).ulp))
    }
  }

  @Test func softmaxIsADistributionWhateverTheLogits() {
    for logits: [Float] in [[0], [1, 2, 3], [1000, 999, -1000], [-3e38, 3e38, 0]] {
      var values = [7] + logits + [8]
      ReferenceKernels.softmax(&values, range: 1..<values.count - 1)
      #expect(values.first == 7 && values.last == 8)
      let probabilities = values[1..<values.count - 1]
      let sum: Float = probabilities.reduce(0, +)
      #expect(abs(sum - 1) < 1e-6)
      #expect(probabilities.allSatisfy { (p) in p >= 0 && p <= 1 })
    }
    var values: [Float] = [1, 2, 3]
    ReferenceKernels.softmax(&values, range: 0..<3)
    let exact = [0.09003057317038046, 0.24472847105479764, 0.6652409557748218]
    for (found, expected) in zip(values, exact) { #expect(abs(Double(found) - expected) < 1e-7) }
    var broken: [Float] = [1, .nan, 2]
    ReferenceKernels.softmax(&broken, range: 0..<3)
    #expect(broken.allSatisfy { (value) in value.isNaN })
    var empty: [Float] = []
    ReferenceKernels.softmax(&empty, range: 0..<0)
    #expect(empty.isEmpty)
  }
}

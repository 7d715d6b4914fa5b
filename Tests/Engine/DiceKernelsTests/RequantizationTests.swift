import DiceKernels
import Foundation
import TestSupport
import Testing

/// Whole numbers of one scale as those of another: the reference against the definition in exact arithmetic, vectors
/// against the reference bit for bit.
@Suite struct RequantizationTests {
  /// The multipliers and shifts of some channels.
  private struct Numbers {
    let storage: Guarded
    let multipliers: [Int]
    let lefts: [Int]
    let rights: [Int]

    init(channelCount: Int, seed: UInt64) {
      var generator = SeededGenerator(seed: seed)
      multipliers = (0..<channelCount).map { (channel) in
        switch channel {
        case 0: 0
        case 1: Int(Int32.max)
        case 2: 1 << 30
        default: Int.random(in: 1 << 30..<1 << 31, using: &generator)
        }
      }
      lefts = (0..<channelCount).map { (channel) in channel % 5 == 4 ? channel % 7 : 0 }
      rights = (0..<channelCount).map { (channel) in channel % 5 == 4 ? 0 : channel % 32 }
      let words = (multipliers + lefts + rights).map { (number) in
        Float(bitPattern: UInt32(bitPattern: Int32(number)))
      }
      storage = Guarded(words)
    }

    func task(_ isRoundedOnce: Bool, lower: Float = -.infinity, upper: Float = .infinity)
      -> ActivationFunction
    {
      .requantization(
        Requantization(
          numbers: storage.address, step: multipliers.count, isRoundedOnce: isRoundedOnce,
          lower: lower, upper: upper))
    }
  }

  /// The definition, with magnitudes in place of shifts of negative numbers.
  private static func exact(
    _ x: Int, _ multiplier: Int, left: Int, right: Int, isRoundedOnce: Bool = false
  ) -> Int {
    let product = (x << left) * multiplier
    let first =
      isRoundedOnce
      ? floored(product, 1 << 31) : floored(product + 1 << 30, 1 << 31)
    guard right > 0 else { return first }
    let (unit, half) = (1 << right, 1 << (right - 1))
    if isRoundedOnce { return floored(first + half, unit) }
    return first < 0 ? -((-first + half) / unit) : (first + half) / unit
  }

  private static func floored(_ number: Int, _ divisor: Int) -> Int {
    number >= 0 ? number / divisor : -((-number + divisor - 1) / divisor)
  }

  private static var inputs: [Int] {
    var generator = SeededGenerator(seed: 3)
    let random = [8, 12, 16, 20, 24].flatMap { (bits) in
      (0..<40).map { (_) in Int.random(in: -(1 << bits)...1 << bits, using: &generator) }
    }
    return [0, 1, -1, 2, -2, 3, -3, 255, -255, 1 << 24, -(1 << 24)] + random
  }

  @Test(arguments: [false, true])
  func theReferenceRoundsAsDefined(isRoundedOnce: Bool) {
    let numbers = Numbers(channelCount: 48, seed: 1)
    defer { withExtendedLifetime(numbers.storage) {} }
    let function = numbers.task(isRoundedOnce)
    for x in Self.inputs {
      for channel in 0..<48 where abs(x) << numbers.lefts[channel] < 1 << 31 {
        let expected = Self.exact(
          x, numbers.multipliers[channel], left: numbers.lefts[channel],
          right: numbers.rights[channel], isRoundedOnce: isRoundedOnce)
        expectEqual(
          ReferenceKernels.value(of: function, at: Float(x), channel: channel), Float(expected),
          "\(x) in channel \(channel)")
      }
    }
  }

  @Test func middlesGoAwayFromZeroOrUp() {
    // A half, a quarter and an eighth, exactly.
    let words: [Int32] = [1 << 30, 1 << 30, 1 << 30, 0, 0, 0, 0, 1, 2]
    let storage = Guarded(words.map { Float(bitPattern: UInt32(bitPattern: $0)) })
    defer { withExtendedLifetime(storage) {} }
    func values(_ channel: Int, _ xs: [Float], isRoundedOnce: Bool) -> [Float] {
      let function = ActivationFunction.requantization(
        Requantization(numbers: storage.address, step: 3, isRoundedOnce: isRoundedOnce))
      return xs.map { ReferenceKernels.value(of: function, at: $0, channel: channel) }
    }
    expectEqual(values(0, [1, -1, 3, -3], isRoundedOnce: false), [1, 0, 2, -1])
    expectEqual(values(1, [2, -2, 6, -6], isRoundedOnce: false), [1, -1, 2, -2])
    expectEqual(values(1, [2, -2, 6, -6], isRoundedOnce: true), [1, 0, 2, -1])
    // 3/8 is a half after the first rounding.
    expectEqual(values(2, [3, -3], isRoundedOnce: false), [1, 0])
    expectEqual(values(2, [3, -3], isRoundedOnce: true), [0, 0])
  }

  @Test(arguments: [false, true])
  func vectorsGiveTheBitsOfTheReference(isRoundedOnce: Bool) {
    let numbers = Numbers(channelCount: 48, seed: 2)
    defer { withExtendedLifetime(numbers.storage) {} }
    let map = TestMap(height: 3, width: 5, channelCount: 48)
    for (scale, limits) in [
      (Float(300), (-Float.infinity, Float.infinity)), (4e6, (-128, 127)), (3e9, (-3, 1e9)),
    ] {
      let function = numbers.task(isRoundedOnce, lower: limits.0, upper: limits.1)
      compareBits(map, map, scale: scale) { (task, rows) in
        ReferenceKernels.activate(task, function, rows: rows)
      } fast: { (kernels, task, rows) in
        kernels.activate(task, function, rows: rows)
      }
    }
  }

  @Test func whatIsNoIntegerIsLimited() {
    let numbers = Numbers(channelCount: 16, seed: 4)
    defer { withExtendedLifetime(numbers.storage) {} }
    let map = TestMap(height: 1, width: 1, channelCount: 16)
    let extremes: [Float] = [
      .nan, .infinity, -.infinity, 3e38, -3e38, 2_147_483_648, -2_147_483_648, 2_147_483_520, 0.9,
      -0.9, -0.0, .leastNonzeroMagnitude, 16_777_216, -16_777_216, 1.5, -1.5,
    ]
    let input = Guarded(extremes + [Float](repeating: 0, count: map.count - 16))
    let expected = Guarded(count: map.count)
    let function = numbers.task(false)
    ReferenceKernels.activate(mapTask(input, map, expected, map), function, rows: 0..<1)
    for implementation in implementations {
      let found = Guarded(count: map.count)
      Kernels(implementation).activate(mapTask(input, map, found, map), function, rows: 0..<1)
      expectEqual(found.bits, expected.bits, "\(implementation)")
    }
  }

  /// Factors of the first operand, the second and their sum.
  private static let sums: [[RequantizedSum.Factor]] = [
    [
      .init(multiplier: 1 << 30, left: 0, right: 0),
      .init(multiplier: 1_717_986_918, left: 0, right: 3),
      .init(multiplier: 1_234_567_890, left: 0, right: 18),
    ],
    [
      .init(multiplier: 1_999_999_999, left: 0, right: 2),
      .init(multiplier: -(1 << 30), left: 0, right: 0),
      .init(multiplier: 2_147_483_647, left: 0, right: 19),
    ],
  ]

  private static func stored(_ factors: [RequantizedSum.Factor]) -> Guarded {
    Guarded(
      factors.flatMap { (factor) in
        [factor.multiplier, factor.left, factor.right].map { (word) in
          Float(bitPattern: UInt32(bitPattern: word))
        }
      })
  }

  @Test(arguments: 0..<2)
  func sumsAreThoseOfTheDefinition(_ number: Int) {
    let factors = Self.sums[number]
    let storage = Self.stored(factors)
    defer { withExtendedLifetime(storage) {} }
    let operation = CombinationOperation.requantizedSum(RequantizedSum(numbers: storage.address))
    func part(_ x: Int, _ factor: RequantizedSum.Factor) -> Int {
      let multiplier = Int(factor.multiplier.magnitude)
      let result = Self.exact(x, multiplier, left: 0, right: Int(factor.right))
      return factor.multiplier < 0 ? -result : result
    }
    for a in stride(from: -255, through: 255, by: 3) {
      for b in stride(from: -255, through: 255, by: 7) {
        let expected = part(part(a << 20, factors[0]) + part(b << 20, factors[1]), factors[2])
        expectEqual(
          ReferenceKernels.value(of: operation, Float(a), Float(b)), Float(expected),
          "\(a) and \(b)")
      }
    }
  }

  @Test(arguments: 0..<2)
  func vectorsOfSumsGiveTheBitsOfTheReference(_ number: Int) {
    let map = TestMap(height: 2, width: 7, channelCount: 32)
    var generator = SeededGenerator(seed: 6)
    let other = Guarded(generator.fractions(map.count + 16).map { (value) in value * 255 })
    let storage = Self.stored(Self.sums[number])
    defer { withExtendedLifetime((other, storage)) {} }
    for isSecondSingle in [false, true] {
      func combination(_ task: MapTask) -> CombinationTask {
        CombinationTask(
          map: task, other: other.address.advanced(by: 16), otherColumnStep: map.step,
          otherRowStep: map.rowStep,
          operation: .requantizedSum(RequantizedSum(numbers: storage.address)),
          isSecondSingle: isSecondSingle)
      }
      compareBits(map, map, scale: 255) { (task, rows) in
        ReferenceKernels.combine(combination(task), rows: rows)
      } fast: { (kernels, task, rows) in
        kernels.combine(combination(task), rows: rows)
      }
    }
  }

  @Test func tablesGiveTheNumberAtAPlace() {
    let table = Guarded((0..<256).map { (place) in Float(place * 3 - 100) })
    defer { withExtendedLifetime(table) {} }
    let function = ActivationFunction.table(table.address)
    for (x, expected): (Float, Float) in [
      (0, -100), (1, -97), (255, 665), (2.9, -94), (-4, -100), (300, 665), (.infinity, 665),
      (.nan, -100),
    ] {
      expectEqual(ReferenceKernels.value(of: function, at: x, channel: 0), expected)
    }
    let map = TestMap(height: 2, width: 3, channelCount: 32)
    compareBits(map, map, scale: 300) { (task, rows) in
      ReferenceKernels.activate(task, function, rows: rows)
    } fast: { (kernels, task, rows) in
      kernels.activate(task, function, rows: rows)
    }
  }
}

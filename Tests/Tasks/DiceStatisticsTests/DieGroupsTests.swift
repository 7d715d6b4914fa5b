import DiceStatistics
import TestSupport
import Testing

@Suite struct DieGroupsTests {
  /// Rolls of dice in changing light and from changing distance, each roll in an order of its own.
  private func rolls(
    _ dice: [(SIMD3<Double>, Double)], count: Int, seed: UInt64
  ) -> (looks: [[DieAppearance]], dice: [[Int]]) {
    var generator = SeededGenerator(seed: seed)
    var looks: [[DieAppearance]] = []
    var names: [[Int]] = []
    for _ in 0..<count {
      let order = dice.indices.shuffled(using: &generator)
      let light = generator.uniform(-0.08...0.08)
      let distance = generator.uniform(0.7...1.4)
      looks.append(
        order.map { die in
          var color = dice[die].0 + light
          for part in 0..<3 { color[part] += 0.02 * generator.normal() }
          return DieAppearance(
            color: color, size: dice[die].1 * distance * (1 + 0.05 * generator.normal()))
        })
      names.append(order)
    }
    return (looks, names)
  }

  private let white = SIMD3(0.85, 0.85, 0.8)
  private let red = SIMD3(0.7, 0.12, 0.15)
  private let blue = SIMD3(0.1, 0.2, 0.6)

  @Test func tellsColorsApart() {
    let (looks, dice) = rolls([(white, 50), (red, 50), (blue, 50)], count: 60, seed: 1)
    let found = DieGroups(looks)
    expectEqual(found.groups.map(\.dieCount), [1, 1, 1])
    expectEqual(found.members, dice)
    #expect(found.groups[1].appearance.color.x > found.groups[1].appearance.color.z)
  }

  @Test func tellsSizesApart() {
    let (looks, dice) = rolls([(white, 80), (white, 40)], count: 40, seed: 2)
    let found = DieGroups(looks)
    expectEqual(found.groups.count, 2)
    let isLargeFirst = found.groups[0].appearance.size > found.groups[1].appearance.size
    expectEqual(found.members, dice.map { $0.map { isLargeFirst ? $0 : 1 - $0 } })
  }

  @Test func diceThatLookAlikeAreOneGroup() {
    for seed in 1...20 {
      let (looks, dice) = rolls(
        [(white, 50), (white, 50), (red, 50), (white, 50)], count: 30, seed: UInt64(seed))
      let found = DieGroups(looks)
      expectEqual(found.groups.map(\.dieCount), [3, 1], "seed \(seed)")
      expectEqual(found.members, dice.map { $0.map { $0 == 2 ? 1 : 0 } }, "seed \(seed)")
    }
  }

  @Test func fewRollsAndHostileNumbersAreOneGroup() {
    let (looks, _) = rolls([(white, 50), (red, 50)], count: 7, seed: 3)
    expectEqual(DieGroups(looks).groups.map(\.dieCount), [2])
    let odd = DieAppearance(color: SIMD3(.nan, .infinity, -1), size: .nan)
    #expect(odd.color == SIMD3(repeating: 0.5) && odd.size == 1)
    let found = DieGroups([[DieAppearance]](repeating: [odd, odd], count: 20))
    expectEqual(found.groups.map(\.dieCount), [2])
    expectEqual(DieGroups([[odd]]).members, [[0]])
  }
}

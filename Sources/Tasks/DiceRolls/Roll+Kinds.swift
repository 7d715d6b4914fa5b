internal import DiceGeometry

/// Dice of one kind in a roll, or pairs of a percentile die and a d10.
public struct DiceGroup: Hashable, Sendable {
  /// What players call the die: `d4` to `d20`, `d%`, and `d100` for a pair.
  public var name: String
  /// How many there are.
  public var count: Int
  /// What they show, from left to right; dice without a value are left out.
  public var values: [Int]

  /// A group of your own, for previews and tests.
  public init(name: String, count: Int, values: [Int]) {
    self.name = name
    self.count = count
    self.values = values
  }

  /// The sum of the values; it stops at the bounds of `Int`.
  public var sum: Int { values.saturatingSum }

  /// How many there are, and of what: `2d6`.
  public var notation: String { "\(count)\(name)" }
}

extension Roll {
  /// The dice by kind, from the fewest sides to the most.
  ///
  /// A percentile die and the d10 nearest to it count together as a d100, from left to right: 30 and
  /// 7 are 37, 00 and 0 are 100. One that has no partner is a group of its own.
  ///
  /// - Complexity: O(percentile dice · dice).
  public var groups: [DiceGroup] {
    var partners: [Int?] = dice.map { _ in nil }
    var isTaken = dice.map { _ in false }
    for (index, die) in dice.enumerated() where die.kind == .percentile && die.value != nil {
      var nearest: Int?
      var least = Double.infinity
      for (other, ones) in dice.enumerated()
      where ones.kind == .d10 && ones.value != nil && !isTaken[other] {
        let distance = die.boundingBox.squaredDistance(to: ones.boundingBox)
        if distance < least { (nearest, least) = (other, distance) }
      }
      guard let nearest else { continue }
      partners[index] = nearest
      isTaken[nearest] = true
      isTaken[index] = true
    }
    var groups: [DiceGroup] = []
    for kind in DieKind.allCases {
      var group = DiceGroup(name: kind.rawValue, count: 0, values: [])
      for (index, die) in dice.enumerated() where die.kind == kind && !isTaken[index] {
        group.count += 1
        if let value = die.value { group.values.append(value) }
      }
      if group.count > 0 { groups.append(group) }
    }
    var hundreds = DiceGroup(name: "d100", count: 0, values: [])
    for (index, partner) in partners.enumerated() {
      guard let partner, let tens = dice[index].value, let ones = dice[partner].value else {
        continue
      }
      let (sum, overflow) = tens.addingReportingOverflow(ones % 10)
      hundreds.count += 1
      hundreds.values.append(overflow ? tens : sum == 0 ? 100 : sum)
    }
    if hundreds.count > 0 { groups.append(hundreds) }
    return groups
  }

  /// The dice as players write them, read or not: `2d6 + 1d20`.
  public var notation: String {
    var text = ""
    for group in groups { text += (text.isEmpty ? "" : " + ") + group.notation }
    return text
  }

  /// The sum of all ``groups``: that of the values, with each pair of a percentile die and a d10 as a d100.
  public var total: Int {
    var sums: [Int] = []
    for group in groups { sums.append(group.sum) }
    return sums.saturatingSum
  }
}

extension BoundingBox {
  fileprivate func squaredDistance(to other: BoundingBox) -> Double {
    let (x, y) = (midX - other.midX, midY - other.midY)
    return x * x + y * y
  }
}

internal import DiceNumerics

/// How a die looks in a picture, to tell dice of different colours and sizes apart.
public struct DieAppearance: Hashable, Sendable {
  /// The colour of its faces: red, green and blue, 0…1; the same for all where it is not known.
  public var color: SIMD3<Double>
  /// The size of its box, `√(width · height)` in pixels, above 0.
  public var size: Double

  /// An appearance; numbers that are not finite count as grey and as a pixel.
  public init(color: SIMD3<Double>, size: Double) {
    let isKnown = color.x.isFinite && color.y.isFinite && color.z.isFinite
    self.color =
      isKnown
      ? color.clamped(lowerBound: .zero, upperBound: .one) : SIMD3(repeating: 0.5)
    self.size = size.isFinite && size > 1 ? min(size, 1e9) : 1
  }

  /// Lightness, two differences of colour and the logarithm of the size, in units in which the same die
  /// differs by about 1 from roll to roll.
  var features: SIMD4<Double> {
    let lightness: Double = 0.299 * color.x + 0.587 * color.y + 0.114 * color.z
    let blue: Double = color.z - lightness
    let red: Double = color.x - lightness
    return SIMD4(lightness / 0.08, blue / 0.04, red / 0.04, naturalLogarithm(size) / 0.12)
  }
}

/// Which dice of several rolls are the same, by their looks.
public struct DieGroups: Hashable, Sendable {
  /// Dice that look alike.
  public struct Group: Hashable, Sendable {
    /// How many dice of each roll are in the group: 1 where a die is told apart from all others.
    public let dieCount: Int
    /// Its median look.
    public let appearance: DieAppearance
  }

  /// The groups, the lightest first.
  public let groups: [Group]
  /// The group of each die of each roll.
  public let members: [[Int]]

  /// How far two dice must differ, in standard deviations of either along the line between them.
  ///
  /// Dice that look the same differ by less than 2 after they have been told apart by force.
  static let separation = 4.0
  /// With fewer rolls the deviations are not known: all dice are one group.
  static let rollCount = 8

  /// Tells the dice of rolls apart.
  ///
  /// Each roll shows the same dice. Its looks are taken less their mean, so that light and distance may change
  /// from roll to roll. Each die is paired with one of as many prototypes, at the least sum of squares that
  /// exchanging pairs finds; prototypes become the medians of their dice, until nothing changes. Prototypes
  /// that are not ``separation`` apart are one group.
  ///
  /// - Precondition: All rolls have as many dice, at least one.
  /// - Complexity: O(rolls · dice²) for each of at most 20 rounds.
  public init(_ rolls: [[DieAppearance]]) {
    let dieCount = rolls.first?.count ?? 0
    precondition(
      dieCount > 0 && rolls.allSatisfy { $0.count == dieCount }, "rolls have as many dice")
    let features = rolls.map { roll in
      let all = roll.map(\.features)
      let mean = all.reduce(.zero, +) / Double(dieCount)
      return all.map { $0 - mean }
    }
    // Rolls from all over, as the first may be an odd one.
    let starts = Set([0, rolls.count / 2, rolls.count - 1]).sorted()
    let pairings = starts.map { Pairing(features, prototypes: features[$0]) }
    let pairing = pairings.min { $0.cost < $1.cost }!
    var names = Array(0..<dieCount)
    for one in 0..<dieCount {
      for other in 0..<one where !pairing.areApart(one, other, in: features) {
        let (from, to) = (max(names[one], names[other]), min(names[one], names[other]))
        for index in names.indices where names[index] == from { names[index] = to }
      }
    }
    var found: [(name: Int, group: Group)] = []
    for name in Set(names).sorted() {
      var looks: [DieAppearance] = []
      for (roll, places) in zip(rolls, pairing.places) {
        for (die, place) in places.enumerated() where names[place] == name {
          looks.append(roll[die])
        }
      }
      func median(_ part: (DieAppearance) -> Double) -> Double {
        Pairing.median(looks.map(part))
      }
      found.append(
        (
          name,
          Group(
            dieCount: names.count { $0 == name },
            appearance: DieAppearance(
              color: SIMD3(median(\.color.x), median(\.color.y), median(\.color.z)),
              size: median(\.size)))
        ))
    }
    found.sort { $0.group.appearance.features.x > $1.group.appearance.features.x }
    groups = found.map(\.group)
    let order = Dictionary(uniqueKeysWithValues: found.enumerated().map { ($1.name, $0) })
    members = pairing.places.map { $0.map { order[names[$0]]! } }
  }
}

/// Dice of each roll, paired with prototypes one to one.
private struct Pairing {
  /// The prototype of each die of each roll.
  private(set) var places: [[Int]] = []
  /// The sum of squares.
  private(set) var cost = Double.infinity
  private var prototypes: [SIMD4<Double>]

  init(_ rolls: [[SIMD4<Double>]], prototypes: [SIMD4<Double>]) {
    self.prototypes = prototypes
    for _ in 0..<20 {
      let next = rolls.map { pairs($0) }
      if next == places { break }
      places = next
      for place in prototypes.indices {
        var medians = SIMD4<Double>.zero
        let all = members(of: place, in: rolls)
        for part in 0..<4 { medians[part] = Self.median(all.map { $0[part] }) }
        self.prototypes[place] = medians
      }
    }
    cost = zip(rolls, places).reduce(0) { sum, roll in
      sum + zip(roll.0, roll.1).reduce(0) { $0 + square($1.0, $1.1) }
    }
  }

  static func median(_ numbers: [Double]) -> Double {
    let sorted = numbers.sorted()
    let middle = sorted.count / 2
    return sorted.count.isMultiple(of: 2)
      ? (sorted[middle - 1] + sorted[middle]) / 2 : sorted[middle]
  }

  private func square(_ die: SIMD4<Double>, _ place: Int) -> Double {
    let difference = die - prototypes[place]
    return (difference * difference).sum()
  }

  /// Pairs the dice of a roll: begins in order, and exchanges pairs while that costs less.
  private func pairs(_ dice: [SIMD4<Double>]) -> [Int] {
    var places = Array(dice.indices)
    var hasChanged = true
    var rounds = 0
    while hasChanged, rounds < 100 {
      hasChanged = false
      rounds += 1
      for one in dice.indices {
        for other in 0..<one {
          let before = square(dice[one], places[one]) + square(dice[other], places[other])
          let after = square(dice[one], places[other]) + square(dice[other], places[one])
          if after < before - 1e-12 {
            places.swapAt(one, other)
            hasChanged = true
          }
        }
      }
    }
    return places
  }

  private func members(of place: Int, in rolls: [[SIMD4<Double>]]) -> [SIMD4<Double>] {
    zip(rolls, places).compactMap { roll, places in
      places.firstIndex(of: place).map { roll[$0] }
    }
  }

  /// Whether two prototypes are too far apart to be of dice that look the same.
  func areApart(_ one: Int, _ other: Int, in rolls: [[SIMD4<Double>]]) -> Bool {
    guard rolls.count >= DieGroups.rollCount else { return false }
    let line = prototypes[one] - prototypes[other]
    let distance = (line * line).sum().squareRoot()
    guard distance > 0 else { return false }
    let direction = line / distance
    func deviation(_ place: Int) -> Double {
      let offsets = members(of: place, in: rolls).map {
        (($0 - prototypes[place]) * direction).sum().magnitude
      }
      // 1.4826 makes a standard deviation of the median deviation of normal numbers.
      return max(0.25, 1.4826 * Self.median(offsets))
    }
    return distance > DieGroups.separation * max(deviation(one), deviation(other))
  }
}

/// What the dice of a picture say about each other.
///
/// The dice of a roll are alike in size and lie together; what only looks like a die mostly lies
/// alone, or is larger or smaller than the dice beside it. A box is in company as far as there is
/// another one like it nearby, a number from 0 to 1:
///
///     share = 1 − Π (1 − c² · alike · near)    over all other boxes
///     alike = exp(−(q + 1/q − 2) / (2 · 0.15²))    q the ratio of the boxes' sides
///     near  = 1 / (1 + (d / 6)⁴)    d from centre to centre, in sides
///
/// A side is the square root of a box's area, for `d` the geometric mean of both; `c` is the other
/// one's confidence, squared, so that doubtful ones hardly count. The odds of a box are then
/// multiplied by 1.5 in full company and by a third where it is alone, by `1.5 exp(−1.5 (1 − share))`
/// in between.
///
/// The numbers were fitted to readings of pictures that the networks had not learnt from
/// (`Docs/Training.md`). For each box it takes time in proportion to their number.
package struct Company: Hashable, Sendable {
  /// Boxes that are less sure are nobody's company.
  package static let leastConfidence = 0.1
  /// What the odds of a box in full company are multiplied by.
  private static let greatestFactor = 1.5
  /// By how much less, as a logarithm, those of a box alone.
  private static let depth = 1.5
  private static let sizeSpread = 0.15
  private static let reach = 6.0

  private struct Member: Hashable {
    var box: BoundingBox
    var area: Double
    var weight: Double
  }

  private var members: [Member] = []

  /// Nobody.
  package init() {}

  /// Forgets the boxes and keeps their memory.
  package mutating func removeAll() { members.removeAll(keepingCapacity: true) }

  /// Adds a box; one without an area is alone.
  ///
  /// - Parameter confidence: 0...1.
  package mutating func append(_ box: BoundingBox, confidence: Double) {
    let area = box.area
    let counts = confidence >= Self.leastConfidence && area > 0 && area.isFinite
    members.append(
      Member(box: box, area: area, weight: counts ? confidence * confidence : 0))
  }

  /// How far a box is in company, 0...1.
  ///
  /// - Precondition: `index` is the place of a box in the order in which they were added.
  package func share(of index: Int) -> Double {
    let own = members[index]
    guard own.area > 0, own.area.isFinite else { return 0 }
    var solitude = 1.0
    for (other, member) in members.enumerated() where other != index && member.weight > 0 {
      let ratio = (own.area / member.area).squareRoot()
      let difference = ratio + 1 / ratio - 2
      let (x, y) = (
        own.box.centerX - member.box.centerX, own.box.centerY - member.box.centerY
      )
      // The square of the distance in sides: the product of both sides is the root of both areas'.
      let distance = (x * x + y * y) / (own.area.squareRoot() * member.area.squareRoot())
      let farness = distance / (Self.reach * Self.reach)
      let alike = exponential(-difference / (2 * Self.sizeSpread * Self.sizeSpread))
      solitude *= 1 - member.weight * alike / (1 + farness * farness)
    }
    return 1 - solitude
  }

  /// What the odds of a box are multiplied by.
  private static func factor(share: Double) -> Double {
    greatestFactor * exponential(-depth * (1 - share))
  }

  /// A confidence in company.
  ///
  /// - Parameters:
  ///   - confidence: without it, 0...1.
  ///   - share: how far it is in company, 0...1.
  /// - Returns: 0...1, greater for a greater confidence.
  package static func confidence(_ confidence: Double, share: Double) -> Double {
    let present = confidence * factor(share: share)
    return present / (present + (1 - confidence))
  }

  /// The confidence that full company brings to another one: no box below it can get there.
  ///
  /// - Parameter reached: 0...1.
  package static func confidence(toReach reached: Double) -> Double {
    reached / (reached + (1 - reached) * greatestFactor)
  }
}

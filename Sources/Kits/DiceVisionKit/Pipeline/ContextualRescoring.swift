internal import DiceGeometry
internal import DiceNumerics

/// What the dice of a picture say about each other.
///
/// The dice of a roll are alike in size and lie together; what only looks like a die mostly lies
/// alone, or is larger or smaller than the dice beside it. A box has support as far as there is
/// another one like it nearby, a number from 0 to 1:
///
///     support = 1 − Π (1 − c² · alike · near)    over all other boxes
///     alike = exp(−(q + 1/q − 2) / (2 · sizeSpread²))    q the ratio of the boxes' sides
///     near  = 1 / (1 + (d / reach)⁴)    d from centre to centre, in sides
///
/// A side is the square root of a box's area, for `d` the geometric mean of both; `c` is the other
/// one's confidence, squared, so that doubtful ones hardly count. The odds of a box are then
/// multiplied by `greatestFactor · exp(−depth · (1 − support))`: with the bundled profile by 1.5
/// where it has full support, and by a third where it has none.
///
/// The numbers (``PipelineProfile/Rescoring``) were fitted to readings of pictures that the
/// networks had not learnt from (`Docs/ModelCard.md`). For each box it takes time in proportion to
/// their number.
struct ContextualRescoring: Hashable, Sendable {
  private struct Member: Hashable {
    var box: BoundingBox
    var area: Double
    var weight: Double
  }

  let rule: PipelineProfile.Rescoring
  private var members: [Member] = []

  /// No boxes.
  init(_ rule: PipelineProfile.Rescoring) { self.rule = rule }

  /// Forgets the boxes and keeps their memory.
  mutating func removeAll() { members.removeAll(keepingCapacity: true) }

  /// Adds a box; one without an area has no support.
  ///
  /// - Parameter confidence: 0...1.
  mutating func append(_ box: BoundingBox, confidence: Double) {
    let area = box.area
    let counts = confidence >= rule.leastConfidence && area > 0 && area.isFinite
    members.append(
      Member(box: box, area: area, weight: counts ? confidence * confidence : 0))
  }

  /// How much support a box has, 0...1.
  ///
  /// - Precondition: `index` is the place of a box in the order in which they were added.
  func support(of index: Int) -> Double {
    let own = members[index]
    guard own.area > 0, own.area.isFinite else { return 0 }
    var solitude = 1.0
    for (other, member) in members.enumerated() where other != index && member.weight > 0 {
      let ratio = (own.area / member.area).squareRoot()
      let difference = ratio + 1 / ratio - 2
      let (x, y) = (
        own.box.midX - member.box.midX, own.box.midY - member.box.midY
      )
      // The square of the distance in sides: the product of both sides is the root of both areas'.
      let distance = (x * x + y * y) / (own.area.squareRoot() * member.area.squareRoot())
      let farness = distance / (rule.reach * rule.reach)
      let alike = exponential(-difference / (2 * rule.sizeSpread * rule.sizeSpread))
      solitude *= 1 - member.weight * alike / (1 + farness * farness)
    }
    return 1 - solitude
  }

  /// A confidence with support.
  ///
  /// - Parameters:
  ///   - confidence: without it, 0...1.
  ///   - support: 0...1.
  /// - Returns: 0...1, greater for a greater confidence.
  func confidence(_ confidence: Double, support: Double) -> Double {
    let factor = rule.greatestFactor * exponential(-rule.depth * (1 - support))
    let present = confidence * factor
    return present / (present + (1 - confidence))
  }

  /// The confidence that full support raises to another one: no box below it can get there.
  ///
  /// - Parameter reached: 0...1.
  func confidence(toReach reached: Double) -> Double {
    reached / (reached + (1 - reached) * rule.greatestFactor)
  }

  /// The least confidence that a box needs to count here: to reach a threshold, or to support
  /// others.
  ///
  /// - Parameter threshold: 0...1.
  func leastConfidence(threshold: Float) -> Float {
    let least = min(confidence(toReach: Double(threshold)), rule.leastConfidence)
    // The next smaller number makes up for the rounding.
    return max(0, Float(least).nextDown)
  }
}

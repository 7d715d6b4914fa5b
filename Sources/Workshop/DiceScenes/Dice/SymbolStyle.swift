internal import DiceNumerics

/// Symbols in place of pips: six different ones on a die, painted, each turned by quarters.
///
/// Lengths are in halves of the die's edge.
struct SymbolStyle: Hashable, Sendable {
  /// For each value, from the one on, what stands on its face.
  var symbols: [Symbol]
  /// Half the side of the square that a symbol fills.
  var halfSide: Float
  /// For each value, in two bits from twice its number: by how many quarters it is turned.
  var quarterTurns: UInt16

  /// Six symbols by lot, the blank face as one among them.
  init(_ random: inout SceneRandom) {
    var left = Symbol.allCases
    symbols = (0..<6).map { (_) in left.remove(at: random.integer(0...(left.count - 1))) }
    halfSide = random.number(0.5, 0.68)
    quarterTurns = UInt16(truncatingIfNeeded: random.next())
  }

  /// Whether paint covers a point of a face.
  ///
  /// - Parameters:
  ///   - point: to the right and upward from the middle of the face, seen from outside.
  func covers(_ point: Vector2, value: Int) -> Bool {
    let p = point * (1 / halfSide)
    guard max(abs(p.x), abs(p.y)) < 1 else { return false }
    let symbol = symbols[value - 1]
    switch (quarterTurns >> UInt16(2 * (value & 7))) & 3 {
    case 0: return symbol.covers(p)
    case 1: return symbol.covers(Vector2(p.y, -p.x))
    case 2: return symbol.covers(-p)
    default: return symbol.covers(Vector2(-p.y, p.x))
    }
  }
}

/// A drawing in a square from -1 to 1, to the right and upward.
enum Symbol: String, CaseIterable, Hashable, Sendable {
  case plus, minus, blank, star, heart, moon, sun, arrow, skull, eye, key, house, tree, fish, drop
  case lightning

  /// Whether paint covers a point of the square.
  func covers(_ p: Vector2) -> Bool {
    /// Whether a point is in an upright rectangle.
    func box(_ x: ClosedRange<Float>, _ y: ClosedRange<Float>) -> Bool {
      x.contains(p.x) && y.contains(p.y)
    }
    /// Whether a point is in a circle.
    func disc(_ x: Float, _ y: Float, _ radius: Float) -> Bool {
      length(p - Vector2(x, y)) < radius
    }
    switch self {
    case .blank: return false
    case .plus: return box(-0.85...0.85, -0.24...0.24) || box(-0.24...0.24, -0.85...0.85)
    case .minus: return box(-0.85...0.85, -0.24...0.24)
    case .star, .arrow, .lightning: return Symbol.contains(p, in: Symbol.outline(self))
    case .heart:
      let (x, y) = (p.x * 1.25, p.y * 1.25 + 0.1)
      let round = x * x + y * y - 1
      return round * round * round < x * x * y * y * y
    case .moon: return disc(-0.05, 0, 0.9) && !disc(0.35, 0.2, 0.75)
    case .sun:
      let reach = length(p)
      if reach < 0.45 { return true }
      guard reach > 0.58, reach < 0.95 else { return false }
      let diagonal = Float(0.70710678)
      let away = [p.x, p.y, (p.x + p.y) * diagonal, (p.x - p.y) * diagonal]
      return away.contains { abs($0) < 0.1 }
    case .skull:
      let head = disc(0, 0.2, 0.72) || box(-0.4...0.4, -0.9 ... -0.3)
      let holes =
        disc(-0.3, 0.15, 0.2) || disc(0.3, 0.15, 0.2) || box(-0.07...0.07, -0.35 ... -0.15)
      return head && !holes && !box(-0.18 ... -0.1, -1 ... -0.6) && !box(0.1...0.18, -1 ... -0.6)
    case .eye:
      let lens = disc(0, -0.75, 1.25) && disc(0, 0.75, 1.25)
      return lens && !disc(0, 0, 0.42) || disc(0, 0, 0.22)
    case .key:
      let bow = disc(-0.55, 0, 0.42) && !disc(-0.55, 0, 0.2)
      return bow || box(-0.2...0.95, -0.1...0.1) || box(0.45...0.6, -0.4...0)
        || box(0.78...0.95, -0.48...0)
    case .house:
      let roof = p.y >= 0 && abs(p.x) < 0.95 * (1 - p.y / 0.9)
      return (roof || box(-0.7...0.7, -0.9...0)) && !box(-0.2...0.2, -0.9 ... -0.3)
    case .tree:
      func level(_ foot: Float, _ half: Float) -> Bool {
        p.y > foot && abs(p.x) < half * (1 - (p.y - foot) / 0.8)
      }
      return level(0.15, 0.5) || level(-0.25, 0.68) || level(-0.65, 0.85)
        || box(-0.14...0.14, -0.95 ... -0.6)
    case .fish:
      let (x, y) = ((p.x + 0.2) / 0.72, p.y / 0.45)
      let tail = p.x > 0.3 && p.x < 0.9 && abs(p.y) < (p.x - 0.3) * 0.8
      return (x * x + y * y < 1 || tail) && !disc(-0.55, 0.1, 0.1)
    case .drop:
      return disc(0, -0.35, 0.56) || p.y > -0.1 && abs(p.x) < 0.5 * (1 - (p.y + 0.1) / 1.05)
    }
  }

  /// The corners of a symbol with straight sides.
  private static func outline(_ symbol: Symbol) -> [Vector2] {
    switch symbol {
    case .star: starOutline
    case .arrow: arrowOutline
    default: lightningOutline
    }
  }

  private static let starOutline: [Vector2] = (0..<10).map { (number) in
    let turns = 0.25 + Float(number) * 0.1
    return Vector2(cosineOfTurns(turns), sineOfTurns(turns)) * (number & 1 == 0 ? 0.98 : 0.4)
  }
  private static let arrowOutline = [
    Vector2(0, 0.95), Vector2(0.75, 0.15), Vector2(0.25, 0.15), Vector2(0.25, -0.9),
    Vector2(-0.25, -0.9), Vector2(-0.25, 0.15), Vector2(-0.75, 0.15),
  ]
  private static let lightningOutline = [
    Vector2(0.25, 0.98), Vector2(-0.6, -0.1), Vector2(-0.05, -0.1), Vector2(-0.3, -0.98),
    Vector2(0.6, 0.2), Vector2(0.08, 0.2), Vector2(0.55, 0.98),
  ]

  /// Whether a point lies in a polygon: a ray to the right crosses its sides an odd number of times.
  private static func contains(_ p: Vector2, in corners: [Vector2]) -> Bool {
    var isInside = false
    var last = corners[corners.count - 1]
    for corner in corners {
      if (corner.y > p.y) != (last.y > p.y),
        p.x < (last.x - corner.x) * (p.y - corner.y) / (last.y - corner.y) + corner.x
      {
        isInside.toggle()
      }
      last = corner
    }
    return isInside
  }
}

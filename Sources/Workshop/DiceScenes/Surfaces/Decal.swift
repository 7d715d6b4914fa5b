/// A flat thing on the ground that hides nothing: a card, a note, a print, a stain.
struct Decal: Hashable, Sendable {
  enum Kind: UInt8, Hashable, Sendable, CaseIterable {
    case card
    case cardBack
    case note
    case text
    case disc
    case ring
    case scribble
    case tape
    case ruler
    case looseDots
    case dominoPrint
    case stain
    case cable
    case symbol
    case smudge
    case crumbs
    /// A picture of a die's face, as on a package or a sign.
    case diePrint

    /// The kinds that lie about anywhere.
    static let ordinary = allCases.filter { $0 != .diePrint }
  }

  var kind: Kind
  var center: Vector2
  var turn: Turn
  /// Half the size in the decal's own directions, world units.
  var half: Vector2
  var first: Vector3
  var second: Vector3
  var third: Vector3
  /// Thickness in world units; it throws a thin shadow.
  var lift: Float
  var gloss: Float
  /// A number that the picture shows, 1 to 10.
  var number: Int
  var seed: UInt32

  /// The radius of a circle about the centre that holds the decal and its shadow.
  var boundingRadius: Float { length(half) + lift * 4 + 0.05 }

  /// What the decal puts on a point of the ground.
  struct Paint {
    var colour: Vector3
    /// How much of the ground it hides, 0 to 1.
    var cover: Float
    /// How much it darkens the ground beside it, 0 to 1.
    var shadow: Float
  }

  /// The decal's paint at a point, or nil where it leaves the ground alone.
  func paint(at point: Vector2, footprint f: Float) -> Paint? {
    let q = turn.inward(point - center)
    let unit = half.min()
    switch kind {
    case .card, .cardBack, .note, .text, .ruler, .dominoPrint, .tape, .diePrint:
      let corner =
        kind == .tape || kind == .note || kind == .ruler
        ? 0.01 : unit * (kind == .diePrint ? 0.3 : 0.12)
      let edge = roundedBox(q, corner)
      if edge > lift * 3 + f { return nil }
      let cover = smoothStep(f * 0.5, -f * 0.5, edge)
      let shadow = lift > 0 ? 0.5 * smoothStep(lift * 3, 0, edge) : 0
      return Paint(colour: picture(q, f), cover: cover, shadow: shadow)
    case .disc, .symbol:
      let edge = length(q) - unit
      if edge > lift * 3 + f { return nil }
      let cover = smoothStep(f * 0.5, -f * 0.5, edge)
      let shadow = lift > 0 ? 0.5 * smoothStep(lift * 3, 0, edge) : 0
      return Paint(colour: picture(q, f), cover: cover, shadow: shadow)
    case .ring:
      let edge = abs(length(q) - unit * 0.85) - unit * 0.12
      let uneven = 0.6 + 0.4 * noise(q * (2 / unit), seed)
      let cover = smoothStep(f, -f, edge) * uneven * gloss
      return cover > 0 ? Paint(colour: first, cover: saturate(cover), shadow: 0) : nil
    case .scribble, .cable:
      if abs(q.x) > half.x { return nil }
      let bend =
        noise(Vector2(q.x / half.x * 1.6, 0.5), seed) * 0.55
        + noise(Vector2(q.x / half.x * 4.1, 3.5), seed &+ 1) * (kind == .cable ? 0.06 : 0.3)
      let width = kind == .cable ? max(lift, half.y * 0.03) : half.y * 0.025
      let d = q.y - bend * half.y
      // The slope of the curve makes its vertical distance too large.
      let edge = abs(d) * 0.8 - width
      if kind == .cable {
        let shadow = 0.55 * smoothStep(width * 2, 0, abs(d + width * 0.8) * 0.8 - width)
        let round = 1 - saturate(abs(d) * 0.8 / width)
        let colour = first * (0.35 + 0.75 * round) + Vector3(repeating: gloss * round * round * 0.3)
        return Paint(colour: colour, cover: smoothStep(f * 0.5, -f * 0.5, edge), shadow: shadow)
      }
      let cover = smoothStep(f * 0.5, -f * 0.5, edge) * min(1, width * 2 / max(f, 1e-4))
      return cover > 0 ? Paint(colour: first, cover: cover, shadow: 0) : nil
    case .looseDots:
      return looseDots(q, f)
    case .stain:
      let ragged = noise(q * (1.8 / unit), seed) * 0.35 + noise(q * (5 / unit), seed &+ 1) * 0.1
      let cover = smoothStep(1, 0.55, length(q) / unit + ragged) * gloss
      return cover > 0.01 ? Paint(colour: first, cover: cover, shadow: 0) : nil
    case .smudge:
      let cover = smoothStep(1, 0, length(Vector2(q.x / half.x, q.y / half.y))) * gloss
      return cover > 0.01 ? Paint(colour: first, cover: cover, shadow: 0) : nil
    case .crumbs:
      let grain = nearestCell(q * (5 / unit), jitter: 1, seed)
      let falloff = 1 - length(q) / max(length(half), 1e-4)
      guard Float(grain.identity & 0xFF) / 255 < falloff * 0.7 else { return nil }
      let size = 0.06 + 0.22 * Float((grain.identity >> 8) & 0xFF) / 255
      let softness = f * 5 / unit
      let cover = smoothStep(size + softness, size - softness, grain.nearest)
      let shadow =
        0.4
        * smoothStep(
          size + 0.12, size, length(grain.offset + Vector2(0.05, 0.08)))
      let tone = 0.7 + 0.6 * Float(grain.identity >> 24) / 255
      return Paint(colour: first * tone, cover: cover, shadow: shadow)
    }
  }

  private func roundedBox(_ q: Vector2, _ corner: Float) -> Float {
    let d = absolute(q) - half + Vector2(repeating: corner)
    let outside = Vector2(max(d.x, 0), max(d.y, 0))
    return length(outside) + min(max(d.x, d.y), 0) - corner
  }

  private func looseDots(_ q: Vector2, _ f: Float) -> Paint? {
    // A few dots at chance places, as if somebody had printed pips on the table.
    let size = half.min() * 0.16
    for index in 0..<Int32(max(1, min(number, 10))) {
      let place = Vector2(
        (unitHash(index, 1, seed) * 2 - 1) * (half.x - size),
        (unitHash(index, 2, seed) * 2 - 1) * (half.y - size))
      let edge = length(q - place) - size
      if edge < f {
        return Paint(colour: first, cover: smoothStep(f * 0.5, -f * 0.5, edge), shadow: 0)
      }
    }
    return nil
  }
}

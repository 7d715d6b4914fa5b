internal import DiceNumerics

/// A flat thing with a picture that is no die: a keyboard, a screen, a page, a front of a house.
///
/// Its pattern repeats in cells: keys, letters, windows. Some of it may glow.
struct Panel: Hashable, Sendable {
  enum Kind: UInt8, Hashable, Sendable, CaseIterable {
    // Keys and displays.
    case keyboard
    case keypad
    case display
    // Print.
    case text
    case codes
    case board
    case gingham
    // Screens and lamps.
    case screen
    case icons
    case lights
    case signal
    // Hardware.
    case sockets
    case ports
    case plugs
    case grille
    case circuit
    case breadboard
    case screws
    // Things.
    case facade
    case faces
    case wheel
    case domes
    case sweets
    case fruit
    case studs
  }

  var kind: Kind
  var center: Vector2
  var turn: Turn
  /// Half the size in the panel's own directions, world units.
  var half: Vector2
  /// The radius of the corners.
  var corner: Float
  /// The size of a cell in world units.
  var pitch: Float
  /// The colours of the ground, of what stands on it, and of marks.
  var first: Vector3
  var second: Vector3
  var third: Vector3
  /// The light of what glows; none where it is zero.
  var glow: Vector3
  /// How far the colours of marks and lights vary, 0 (one colour) to 1 (a rainbow).
  var rainbow: Float
  /// Three free numbers from 0 to 1 that vary the picture.
  var variety: Vector3
  /// Thickness: the panel throws a narrow shadow.
  var lift: Float
  var gloss: Float
  var roughness: Float
  var seed: UInt32

  /// The radius of a circle about the centre that holds the panel and its shadow.
  var boundingRadius: Float { length(half) + lift * 4 + 0.05 }

  /// The panel at one point.
  struct Paint {
    var colour: Vector3
    /// Light of its own.
    var glow: Vector3 = .zero
    /// The slope of the relief; in the panel's directions while it is drawn, then in the world's.
    var slope: Vector2 = .zero
    var gloss: Float
    var roughness: Float
    /// How much of the ground it hides, 0 to 1.
    var cover: Float = 1
    /// How much it darkens the ground beside it, 0 to 1.
    var shadow: Float = 0

    /// Covers what is there with a share of another colour.
    @inline(__always)
    mutating func mark(_ amount: Float, _ other: Vector3) { colour = mix(colour, other, amount) }

    /// Puts the panel over a sample of the ground.
    @inline(__always)
    func lay(on sample: inout SurfaceSample) {
      sample.colour = mix(sample.colour, colour, cover)
      sample.emission = mix(sample.emission, glow, cover)
      if cover > 0.5 {
        sample.slope = slope
        sample.gloss = gloss
        sample.roughness = roughness
      }
    }
  }

  /// The panel's paint at a point, or nil where it leaves the ground alone.
  func paint(at point: Vector2, footprint: Float) -> Paint? {
    let q = turn.inward(point - center)
    let edge = Panel.box(q, half, corner)
    if edge > lift * 3 + footprint { return nil }
    var paint = Paint(colour: first, gloss: gloss, roughness: roughness)
    paint.cover = smoothStep(footprint * 0.5, -footprint * 0.5, edge)
    paint.shadow = lift > 0 ? 0.5 * smoothStep(lift * 3, 0, edge) : 0
    guard paint.cover > 0 else { return paint }
    let inverse = 1 / pitch
    // In cells from the top left corner, downward.
    let p = Vector2(q.x + half.x, half.y - q.y) * inverse
    draw(p, half * (2 * inverse), footprint * inverse, &paint)
    if paint.slope != .zero {
      paint.slope = turn.outward(Vector2(paint.slope.x, -paint.slope.y))
    }
    return paint
  }

  /// - Parameters:
  ///   - p: the point in cells, to the right and downward from the top left corner.
  ///   - size: the panel's size in cells.
  ///   - f: the size of a pixel in cells.
  private func draw(_ p: Vector2, _ size: Vector2, _ f: Float, _ s: inout Paint) {
    switch kind {
    case .keyboard: keyboard(p, size, f, &s)
    case .keypad: keypad(p, size, f, &s)
    case .display: display(p, size, f, &s)
    case .text: text(p, size, f, &s)
    case .codes: codes(p, size, f, &s)
    case .board: board(p, size, f, &s)
    case .gingham: gingham(p, f, &s)
    case .screen: screen(p, size, f, &s)
    case .icons: icons(p, size, f, &s)
    case .lights: lights(p, f, &s)
    case .signal: signal(p, size, f, &s)
    case .sockets: sockets(p, f, &s)
    case .ports: ports(p, f, &s)
    case .plugs: plugs(p, size, f, &s)
    case .grille: grille(p, f, &s)
    case .circuit: circuit(p, f, &s)
    case .breadboard: breadboard(p, size, f, &s)
    case .screws: screws(p, f, &s)
    case .facade: facade(p, f, &s)
    case .faces: faces(p, f, &s)
    case .wheel: wheel(p, size, f, &s)
    case .domes: domes(p, f, &s)
    case .sweets: sweets(p, f, &s)
    case .fruit: fruit(p, f, &s)
    case .studs: studs(p, f, &s)
    }
  }
}

// What the pictures are made of.
extension Panel {
  /// The signed distance to a rectangle with round corners.
  @inline(__always)
  static func box(_ c: Vector2, _ half: Vector2, _ corner: Float) -> Float {
    let d = absolute(c) - half + Vector2(repeating: corner)
    let outside = Vector2(max(d.x, 0), max(d.y, 0))
    return length(outside) + min(max(d.x, d.y), 0) - corner
  }

  /// How much of a shape at a signed distance covers a pixel of size `f`.
  @inline(__always)
  static func cover(_ distance: Float, _ f: Float) -> Float {
    let soft = max(f * 0.6, 1e-4)
    return smoothStep(soft, -soft, distance)
  }

  /// How much of a line covers a pixel of size `f`.
  @inline(__always)
  static func line(_ distance: Float, _ half: Float, _ f: Float) -> Float {
    cover(abs(distance) - half, f) * min(1, half * 2 / max(f, 1e-4))
  }

  /// Part of a hash as a number from 0 to 1.
  @inline(__always)
  static func part(_ hash: UInt32, _ shift: UInt32) -> Float {
    Float((hash >> shift) & 0xFF) * (1 / 255)
  }

  /// A strong colour of a hue, in turns.
  @inline(__always)
  static func spectrum(_ hue: Float) -> Vector3 {
    let h = (hue - hue.rounded(.down)) * 6
    let red = saturate(abs(h - 3) - 1)
    let green = saturate(2 - abs(h - 2))
    let blue = saturate(2 - abs(h - 4))
    return Vector3(red, green, blue) * 0.95 + Vector3(repeating: 0.03)
  }

  /// The light of a place: the panel's own, or one of the rainbow as bright.
  @inline(__always)
  func light(_ hue: Float) -> Vector3 {
    guard rainbow > 0.3 else { return glow }
    return Panel.spectrum(hue) * glow.max()
  }

  /// The ink of an ASCII character, whose middle is at `c`, to the right and downward in heights.
  @inline(__always)
  func ink(_ c: Vector2, _ character: UInt8, _ halfLine: Float, _ f: Float) -> Float {
    guard let glyph = StrokeFont.glyph(character) else { return 0 }
    return StrokeFont.shared.ink(c, glyph: glyph, halfLine: halfLine, softness: f)
  }

  /// The ink of a short word of chance letters about `c`, in heights.
  func word(_ c: Vector2, _ letters: Int, _ hash: UInt32, _ halfLine: Float, _ f: Float) -> Float {
    let x = c.x / 0.78 + Float(letters) * 0.5
    guard x >= 0, x < Float(letters), abs(c.y) < 0.7 else { return 0 }
    let index = wholeBelow(x)
    let h = latticeHash(index, 3, hash)
    let first: UInt32 = hash & 1 == 0 || index == 0 ? 65 : 97
    let offset = Vector2((x - Float(index) - 0.5) * 0.78, c.y)
    return ink(offset, UInt8(truncatingIfNeeded: first + h % 26), halfLine, f)
  }

  /// The slope of a dome of a radius at an offset from its middle; none outside.
  @inline(__always)
  static func dome(_ c: Vector2, _ radius: Float, _ steepness: Float) -> Vector2 {
    let reach = length(c) / radius
    guard reach < 1 else { return .zero }
    return c * (-steepness / (radius * max(1 - reach * reach * 0.8, 0.2).squareRoot()))
  }
}

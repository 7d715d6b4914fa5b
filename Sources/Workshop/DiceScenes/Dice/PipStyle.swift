/// How the pips of a die look; lengths are in halves of the die's edge.
struct PipStyle: Hashable, Sendable {
  enum Kind: UInt8, Hashable, Sendable {
    /// A painted bowl.
    case sunk
    /// A bowl in the colour of the body.
    case bare
    /// Paint level with the face.
    case flat
    /// A painted circle line.
    case ring
    /// A painted square with round corners.
    case square
    /// A dot in a circle line.
    case target
  }

  var kind: Kind
  var radius: Float
  /// Distance of the outer pips from the middle lines.
  var spacing: Float
  /// The same along the columns of the six.
  var columnSpacing: Float
  /// Distance of the columns of the six from the middle.
  var columnOffset: Float
  /// Depth of the bowl.
  var depth: Float
  /// How much larger the pip of the one is.
  var oneFactor: Float
  /// How much deeper the bowl of the one is.
  var oneDepthFactor: Float = 1
  /// Whether the two (and the three) stand straight instead of along the diagonal.
  var straightTwo: Bool
  var colour: Vector3
  var oneColour: Vector3
  var fourColour: Vector3
  /// The radius of a disc behind the pips; none where it is 0.
  var discRadius: Float
  var discColour: Vector3
  /// Whether only the line of the disc is drawn.
  var discIsLine: Bool
  /// How unevenly the paint lies, 0 to 1.
  var wear: Float
  /// Shininess of the paint as reflectance, and its roughness.
  var gloss: Float
  var roughness: Float
  /// The value beside whose pips there is a printed mark; none where it is 0.
  var markedValue: Int
  var markColour: Vector3
  /// Numerals in place of the pips, in the colours of these; nil where there are pips.
  var numerals: NumeralStyle?
  /// Symbols in place of the pips, in their colour; nil where there are none.
  var symbols: SymbolStyle?

  /// The number of pips is the value; the position of each, before the quarter turn.
  @inline(__always)
  func position(of pip: Int, value: Int) -> Vector2 {
    let s = spacing
    switch value {
    case 1: return .zero
    case 2:
      if straightTwo { return Vector2(0, pip == 0 ? -s : s) }
      return pip == 0 ? Vector2(-s, -s) : Vector2(s, s)
    case 3: return pip == 0 ? Vector2(-s, -s) : pip == 1 ? .zero : Vector2(s, s)
    case 6:
      return Vector2(
        pip < 3 ? -columnOffset : columnOffset, Float(pip % 3 - 1) * columnSpacing)
    default:
      if pip == 4 { return .zero }
      return Vector2(pip & 1 == 0 ? -s : s, pip & 2 == 0 ? -s : s)
    }
  }

  @inline(__always)
  func radius(ofValue value: Int) -> Float { value == 1 ? radius * oneFactor : radius }

  @inline(__always)
  func depth(ofValue value: Int) -> Float { value == 1 ? depth * oneDepthFactor : depth }

  @inline(__always)
  func colour(ofValue value: Int) -> Vector3 {
    value == 1 ? oneColour : value == 4 ? fourColour : colour
  }

  /// The pip of a value under a point of the face: its number and the offset from its centre.
  ///
  /// A numeral or a symbol counts as a single pip.
  @inline(__always)
  func pip(at point: Vector2, value: Int, turned: Bool) -> (index: Int, offset: Vector2)? {
    if let numerals { return numerals.covers(point, value: value) ? (0, point) : nil }
    if let symbols { return symbols.covers(point, value: value) ? (0, point) : nil }
    let q = turned ? Vector2(point.y, -point.x) : point
    let r = radius(ofValue: value)
    for index in 0..<value {
      let offset = q - position(of: index, value: value)
      let isInside =
        kind == .square
        ? max(abs(offset.x), abs(offset.y)) < r : dot(offset, offset) < r * r
      if isInside { return (index, turned ? Vector2(-offset.y, offset.x) : offset) }
    }
    return nil
  }
}

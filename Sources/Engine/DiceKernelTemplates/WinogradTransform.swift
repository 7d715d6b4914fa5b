// The transforms of a line of a tile by Winograd's method.

/// One line of an input tile: nine vectors, or six and three of no use.
@usableFromInline typealias Line<Vector> = (
  Vector, Vector, Vector, Vector, Vector, Vector, Vector, Vector, Vector
)

/// The transforms of a form.
@usableFromInline protocol WinogradTransform {
  static var form: WinogradForm { get }

  /// A line of the input through `Bᵀ`.
  static func input<Vector: FloatLanes, Arithmetic: MultiplyAdd>(
    _ d: Line<Vector>, _: Arithmetic.Type
  ) -> Line<Vector>

  /// A line of products through `Aᵀ`.
  static func output<Vector: FloatLanes, Arithmetic: MultiplyAdd>(
    _ m: Line<Vector>, _: Arithmetic.Type
  ) -> (Vector, Vector, Vector, Vector)
}

/// F(4, 3) with the points 0, 1, -1, 2, -2 and infinity.
@usableFromInline enum UnitStrideTransform: WinogradTransform {
  @_alwaysEmitIntoClient @inline(__always)
  @usableFromInline static var form: WinogradForm { WinogradForm(stride: 1) }

  @_alwaysEmitIntoClient @inline(__always)
  @usableFromInline static func input<Vector: FloatLanes, Arithmetic: MultiplyAdd>(
    _ d: Line<Vector>, _: Arithmetic.Type
  ) -> Line<Vector> {
    let four = Vector(repeating: 4)
    let minusFour = Vector(repeating: -4)
    let minusFive = Vector(repeating: -5)
    let two = Vector(repeating: 2)
    let even = Arithmetic.apply(d.4, minusFour, d.2)
    let odd = Arithmetic.apply(d.3, minusFour, d.1)
    let difference = d.4 - d.2
    let twice = d.3 - d.1
    return (
      Arithmetic.apply(Arithmetic.apply(d.4, minusFive, d.2), four, d.0), even + odd, even - odd,
      Arithmetic.apply(difference, two, twice),
      Arithmetic.apply(difference, Vector(repeating: -2), twice),
      Arithmetic.apply(Arithmetic.apply(d.5, minusFive, d.3), four, d.1), d.6, d.7, d.8
    )
  }

  @_alwaysEmitIntoClient @inline(__always)
  @usableFromInline static func output<Vector: FloatLanes, Arithmetic: MultiplyAdd>(
    _ m: Line<Vector>, _: Arithmetic.Type
  ) -> (Vector, Vector, Vector, Vector) {
    let near = m.1 + m.2
    let nearDifference = m.1 - m.2
    let far = m.3 + m.4
    let farDifference = m.3 - m.4
    return (
      m.0 + near + far, Arithmetic.apply(nearDifference, Vector(repeating: 2), farDifference),
      Arithmetic.apply(near, Vector(repeating: 4), far),
      Arithmetic.apply(nearDifference, Vector(repeating: 8), farDifference) + m.5
    )
  }
}

/// F(4, 2) of even lines with the points 0, 1, -1, 2 and infinity; odd lines as they are.
@usableFromInline enum StrideTwoTransform: WinogradTransform {
  @_alwaysEmitIntoClient @inline(__always)
  @usableFromInline static var form: WinogradForm { WinogradForm(stride: 2) }

  @_alwaysEmitIntoClient @inline(__always)
  @usableFromInline static func input<Vector: FloatLanes, Arithmetic: MultiplyAdd>(
    _ d: Line<Vector>, _: Arithmetic.Type
  ) -> Line<Vector> {
    let difference = d.6 - d.2
    return (
      Arithmetic.apply(difference, Vector(repeating: 2), d.0 - d.4), difference - (d.2 + d.4),
      Arithmetic.apply(difference, Vector(repeating: 3), d.2 - d.4), difference,
      Arithmetic.apply(d.8 - d.4, Vector(repeating: -2), difference), d.1, d.3, d.5, d.7
    )
  }

  @_alwaysEmitIntoClient @inline(__always)
  @usableFromInline static func output<Vector: FloatLanes, Arithmetic: MultiplyAdd>(
    _ m: Line<Vector>, _: Arithmetic.Type
  ) -> (Vector, Vector, Vector, Vector) {
    let sum = m.1 + m.2
    let difference = m.1 - m.2
    return (
      m.0 + sum + m.3 + m.5, Arithmetic.apply(difference, Vector(repeating: 2), m.3) + m.6,
      Arithmetic.apply(sum, Vector(repeating: 4), m.3) + m.7,
      Arithmetic.apply(difference, Vector(repeating: 8), m.3) + m.4 + m.8
    )
  }
}

/// Vectors that lie one step from each other.
@_alwaysEmitIntoClient @inline(__always)
func line<Vector: FloatLanes>(
  _ source: Address, _ side: Int, step: Int, as _: Vector.Type
) -> Line<Vector> {
  let last = source.vector(at: 5 &* step, as: Vector.self)
  var line = (
    source.vector(at: 0, as: Vector.self), source.vector(at: step, as: Vector.self),
    source.vector(at: 2 &* step, as: Vector.self), source.vector(at: 3 &* step, as: Vector.self),
    source.vector(at: 4 &* step, as: Vector.self), last, last, last, last
  )
  if side == 9 {
    line.6 = source.vector(at: 6 &* step, as: Vector.self)
    line.7 = source.vector(at: 7 &* step, as: Vector.self)
    line.8 = source.vector(at: 8 &* step, as: Vector.self)
  }
  return line
}

/// Stores the vectors of a line one step from each other.
@_alwaysEmitIntoClient @inline(__always)
func storeLine<Vector: FloatLanes>(
  _ line: Line<Vector>, _ side: Int, to target: Address, step: Int
) {
  target.store(line.0, at: 0)
  target.store(line.1, at: step)
  target.store(line.2, at: 2 &* step)
  target.store(line.3, at: 3 &* step)
  target.store(line.4, at: 4 &* step)
  target.store(line.5, at: 5 &* step)
  if side == 9 {
    target.store(line.6, at: 6 &* step)
    target.store(line.7, at: 7 &* step)
    target.store(line.8, at: 8 &* step)
  }
}

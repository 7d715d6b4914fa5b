internal import DiceNumerics

/// A material of the ground as a pattern in the plane; colours are linear.
struct Surface: Hashable, Sendable {
  enum Kind: UInt8, Hashable, Sendable, CaseIterable {
    case plain
    case wood
    case felt
    case weave
    case twill
    case carpet
    case marble
    case granite
    case terrazzo
    case concrete
    case tiles
    case gridPaper
    case linedPaper
    case textPage
    case leather
    case hexBoard
    case checkerboard
    case artMat
    case plaid
    case dots
    case print
    case brushedMetal
    case cork
    case camouflage
    case slats
    case glass
    case nightSky
  }

  var kind: Kind
  /// World length of one unit of the pattern, positive.
  var scale: Float
  var turn: Turn
  var offset: Vector2
  var first: Vector3
  var second: Vector3
  var third: Vector3
  var fourth: Vector3
  /// How strong the pattern is, about 0 to 1.
  var contrast: Float
  /// Two free numbers from 0 to 1 that vary the pattern.
  var variety: Vector2
  /// Reflectance at normal incidence.
  var gloss: Float
  var roughness: Float
  var seed: UInt32
}

/// A surface at one point.
struct SurfaceSample {
  var colour: Vector3
  var gloss: Float
  var roughness: Float
  /// The slope of the relief, in world axes.
  var slope: Vector2
  /// Light of its own.
  var emission: Vector3 = .zero
}

extension Surface {
  /// The surface at a point of the ground.
  ///
  /// - Parameters:
  ///   - footprint: how much ground a pixel covers, in world units; finer detail is averaged.
  func sample(at point: Vector2, footprint: Float) -> SurfaceSample {
    let inverse = 1 / scale
    let p = turn.inward(point) * inverse + offset
    let f = footprint * inverse
    var result = SurfaceSample(colour: first, gloss: gloss, roughness: roughness, slope: .zero)
    switch kind {
    case .plain: plain(p, f, &result)
    case .wood: wood(p, f, &result)
    case .felt: felt(p, f, &result)
    case .weave: weave(p, f, &result)
    case .twill: twill(p, f, &result)
    case .carpet: carpet(p, f, &result)
    case .marble: marble(p, f, &result)
    case .granite: granite(p, f, &result)
    case .terrazzo: terrazzo(p, f, &result)
    case .concrete: concrete(p, f, &result)
    case .tiles: tiles(p, f, &result)
    case .gridPaper: gridPaper(p, f, &result)
    case .linedPaper: linedPaper(p, f, &result)
    case .textPage: textPage(p, f, &result)
    case .leather: leather(p, f, &result)
    case .hexBoard: hexBoard(p, f, &result)
    case .checkerboard: checkerboard(p, f, &result)
    case .artMat: artMat(p, f, &result)
    case .plaid: plaid(p, f, &result)
    case .dots: dots(p, f, &result)
    case .print: print(p, f, &result)
    case .brushedMetal: brushedMetal(p, f, &result)
    case .cork: cork(p, f, &result)
    case .camouflage: camouflage(p, f, &result)
    case .slats: slats(p, f, &result)
    case .glass: plain(p, f, &result)
    case .nightSky: nightSky(p, f, &result)
    }
    result.slope = turn.outward(result.slope)
    return result
  }

  /// How much of a line of half width `half` at distance `d` covers a pixel of size `f`.
  @inline(__always)
  func line(_ d: Float, _ half: Float, _ f: Float) -> Float {
    let soft = max(f, 1e-4)
    let covered = smoothStep(half + soft, half - soft, abs(d))
    return covered * min(1, half * 2 / soft)
  }

  /// The signed distance of `x` to the nearest multiple of 1.
  @inline(__always)
  func toWhole(_ x: Float) -> Float { x - nearestWhole(x) }

  /// Shades a colour by a factor around 1.
  @inline(__always)
  func shade(_ colour: Vector3, _ factor: Float) -> Vector3 {
    colour * max(0, 1 + factor)
  }
}

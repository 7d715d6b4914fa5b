internal import DiceNumerics

/// What a solid is made of; colours are linear.
struct Material: Hashable, Sendable {
  enum Pattern: UInt8, Hashable, Sendable {
    case plain
    /// Veins of a second and a third colour.
    case marbled
    /// Small spots.
    case speckled
    /// Soft clouds between the colours.
    case swirled
    /// Two halves.
    case twoTone
    /// Wood grain.
    case grained
    /// A glitter of bright grains.
    case glitter
  }

  var pattern: Pattern
  var base: Vector3
  var second: Vector3
  var third: Vector3
  var patternScale: Float
  /// Reflectance at normal incidence (0.04 is plastic).
  var gloss: Float
  /// 0.03 is polished, 0.7 is dull.
  var roughness: Float
  var metallic: Float
  /// The share of light that goes through, 0 (opaque) to 1.
  var translucency: Float
  var seed: UInt32
  /// Light of its own.
  var emission: Vector3 = .zero

  /// The colour at a point of the body, in local coordinates.
  func colour(at p: Vector3) -> Vector3 {
    switch pattern {
    case .plain: return base
    case .marbled:
      let q = p * patternScale
      let warp = fractal(q * 0.8, octaves: 2, seed &+ 11)
      let vein = fractal(q + Vector3(repeating: warp * 1.6), octaves: 3, seed)
      let ridge = 1 - saturate(abs(vein) * 4)
      let cloud = smoothStep(-0.3, 0.35, noise(q * 0.7 + Vector3(repeating: warp * 2), seed &+ 5))
      return mix(mix(base, second, cloud), third, ridge * ridge * 0.8)
    case .swirled:
      let q = p * patternScale
      let warp = noise(q * 0.9, seed &+ 3)
      let a = noise(q + Vector3(warp, -warp, warp) * 1.8, seed)
      let b = noise(q * 1.7 - Vector3(warp, warp, -warp) * 1.4, seed &+ 7)
      return mix(mix(base, second, smoothStep(-0.25, 0.25, a)), third, smoothStep(0.15, 0.5, b))
    case .speckled:
      let q = p * patternScale * 6
      let spot = noise(q, seed)
      let other = noise(q * 1.3, seed &+ 19)
      return mix(
        mix(base, second, smoothStep(0.35, 0.5, spot)), third, smoothStep(0.45, 0.6, other))
    case .glitter:
      let q = p * patternScale * 14
      let spark = noise(q, seed)
      let cloud = noise(p * patternScale, seed &+ 23)
      return mix(
        mix(base, second, smoothStep(-0.4, 0.5, cloud)), third, smoothStep(0.45, 0.7, spark))
    case .twoTone:
      let q = p * 0.9
      let warp = noise(p * patternScale, seed) * 0.5
      return mix(base, second, smoothStep(-0.15, 0.15, q.x + q.y * 0.4 - q.z * 0.3 + warp))
    case .grained:
      let warp = noise(p * 1.3, seed) * 0.5
      let ring = (p.y * 3.1 + p.z * 1.4 + warp) * patternScale
      let grain = noise(Vector3(p.x * 1.5, p.y * 14, p.z * 14), seed &+ 9)
      let wave = 0.5 + 0.5 * sineOfTurns(ring)
      return mix(base, second, saturate(wave * 0.6 + grain * 0.35))
    }
  }
}

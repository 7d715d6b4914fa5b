internal import DiceNumerics

// Spots of light on a dark ground, as on a picture of the sky, a dark print or glitter.
extension Surface {
  /// Stars, round and sharp, and galaxies, wide and drawn out, in four sizes; few are bright.
  func nightSky(_ p: Vector2, _ f: Float, _ s: inout SurfaceSample) {
    let cloud = fractal(p * 0.4, octaves: 4, footprint: f * 0.4, seed)
    var light = mix(first, fourth * 0.12, clamp(cloud * 1.4 * variety.y, 0, 1) * contrast)
    var size: Float = 2
    for layer in 0..<4 {
      light += glow(p * (1 / size), f / size, seed &+ UInt32(layer) &* 977)
      size *= 0.5
    }
    s.colour = light.clamped(lowerBound: .zero, upperBound: Vector3(repeating: 1))
  }

  /// The light of the spots in the cells around a point, one in each cell of size 1.
  private func glow(_ p: Vector2, _ f: Float, _ seed: UInt32) -> Vector3 {
    var light = Vector3.zero
    let column = wholeBelow(p.x)
    let row = wholeBelow(p.y)
    for j in Int32(-1)...1 {
      for i in Int32(-1)...1 {
        let h = latticeHash(column &+ i, row &+ j, seed)
        func part(_ shift: UInt32) -> Float { Float((h >> shift) & 0xFF) / 255 }
        // One cell in three holds nothing.
        guard h % 3 != 0 else { continue }
        let center = Vector2(Float(column &+ i) + part(0), Float(row &+ j) + part(8))
        let isGalaxy = part(16) < 0.2 + 0.5 * variety.x
        let away = p - center
        let wide = (isGalaxy ? 0.04 + 0.2 * part(24) : 0.015 + 0.05 * part(24)) + f * 0.4
        guard dot(away, away) < 9 * wide * wide else { continue }
        let d = Turn(turns: part(20)).inward(away)
        let narrow = isGalaxy ? wide * (0.3 + 0.7 * part(12)) : wide
        let reach = (d.x * d.x) / (wide * wide) + (d.y * d.y) / (narrow * narrow)
        guard reach < 9 else { continue }
        let bright = 0.05 + part(4) * part(4) * part(4) * 1.5
        let falloff = isGalaxy ? 1 / (1 + 2.5 * reach) : 1 - smoothStep(0.4, 2.2, reach)
        let edge = 1 - smoothStep(4, 9, reach)
        let tint = mix(part(2) < 0.5 ? second : third, Vector3(repeating: 1), part(18))
        light += tint * (bright * falloff * edge * contrast)
      }
    }
    return light
  }
}

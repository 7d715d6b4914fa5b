internal import DiceNumerics

// Grown and mineral materials.
extension Surface {
  func plain(_ p: Vector2, _ f: Float, _ s: inout SurfaceSample) {
    let cloud = fractal(p * 0.15, octaves: 3, footprint: f * 0.15, seed)
    let grain = fractal(p * 7, octaves: 2, footprint: f * 7, seed &+ 9)
    s.colour = shade(mix(first, second, saturate(cloud * contrast)), grain * 0.05 * contrast)
    // A few specks of dust.
    guard variety.x > 0.5 else { return }
    let speck = nearestCell(p * 0.8, jitter: 1, seed &+ 77)
    if speck.identity & 7 == 0 && speck.nearest < 0.05 * variety.y {
      s.colour = mix(s.colour, second * 0.5, 0.6)
    }
  }

  func wood(_ p: Vector2, _ f: Float, _ s: inout SurfaceSample) {
    var q = p
    var tone: Float = 0
    var gap: Float = 0
    if variety.x > 0.45 {
      // Planks of unit width, each from another place of the tree.
      let plank = wholeBelow(q.y)
      let h = latticeHash(plank, 3, seed)
      q.x += Float(h & 0xFFF) * 0.01
      tone = (Float((h >> 12) & 0xFF) / 255 - 0.5) * 0.35 * contrast
      gap = line(toWhole(q.y), 0.008 + 0.02 * variety.y, f)
      if variety.y > 0.5 {
        let length: Float = 5
        let end = q.x / length
        gap = max(gap, line(toWhole(end) * length, 0.012, f))
      }
      q.y += Float((h >> 20) & 0xFF) * 0.37
    }
    let warp = fractal(Vector2(q.x * 0.16, q.y * 0.9), octaves: 2, footprint: f * 0.9, seed)
    let rings = 3 + 7 * variety.y
    let ringFade = saturate(2 - 3 * f * rings)
    let wave = sineOfTurns((q.y + warp * 0.55) * rings)
    let streak = fractal(
      Vector2(q.x * 0.5, q.y * 16 + warp * 5), octaves: 3, footprint: f * 16, seed &+ 31)
    let poreFade = saturate(2 - 3 * f * 55)
    var pores: Float = 0
    if poreFade > 0 {
      let pore = noise(Vector2(q.x * 3.2, q.y * 55), seed &+ 57)
      pores = smoothStep(0.35, 0.6, pore) * poreFade
    }
    let broad = noise(Vector2(q.x * 0.08, q.y * 0.5), seed &+ 5)
    let t = saturate(
      0.45 + contrast * (0.3 * wave * ringFade * (0.5 + broad) + 0.45 * streak + 0.3 * broad))
    s.colour = shade(mix(first, second, t), tone - 0.35 * pores * contrast)
    s.colour = mix(s.colour, second * 0.25, gap * 0.8)
    s.slope = Vector2(0, (streak * 0.05 + pores * 0.05) * (1 - gap))
  }

  func marble(_ p: Vector2, _ f: Float, _ s: inout SurfaceSample) {
    let warp = Vector2(
      fractal(p * 0.5, octaves: 3, footprint: f * 0.5, seed),
      fractal(p * 0.5 + Vector2(5.2, 1.3), octaves: 3, footprint: f * 0.5, seed))
    let q = p * 0.7 + warp * 1.5
    let vein = fractal(q, octaves: 4, footprint: f, seed &+ 41)
    let ridge = 1 - saturate(abs(vein) * 7)
    let fine = 1 - saturate(abs(fractal(q * 2.3, octaves: 3, footprint: f * 2.3, seed &+ 4)) * 9)
    let cloud = smoothStep(-0.5, 0.6, warp.x + warp.y)
    var colour = mix(first, third, cloud * 0.5 * contrast)
    colour = mix(colour, second, ridge * ridge * contrast * 0.85)
    s.colour = mix(colour, second, fine * fine * contrast * 0.3)
  }

  func granite(_ p: Vector2, _ f: Float, _ s: inout SurfaceSample) {
    let cloud = fractal(p * 0.7, octaves: 2, footprint: f, seed)
    let average = first * 0.5 + second * 0.25 + third * 0.25
    let detail = saturate(1.6 - 2 * f * 6)
    guard detail > 0 else {
      s.colour = shade(average, cloud * 0.2)
      return
    }
    let a = nearestCell(p * 5, jitter: 1, seed &+ 3)
    let b = nearestCell(p * 11, jitter: 1, seed &+ 8)
    var colour = first
    let pickA = a.identity & 7
    if pickA < 2 { colour = second } else if pickA == 2 { colour = third }
    if b.identity & 3 == 0 { colour = mix(colour, fourth, 0.7) }
    colour = shade(colour, (Float(b.identity >> 24) / 255 - 0.5) * 0.4 * contrast)
    s.colour = shade(mix(average, colour, detail * (0.4 + 0.6 * contrast)), cloud * 0.2)
  }

  func terrazzo(_ p: Vector2, _ f: Float, _ s: inout SurfaceSample) {
    let chip = cell(p * 1.6, jitter: 1, seed)
    let small = nearestCell(p * 4.2, jitter: 1, seed &+ 6)
    let grain = fractal(p * 9, octaves: 2, footprint: f * 9, seed)
    s.colour = shade(first, grain * 0.06)
    let edge = chip.second - chip.nearest
    let size = 0.12 + 0.25 * Float((chip.identity >> 8) & 0xFF) / 255
    let rough = noise(p * 9, seed &+ 2) * 0.07
    let t = smoothStep(size - f * 1.6, size + f * 1.6 + 0.02, edge + rough)
    let choice = chip.identity & 3
    let colour = choice == 0 ? second : choice == 1 ? third : choice == 2 ? fourth : first
    s.colour = mix(s.colour, colour, t * contrast)
    if small.identity & 3 == 0 {
      s.colour = mix(
        s.colour, third, smoothStep(0.24, 0.14, small.nearest) * contrast * saturate(2 - f * 10))
    }
  }

  func concrete(_ p: Vector2, _ f: Float, _ s: inout SurfaceSample) {
    let blotch = fractal(p * 0.6, octaves: 5, footprint: f * 0.6, seed)
    let grit = fractal(p * 11, octaves: 2, footprint: f * 11, seed &+ 5)
    let pit = nearestCell(p * 2.5, jitter: 1, seed &+ 12)
    var colour = mix(first, second, saturate(0.4 + blotch * contrast))
    colour = shade(colour, grit * 0.16 * contrast)
    if pit.identity & 7 == 0 {
      colour = shade(colour, -0.5 * smoothStep(0.1, 0.05, pit.nearest) * saturate(2 - f * 12))
    }
    s.colour = colour
    s.slope = Vector2(grit, blotch) * (0.12 * contrast)
  }

  func cork(_ p: Vector2, _ f: Float, _ s: inout SurfaceSample) {
    let grain = cell(p * 3 + Vector2(repeating: noise(p * 4, seed) * 0.3), jitter: 1, seed)
    let tone = (Float(grain.identity & 0xFF) / 255 - 0.5) * saturate(2 - f * 6)
    let fine = fractal(p * 10, octaves: 2, footprint: f * 10, seed)
    var colour = shade(first, tone * 0.5 * contrast + fine * 0.15)
    if grain.identity & 0xF00 == 0 { colour = mix(colour, second, 0.7 * saturate(2 - f * 6)) }
    colour = shade(colour, -0.35 * smoothStep(0.12, 0, grain.second - grain.nearest) * contrast)
    s.colour = colour
    s.slope = grain.offset * (0.2 * saturate(2 - f * 6))
  }

  func leather(_ p: Vector2, _ f: Float, _ s: inout SurfaceSample) {
    let fade = saturate(1.7 - f * 5)
    let blotch = fractal(p * 0.35, octaves: 3, footprint: f, seed &+ 2)
    s.colour = shade(mix(first, second, saturate(0.3 + blotch)), 0)
    guard fade > 0 else { return }
    let warp = Vector2(noise(p * 2, seed), noise(p * 2 + Vector2(9, 4), seed)) * 0.4
    let grain = cell((p + warp * 0.3) * 3.2, jitter: 1, seed)
    let crease = smoothStep(0.22, 0, grain.second - grain.nearest)
    s.colour = shade(s.colour, -0.3 * crease * contrast * fade)
    s.slope = grain.offset * (0.6 * contrast * fade * smoothStep(0, 0.6, grain.nearest))
    s.roughness = min(0.9, roughness + 0.15 * crease)
  }

  func brushedMetal(_ p: Vector2, _ f: Float, _ s: inout SurfaceSample) {
    let streak = fractal(
      Vector2(p.x * 0.4, p.y * 22), octaves: 3, footprint: f * 14, seed)
    let cloud = noise(p * 0.2, seed &+ 3)
    s.colour = shade(first, streak * 0.3 * contrast + cloud * 0.1)
    s.slope = Vector2(0, streak * 0.08)
  }
}

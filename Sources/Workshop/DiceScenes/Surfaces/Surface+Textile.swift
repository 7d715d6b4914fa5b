internal import DiceNumerics

// Cloth and carpet.
extension Surface {
  func felt(_ p: Vector2, _ f: Float, _ s: inout SurfaceSample) {
    let blotch = fractal(p * 0.4, octaves: 3, footprint: f * 0.4, seed)
    let fibre = fractal(
      Vector2(p.x * 9 + p.y * 3, p.y * 8 - p.x * 4), octaves: 3, footprint: f * 10, seed &+ 7)
    let napFade = saturate(2 - f * 48)
    let nap =
      napFade > 0 ? noise(Vector2(p.x * 2.5, p.y * 16), seed &+ 13) * napFade : 0
    let tone = blotch * 0.14 + (fibre * 0.34 + nap * 0.08) * (0.35 + 0.65 * variety.x)
    s.colour = shade(mix(first, second, saturate(blotch * 0.5)), tone * contrast)
    // Lint.
    if variety.y > 0.75 {
      let lint = nearestCell(p * 0.55, jitter: 1, seed &+ 91)
      if lint.identity & 7 == 0 {
        let curve = lint.offset.y + sineOfTurns(lint.offset.x * 1.5) * 0.06
        if abs(lint.offset.x) < 0.2 {
          s.colour = mix(s.colour, Vector3(repeating: 0.6), line(curve, 0.005, f) * 0.3)
        }
      }
    }
    s.slope = Vector2(fibre, nap + fibre * 0.5) * (0.16 * contrast)
  }

  func weave(_ p: Vector2, _ f: Float, _ s: inout SurfaceSample) {
    let q = p * 5
    let g = f * 5
    let wobble = noise(p * 1.1, seed) * 0.5
    let x = q.x + wobble
    let y = q.y - wobble
    let ix = wholeBelow(x)
    let iy = wholeBelow(y)
    let fx = x - Float(ix) - 0.5
    let fy = y - Float(iy) - 0.5
    let warpOnTop = (ix &+ iy) & 1 == 0
    let fade = saturate(1.5 - g * 1.3)
    let warpTone = 0.3 * (unitHash(ix, 1, seed) - 0.5) + 0.2 * noise(q * 1.9, seed &+ 2)
    let weftTone = 0.3 * (unitHash(iy, 2, seed) - 0.5) + 0.2 * noise(q * 1.7, seed &+ 3)
    let warpColour = shade(first, warpTone * contrast)
    let weftColour = shade(mix(first, second, variety.x), weftTone * contrast)
    let along = warpOnTop ? fy : fx
    let across = warpOnTop ? fx : fy
    let height = (1 - across * across * 3.2) * (1 - along * along * 1.4)
    let colour = shade(warpOnTop ? warpColour : weftColour, (height - 0.72) * 0.9 * contrast)
    let average = shade((first + mix(first, second, variety.x)) * 0.5, -0.05)
    s.colour = mix(average, colour, fade)
    // What remains of the threads at a distance.
    s.colour = shade(
      s.colour,
      (1 - fade) * contrast
        * (0.12 * noise(Vector2(p.x * 0.9, p.y * 6), seed) + 0.1
          * noise(Vector2(p.x * 6, p.y * 0.9), seed &+ 1)) * saturate(2 - f * 18))
    let tilt = across * 0.9 * fade * contrast
    s.slope = warpOnTop ? Vector2(tilt, along * 0.3 * fade) : Vector2(along * 0.3 * fade, tilt)
  }

  func twill(_ p: Vector2, _ f: Float, _ s: inout SurfaceSample) {
    let q = p * 4
    let fade = saturate(1.6 - f * 4 * 1.5)
    let diagonal = q.x + q.y * (0.6 + 0.4 * variety.x)
    let thread = sineOfTurns(diagonal) * fade
    let stripe = noise(Vector2(q.x * 0.25, q.y * 3), seed) * saturate(2 - f * 30)
    let grain = fractal(p * 10, octaves: 2, footprint: f * 10, seed &+ 4)
    let t = saturate(0.5 + 0.35 * thread + stripe * 0.3)
    s.colour = shade(mix(first, mix(first, second, contrast), t), grain * 0.25 * contrast)
    s.slope = Vector2(0.25, 0.2) * (thread * contrast)
  }

  func carpet(_ p: Vector2, _ f: Float, _ s: inout SurfaceSample) {
    let stretch: Vector2 = variety.x > 0.5 ? Vector2(5, 2.2) : Vector2(4, 4)
    let bend = noise(p * 1.3, seed &+ 17)
    let q = Vector2(p.x * stretch.x + bend, p.y * stretch.y - bend)
    let tuft = nearestCell(q, jitter: 1, seed)
    let choice = tuft.identity % 7
    var colour =
      choice < 3 ? first : choice < 5 ? second : choice == 5 ? third : fourth
    let average = first * 0.43 + second * 0.29 + third * 0.14 + fourth * 0.14
    let fade = saturate(1.7 - f * 3)
    colour = mix(average, colour, fade * (0.25 + 0.75 * contrast))
    let fibre = fractal(p * 9, octaves: 2, footprint: f * 9, seed &+ 5)
    let tone = fibre * 0.5 - smoothStep(0.2, 0.75, tuft.nearest) * 0.5 * fade
    let patch = fractal(p * 0.25, octaves: 2, footprint: f, seed &+ 8)
    s.colour = shade(colour, tone * (0.4 + 0.6 * contrast) + patch * 0.2)
    s.slope = tuft.offset * (0.7 * fade * contrast)
  }

  func plaid(_ p: Vector2, _ f: Float, _ s: inout SurfaceSample) {
    func band(_ x: Float) -> Float {
      let t = toWhole(x * 0.5) * 2
      let broad = smoothStep(0.42 + f, 0.42 - f, abs(t))
      let thin = line(abs(t) - 0.62, 0.05, f) + line(abs(t) - 0.8, 0.025, f)
      return broad * 0.5 + thin * 0.5
    }
    let vertical = variety.x < 0.25 ? 0 : band(p.x)
    let horizontal = band(p.y)
    var colour = mix(first, second, vertical)
    colour = mix(colour, third, horizontal * 0.8)
    let thread = sineOfTurns((p.x + p.y) * 11) * saturate(1.6 - f * 25)
    let grain = fractal(p * 8, octaves: 2, footprint: f * 8, seed)
    s.colour = shade(
      mix(first, colour, 0.3 + 0.7 * contrast), 0.08 * thread + 0.12 * grain)
    s.slope = Vector2(thread, grain) * 0.06
  }

  func camouflage(_ p: Vector2, _ f: Float, _ s: inout SurfaceSample) {
    let q = p * 0.8
    let a = fractal(q, octaves: 3, footprint: f, seed)
    let b = fractal(q * 1.1 + Vector2(7, 3), octaves: 3, footprint: f, seed &+ 3)
    let c = fractal(q * 1.3 + Vector2(1, 8), octaves: 3, footprint: f, seed &+ 6)
    let edge = 0.01 + f
    var colour = first
    colour = mix(colour, second, smoothStep(0.05 - edge, 0.05 + edge, a))
    colour = mix(colour, third, smoothStep(0.15 - edge, 0.15 + edge, b))
    colour = mix(colour, fourth, smoothStep(0.25 - edge, 0.25 + edge, c))
    let grain = fractal(p * 10, octaves: 2, footprint: f * 10, seed)
    s.colour = shade(mix(first, colour, 0.4 + 0.6 * contrast), grain * 0.1)
  }
}

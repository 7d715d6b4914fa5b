import DiceGeometry
import DiceImaging

/// A hand and its arm, drawn over a frame, with the shadow that it casts.
struct Hand: Sendable {
  /// A thick line with round ends.
  private struct Limb {
    var from: SIMD2<Double>
    var to: SIMD2<Double>
    var radius: Double

    /// How far a point is from the line, in radii.
    func distance(_ point: SIMD2<Double>) -> Double {
      let way = to - from
      let length = (way * way).sum()
      let offset = point - from
      let share = length > 0 ? min(max((offset * way).sum() / length, 0), 1) : 0
      let across = offset - way * share
      return (across * across).sum().squareRoot() / radius
    }
  }

  /// Red, green and blue in full light, 0...255.
  let color: SIMD3<Double>
  /// How long a die's edge is, in pixels.
  let edge: Double
  /// Where the light comes from, as the direction of shadows, in edges.
  let shadow: SIMD2<Double>
  /// How dark the shadow is, 0...1.
  let depth: Double

  /// Any hand.
  init(edge: Double, light: Double, _ chance: inout Chance) {
    let tone = 0.25 + 0.75 * chance.next()
    color = SIMD3(232, 186, 160) * (tone * light)
    self.edge = edge
    shadow = SIMD2(chance.next() - 0.5, 0.2 + 0.5 * chance.next())
    depth = 0.15 + 0.35 * chance.next()
  }

  /// Draws the hand with its fingertips at a point, reaching there from another one, its wrist.
  func draw(
    on samples: inout [UInt8], width: Int, height: Int, fingertips: SIMD2<Double>,
    from shoulder: SIMD2<Double>
  ) {
    let limbs = limbs(fingertips, shoulder)
    Self.paint(
      limbs.map {
        Limb(from: $0.from + shadow * edge, to: $0.to + shadow * edge, radius: $0.radius * 1.15)
      }, &samples, width, height
    ) { (below, distance) in
      below * (1 - depth * min(max((1 - distance) * 2.5, 0), 1))
    }
    Self.paint(limbs, &samples, width, height) { (below, distance) in
      let cover = min(max((1 - distance) * 8, 0), 1)
      let round = 0.6 + 0.4 * max(1 - distance * distance, 0).squareRoot()
      return below * (1 - cover) + color * (round * cover)
    }
  }

  private func limbs(_ tip: SIMD2<Double>, _ shoulder: SIMD2<Double>) -> [Limb] {
    var way = shoulder - tip
    way /= max((way * way).sum().squareRoot(), 1e-6)
    let side = SIMD2(-way.y, way.x)
    // A die is as wide as a finger.
    let unit = 1.5 * edge
    func point(_ back: Double, _ across: Double) -> SIMD2<Double> {
      tip + (way * back + side * across) * unit
    }
    var limbs = [Limb(from: point(4.2, 0), to: shoulder + way * unit * 4, radius: 0.95 * unit)]
    limbs.append(Limb(from: point(2.6, -0.45), to: point(2.8, 0.5), radius: 1.15 * unit))
    limbs.append(Limb(from: point(3.4, 0), to: point(4.4, 0), radius: 1.05 * unit))
    for (across, reach) in [(-0.62, -0.35), (0.0, -0.62), (0.62, -0.45)] {
      limbs.append(
        Limb(from: point(reach, across * 0.8), to: point(2.2, across * 1.2), radius: 0.38 * unit))
    }
    limbs.append(Limb(from: point(0.5, -0.9), to: point(2.6, -1.1), radius: 0.42 * unit))
    return limbs
  }

  /// Changes the pixels that limbs cover; of several at one pixel the nearest axis counts.
  private static func paint(
    _ limbs: [Limb], _ samples: inout [UInt8], _ width: Int, _ height: Int,
    _ change: (SIMD3<Double>, Double) -> SIMD3<Double>
  ) {
    var nearest = [Double](repeating: 1, count: width * height)
    for limb in limbs {
      func range(_ a: Double, _ b: Double, _ limit: Int) -> Range<Int> {
        let first = min(max(Int(min(a, b) - limb.radius), 0), limit)
        return first..<max(min(Int(max(a, b) + limb.radius) + 2, limit), first)
      }
      for y in range(limb.from.y, limb.to.y, height) {
        for x in range(limb.from.x, limb.to.x, width) {
          let distance = limb.distance(SIMD2(Double(x) + 0.5, Double(y) + 0.5))
          nearest[y * width + x] = min(nearest[y * width + x], distance)
        }
      }
    }
    for pixel in nearest.indices where nearest[pixel] < 1 {
      let below = SIMD3(
        Double(samples[3 * pixel]), Double(samples[3 * pixel + 1]), Double(samples[3 * pixel + 2]))
      let above = change(below, nearest[pixel])
      for channel in 0..<3 {
        samples[3 * pixel + channel] = UInt8(min(max(above[channel], 0), 255))
      }
    }
  }
}

package import DiceGameKit
package import DiceTraining

/// Draws digits in the forms that people are taught in different countries or fall into: ones that rise from
/// the left, sevens with a bar, eights of two rings.
package struct DigitForms: Sendable {
  private let distortion = StrokeDistortion()

  package init() {}

  /// A digit in one of its forms.
  package func form(
    of digit: Int, using random: inout TrainingRandom
  ) -> [InkPath] {
    let strokes =
      switch digit {
      case 0: zero(&random)
      case 1: one(&random)
      case 2: two(&random)
      case 3: three(&random)
      case 4: four(&random)
      case 5: five(&random)
      case 6: six(&random)
      case 7: seven(&random)
      case 8: eight(&random)
      default: nine(&random)
      }
    var paths = strokes.map { InkPath(Array($0.prefix(InkPath.pointLimit))) }
    if random.chance(0.25) { paths = WritingHabits().rewritten(paths, using: &random) }
    return distortion.vary(paths, using: &random)
  }

  private typealias Points = [SIMD2<Float>]

  private func zero(_ random: inout TrainingRandom) -> [Points] {
    let radii = SIMD2(random.between(0.2, 0.5), 0.5)
    var strokes = [ring(SIMD2(0.5, 0.5), radii, &random)]
    if random.chance(0.25) {
      // A slash, seldom from the left down; it may stop within the ring or go beyond it.
      let across = random.between(0.4, 1.2) * radii.x * (random.chance(0.85) ? 1 : -1)
      let up = random.between(0.2, 0.6)
      strokes.append(line([(0.5 + across, 0.5 - up), (0.5 - across, 0.5 + up)]))
    }
    return strokes
  }

  private func one(_ random: inout TrainingRandom) -> [Points] {
    let foot = random.between(-0.12, 0.1)
    guard random.chance(0.75) else { return [line([(0, 0), (foot, 1)])] }
    // A rise from the left, steeper than the bar of a seven.
    let reach = random.between(0.12, 0.62)
    let drop = reach * random.between(0.33, 1.1)
    var strokes: [Points]
    if random.chance(0.15) {
      strokes = [line([(-reach, drop), (0, 0)]), line([(0, 0), (foot, 1)])]
    } else {
      strokes = [line([(-reach, drop), (0, 0), (foot, 1)])]
    }
    if random.chance(0.3) {
      let (left, right) = (random.between(0.12, 0.4), random.between(0.12, 0.4))
      strokes.append(line([(foot - left, 1), (foot + right, 1)]))
    }
    return strokes
  }

  private func two(_ random: inout TrainingRandom) -> [Points] {
    let start = (random.between(0, 0.2), random.between(0.1, 0.35))
    let head: [(Float, Float)] = [start, (0.3, 0.02), (0.6, 0.02), (0.78, 0.22), (0.6, 0.55)]
    switch random.index(3) {
    case 0:
      return [curve(head + [(0.3, 0.82), (0.05, 1)]) + line([(0.05, 1), (0.85, 1)])]
    case 1:
      // With a loop at the foot.
      return [
        curve(
          head + [(0.3, 0.9), (0.1, 1), (0.02, 0.88), (0.16, 0.8), (0.4, 0.92), (0.85, 1)])
      ]
    default:
      return [
        curve(head + [(0.3, 0.82), (0.05, 1)]), line([(0.05, 1), (0.85, 1)]),
      ]
    }
  }

  private func three(_ random: inout TrainingRandom) -> [Points] {
    let belly: [(Float, Float)] = [(0.6, 0.42), (0.82, 0.68), (0.6, 0.97), (0.3, 1), (0.05, 0.85)]
    if random.chance(0.5) {
      // With a level roof.
      let turn = (random.between(0.25, 0.45), random.between(0.36, 0.46))
      return [line([(0.05, 0), (0.75, 0), turn]) + curve([turn] + belly)]
    }
    let waist = (random.between(0.2, 0.5), Float(0.45))
    let head = curve([(0.1, 0.15), (0.4, 0), (0.7, 0.15), (0.6, 0.38), waist])
    let lower = curve([waist] + belly)
    return random.chance(0.3) ? [head, lower] : [head + lower]
  }

  private func four(_ random: inout TrainingRandom) -> [Points] {
    let bar = random.between(0.5, 0.72)
    let stem = random.between(0.5, 0.75)
    let top = random.between(0, 0.4)
    let upright = line([(stem, top), (stem + random.between(-0.1, 0.05), 1)])
    switch random.index(5) {
    case 0:
      // Begun as an S: round where others have a corner.
      let hook = curve([
        (random.between(0.3, 0.6), 0), (0.18, 0.3), (0.1, bar - 0.06), (0.3, bar), (0.95, bar),
      ])
      return [hook, upright]
    case 1:
      return [line([(random.between(0.1, 0.4), 0), (0, bar), (1, bar)]), upright]
    case 2:
      return [
        line([(random.between(0.1, 0.4), 0), (0, bar)]), line([(0, bar), (1, bar)]), upright,
      ]
    case 3:
      // Closed, from the top, in one or two strokes.
      return [line([(stem, 0), (0, bar), (1, bar)]), line([(stem, 0), (stem, 1)])]
    default:
      return [line([(stem, 1), (stem, 0), (0, bar), (1, bar)])]
    }
  }

  private func five(_ random: inout TrainingRandom) -> [Points] {
    let (left, waist) = (random.between(0.05, 0.25), random.between(0.36, 0.5))
    let belly: [(Float, Float)] = [
      (left, waist), (0.45, waist - 0.06), (0.78, 0.62), (0.65, 0.93), (0.3, 1), (0, 0.88),
    ]
    let stem = line([(left + 0.05, 0), (left, waist)])
    let roof = line([(left + 0.05, 0), (random.between(0.6, 0.9), random.between(-0.08, 0.06))])
    switch random.index(4) {
    case 0: return [stem + curve(belly), roof]
    case 1: return [roof, stem + curve(belly)]
    case 2: return [stem, curve(belly), roof]
    default: return [roof.reversed() + stem + curve(belly)]
    }
  }

  private func six(_ random: inout TrainingRandom) -> [Points] {
    let low = random.between(0.22, 0.3)
    let back: [(Float, Float)] = [
      (random.between(0.45, 0.75), 0), (0.25, 0.25), (0.08, 0.6),
    ]
    if random.chance(0.3) {
      let bow = ring(SIMD2(0.4, 1 - low), SIMD2(random.between(0.28, 0.36), low), &random)
      return [curve(back + [(0.12, 0.85)]), bow]
    }
    let end = (random.between(0.1, 0.25), random.between(0.6, 0.8))
    return [curve(back + [(0.2, 0.95), (0.5, 1), (0.72, 0.78), (0.55, 0.56), (0.3, 0.6), end])]
  }

  private func seven(_ random: inout TrainingRandom) -> [Points] {
    let width = random.between(0.55, 0.85)
    let foot = width - random.between(0.18, 0.6)
    let rise = random.between(-0.03, 0.05)
    let stroke: Points
    switch random.index(4) {
    case 0:
      // With a loop or a wave where it begins.
      stroke =
        curve([
          (0.07, 0.12), (0, 0.05), (0.06, -0.01), (0.13, 0.07), (0.24, 0.08), (0.75 * width, 0.05),
          (width, 0),
        ]) + curve([(width, 0), (0.7 * width + 0.3 * foot, 0.4), (foot, 1)])
    case 1: stroke = line([(0, random.between(0.1, 0.2)), (0, rise), (width, 0), (foot, 1)])
    default: stroke = line([(0, rise), (width, 0), (foot, 1)])
    }
    var strokes = [stroke]
    if random.chance(0.45) {
      let middle = width + (foot - width) * 0.5
      let (left, right) = (random.between(0.15, 0.35), random.between(0.12, 0.35))
      let level = random.between(0.42, 0.58)
      strokes.append(line([(middle - left, level + 0.02), (middle + right, level - 0.02)]))
    }
    return strokes
  }

  private func eight(_ random: inout TrainingRandom) -> [Points] {
    if random.chance(0.45) {
      // Two rings, one above the other, that touch, overlap or nearly touch.
      let gap = random.between(-0.1, 0.1)
      let upper = random.between(0.2, 0.27)
      let lower = 0.5 - upper - gap / 2
      let aspect = random.between(0.65, 1.15)
      let rings = [
        ring(SIMD2(0.5, upper), SIMD2(upper * aspect, upper), &random),
        ring(
          SIMD2(0.5 + random.between(-0.04, 0.04), 1 - lower),
          SIMD2(lower * aspect * random.between(0.9, 1.2), lower), &random),
      ]
      return random.chance(0.3) ? rings.reversed() : rings
    }
    // One stroke, begun anywhere, now and then with an end that does not meet.
    let width = random.between(0.2, 0.34)
    let waist = random.between(0.42, 0.52)
    let begin = random.unit() * 2 * .pi
    let overlap = random.between(-0.35, 0.4)
    let way: Float = random.chance(0.5) ? 1 : -1
    let points = (0...60).map { index in
      let angle = begin + way * (2 * .pi + overlap) * Float(index) / 60
      let height = cosine(angle)
      let half = height > 0 ? waist / 2 : (1 - waist) / 2
      let y = waist - height * 2 * half
      let x = 0.5 + width * (height > 0 ? 0.9 : 1.08) * sine(2 * angle)
      return SIMD2(x, y)
    }
    return [points]
  }

  private func nine(_ random: inout TrainingRandom) -> [Points] {
    let half = random.between(0.2, 0.28)
    let right = random.between(0.62, 0.76)
    let foot: (Float, Float) = (right - random.between(0, 0.35), 1)
    let isCurved = random.chance(0.4)
    let stem =
      isCurved
      ? curve([(right, half), (right, 0.6), (right - 0.12, 0.9), (foot.0 - 0.15, 1)])
      : line([(right, random.between(0, half)), foot])
    switch random.index(3) {
    case 0:
      return [
        ring(SIMD2(right - 0.3, half), SIMD2(random.between(0.24, 0.32), half), &random), stem,
      ]
    case 1:
      // Open where the ring would close.
      let gap = random.between(-0.1, 0.15)
      return [
        curve([
          (right, 0.12 + gap), (right - 0.25, 0), (right - 0.55, 0.2), (right - 0.35, 2 * half),
          (right - 0.05, half + 0.05), (right, 0.15),
        ]) + stem
      ]
    default:
      // From below.
      let ringPoints = curve([
        (right, 0.25), (right - 0.1, 0.05), (right - 0.35, 0), (right - 0.55, 0.2),
        (right - 0.35, 2 * half), (right - random.between(0, 0.1), half),
      ])
      return [line([foot, (right, 0.25)]) + ringPoints]
    }
  }

  // MARK: Lines

  /// An ellipse that begins anywhere, either way, closed, open by a little or a little longer.
  private func ring(
    _ middle: SIMD2<Float>, _ radii: SIMD2<Float>, _ random: inout TrainingRandom
  ) -> Points {
    let begin = random.unit() * 2 * .pi
    let way: Float = random.chance(0.5) ? 1 : -1
    let length = 2 * .pi + random.between(-0.25, 0.5)
    let drift = random.between(-0.08, 0.08)
    return (0...40).map { index in
      let share = Float(index) / 40
      let angle = begin + way * length * share
      return middle + radii * (1 + drift * (share - 0.5)) * SIMD2(cosine(angle), sine(angle))
    }
  }

  /// Straight lines between corners.
  private func line(_ corners: [(Float, Float)]) -> Points {
    var points: Points = [SIMD2(corners[0].0, corners[0].1)]
    for (start, end) in zip(corners, corners.dropFirst()) {
      let (a, b) = (SIMD2(start.0, start.1), SIMD2(end.0, end.1))
      let count = max(2, Int(InkPath.norm(b - a) * 24))
      for part in 1...count { points.append(a + Float(part) / Float(count) * (b - a)) }
    }
    return points
  }

  /// A smooth line through places (Catmull and Rom's).
  private func curve(_ places: [(Float, Float)]) -> Points {
    let knots = places.map { SIMD2($0.0, $0.1) }
    var points: Points = [knots[0]]
    for index in 0..<knots.count - 1 {
      let (a, b) = (knots[max(0, index - 1)], knots[index])
      let (c, d) = (knots[index + 1], knots[min(knots.count - 1, index + 2)])
      for part in 1...8 {
        let t = Float(part) / 8
        let linear = (c - a) * t
        let square = (2 * a - 5 * b + 4 * c - d) * (t * t)
        let cube = (3 * b - a - 3 * c + d) * (t * t * t)
        points.append(0.5 * (2 * b + linear + square + cube))
      }
    }
    return points
  }
}

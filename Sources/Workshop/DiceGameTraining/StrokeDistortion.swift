internal import DiceGameKit
internal import DiceTraining

/// How the strokes of digits are varied: as another hand might draw them.
struct StrokeDistortion: Hashable, Sendable {
  /// The greatest turn either way, in degrees.
  var rotation: Float = 13
  /// The greatest change of size either way along each axis, as a power of e.
  var scale: Float = 0.22
  /// The greatest slant either way.
  var slant: Float = 0.28
  /// How far waves bend the strokes at most, as a share of the height.
  var bend: Float = 0.05
  /// How far a place trembles, as a share of the height.
  var tremble: Float = 0.008
  /// How far a stroke is moved by itself, as a share of the height.
  var shift: Float = 0.035

  /// Varied paths: in a frame whose unit is the longer side of the box.
  func vary(_ paths: [InkPath], using random: inout TrainingRandom) -> [InkPath] {
    let group = InkGroup(paths)
    let middle = (group.low + group.high) / 2
    let side = max(group.high.x - group.low.x, group.high.y - group.low.y)
    let factor = side > 0 ? 1 / side : 1
    let angle = random.between(-rotation, rotation) * .pi / 180
    let (cosAngle, sinAngle) = (cosine(angle), sine(angle))
    let stretch = SIMD2(
      exponential(random.between(-scale, scale)), exponential(random.between(-scale, scale)))
    let lean = random.between(-slant, slant)
    let waves = (0..<3).map { _ in Wave(bend * random.unit(), using: &random) }
    let trembling = random.chance(0.5) ? tremble * random.unit() : 0
    var varied: [InkPath] = []
    for path in paths {
      let own =
        paths.count > 1
        ? SIMD2(random.normal(), random.normal()) * (shift * random.unit()) : SIMD2()
      let points = path.points.map { point in
        var place = (point - middle) * factor * stretch
        place.x += lean * place.y
        place = SIMD2(
          cosAngle * place.x - sinAngle * place.y, sinAngle * place.x + cosAngle * place.y)
        place += own
        var bent = place
        for wave in waves { bent += wave.offset(place) }
        if trembling > 0 { bent += trembling * SIMD2(random.normal(), random.normal()) }
        return bent
      }
      varied.append(InkPath(points))
    }
    return varied
  }

  /// A smooth wave over the plane.
  private struct Wave {
    var amplitude: SIMD2<Float>
    var step: SIMD2<Float>
    var phase: Float

    init(_ bend: Float, using random: inout TrainingRandom) {
      let (way, direction) = (random.between(0, 2 * .pi), random.between(0, 2 * .pi))
      amplitude = bend * SIMD2(cosine(way), sine(way))
      step = random.between(2, 9) * SIMD2(cosine(direction), sine(direction))
      phase = random.between(0, 2 * .pi)
    }

    func offset(_ place: SIMD2<Float>) -> SIMD2<Float> {
      amplitude * sine(step.x * place.x + step.y * place.y + phase)
    }
  }
}

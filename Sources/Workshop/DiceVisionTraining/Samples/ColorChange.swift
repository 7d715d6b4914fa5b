package import DiceTraining

/// A random change of colours: a linear map, an offset and a tone curve, on 0...1.
package struct ColorChange {
  private var red = SIMD4<Float>(1, 0, 0, 0)
  private var green = SIMD4<Float>(0, 1, 0, 0)
  private var blue = SIMD4<Float>(0, 0, 1, 0)
  private var offset = SIMD4<Float>.zero
  /// The tone curve at 0, 1/255, … 1.
  private var curve: [Float]?

  package init(_ options: Augmentation, using random: inout TrainingRandom) {
    func factor(_ greatest: Float) -> Float {
      guard greatest > 1 else { return 1 }
      let bound = naturalLogarithm(greatest)
      return exponential(random.between(-bound, bound))
    }
    // Hue and saturation about the gray axis: I s cos + (r - s cos) gray + s sin (axis ×), where r
    // is what is left of the differences in brightness.
    let isGray = random.chance(options.gray)
    let isFlat = random.chance(options.flattening)
    let saturation = isGray ? 0 : factor(options.saturation)
    let relief = isFlat && !isGray ? random.between(options.leastRelief, 1) : 1
    let degrees =
      random.chance(options.anyHue)
      ? random.between(-180, 180)
      : random.between(-options.hue, options.hue)
    let angle = degrees * .pi / 180
    let weights = SIMD4<Float>(0.299, 0.587, 0.114, 0)
    let along = saturation * cosine(angle)
    let around = saturation * sine(angle) / Float(3).squareRoot()
    let identity = [
      SIMD4<Float>(1, 0, 0, 0), SIMD4<Float>(0, 1, 0, 0), SIMD4<Float>(0, 0, 1, 0),
    ]
    let cross = [
      SIMD4<Float>(0, -1, 1, 0), SIMD4<Float>(1, 0, -1, 0), SIMD4<Float>(-1, 1, 0, 0),
    ]
    let gray: SIMD4<Float> = weights * (relief - along)
    var rows = (0..<3).map { (index: Int) -> SIMD4<Float> in
      let kept: SIMD4<Float> = identity[index] * along
      let turned: SIMD4<Float> = cross[index] * around
      return gray + kept + turned
    }
    let contrast = factor(options.contrast)
    let brightness = random.between(-options.brightness, options.brightness)
    for index in 0..<3 { rows[index] *= contrast * factor(options.whiteBalance) }
    // Half white stays where it is.
    offset = SIMD4(repeating: 0.5 - 0.5 * contrast * relief + brightness)
    if random.chance(options.inversion) {
      for index in 0..<3 { rows[index] *= -1 }
      offset = SIMD4(repeating: 1) - offset
    }
    // Rows become columns, so that applying the map is three multiply-adds of whole vectors.
    red = SIMD4(rows[0][0], rows[1][0], rows[2][0], 0)
    green = SIMD4(rows[0][1], rows[1][1], rows[2][1], 0)
    blue = SIMD4(rows[0][2], rows[1][2], rows[2][2], 0)
    let gamma = factor(options.gamma)
    if gamma != 1 { curve = (0...255).map { power(Float($0) / 255, gamma) } }
  }

  /// The changed colour, from and to 0...1.
  @inline(__always)
  func callAsFunction(_ color: SIMD4<Float>) -> SIMD4<Float> {
    var result: SIMD4<Float> = red * color[0]
    result += green * color[1]
    result += blue * color[2]
    result += offset
    if let curve {
      @inline(__always) func bend(_ value: Float) -> Float {
        curve[Int(min(max(value, 0), 1) * 255 + 0.5)]
      }
      return SIMD4(bend(result[0]), bend(result[1]), bend(result[2]), 0)
    }
    return limited(result)
  }
}

/// Every lane limited to 0...1.
@inline(__always)
func limited(_ color: SIMD4<Float>) -> SIMD4<Float> {
  SIMD4(
    min(max(color[0], 0), 1), min(max(color[1], 0), 1), min(max(color[2], 0), 1),
    min(max(color[3], 0), 1))
}

package import DiceGameKit
package import DiceTraining

/// Draws pictures of numbers: on canvases, on paper in uneven light, as photos from aslant.
package struct NumberScene {
  package let width: Int
  package let height: Int
  /// How much of each pixel is ink, 0...1.
  private(set) var ink: [Float]

  package init(width: Int, height: Int) {
    self.width = width
    self.height = height
    ink = [Float](repeating: 0, count: width * height)
  }

  // MARK: Ink

  /// Draws paths with a round pen, scaled and then moved.
  package mutating func draw(
    _ paths: [InkPath], scale: Float, offset: SIMD2<Float>, penWidth: Float
  ) {
    let reach = penWidth / 2 + 0.5
    for path in paths {
      let points = path.points.map { $0 * scale + offset }
      for index in 0..<points.count {
        let (start, end) = (points[max(0, index - 1)], points[index])
        line(from: start, to: end, reach: reach, strength: min(1, penWidth))
      }
    }
  }

  private mutating func line(
    from start: SIMD2<Float>, to end: SIMD2<Float>, reach: Float, strength: Float
  ) {
    let low = pointwiseMin(start, end) - reach
    let high = pointwiseMax(start, end) + reach
    let way = end - start
    let square = way.x * way.x + way.y * way.y
    func range(_ low: Float, _ high: Float, _ count: Int) -> Range<Int> {
      let first = Int(min(max(0, low), Float(count)))
      return first..<max(first, Int(min(max(0, high + 2), Float(count))))
    }
    for row in range(low.y, high.y, height) {
      for column in range(low.x, high.x, width) {
        let offset = SIMD2(Float(column), Float(row)) - start
        let share =
          square > 0 ? min(max(0, (offset.x * way.x + offset.y * way.y) / square), 1) : 0
        let value = strength * min(max(0, reach - InkPath.norm(offset - share * way)), 1)
        if value > ink[row * width + column] { ink[row * width + column] = value }
      }
    }
  }

  /// Puts the ink of a picture with its upper left corner at a place.
  package mutating func place(_ raster: InkRaster, column: Int, row: Int) {
    for y in 0..<raster.height where (0..<height).contains(y + row) {
      for x in 0..<raster.width where (0..<width).contains(x + column) {
        let place = (y + row) * width + x + column
        ink[place] = max(ink[place], raster[y, x])
      }
    }
  }

  /// Ruled lines, paler than ink.
  package mutating func rule(spacing: Int, using random: inout TrainingRandom) {
    let slope = random.between(-0.02, 0.02)
    let strength = random.between(0.25, 0.7)
    var row = random.index(max(1, spacing))
    while row < height + 20 {
      for column in 0..<width {
        let middle = Float(row) + slope * Float(column)
        let first = Int(middle.rounded(.down))
        for (line, share) in [
          (first, 1 - middle + Float(first)), (first + 1, middle - Float(first)),
        ]
        where (0..<height).contains(line) {
          let place = line * width + column
          ink[place] = max(ink[place], strength * share)
        }
      }
      row += max(4, spacing)
    }
  }

  // MARK: Light

  /// How a picture is taken.
  package struct Light {
    /// Gray values of the ground and of full ink.
    package var ground: Float = 255
    package var full: Float = 0
    /// Which share of the light is lost towards one side, and towards the corners.
    package var falloff: Float = 0
    package var vignette: Float = 0
    /// Which share of the light is lost in a shadow with a soft edge.
    package var shadow: Float = 0
    /// The standard deviation of noise.
    package var noise: Float = 0
    /// How many times neighbours are averaged.
    package var blur = 0
    /// The turn in degrees, and how much smaller the far side is.
    package var turn: Float = 0
    package var tilt = SIMD2<Float>()

    package init() {}
  }

  /// The picture in a light.
  package func picture(
    _ light: Light, using random: inout TrainingRandom
  ) throws(NumberPictureError) -> NumberPicture {
    var seen = warped(turn: light.turn, tilt: light.tilt)
    for _ in 0..<light.blur { seen = blurred(seen) }
    let direction = random.between(0, 2 * .pi)
    let way = SIMD2(cosine(direction), sine(direction))
    let edge = random.between(-0.3, 0.3)
    var gray = [UInt8](repeating: 0, count: width * height)
    for row in 0..<height {
      for column in 0..<width {
        let place = SIMD2(
          Float(column) / Float(width) - 0.5, Float(row) / Float(height) - 0.5)
        let along = place.x * way.x + place.y * way.y
        var bright = 1 - light.falloff * min(max(0, along + 0.5), 1)
        bright *= 1 - light.vignette * 2 * (place.x * place.x + place.y * place.y)
        let side = min(max(0, (place.x * way.y - place.y * way.x - edge) / 0.06), 1)
        bright *= 1 - light.shadow * side
        let share = seen[row * width + column]
        let value = light.ground + share * (light.full - light.ground)
        let noisy = value * bright + light.noise * random.normal()
        gray[row * width + column] = UInt8(min(max(0, noisy.rounded()), 255))
      }
    }
    return try NumberPicture(width: width, height: height, gray: gray)
  }

  private func warped(turn: Float, tilt: SIMD2<Float>) -> [Float] {
    guard turn != 0 || tilt != SIMD2() else { return ink }
    let angle = turn * .pi / 180
    let (cosAngle, sinAngle) = (cosine(angle), sine(angle))
    let middle = SIMD2(Float(width), Float(height)) / 2
    var seen = [Float](repeating: 0, count: ink.count)
    for row in 0..<height {
      for column in 0..<width {
        let place = SIMD2(Float(column), Float(row)) - middle
        let depth = 1 + tilt.x * place.x / Float(width) + tilt.y * place.y / Float(height)
        let source =
          middle + SIMD2(
            cosAngle * place.x - sinAngle * place.y, sinAngle * place.x + cosAngle * place.y)
          / depth
        seen[row * width + column] = sample(source)
      }
    }
    return seen
  }

  private func sample(_ place: SIMD2<Float>) -> Float {
    guard place.x >= 0, place.y >= 0, place.x < Float(width - 1), place.y < Float(height - 1)
    else { return 0 }
    let (column, row) = (Int(place.x), Int(place.y))
    let (x, y) = (place.x - Float(column), place.y - Float(row))
    let first = row * width + column
    let upper = ink[first] * (1 - x) + ink[first + 1] * x
    let lower = ink[first + width] * (1 - x) + ink[first + width + 1] * x
    return upper * (1 - y) + lower * y
  }

  /// The means of 3 by 3 pixels.
  private func blurred(_ values: [Float]) -> [Float] {
    var across = values
    for row in 0..<height where width > 2 {
      for column in 1..<width - 1 {
        let place = row * width + column
        across[place] = (values[place - 1] + values[place] + values[place + 1]) / 3
      }
    }
    var result = across
    for row in 1..<max(1, height - 1) {
      for column in 0..<width {
        let place = row * width + column
        result[place] = (across[place - width] + across[place] + across[place + width]) / 3
      }
    }
    return result
  }
}

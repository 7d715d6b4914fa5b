import DiceImaging

/// A rendered film: what flies and what else moves before a background with structure.
struct Film {
  /// A thing in the air, seen by a pinhole camera: metres and seconds, x to the right, y downwards, z to
  /// the front.
  struct Throw {
    var start: SIMD3<Double>
    var velocity: SIMD3<Double>
    var radius = 0.06
    var gray = 225.0
    var release = 0.6
    /// Where it lands; it bounces there, and loses half of its speed upwards.
    var bounce: Double?
    var end = 9.0

    /// The place at a time; nil where it is not in the air.
    func place(at time: Double) -> SIMD3<Double>? {
      guard time >= release, time <= end else { return nil }
      func fall(_ place: SIMD3<Double>, _ velocity: SIMD3<Double>, _ t: Double) -> SIMD3<Double> {
        place + velocity * t + SIMD3(0, 4.905 * t * t, 0)
      }
      let t = time - release
      guard let bounce, t > bounce else { return fall(start, velocity, t) }
      let landing = fall(start, velocity, bounce)
      let speed = velocity + SIMD3(0, 9.81 * bounce, 0)
      return fall(landing, SIMD3(speed.x, -0.5 * speed.y, speed.z), t - bounce)
    }
  }

  var width = 640
  var height = 360
  var rate = 60.0
  var duration = 2.0
  var focalLength = 640.0
  var throwsInAir: [Throw] = []
  var noise = 2.0
  /// The camera's shake in pixels.
  var shake = 0.0
  /// How much brighter the picture becomes in a second.
  var brightening = 0.0
  /// Things that move straight: where, pixels a second, radius and gray.
  var straight: [(x: Double, y: Double, vx: Double, vy: Double, radius: Double, gray: Double)] = []
  /// Things that swing: where, how far, turns a second, radius and gray.
  var swinging:
    [(x: Double, y: Double, reach: Double, rate: Double, radius: Double, gray: Double)] =
      []
  /// A post that hides what is behind it: columns.
  var post: ClosedRange<Double>?

  var frameCount: Int { Int(duration * rate) }

  /// Where a thing is seen in a frame, with its radius; nil where it is not in the air.
  func seen(_ thing: Throw, at time: Double) -> (x: Double, y: Double, radius: Double)? {
    guard let place = thing.place(at: time), place.z > 0.2 else { return nil }
    let moved = offset(at: time)
    return (
      Double(width) / 2 + focalLength * place.x / place.z + moved.x,
      Double(height) / 2 + focalLength * place.y / place.z + moved.y,
      focalLength * thing.radius / place.z
    )
  }

  /// How far the picture is moved by shake: sines, by way of a parabola for each half turn.
  func offset(at time: Double) -> (x: Double, y: Double) {
    guard shake > 0 else { return (0, 0) }
    return (
      shake * (wave(time * 0.7) + 0.5 * wave(time * 1.9 + 0.2)),
      shake * (wave(time * 0.8 + 0.3) + 0.5 * wave(time * 2.3))
    )
  }

  private func wave(_ turns: Double) -> Double {
    let share = turns - turns.rounded(.down)
    return share < 0.5 ? 16 * share * (0.5 - share) : -16 * (share - 0.5) * (1 - share)
  }

  /// A number from 0 to 1 that depends on the place alone.
  private func hash(_ x: Int, _ y: Int, _ seed: Int) -> Double {
    var value = UInt64(truncatingIfNeeded: x &* 73_856_093 ^ y &* 19_349_663 ^ seed &* 83_492_791)
    value = (value ^ value >> 31) &* 0x9E37_79B9_7F4A_7C15
    value = (value ^ value >> 29) &* 0xBF58_476D_1CE4_E5B9
    return Double(value >> 40) / Double(1 << 24)
  }

  /// The background, smooth spots of 12 pixels.
  private func background(_ x: Double, _ y: Double) -> Double {
    let (u, v) = (x / 12 + 500, y / 12 + 500)
    let (column, row) = (Int(u), Int(v))
    let (right, down) = (u - Double(column), v - Double(row))
    let upper =
      hash(column, row, 1) * (1 - right) + hash(column + 1, row, 1) * right
    let lower =
      hash(column, row + 1, 1) * (1 - right) + hash(column + 1, row + 1, 1) * right
    return 50 + 90 * (upper * (1 - down) + lower * down)
  }

  /// A frame.
  func frame(_ index: Int) -> PixelImage {
    let time = Double(index) / rate
    let moved = offset(at: time)
    var values = [Double](repeating: 0, count: width * height)
    for row in 0..<height {
      for column in 0..<width {
        values[row * width + column] = background(
          Double(column) + 0.5 - moved.x, Double(row) + 0.5 - moved.y)
      }
    }
    for thing in straight {
      draw(
        &values, thing.x + thing.vx * time + moved.x, thing.y + thing.vy * time + moved.y,
        thing.radius, thing.gray)
    }
    for thing in swinging {
      let swing = wave(time * thing.rate)
      draw(
        &values, thing.x + thing.reach * swing + moved.x,
        thing.y - thing.reach * 0.3 * swing * swing + moved.y, thing.radius, thing.gray)
    }
    for thing in throwsInAir {
      if let place = seen(thing, at: time) {
        draw(&values, place.x, place.y, place.radius, thing.gray)
      }
    }
    if let post {
      for row in 0..<height {
        for column in Int(post.lowerBound)..<Int(post.upperBound) {
          values[row * width + column] = 30
        }
      }
    }
    let light = brightening * time
    let samples = values.indices.map { (place) in
      // Three numbers make noise that is nearly normal.
      let grain = (0..<3).reduce(-1.5) { $0 + hash(place, index, 7 + $1) }
      return UInt8(min(max(values[place] + light + 2 * noise * grain, 0), 255))
    }
    return PixelImage(width: width, height: height, format: .gray, samples: samples)
  }

  private func draw(
    _ values: inout [Double], _ x: Double, _ y: Double, _ radius: Double, _ gray: Double
  ) {
    guard abs(x) < 1e4, abs(y) < 1e4 else { return }
    let (left, right) = (max(0, Int(x - radius - 1)), min(width, Int(x + radius + 2)))
    let (top, bottom) = (max(0, Int(y - radius - 1)), min(height, Int(y + radius + 2)))
    guard left < right, top < bottom else { return }
    for row in top..<bottom {
      for column in left..<right {
        let (dx, dy) = (Double(column) + 0.5 - x, Double(row) + 0.5 - y)
        let cover = min(max(radius + 0.5 - (dx * dx + dy * dy).squareRoot(), 0), 1)
        values[row * width + column] += (gray - values[row * width + column]) * cover
      }
    }
  }
}

internal import DiceNumerics

/// A picture in shades of gray on which discs, limbs and posts are drawn with soft edges.
struct GrayCanvas {
  /// A disc, or an ellipse, at all the places where it is while a frame is exposed.
  struct Disc {
    var places: [SIMD2<Double>] = []
    var radius = 0.0
    /// Its height by its width.
    var aspect = 1.0
    var gray: Double
    /// The gray of its other half.
    var otherGray: Double
    /// How far it has turned.
    var turn = 0.0

    init(gray: Double) { (self.gray, otherGray) = (gray, gray) }
  }

  private let width: Int
  private let height: Int
  private var values: [Float]

  init(width: Int, height: Int) {
    (self.width, self.height) = (width, height)
    values = [Float](repeating: 0, count: width * height)
  }

  /// Takes a background, larger by a margin on each side, moved by a part of a pixel.
  mutating func fill(with background: [Float], margin: Int, offset: (x: Double, y: Double)) {
    let limit = Double(margin) - 1.5
    let x = min(max(-offset.x, -limit), limit), y = min(max(-offset.y, -limit), limit)
    let (left, top) = (Int(x.rounded(.down)), Int(y.rounded(.down)))
    let (right, down) = (Float(x - Double(left)), Float(y - Double(top)))
    let stride = width + 2 * margin
    for row in 0..<height {
      let source = (row + margin + top) * stride + margin + left
      for column in 0..<width {
        let index = source + column
        let upper = background[index] + (background[index + 1] - background[index]) * right
        let below = index + stride
        let lower = background[below] + (background[below + 1] - background[below]) * right
        values[row * width + column] = upper + (lower - upper) * down
      }
    }
  }

  mutating func draw(_ disc: Disc) {
    let reach = disc.radius + 1
    guard disc.radius < 300, disc.radius > 0.3, let first = disc.places.first else { return }
    var (low, high) = (first, first)
    for place in disc.places {
      low = SIMD2(min(low.x, place.x), min(low.y, place.y))
      high = SIMD2(max(high.x, place.x), max(high.y, place.y))
    }
    let turn = sineAndCosine(turns: disc.turn - disc.turn.rounded(.down))
    let share = Float(1 / Double(disc.places.count))
    for row in pixels(low.y - reach, high.y + reach, height) {
      for column in pixels(low.x - reach, high.x + reach, width) {
        var (cover, light) = (Float(0), Float(0))
        for place in disc.places {
          let x = Double(column) + 0.5 - place.x
          let y = (Double(row) + 0.5 - place.y) / disc.aspect
          let distance = (x * x + y * y).squareRoot()
          let part = Float(min(max((disc.radius - distance) * min(disc.aspect, 1) + 0.5, 0), 1))
          guard part > 0 else { continue }
          let gray = x * turn.cosine + y * turn.sine > 0 ? disc.gray : disc.otherGray
          // Lit from above.
          let shade = 0.85 - 0.25 * y / max(disc.radius, 1)
          cover += part * share
          light += part * share * Float(gray * shade)
        }
        let index = row * width + column
        values[index] = values[index] * (1 - cover) + light
      }
    }
  }

  mutating func drawLimb(
    _ start: SIMD2<Double>, _ end: SIMD2<Double>, radius: Double, gray: Double
  ) {
    guard radius < 300 else { return }
    let axis = end - start
    let square = (axis * axis).sum()
    let reach = radius + 1
    for row in pixels(min(start.y, end.y) - reach, max(start.y, end.y) + reach, height) {
      for column in pixels(min(start.x, end.x) - reach, max(start.x, end.x) + reach, width) {
        let offset = SIMD2(Double(column) + 0.5, Double(row) + 0.5) - start
        let share = square > 0 ? min(1, max(0, (offset * axis).sum() / square)) : 0
        let out = offset - axis * share
        let distance = (out * out).sum().squareRoot()
        let cover = Float(min(max(radius + 0.5 - distance, 0), 1))
        guard cover > 0 else { continue }
        let shade = 0.75 - 0.3 * out.y / max(radius, 1) - 0.1 * out.x / max(radius, 1)
        let index = row * width + column
        values[index] += (Float(gray * shade) - values[index]) * cover
      }
    }
  }

  mutating func drawPost(_ post: FilmPost, offset: Double) {
    let columns = pixels(post.columns.lowerBound + offset, post.columns.upperBound + offset, width)
    for row in 0..<height {
      for column in columns {
        values[row * width + column] = Float(post.gray + 12 * Double((row / 7 + column / 3) % 3))
      }
    }
  }

  private func pixels(_ low: Double, _ high: Double, _ count: Int) -> Range<Int> {
    let limit = Double(count)
    let first = Int(min(max(low, 0), limit))
    return first..<max(first, Int(min(max(high + 1, 0), limit)))
  }

  /// The picture with noise and light, rounded.
  func samples(
    grain: [Float], left: Float, right: Float, _ random: inout SplitMix64
  ) -> [UInt8] {
    var samples = [UInt8](repeating: 0, count: width * height)
    let slope = (right - left) / Float(width)
    for row in 0..<height {
      let offset = random.index(below: grain.count - width)
      for column in 0..<width {
        let index = row * width + column
        let value = values[index] + grain[offset + column] + left + slope * Float(column)
        samples[index] = UInt8(min(max(value, 0), 255))
      }
    }
    return samples
  }
}

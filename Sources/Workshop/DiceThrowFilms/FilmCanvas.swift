internal import DiceNumerics

/// A picture with depths, on which limbs and bags are drawn with soft edges and simple light.
struct FilmCanvas {
  private let view: FilmCamera
  private let width: Int
  private let height: Int
  /// Red, green and blue of each pixel.
  private(set) var samples: [UInt8]
  private var depths: [Float]
  /// Where the light comes from.
  private let light: SIMD3<Double>
  /// The light of films.
  static let light = SIMD3(-0.35, -0.6, 0.72).unit

  init(_ view: FilmCamera, _ background: FilmBackground) {
    self.view = view
    (width, height) = (view.camera.width, view.camera.height)
    samples = background.samples
    depths = background.depths
    light = Self.light
  }

  /// A canvas over a picture that is behind everything.
  ///
  /// - Precondition: `samples` holds red, green and blue of each of the camera's pixels.
  init(_ view: FilmCamera, samples: [UInt8], light: SIMD3<Double>) {
    self.view = view
    (width, height) = (view.camera.width, view.camera.height)
    precondition(samples.count == 3 * width * height, "a background is as large as the picture")
    self.samples = samples
    depths = [Float](repeating: .greatestFiniteMagnitude, count: width * height)
    self.light = light.unit
  }

  /// Draws a limb where nothing is before it.
  mutating func draw(_ limb: Limb) {
    guard let start = view.project(limb.start), let end = view.project(limb.end) else { return }
    let scale = view.camera.focalLength
    let (first, second) = (
      limb.startRadius * scale / start.depth, limb.endRadius * scale / end.depth
    )
    let reach = max(first, second) + 1
    let (view, light) = (view, light)
    let axis = SIMD2(end.x - start.x, end.y - start.y)
    let square = (axis * axis).sum()
    fill(
      x: min(start.x, end.x) - reach...max(start.x, end.x) + reach,
      y: min(start.y, end.y) - reach...max(start.y, end.y) + reach
    ) { (x, y) in
      let offset = SIMD2(x - start.x, y - start.y)
      let share = square > 0 ? min(1, max(0, (offset * axis).sum() / square)) : 0
      let out = offset - axis * share
      let distance = (out * out).sum().squareRoot()
      let radius = first + (second - first) * share
      let coverage = radius + 0.5 - distance
      guard coverage > 0 else { return nil }
      let bend = min(1, distance / max(radius, 0.5))
      let facing = (1 - bend * bend).squareRoot()
      let outwards = distance > 0 ? out / distance * bend : .zero
      let depth = start.depth + (end.depth - start.depth) * share
      let thickness = limb.startRadius + (limb.endRadius - limb.startRadius) * share
      return (
        Self.lit(limb.color, outwards, facing, view, light), min(coverage, 1),
        depth - facing * thickness
      )
    }
  }

  /// Draws all limbs of a body: what is far first, so that soft edges lie over what is behind them.
  mutating func draw(_ limbs: [Limb]) {
    let view = view
    func depth(_ limb: Limb) -> Double {
      (((limb.start + limb.end) / 2 - view.position) * view.ahead).sum()
    }
    for limb in limbs.sorted(by: { depth($0) > depth($1) }) { draw(limb) }
  }

  /// Draws a bag: round in the air, flat where it lies.
  mutating func drawBag(at place: SIMD3<Double>, isDown: Bool, color: SIMD3<Double>) {
    guard let middle = view.project(place) else { return }
    let radius = ThrowFilm.bagRadius * view.camera.focalLength / middle.depth
    let flatness = isDown ? 0.55 : 1.0
    let (view, light) = (view, light)
    fill(
      x: middle.x - radius - 1...middle.x + radius + 1,
      y: middle.y - radius - 1...middle.y + radius + 1
    ) { (x, y) in
      let offset = SIMD2(x - middle.x, (y - middle.y) / flatness)
      let distance = (offset * offset).sum().squareRoot()
      let coverage = radius + 0.5 - distance
      guard coverage > 0 else { return nil }
      let bend = min(1, distance / radius)
      let facing = (1 - bend * bend).squareRoot()
      let outwards = distance > 0 ? offset / distance * bend : .zero
      return (
        Self.lit(color, outwards, facing, view, light), min(coverage, 1),
        middle.depth - 0.02 - facing * ThrowFilm.bagRadius
      )
    }
  }

  /// Darkens the ground around a place: a soft shadow.
  mutating func drawShadow(at place: SIMD3<Double>, radius: Double) {
    guard let middle = view.project(place) else { return }
    let across = radius * view.camera.focalLength / middle.depth
    let down = across * max(0.15, -view.ahead.z)
    for row in rows(middle.y - down...middle.y + down) {
      for column in columns(middle.x - across...middle.x + across) {
        let u = (Double(column) + 0.5 - middle.x) / across
        let v = (Double(row) + 0.5 - middle.y) / down
        let share = max(0, 1 - (u * u + v * v)) * 0.45
        let index = (row * width + column) * 3
        for channel in index..<index + 3 {
          samples[channel] = UInt8(Double(samples[channel]) * (1 - share))
        }
      }
    }
  }

  private static func lit(
    _ color: SIMD3<Double>, _ outwards: SIMD2<Double>, _ facing: Double, _ view: FilmCamera,
    _ light: SIMD3<Double>
  ) -> SIMD3<Double> {
    let normal = view.right * outwards.x - view.up * outwards.y - view.ahead * facing
    return color * (0.5 + 0.55 * max(0, (normal * light).sum()))
  }

  private func columns(_ range: ClosedRange<Double>) -> Range<Int> {
    Self.pixels(range, width)
  }

  private func rows(_ range: ClosedRange<Double>) -> Range<Int> {
    Self.pixels(range, height)
  }

  private static func pixels(_ range: ClosedRange<Double>, _ count: Int) -> Range<Int> {
    let limit = Double(count)
    let first = Int(min(max(range.lowerBound, 0), limit))
    return first..<max(first, Int(min(max(range.upperBound + 1, 0), limit)))
  }

  /// Blends what a function says of the pixels of a rectangle: a colour, the share covered and the depth.
  @inline(__always)
  private mutating func fill(
    x: ClosedRange<Double>, y: ClosedRange<Double>,
    _ cover: (Double, Double) -> (color: SIMD3<Double>, share: Double, depth: Double)?
  ) {
    for row in rows(y) {
      for column in columns(x) {
        let pixel = row * width + column
        guard let found = cover(Double(column) + 0.5, Double(row) + 0.5),
          Float(found.depth) < depths[pixel]
        else { continue }
        for channel in 0..<3 {
          let old = Double(samples[pixel * 3 + channel])
          let new = old + (found.color[channel] - old) * found.share
          samples[pixel * 3 + channel] = UInt8(min(max(new, 0), 255))
        }
        if found.share > 0.5 { depths[pixel] = Float(found.depth) }
      }
    }
  }

  /// Adds grain, the same for the three colours of a pixel.
  mutating func addGrain(seed: UInt64) {
    var random = SplitMix64(seed: seed)
    var bits: UInt64 = 0
    for pixel in 0..<width * height {
      if pixel % 16 == 0 { bits = random.next() }
      // From −3 to 3, a triangle with a deviation of 1.6.
      let grain = Int(bits & 3) + Int(bits >> 2 & 3) - 3
      bits >>= 4
      for channel in pixel * 3..<pixel * 3 + 3 {
        samples[channel] = UInt8(min(max(Int(samples[channel]) + grain, 0), 255))
      }
    }
  }
}

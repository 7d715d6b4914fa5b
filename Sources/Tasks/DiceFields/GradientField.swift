/// The brightness of a gray picture and how it changes, with places in continuous pixels.
///
/// The middle of the first pixel is at (0.5, 0.5). Gradients are Sobel's, in gray levels a pixel.
struct GradientField {
  let width: Int
  let height: Int
  /// Gradients across and down, and their magnitudes, `[height, width]`.
  private(set) var gradients: [SIMD2<Float>]
  private(set) var magnitudes: [Float]
  /// What counts as an edge: well above what most of the picture has, 2...6 gray levels a pixel.
  let threshold: Float

  init(_ image: GrayImage) {
    let (width, height) = (image.width, image.height)
    (self.width, self.height) = (width, height)
    var gradients = [SIMD2<Float>](repeating: .zero, count: width * height)
    var magnitudes = [Float](repeating: 0, count: width * height)
    var counts = [Int](repeating: 0, count: 128)
    if width >= 3, height >= 3 {
      let slice = image.samples
      let samples = slice.span
      for row in 1..<height - 1 {
        for column in 1..<width - 1 {
          let place = row &* width &+ column
          let (up, down) = (place &- width, place &+ width)
          func v(_ index: Int) -> Int { Int(samples[index]) }
          let right = v(up &+ 1) &+ 2 &* v(place &+ 1) &+ v(down &+ 1)
          let left = v(up &- 1) &+ 2 &* v(place &- 1) &+ v(down &- 1)
          let bottom = v(down &- 1) &+ 2 &* v(down) &+ v(down &+ 1)
          let top = v(up &- 1) &+ 2 &* v(up) &+ v(up &+ 1)
          let gradient = SIMD2(Float(right &- left), Float(bottom &- top)) / 8
          let magnitude = (gradient * gradient).sum().squareRoot()
          gradients[place] = gradient
          magnitudes[place] = magnitude
          counts[min(127, Int(magnitude * 8))] &+= 1
        }
      }
    }
    (self.gradients, self.magnitudes) = (gradients, magnitudes)
    var (below, bin) = (0, 0)
    while bin < 127, (below + counts[bin]) * 10 < width * height * 3 {
      below += counts[bin]
      bin += 1
    }
    threshold = min(max(2, 2.5 * (Float(bin) + 0.5) / 8), 6)
  }

  /// Whether a place is at least so far within the picture.
  func contains(_ point: SIMD2<Double>, margin: Double = 1) -> Bool {
    point.x >= margin && point.y >= margin && point.x <= Double(width) - margin
      && point.y <= Double(height) - margin
  }

  /// The gradient at a place, between its four neighbours; none outside the picture.
  func gradient(at point: SIMD2<Double>) -> SIMD2<Float> {
    let (x, y) = (point.x - 0.5, point.y - 0.5)
    guard x >= 0, y >= 0, x < Double(width - 1), y < Double(height - 1) else { return .zero }
    let (column, row) = (Int(x), Int(y))
    let (fx, fy) = (Float(x - Double(column)), Float(y - Double(row)))
    let place = row * width + column
    let top = gradients[place] * (1 - fx) + gradients[place + 1] * fx
    let bottom = gradients[place + width] * (1 - fx) + gradients[place + width + 1] * fx
    return top * (1 - fy) + bottom * fy
  }
}

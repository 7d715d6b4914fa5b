internal import DiceNumerics

/// Where each pixel of a picture comes from in another one.
struct PictureBend {
  /// What lies between every eighth pixel is interpolated.
  static let step = 8
  let columns: Int
  private let rows: Int
  private var grid: [Vector2] = []

  /// - Parameters:
  ///   - place: where a point of the picture comes from; pixel centres lie at halves here, and at
  ///     whole numbers there.
  init(width: Int, height: Int, place: (Float, Float) -> Vector2) {
    columns = width / PictureBend.step + 2
    rows = height / PictureBend.step + 2
    for row in 0..<rows {
      for column in 0..<columns {
        grid.append(
          place(Float(column * PictureBend.step) + 0.5, Float(row * PictureBend.step) + 0.5))
      }
    }
  }

  /// Where the first pixel of eight in a row comes from, and the way from one to the next.
  @inline(__always)
  func eight(_ column: Int, row y: Int) -> (first: Vector2, way: Vector2) {
    let upper = y / PictureBend.step * columns + column
    let share = Float(y % PictureBend.step) / Float(PictureBend.step)
    let left = grid[upper] + (grid[upper + columns] - grid[upper]) * share
    let right = grid[upper + 1] + (grid[upper + columns + 1] - grid[upper + 1]) * share
    return (left, (right - left) * (1 / Float(PictureBend.step)))
  }
}

/// Light with the colours of a pixel side by side, to be read between pixels.
struct WovenLight: Sendable {
  private let width: Int
  private let height: Int
  private let pixels: [SIMD4<Float>]

  init(_ field: LightField) {
    width = field.width
    height = field.height
    var pixels = [SIMD4<Float>](repeating: SIMD4(repeating: 0), count: width * height)
    let (red, green, blue) = (field.planes[0], field.planes[1], field.planes[2])
    for index in pixels.indices { pixels[index] = SIMD4(red[index], green[index], blue[index], 0) }
    self.pixels = pixels
  }

  /// The mean of the pictures that some bends make of the light; borders repeat.
  ///
  /// - Precondition: the light is at least two pixels wide and high.
  func bent(_ bends: [PictureBend], width: Int, height: Int) -> LightField {
    precondition(self.width > 1 && self.height > 1, "light of at least 2 by 2 pixels")
    let count = width * height
    var red = [Float](repeating: 0, count: count)
    var green = red
    var blue = red
    var line = [SIMD4<Float>](repeating: SIMD4(repeating: 0), count: width)
    let share = 1 / Float(bends.count)
    for y in 0..<height {
      for x in line.indices { line[x] = SIMD4(repeating: 0) }
      for bend in bends { add(bend, y, to: &line) }
      let start = y * width
      for x in 0..<width {
        let colour = line[x] * share
        red[start + x] = colour.x
        green[start + x] = colour.y
        blue[start + x] = colour.z
      }
    }
    return LightField(
      width: width, height: height, planes: [red, green, blue],
      depth: [Float](repeating: 0, count: count))
  }

  @inline(__always)
  private func add(_ bend: PictureBend, _ y: Int, to line: inout [SIMD4<Float>]) {
    let right = Float(width) - 1.001
    let bottom = Float(height) - 1.001
    for column in 0..<(bend.columns - 1) {
      var (place, way) = bend.eight(column, row: y)
      let first = column * PictureBend.step
      for x in first..<max(min(first + PictureBend.step, line.count), first) {
        let sx = clamp(place.x, 0, right)
        let sy = clamp(place.y, 0, bottom)
        let x0 = wholeBelow(sx)
        let y0 = wholeBelow(sy)
        let start = Int(y0) * width + Int(x0)
        precondition(start >= 0 && start + width + 1 < pixels.count, "a place in the picture")
        let fx = sx - Float(x0)
        let fy = sy - Float(y0)
        // The four pixels that have just been checked.
        line[x] += unsafe pixels.withUnsafeBufferPointer { pixels in
          let (a, b) = unsafe (pixels[start], pixels[start + 1])
          let (c, d) = unsafe (pixels[start + width], pixels[start + width + 1])
          let above = a + (b - a) * fx
          let below = c + (d - c) * fx
          return above + (below - above) * fy
        }
        place += way
      }
    }
  }
}

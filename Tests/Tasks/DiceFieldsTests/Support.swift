import DiceGeometry
import DiceImaging
import Foundation
import TestSupport

/// A camera before a table, whose plane is z = 0 with z into the table; units are centimetres.
struct TableCamera {
  var width = 640
  var height = 480
  var focalLength = 620.0
  /// Degrees away from looking straight down, and around the table's normal.
  var tilt = 0.0
  var turn = 0.0
  var distance = 60.0
  /// Where on the table the camera looks.
  var target = SIMD2(0.0, 0.0)

  func project(_ x: Double, _ y: Double, _ z: Double = 0) -> PixelPoint {
    let (ct, st) = (cos(turn * .pi / 180), sin(turn * .pi / 180))
    let (cx, cy) = (
      (x - target.x) * ct - (y - target.y) * st, (x - target.x) * st + (y - target.y) * ct
    )
    let (c, s) = (cos(tilt * .pi / 180), sin(tilt * .pi / 180))
    let depth = distance - cy * s + z * c
    return PixelPoint(
      x: Double(width) / 2 + focalLength * cx / depth,
      y: Double(height) / 2 + focalLength * (cy * c + z * s) / depth)
  }

  func outline(_ width: Double, _ height: Double) -> Quadrilateral {
    let (x, y) = (width / 2, height / 2)
    return Quadrilateral(
      upperLeft: project(-x, -y), upperRight: project(x, -y), lowerRight: project(x, y),
      lowerLeft: project(-x, y))
  }
}

/// A rendered table with something on it.
struct TableScene {
  var camera: TableCamera
  /// The gray of the plane at a place in centimetres, 0...255.
  var surface: (Double, Double) -> Double
  /// Upright things: a place, a radius, a height and a gray.
  var pieces: [(x: Double, y: Double, radius: Double, height: Double, gray: Double)] = []
  var noise = 2.0

  func render(seed: UInt64 = 1) -> PixelImage {
    var generator = SeededGenerator(seed: seed)
    let outline = camera.outline(100, 100)
    let map = Homography(
      from: Quadrilateral(BoundingBox(x: -50, y: -50, width: 100, height: 100)), to: outline)!
    let back = map.inverse!
    var gray = [Double](repeating: 0, count: camera.width * camera.height)
    for row in 0..<camera.height {
      for column in 0..<camera.width {
        var sum = 0.0
        for part in 0..<9 {
          let x = Double(column) + (Double(part % 3) + 0.5) / 3
          let y = Double(row) + (Double(part / 3) + 0.5) / 3
          let place = back.map(SIMD2(x, y))
          sum += surface(place.x, place.y)
        }
        gray[row * camera.width + column] = sum / 9
      }
    }
    // Those farther away first.
    let order = pieces.sorted { camera.project($0.x, $0.y).y < camera.project($1.x, $1.y).y }
    for piece in order {
      let base = camera.project(piece.x, piece.y)
      let top = camera.project(piece.x, piece.y, -piece.height)
      let edge = camera.project(piece.x + piece.radius, piece.y)
      let radius = base.squaredDistance(to: edge).squareRoot()
      let (minX, maxX) = (min(base.x, top.x) - radius, max(base.x, top.x) + radius)
      let (minY, maxY) = (min(base.y, top.y) - radius, max(base.y, top.y) + radius)
      for row in 0..<camera.height where Double(row) > minY - 1 && Double(row) < maxY + 1 {
        for column in 0..<camera.width where Double(column) > minX - 1 && Double(column) < maxX + 1
        {
          let (dx, dy) = (top.x - base.x, top.y - base.y)
          let (px, py) = (Double(column) + 0.5 - base.x, Double(row) + 0.5 - base.y)
          let share = min(max(0, (px * dx + py * dy) / max(dx * dx + dy * dy, 1e-9)), 1)
          let distance =
            ((px - share * dx) * (px - share * dx)
            + (py - share * dy) * (py - share * dy)).squareRoot()
          let cover = min(max(0, radius * (1 - 0.3 * share) - distance + 0.5), 1)
          let shade = piece.gray + 25 * (0.5 - px / max(radius, 1) / 2)
          let place = row * camera.width + column
          gray[place] += cover * (shade - gray[place])
        }
      }
    }
    let samples = gray.map { (value) in
      let noisy =
        value + noise
        * (Double.random(in: -1...1, using: &generator)
          + Double.random(in: -1...1, using: &generator))
      return UInt8(min(max(0, noisy), 255))
    }
    return PixelImage(width: camera.width, height: camera.height, format: .gray, samples: samples)
  }
}

/// Wood or cloth: smooth noise, longer along y.
func grain(_ x: Double, _ y: Double, _ base: Double, _ strength: Double = 6) -> Double {
  func corner(_ column: Int, _ row: Int) -> Double {
    var word = UInt64(bitPattern: Int64(column &* 73_856_093 ^ row &* 19_349_663))
    word = (word ^ (word >> 30)) &* 0xBF58_476D_1CE4_E5B9
    word = (word ^ (word >> 27)) &* 0x94D0_49BB_1331_11EB
    return Double((word ^ (word >> 31)) & 0xFFFF) / 32_768 - 1
  }
  func noise(_ x: Double, _ y: Double) -> Double {
    let (column, row) = (Int(x.rounded(.down)), Int(y.rounded(.down)))
    let (fx, fy) = (x - Double(column), y - Double(row))
    let above = corner(column, row) * (1 - fx) + corner(column + 1, row) * fx
    let below = corner(column, row + 1) * (1 - fx) + corner(column + 1, row + 1) * fx
    return above * (1 - fy) + below * fy
  }
  return base + strength * (0.7 * noise(x * 1.3, y * 0.15) + 0.5 * noise(x * 3.1 + 40, y * 0.4))
}

enum Boards {
  /// Squares of dark and light with a frame around them, on wood or on a coarse cloth.
  static func chess(
    cell: Double = 4, frame: Double = 2.2, cloth: Double = 0
  ) -> (Double, Double) -> Double {
    return { x, y in
      let half = 4 * cell
      if abs(x) < half, abs(y) < half {
        let odd = (Int(((x + half) / cell)) + Int(((y + half) / cell))) % 2 == 1
        return grain(x, y, odd ? 90 : 190, 5)
      }
      if abs(x) < half + frame, abs(y) < half + frame { return grain(y, x, 70, 4) }
      if cloth > 0 { return grain(x * 4, y * 35, 150, cloth) }
      return grain(x * 0.7, y * 0.7, 150, 8)
    }
  }

  /// Dark lines on light ground, evenly spaced, within a sheet or a wooden board.
  static func lines(
    count: Int, pitch: Double, thickness: Double, margin: Double, ground: Double, table: Double,
    thick: Int = 0
  ) -> (Double, Double) -> Double {
    return { x, y in
      let half = Double(count - 1) * pitch / 2
      func isLine(_ a: Double, _ b: Double) -> Bool {
        let index = ((a + half) / pitch).rounded()
        guard index >= 0, index <= Double(count - 1) else { return false }
        let width = thick > 0 && Int(index) % thick == 0 ? 2.5 * thickness : thickness
        return abs(a + half - index * pitch) < width / 2 && abs(b) < half + width / 2
      }
      if isLine(x, y) || isLine(y, x) { return 40 }
      if abs(x) < half + margin, abs(y) < half + margin { return grain(x, y, ground, 4) }
      return grain(x * 0.6, y * 0.6, table, 7)
    }
  }

  /// A felt within walls.
  static func tray(
    width: Double, height: Double, felt: Double, wall: Double, table: Double
  ) -> (Double, Double) -> Double {
    return { x, y in
      if abs(x) < width / 2, abs(y) < height / 2 { return grain(x * 2, y * 2, felt, 3) }
      if abs(x) < width / 2 + 1.5, abs(y) < height / 2 + 1.5 { return wall }
      return grain(x, y, table, 7)
    }
  }
}

/// The mean distance between corners that belong together, as a share of the picture's diagonal.
func cornerError(_ found: Quadrilateral, _ truth: Quadrilateral, _ image: PixelImage) -> Double {
  let (a, b) = (found.clockwiseFromUpperLeft(), truth.clockwiseFromUpperLeft())
  let best = (0..<4).map { turn in
    (0..<4).reduce(0.0) { $0 + a[($1 + turn) & 3].squaredDistance(to: b[$1]).squareRoot() } / 4
  }.min()!
  return best / Double(image.width * image.width + image.height * image.height).squareRoot()
}

/// Finds the light on the ground of a tile.
///
/// Light changes slowly but for the borders of shadows. It is found exactly at every fourth corner
/// of pixels and in the middle between them, and interpolated where these agree; elsewhere at every
/// second corner, and where these differ too, at each pixel.
struct TileLights {
  static let size = 16
  /// Nodes are every second corner of pixels.
  private static let nodesPerRow = size / 2 + 1

  private let stage: Stage
  private let candidates: Candidates
  private let left: Int
  private let top: Int
  /// Whether nothing that throws a shadow here is so narrow that it could lie between the nodes.
  private let interpolates: Bool
  private var nodes: [GroundLight]
  private var isKnown: [Bool]
  /// What is known of the cells of 4 by 4 pixels, and of their quarters.
  private var cells = [Kind](repeating: .unknown, count: 16)
  private var quarters = [Kind](repeating: .unknown, count: 64)

  private enum Kind: UInt8 {
    case unknown
    /// The light is interpolated between the corners.
    case even
    case uneven
  }

  /// Prepares a tile whose top-left pixel has the given column and row.
  init(_ stage: Stage, left: Int, top: Int, candidates: Candidates) {
    self.stage = stage
    self.candidates = candidates
    self.left = left
    self.top = top
    interpolates = TileLights.canInterpolate(stage, left, top, candidates)
    let count = interpolates ? TileLights.nodesPerRow * TileLights.nodesPerRow : 0
    nodes = [GroundLight](repeating: .unhindered, count: count)
    isKnown = [Bool](repeating: false, count: count)
  }

  private static func canInterpolate(
    _ stage: Stage, _ left: Int, _ top: Int, _ candidates: Candidates
  ) -> Bool {
    var farthest: Float = 0
    for corner in 0..<4 {
      let ray = stage.camera.ray(
        Float(left + (corner & 1) * size), Float(top + (corner >> 1) * size))
      guard ray.direction.z < -0.03 else { return false }
      farthest = max(farthest, -ray.origin.z / ray.direction.z)
    }
    let narrowest = 6 * farthest * stage.pixelAngle
    for index in candidates.shadows where stage.widths[index] < narrowest { return false }
    for index in candidates.near where stage.widths[index] < narrowest { return false }
    return true
  }

  /// The light at a pixel.
  ///
  /// - Parameters:
  ///   - column, row: the pixel's place in the tile, 0 to 15.
  ///   - point: the point of the ground that is seen at its centre.
  mutating func light(column: Int, row: Int, at point: Vector3) -> GroundLight {
    guard interpolates else { return stage.groundLight(at: point, candidates: candidates) }
    let cell = (row >> 2) * 4 + column >> 2
    let left = column >> 2 * 2
    let top = row >> 2 * 2
    if cells[cell] == .unknown { cells[cell] = kindOfCell(left, top) }
    if cells[cell] == .even {
      return between(
        left, top, 2, (Float(column & 3) + 0.5) * 0.25, (Float(row & 3) + 0.5) * 0.25)
    }
    let quarter = (row >> 1) * 8 + column >> 1
    if quarters[quarter] == .unknown {
      let isEven = isFlat(
        node(column >> 1, row >> 1), node(column >> 1 + 1, row >> 1),
        node(column >> 1, row >> 1 + 1), node(column >> 1 + 1, row >> 1 + 1), range: 0.12)
      quarters[quarter] = isEven ? .even : .uneven
    }
    if quarters[quarter] == .even {
      return between(
        column >> 1, row >> 1, 1, (Float(column & 1) + 0.5) * 0.5, (Float(row & 1) + 0.5) * 0.5)
    }
    return stage.groundLight(at: point, candidates: candidates)
  }

  private mutating func kindOfCell(_ left: Int, _ top: Int) -> Kind {
    let a = node(left, top)
    let b = node(left + 2, top)
    let c = node(left, top + 2)
    let d = node(left + 2, top + 2)
    let middle = node(left + 1, top + 1)
    return isFlat(a, b, c, d, range: 0.35) && agrees(a, b, c, d, middle) ? .even : .uneven
  }

  /// The light between four known nodes.
  @inline(__always)
  private func between(
    _ left: Int, _ top: Int, _ step: Int, _ across: Float, _ down: Float
  ) -> GroundLight {
    let upper = top * TileLights.nodesPerRow + left
    let lower = upper + step * TileLights.nodesPerRow
    if stage.hasTints {
      return .between(
        .between(nodes[upper], nodes[upper + step], across),
        .between(nodes[lower], nodes[lower + step], across), down)
    }
    let (a, b, c, d) = (nodes[upper], nodes[upper + step], nodes[lower], nodes[lower + step])
    let first = a.red + (b.red - a.red) * across
    let last = c.red + (d.red - c.red) * across
    let shares = first + (last - first) * down
    return GroundLight(
      open: mix(mix(a.open, b.open, across), mix(c.open, d.open, across), down), red: shares,
      green: shares, blue: shares)
  }

  private mutating func node(_ column: Int, _ row: Int) -> GroundLight {
    let index = row * TileLights.nodesPerRow + column
    if isKnown[index] { return nodes[index] }
    let ray = stage.camera.ray(Float(left + 2 * column), Float(top + 2 * row))
    let p = ray.point(at: -ray.origin.z / ray.direction.z)
    let light = stage.groundLight(at: p, candidates: candidates)
    nodes[index] = light
    isKnown[index] = true
    return light
  }

  /// Whether four corners differ by less than a range.
  @inline(__always)
  private func isFlat(
    _ a: GroundLight, _ b: GroundLight, _ c: GroundLight, _ d: GroundLight, range: Float
  ) -> Bool {
    @inline(__always)
    func isFlat(_ a: Lanes, _ b: Lanes, _ c: Lanes, _ d: Lanes) -> Bool {
      let most = maximum(maximum(a, b), maximum(c, d))
      let least = minimum(minimum(a, b), minimum(c, d))
      return !any(most - least .> range)
    }
    let open = max(max(a.open, b.open), max(c.open, d.open))
    guard open - min(min(a.open, b.open), min(c.open, d.open)) <= range,
      isFlat(a.red, b.red, c.red, d.red)
    else { return false }
    return !stage.hasTints
      || (isFlat(a.green, b.green, c.green, d.green) && isFlat(a.blue, b.blue, c.blue, d.blue))
  }

  /// Whether the mean of four corners is what was found in the middle.
  @inline(__always)
  private func agrees(
    _ a: GroundLight, _ b: GroundLight, _ c: GroundLight, _ d: GroundLight, _ middle: GroundLight
  ) -> Bool {
    let tolerance: Float = 0.012
    @inline(__always)
    func agrees(_ a: Lanes, _ b: Lanes, _ c: Lanes, _ d: Lanes, _ middle: Lanes) -> Bool {
      let difference = (a + b + c + d) * 0.25 - middle
      return !any(difference * difference .> tolerance * tolerance)
    }
    guard abs((a.open + b.open + c.open + d.open) * 0.25 - middle.open) <= tolerance,
      agrees(a.red, b.red, c.red, d.red, middle.red)
    else { return false }
    return !stage.hasTints
      || (agrees(a.green, b.green, c.green, d.green, middle.green)
        && agrees(a.blue, b.blue, c.blue, d.blue, middle.blue))
  }
}

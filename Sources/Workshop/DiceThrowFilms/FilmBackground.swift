/// What stands still in a film: ground, wall and board, with how far ahead each pixel's is.
struct FilmBackground: Sendable {
  /// Red, green and blue of each pixel.
  let samples: [UInt8]
  /// How far ahead of the camera each pixel's middle is, in metres.
  let depths: [Float]

  /// Draws with four rays for each pixel.
  init(_ view: FilmCamera, board: ThrowBoard, seed: UInt64) {
    let (width, height) = (view.camera.width, view.camera.height)
    let texture = FilmTexture(seed: seed)
    var samples = [UInt8](repeating: 0, count: width * height * 3)
    var depths = [Float](repeating: 0, count: width * height)
    for row in 0..<height {
      for column in 0..<width {
        var color = SIMD3<Double>.zero
        for part in 0..<4 {
          let ray = view.ray(
            x: Double(column) + (Double(part % 2) + 0.5) / 2,
            y: Double(row) + (Double(part / 2) + 0.5) / 2)
          let hit = Self.hit(from: view.position, along: ray, board, texture)
          color += hit.color / 4
          if part == 0 { depths[row * width + column] = Float(hit.depth) }
        }
        for channel in 0..<3 {
          samples[(row * width + column) * 3 + channel] = UInt8(min(max(color[channel], 0), 255))
        }
      }
    }
    self.samples = samples
    self.depths = depths
  }

  private static func hit(
    from eye: SIMD3<Double>, along ray: SIMD3<Double>, _ board: ThrowBoard,
    _ texture: FilmTexture
  ) -> (color: SIMD3<Double>, depth: Double) {
    var (color, depth) = (SIMD3(150.0, 150, 150), 1e3)
    // The wall behind, and the ground before it.
    let wall = (4.0 - eye.y) / ray.y
    if ray.y > 0, wall > 0 {
      let place = eye + ray * wall
      let shade =
        0.82 + 0.2 * texture.value(place.x, place.z, 0.5)
        + 0.08 * texture.value(place.x, place.z, 0.1)
      color = SIMD3(176.0, 168, 152) * shade
      depth = wall
    }
    let ground = -eye.z / ray.z
    if ray.z < 0, ground > 0, ground < depth {
      let place = eye + ray * ground
      let shade =
        0.72 + 0.3 * texture.value(place.x, place.y, 0.3)
        + 0.18 * texture.value(place.x, place.y, 0.05)
      color = SIMD3(84.0, 112, 76) * shade
      let isUnderBoard =
        place.x > board.distance - 0.05 && place.x < board.distance + board.length / 100 + 0.03
        && place.y.magnitude < board.width / 200 + 0.06
      if isUnderBoard { color *= 0.45 }
      depth = ground
    }
    // The side that faces the camera.
    let side = (-board.width / 200 - eye.y) / ray.y
    if side > 0, side < depth {
      let offset = eye + ray * side - board.origin
      let (along, up) = ((offset * board.along).sum(), (offset * board.normal).sum())
      if along >= 0, along <= board.length / 100, up <= 0, up >= -0.05 {
        (color, depth) = (SIMD3(118, 92, 60), side)
      }
    }
    let front = (board.distance - eye.x) / ray.x
    if front > 0, front < depth {
      let offset = eye + ray * front - board.origin
      if offset.y <= 0, offset.y >= -board.width / 100, offset.z <= 0, offset.z >= -0.05 {
        (color, depth) = (SIMD3(98, 76, 50), front)
      }
    }
    let slope = (ray * board.normal).sum()
    let top = ((board.origin - eye) * board.normal).sum() / slope
    if slope < 0, top > 0, top < depth {
      let offset = eye + ray * top - board.origin
      let place = SIMD2((offset * board.along).sum(), -offset.y) * 100
      if place.x >= 0, place.x <= board.length, place.y >= 0, place.y <= board.width {
        let out = place - board.hole
        let isHole = (out * out).sum() < board.holeRadius * board.holeRadius
        let grain = 0.94 + 0.1 * texture.value(place.x / 100, place.y / 12, 0.12)
        color = isHole ? SIMD3(24, 22, 20) : SIMD3(226.0, 200, 152) * grain
        depth = top
      }
    }
    return (color, depth)
  }
}

/// Smooth spots by chance.
struct FilmTexture: Sendable {
  let seed: UInt64

  /// A number from 0 to 1 at a place, in metres, with spots of a size.
  func value(_ x: Double, _ y: Double, _ size: Double) -> Double {
    let (u, v) = (x / size, y / size)
    let (column, row) = (u.rounded(.down), v.rounded(.down))
    let (across, down) = (u - column, v - row)
    let (i, j) = (Int(column), Int(row))
    let upper = hash(i, j) * (1 - across) + hash(i + 1, j) * across
    let lower = hash(i, j + 1) * (1 - across) + hash(i + 1, j + 1) * across
    return upper * (1 - down) + lower * down
  }

  private func hash(_ x: Int, _ y: Int) -> Double {
    var value = UInt64(truncatingIfNeeded: x &* 73_856_093 ^ y &* 19_349_663) ^ seed
    value = (value ^ value >> 31) &* 0x9E37_79B9_7F4A_7C15
    value = (value ^ value >> 29) &* 0xBF58_476D_1CE4_E5B9
    return Double(value >> 40) / Double(1 << 24)
  }
}

// Lattice noise from an integer hash: no tables, the same on every platform.

@inline(__always)
func latticeHash(_ x: Int32, _ y: Int32, _ seed: UInt32) -> UInt32 {
  var h = UInt32(bitPattern: x) &* 0x8DA6_B343 ^ UInt32(bitPattern: y) &* 0xD816_3841
  h ^= seed &* 0xCB1A_B31F
  h ^= h >> 16
  h = h &* 0x7FEB_352D
  h ^= h >> 15
  h = h &* 0x846C_A68B
  return h ^ (h >> 16)
}

@inline(__always)
func latticeHash(_ x: Int32, _ y: Int32, _ z: Int32, _ seed: UInt32) -> UInt32 {
  latticeHash(x, y, seed &+ UInt32(bitPattern: z) &* 0x9E37_79B1)
}

/// The hash as a number in 0 ..< 1.
@inline(__always)
func unitHash(_ x: Int32, _ y: Int32, _ seed: UInt32) -> Float {
  Float(latticeHash(x, y, seed) >> 8) * 0x1p-24
}

@inline(__always)
private func gradient(_ h: UInt32, _ x: Float, _ y: Float) -> Float {
  // Eight directions, told by three bits.
  let u = h & 4 == 0 ? x : y
  let v = h & 4 == 0 ? y : x
  return (h & 1 == 0 ? u : -u) + (h & 2 == 0 ? 0.5 * v : -0.5 * v)
}

/// Gradient noise in the plane, about -1 to 1.
@inline(__always)
func noise(_ p: Vector2, _ seed: UInt32) -> Float {
  let ix = wholeBelow(p.x)
  let iy = wholeBelow(p.y)
  let fx = p.x - Float(ix)
  let fy = p.y - Float(iy)
  let ux = fx * fx * fx * (fx * (fx * 6 - 15) + 10)
  let uy = fy * fy * fy * (fy * (fy * 6 - 15) + 10)
  let a = gradient(latticeHash(ix, iy, seed), fx, fy)
  let b = gradient(latticeHash(ix &+ 1, iy, seed), fx - 1, fy)
  let c = gradient(latticeHash(ix, iy &+ 1, seed), fx, fy - 1)
  let d = gradient(latticeHash(ix &+ 1, iy &+ 1, seed), fx - 1, fy - 1)
  return 1.4 * mix(mix(a, b, ux), mix(c, d, ux), uy)
}

/// Value noise in space, -1 to 1.
func noise(_ p: Vector3, _ seed: UInt32) -> Float {
  let ix = wholeBelow(p.x)
  let iy = wholeBelow(p.y)
  let iz = wholeBelow(p.z)
  let fx = p.x - Float(ix)
  let fy = p.y - Float(iy)
  let fz = p.z - Float(iz)
  let ux = fx * fx * (3 - 2 * fx)
  let uy = fy * fy * (3 - 2 * fy)
  let uz = fz * fz * (3 - 2 * fz)
  @inline(__always)
  func value(_ x: Int32, _ y: Int32, _ z: Int32) -> Float {
    Float(Int32(bitPattern: latticeHash(ix &+ x, iy &+ y, iz &+ z, seed))) * 0x1p-31
  }
  let near = mix(
    mix(value(0, 0, 0), value(1, 0, 0), ux), mix(value(0, 1, 0), value(1, 1, 0), ux), uy)
  let far = mix(
    mix(value(0, 0, 1), value(1, 0, 1), ux), mix(value(0, 1, 1), value(1, 1, 1), ux), uy)
  return mix(near, far, uz)
}

/// A sum of octaves of noise, about -1 to 1; octaves finer than the footprint fade out.
///
/// - Parameters:
///   - footprint: the size of a pixel in the units of `p`.
@inline(__always)
func fractal(_ p: Vector2, octaves: Int, footprint: Float, _ seed: UInt32) -> Float {
  var sum: Float = 0
  var amplitude: Float = 0.55
  var frequency: Float = 1
  for octave in 0..<octaves {
    let fade = saturate(2 - 3 * footprint * frequency)
    if fade <= 0 { break }
    sum += amplitude * fade * noise(p * frequency, seed &+ UInt32(truncatingIfNeeded: octave))
    amplitude *= 0.52
    frequency *= 2.03
  }
  return sum
}

/// A sum of octaves of noise in space.
func fractal(_ p: Vector3, octaves: Int, _ seed: UInt32) -> Float {
  var sum: Float = 0
  var amplitude: Float = 0.55
  var q = p
  for octave in 0..<octaves {
    sum += amplitude * noise(q, seed &+ UInt32(truncatingIfNeeded: octave))
    amplitude *= 0.5
    q = q * 2.03
  }
  return sum
}

/// The two nearest of one random point in each unit square.
struct Cell {
  /// Distance to the nearest point.
  var nearest: Float
  /// Distance to the second nearest point.
  var second: Float
  /// From the nearest point to here.
  var offset: Vector2
  /// A hash that belongs to the nearest point.
  var identity: UInt32
}

/// Cellular noise (Worley): `jitter` 0 is a grid, 1 fully random.
@inline(__always)
func cell(_ p: Vector2, jitter: Float, _ seed: UInt32) -> Cell {
  let ix = wholeBelow(p.x)
  let iy = wholeBelow(p.y)
  var result = Cell(nearest: 9, second: 9, offset: .zero, identity: 0)
  // The own square first: most of the others are then too far away to matter.
  for row: Int32 in 0..<3 {
    let dy = row == 0 ? 0 : row * 2 &- 3
    let awayY = dy == 0 ? 0 : dy < 0 ? p.y - Float(iy) : Float(iy &+ 1) - p.y
    if awayY * awayY > result.second { continue }
    for column: Int32 in 0..<3 {
      let dx = column == 0 ? 0 : column * 2 &- 3
      let awayX = dx == 0 ? 0 : dx < 0 ? p.x - Float(ix) : Float(ix &+ 1) - p.x
      if awayX * awayX + awayY * awayY > result.second { continue }
      let h = latticeHash(ix &+ dx, iy &+ dy, seed)
      let jx = (Float(h & 0xFFFF) * 0x1p-16 - 0.5) * jitter + 0.5
      let jy = (Float(h >> 16) * 0x1p-16 - 0.5) * jitter + 0.5
      let offset = Vector2(
        p.x - (Float(ix &+ dx) + jx), p.y - (Float(iy &+ dy) + jy))
      let square = dot(offset, offset)
      if square < result.nearest {
        result.second = result.nearest
        result.nearest = square
        result.offset = offset
        result.identity = h
      } else if square < result.second {
        result.second = square
      }
    }
  }
  result.nearest = result.nearest.squareRoot()
  result.second = result.second.squareRoot()
  return result
}

internal import DiceNumerics

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

/// Scrambles four hashes at once, as the last steps of `latticeHash` do.
@inline(__always)
private func scrambled(_ start: SIMD4<UInt32>) -> SIMD4<UInt32> {
  var h = start
  h ^= h &>> 16
  h = h &* 0x7FEB_352D
  h ^= h &>> 15
  h = h &* 0x846C_A68B
  return h ^ (h &>> 16)
}

/// The hashes of the corners of a unit square: (0, 0), (1, 0), (0, 1), (1, 1).
@inline(__always)
private func cornerHashes(_ x: Int32, _ y: Int32, _ seed: UInt32) -> SIMD4<UInt32> {
  let left = UInt32(bitPattern: x) &* 0x8DA6_B343
  let right = left &+ 0x8DA6_B343
  let top = UInt32(bitPattern: y) &* 0xD816_3841
  let bottom = top &+ 0xD816_3841
  return scrambled(
    SIMD4(left ^ top, right ^ top, left ^ bottom, right ^ bottom)
      ^ SIMD4(repeating: seed &* 0xCB1A_B31F))
}

@inline(__always)
private func bits(_ x: SIMD4<Float>) -> SIMD4<UInt32> {
  unsafe unsafeBitCast(x, to: SIMD4<UInt32>.self)
}

@inline(__always)
private func number(_ x: SIMD4<UInt32>) -> SIMD4<Float> {
  unsafe unsafeBitCast(x, to: SIMD4<Float>.self)
}

/// Gradient noise in the plane, about -1 to 1; bounded for every point but NaN.
@inline(__always)
private func gradientNoise(_ p: Vector2, _ seed: UInt32) -> Float {
  let ix = wholeBelow(p.x)
  let iy = wholeBelow(p.y)
  let fx = min(max(p.x, -4_000_000), 4_000_000) - Float(ix)
  let fy = min(max(p.y, -4_000_000), 4_000_000) - Float(iy)
  let ux = fx * fx * fx * (fx * (fx * 6 - 15) + 10)
  let uy = fy * fy * fy * (fy * (fy * 6 - 15) + 10)
  let h = cornerHashes(ix, iy, seed)
  let corners = gradients(h, SIMD4(fx, fx - 1, fx, fx - 1), SIMD4(fy, fy, fy - 1, fy - 1))
  let rows = corners.evenHalf + (corners.oddHalf - corners.evenHalf) * ux
  return 1.4 * mix(rows.x, rows.y, uy)
}

/// Gradient noise in the plane, about -1 to 1; bounded for every point but NaN.
@inline(never)
func noise(_ p: Vector2, _ seed: UInt32) -> Float { gradientNoise(p, seed) }

/// Value noise in space, -1 to 1.
@inline(never)
func noise(_ p: Vector3, _ seed: UInt32) -> Float {
  let ix = wholeBelow(p.x)
  let iy = wholeBelow(p.y)
  let iz = wholeBelow(p.z)
  return blended(
    latticeValues(ix, iy, iz, seed), p.x - Float(ix), p.y - Float(iy), p.z - Float(iz))
}

/// The values of value noise at the corners of a unit cube, x fastest, then y.
@inline(__always)
private func latticeValues(_ ix: Int32, _ iy: Int32, _ iz: Int32, _ seed: UInt32) -> SIMD8<Float> {
  let near = seed &+ UInt32(bitPattern: iz) &* 0x9E37_79B1
  let low = cornerHashes(ix, iy, near)
  let high = cornerHashes(ix, iy, near &+ 0x9E37_79B1)
  var result = SIMD8<Float>(repeating: 0)
  for lane in 0..<4 {
    result[lane] = Float(Int32(bitPattern: low[lane]))
    result[lane + 4] = Float(Int32(bitPattern: high[lane]))
  }
  return result * 0x1p-31
}

@inline(__always)
private func blended(_ corners: SIMD8<Float>, _ fx: Float, _ fy: Float, _ fz: Float) -> Float {
  let ux = fx * fx * (3 - 2 * fx)
  let uy = fy * fy * (3 - 2 * fy)
  let uz = fz * fz * (3 - 2 * fz)
  let rows = corners.evenHalf + (corners.oddHalf - corners.evenHalf) * ux
  let layers = rows.evenHalf + (rows.oddHalf - rows.evenHalf) * uy
  return mix(layers.x, layers.y, uz)
}

/// Value noise in a small cube around the origin, with the lattice's values kept.
struct NoiseBlock: Sendable {
  /// The cube goes from `-reach` to `reach` in each direction.
  private static let reach: Int32 = 3
  private static let side = Int(2 * reach)
  private let cells: [SIMD8<Float>]

  init(seed: UInt32) {
    var cells: [SIMD8<Float>] = []
    for z in -NoiseBlock.reach..<NoiseBlock.reach {
      for y in -NoiseBlock.reach..<NoiseBlock.reach {
        for x in -NoiseBlock.reach..<NoiseBlock.reach {
          cells.append(latticeValues(x, y, z, seed))
        }
      }
    }
    self.cells = cells
  }

  /// The same as `noise` inside the cube.
  @inline(__always)
  func value(at p: Vector3) -> Float {
    @inline(__always)
    func inside(_ x: Int32) -> Int { Int(min(max(x, -NoiseBlock.reach), NoiseBlock.reach - 1)) }
    let ix = inside(wholeBelow(p.x))
    let iy = inside(wholeBelow(p.y))
    let iz = inside(wholeBelow(p.z))
    let reach = Int(NoiseBlock.reach)
    let cell = ((iz + reach) * NoiseBlock.side + iy + reach) * NoiseBlock.side + ix + reach
    return blended(cells[cell], p.x - Float(ix), p.y - Float(iy), p.z - Float(iz))
  }
}

/// A sum of octaves of noise, about -1 to 1; octaves finer than the footprint fade out.
///
/// - Parameters:
///   - octaves: at most 5; the frequency of each is 2.03 times that of the one before.
///   - footprint: the size of a pixel in the units of `p`.
@inline(never)
func fractal(_ p: Vector2, octaves: Int, footprint: Float, _ seed: UInt32) -> Float {
  if octaves == 1 || 2 - 3 * 2.03 * footprint <= 0 {
    // Nothing but the first one is left.
    let fade = saturate(2 - 3 * footprint)
    return fade > 0 ? 0.55 * fade * gradientNoise(p, seed) : 0
  }
  // Four octaves at once, one in each lane.
  let frequencies = SIMD4<Float>(1, 2.03, 4.1209, 8.365427)
  let amplitudes = SIMD4<Float>(0.55, 0.286, 0.14872, 0.0773344)
  let fades = 2 - frequencies * (3 * footprint)
  let bounded = minimum(maximum(fades, SIMD4(repeating: 0)), SIMD4(repeating: 1))
  let parts =
    gradientNoise(frequencies * p.x, frequencies * p.y, seed) * (amplitudes * bounded)
  var sum = parts.x + parts.y
  if octaves > 2 { sum += parts.z }
  if octaves > 3 { sum += parts.w }
  let fade = saturate(2 - 3 * 16.981817 * footprint)
  if octaves > 4 && fade > 0 {
    sum += 0.040213888 * fade * gradientNoise(p * 16.981817, seed &+ 4)
  }
  return sum
}

/// The polynomial `6 f⁵ - 15 f⁴ + 10 f³`.
@inline(__always)
private func smoothStep(_ f: SIMD4<Float>) -> SIMD4<Float> {
  let cube: SIMD4<Float> = f * f * f
  let inner: SIMD4<Float> = f * 6 - 15
  return cube * (f * inner + 10)
}

/// Gradient noise at four points, each with the next seed.
@inline(__always)
private func gradientNoise(_ px: SIMD4<Float>, _ py: SIMD4<Float>, _ seed: UInt32) -> SIMD4<Float> {
  let (left, fx) = split(px)
  let (top, fy) = split(py)
  let ux = smoothStep(fx)
  let uy = smoothStep(fy)
  let west = left &* 0x8DA6_B343
  let east = west &+ 0x8DA6_B343
  let seeds =
    SIMD4(repeating: seed &* 0xCB1A_B31F)
    &+ SIMD4<UInt32>(0, 0xCB1A_B31F, 0x9635_663E, 0x6150_195D)
  let north = top &* 0xD816_3841
  let south = north &+ 0xD816_3841
  let a = gradients(scrambled(west ^ north ^ seeds), fx, fy)
  let b = gradients(scrambled(east ^ north ^ seeds), fx - 1, fy)
  let c = gradients(scrambled(west ^ south ^ seeds), fx, fy - 1)
  let d = gradients(scrambled(east ^ south ^ seeds), fx - 1, fy - 1)
  let upper = a + (b - a) * ux
  let lower = c + (d - c) * ux
  return 1.4 * (upper + (lower - upper) * uy)
}

/// The whole numbers below, and what is above them.
@inline(__always)
private func split(_ x: SIMD4<Float>) -> (whole: SIMD4<UInt32>, part: SIMD4<Float>) {
  let limit = SIMD4<Float>(repeating: 4_000_000)
  let bounded = minimum(maximum(x, -limit), limit)
  let shifted = bounded + 12_582_912
  let nearest = shifted - 12_582_912
  // One less where the nearest one is above.
  let below = nearest.replacing(with: nearest - 1, where: bounded .< nearest)
  return (bits(below + 12_582_912) &- 0x4B40_0000, bounded - below)
}

/// Eight directions, told by three bits: which axis counts in full, and the two signs.
@inline(__always)
private func gradients(
  _ h: SIMD4<UInt32>, _ px: SIMD4<Float>, _ py: SIMD4<Float>
) -> SIMD4<Float> {
  let x = bits(px)
  let y = bits(py)
  let swapped = (x ^ y) & (SIMD4<UInt32>(repeating: 0) &- ((h &>> 2) & 1))
  let full = number((x ^ swapped) ^ (h &<< 31))
  let half = number((y ^ swapped) ^ ((h & 2) &<< 30))
  return full + half * 0.5
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
@inline(never)
func cell(_ p: Vector2, jitter: Float, _ seed: UInt32) -> Cell {
  var search = CellSearch(p, jitter: jitter, seed)
  // Most of the other squares are too far away to matter.
  search.searchOuter { $0.second }
  return search.result
}

/// Cellular noise of which only the nearest point counts; `second` is a bound of the second distance.
@inline(never)
func nearestCell(_ p: Vector2, jitter: Float, _ seed: UInt32) -> Cell {
  var search = CellSearch(p, jitter: jitter, seed)
  search.searchOuter { $0.nearest }
  return search.result
}

/// The search for the nearest points.
///
/// The four unit squares around the nearest corner are searched first, all at once, then those of the
/// other five that can hold a nearer point. Distances are squared.
private struct CellSearch {
  private let p: Vector2
  private let ix: Int32
  private let iy: Int32
  private let fx: Float
  private let fy: Float
  private let jitter: Float
  private let seed: UInt32
  private var found = Cell(nearest: 9, second: 9, offset: .zero, identity: 0)

  @inline(__always)
  init(_ p: Vector2, jitter: Float, _ seed: UInt32) {
    self.p = p
    self.jitter = jitter
    self.seed = seed
    ix = wholeBelow(p.x)
    iy = wholeBelow(p.y)
    fx = p.x - Float(ix)
    fy = p.y - Float(iy)
    let left = fx < 0.5 ? ix &- 1 : ix
    let top = fy < 0.5 ? iy &- 1 : iy
    let hashes = cornerHashes(left, top, seed)
    let dx = p.x - Float(left)
    let dy = p.y - Float(top)
    // Hashes in halves; magic numbers turn the small ones into floating point.
    let low = number((hashes & 0xFFFF) | 0x4B00_0000) - 8_388_608
    let high = number((hashes &>> 16) | 0x4B00_0000) - 8_388_608
    let offsetX = SIMD4(dx, dx - 1, dx, dx - 1) - ((low * 0x1p-16 - 0.5) * jitter + 0.5)
    let offsetY = SIMD4(dy, dy, dy - 1, dy - 1) - ((high * 0x1p-16 - 0.5) * jitter + 0.5)
    let squares = offsetX * offsetX + offsetY * offsetY
    for lane in 0..<4 {
      take(squares[lane], Vector2(offsetX[lane], offsetY[lane]), hashes[lane])
    }
  }

  @inline(__always)
  private mutating func take(_ square: Float, _ offset: Vector2, _ identity: UInt32) {
    found.second = min(found.second, max(found.nearest, square))
    if square < found.nearest {
      found.nearest = square
      found.offset = offset
      found.identity = identity
    }
  }

  /// Looks at the squares that come nearer than a limit.
  @inline(__always)
  mutating func searchOuter(_ limit: (Cell) -> Float) {
    // How far away the far column and the far row are: at least a half.
    let awayX = fx < 0.5 ? 1 - fx : fx
    let awayY = fy < 0.5 ? 1 - fy : fy
    let nearer = min(awayX, awayY)
    guard nearer * nearer < limit(found) else { return }
    let farX: Int32 = fx < 0.5 ? 1 : -1
    let farY: Int32 = fy < 0.5 ? 1 : -1
    if awayX * awayX < limit(found) {
      look(farX, 0)
      look(farX, 0 &- farY)
    }
    if awayY * awayY < limit(found) {
      look(0, farY)
      look(0 &- farX, farY)
    }
    if awayX * awayX + awayY * awayY < limit(found) { look(farX, farY) }
  }

  @inline(__always)
  private mutating func look(_ dx: Int32, _ dy: Int32) {
    let h = latticeHash(ix &+ dx, iy &+ dy, seed)
    let jx = (Float(h & 0xFFFF) * 0x1p-16 - 0.5) * jitter + 0.5
    let jy = (Float(h >> 16) * 0x1p-16 - 0.5) * jitter + 0.5
    let offset = Vector2(p.x - (Float(ix &+ dx) + jx), p.y - (Float(iy &+ dy) + jy))
    take(dot(offset, offset), offset, h)
  }

  /// What was found, with distances.
  var result: Cell {
    var result = found
    result.nearest = found.nearest.squareRoot()
    result.second = found.second.squareRoot()
    return result
  }
}

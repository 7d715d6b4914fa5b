internal import DiceNumerics

/// Where parallel lines of a plane meet in the picture, perhaps infinitely far away.
///
/// Homogeneous, of length 1, in a frame whose origin is the picture's middle and whose unit is half its
/// diagonal.
struct VanishingPoint {
  var place: SIMD3<Double>

  /// Towards the point from a place in the frame, of length 1.
  func direction(from point: SIMD2<Double>) -> SIMD2<Double> {
    let direction = SIMD2(place.x, place.y) - place.z * point
    return direction / max(direction.length, 1e-12)
  }
}

/// Segments in the frame of the picture's middle, and what vanishing points they have.
struct SegmentBundle {
  let center: SIMD2<Double>
  let scale: Double
  let segments: [LineSegment]
  private let lines: [SIMD3<Double>]

  /// The sine of the greatest angle between a segment and the direction to its vanishing point.
  static let tolerance = 0.035

  init(_ segments: [LineSegment], width: Int, height: Int) {
    let center = SIMD2(Double(width), Double(height)) / 2
    let scale = center.length
    (self.center, self.scale) = (center, scale)
    self.segments = segments.map {
      LineSegment(start: ($0.start - center) / scale, end: ($0.end - center) / scale)
    }
    lines = self.segments.map {
      let normal = $0.direction.perpendicular
      return SIMD3(normal.x, normal.y, -normal.dot($0.middle))
    }
  }

  /// How well a segment agrees: 1 for one that points to the vanishing point, 0 beyond the tolerance.
  func agreement(_ index: Int, _ point: VanishingPoint) -> Double {
    let segment = segments[index]
    let sine = segment.direction.cross(point.direction(from: segment.middle))
    return max(0, 1 - sine * sine / (Self.tolerance * Self.tolerance))
  }

  func support(of point: VanishingPoint) -> Double {
    var sum = 0.0
    for index in segments.indices { sum += segments[index].length * agreement(index, point) }
    return sum
  }

  /// The vanishing points with the most support, best first, of directions that differ in the middle.
  func vanishingPoints(limit: Int) -> [VanishingPoint] {
    guard segments.count >= 4 else { return [] }
    var random = SplitMix64(seed: 1)
    var totals: [Double] = []
    for segment in segments { totals.append((totals.last ?? 0) + segment.length) }
    func draw() -> Int {
      let wanted = totals.last! * Double(random.next() >> 11) * 0x1p-53
      var (low, high) = (0, totals.count - 1)
      while low < high {
        let middle = (low + high) / 2
        if totals[middle] > wanted { high = middle } else { low = middle + 1 }
      }
      return low
    }
    var found: [(point: VanishingPoint, support: Double)] = []
    for _ in 0..<900 {
      let (first, second) = (draw(), draw())
      guard first != second,
        abs(segments[first].direction.dot(segments[second].direction)) > 0.6,
        let point = Self.meeting(lines[first], lines[second])
      else { continue }
      let support = support(of: point)
      // One of each direction is kept.
      if let index = found.firstIndex(where: { isAlike($0.point, point) }) {
        if support > found[index].support {
          found.remove(at: index)
        } else {
          continue
        }
      }
      let place = found.firstIndex { $0.support < support } ?? found.count
      found.insert((point, support), at: place)
      if found.count > 12 { found.removeLast() }
    }
    return found.prefix(limit).map { refined($0.point) }
  }

  private func isAlike(_ first: VanishingPoint, _ second: VanishingPoint) -> Bool {
    let cosine = first.direction(from: .zero).dot(second.direction(from: .zero))
    return abs(cosine) > 0.97
  }

  private static func meeting(_ a: SIMD3<Double>, _ b: SIMD3<Double>) -> VanishingPoint? {
    let place = a.cross(b)
    let length = (place * place).sum().squareRoot()
    return length > 1e-9 ? VanishingPoint(place: place / length) : nil
  }

  /// Least squares over the segments in agreement, a few times.
  private func refined(_ point: VanishingPoint) -> VanishingPoint {
    var point = point
    for _ in 0..<4 {
      let place = point.place
      let helper: SIMD3<Double> = abs(place.z) < 0.7 ? SIMD3(0, 0, 1) : SIMD3(1, 0, 0)
      var u = place.cross(helper)
      u /= (u * u).sum().squareRoot()
      let v = place.cross(u)
      var equations = NormalEquations(unknownCount: 2)
      for index in segments.indices {
        let agreement = agreement(index, point)
        guard agreement > 0 else { continue }
        let segment = segments[index]
        let distance = max(1e-6, (SIMD2(place.x, place.y) - place.z * segment.middle).length)
        let line = lines[index] / distance
        equations.add(
          SIMD8((line * u).sum(), (line * v).sum(), 0, 0, 0, 0, 0, 0),
          value: -(line * place).sum(), weight: segment.length * agreement)
      }
      guard let step = equations.solution() else { break }
      let moved = place + step[0] * u + step[1] * v
      let next = VanishingPoint(place: moved / (moved * moved).sum().squareRoot())
      guard support(of: next) >= support(of: point) else { break }
      point = next
    }
    return point
  }
}

extension SIMD3<Double> {
  func cross(_ b: SIMD3<Double>) -> SIMD3<Double> {
    SIMD3(y * b.z - z * b.y, z * b.x - x * b.z, x * b.y - y * b.x)
  }
}

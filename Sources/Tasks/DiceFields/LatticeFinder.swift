internal import DiceGeometry

/// A lattice in a picture with the box that is its playing field.
struct FoundLattice {
  var lattice: Lattice
  var box: LatticeBox
  /// What speaks for it: the evidence in the box in pixels of lines, and how much of it is there.
  var score: Double
  /// The mean evidence of an edge, −1...1.
  var mean: Double

  /// The least distance of two lines in the middle of the box, in pixels: nearer ones are texture.
  static let leastSpacing = 4.0
  /// The same in the cells at the corners, of which some are farther away.
  static let leastCornerSpacing = 2.0

  /// How many times as many cells there may be in one direction as in the other: no board is longer.
  static let greatestRatio = 6

  /// Nil where the box would reach behind the camera, where its lines are too near to each other, and where it
  /// is too long.
  init?(_ lattice: Lattice, _ scored: LatticeBoxes.Scored) {
    self.lattice = lattice
    box = scored.box
    mean = scored.mean
    score = 0
    guard box.columns <= Self.greatestRatio * box.rows,
      box.rows <= Self.greatestRatio * box.columns,
      isVisible(box), isWide, let outline, outline.isConvex
    else {
      return nil
    }
    let pitch = (outline.area / Double(box.columns * box.rows)).squareRoot()
    score = scored.score * pitch * max(0, mean).squareRoot().squareRoot()
  }

  /// The box in the picture, clockwise from the upper left.
  var outline: Quadrilateral? {
    let corners = corners(of: box).map { PixelPoint(x: $0.x, y: $0.y) }
    return Quadrilateral(corners: corners)?.clockwiseFromUpperLeft()
  }

  /// Whether the lines are far enough from each other in the middle of the box and in the cells at its corners.
  private var isWide: Bool {
    let (u0, u1) = (Double(box.minU) + 0.5, Double(box.maxU) - 0.5)
    let (v0, v1) = (Double(box.minV) + 0.5, Double(box.maxV) - 0.5)
    guard spacing(0.5 * (u0 + u1), 0.5 * (v0 + v1)) >= Self.leastSpacing else { return false }
    return [u0, u1].allSatisfy { u in
      [v0, v1].allSatisfy { v in spacing(u, v) >= Self.leastCornerSpacing }
    }
  }

  /// How far two lines of the lattice are from each other around a place of it, in pixels: the lesser of both
  /// directions.
  private func spacing(_ u: Double, _ v: Double) -> Double {
    let across = lattice.point(u + 0.5, v) - lattice.point(u - 0.5, v)
    let down = lattice.point(u, v + 0.5) - lattice.point(u, v - 0.5)
    let longer = max(across.length, down.length)
    return longer > 0 ? abs(across.cross(down)) / longer : 0
  }

  func corners(of box: LatticeBox) -> [SIMD2<Double>] {
    let (u0, u1) = (Double(box.minU), Double(box.maxU))
    let (v0, v1) = (Double(box.minV), Double(box.maxV))
    return [
      lattice.point(u0, v0), lattice.point(u1, v0), lattice.point(u1, v1), lattice.point(u0, v1),
    ]
  }

  func isVisible(_ box: LatticeBox) -> Bool {
    for u in [box.minU, box.maxU] {
      for v in [box.minV, box.maxV] where !lattice.isVisible(Double(u), Double(v)) { return false }
    }
    return true
  }
}

/// Finds lattices: boards of squares, printed grids, rulings.
enum LatticeFinder {
  static let leastPitch = 7.0

  static func lattices(in field: GradientField, segments: [LineSegment]) -> [FoundLattice] {
    let bundle = SegmentBundle(segments, width: field.width, height: field.height)
    let points = bundle.vanishingPoints(limit: 5)
    var pairs: [(Int, Int, Double)] = []
    let supports = points.map { bundle.support(of: $0) }
    for first in points.indices {
      for second in points.indices where second > first {
        let sine = points[first].direction(from: .zero).cross(
          points[second].direction(from: .zero))
        guard abs(sine) > 0.35 else { continue }
        pairs.append(
          (first, second, (supports[first] * supports[second]).squareRoot() * abs(sine)))
      }
    }
    pairs.sort { $0.2 > $1.2 }
    var found: [FoundLattice] = []
    for (first, second, _) in pairs.prefix(3) {
      guard
        let plane = RectifiedPlane(
          points[first], points[second], center: bundle.center, scale: bundle.scale)
      else { continue }
      found += lattices(in: field, segments, bundle, points[first], points[second], plane)
    }
    return found.sorted { $0.score > $1.score }
  }

  private static func lattices(
    in field: GradientField, _ segments: [LineSegment], _ bundle: SegmentBundle,
    _ first: VanishingPoint, _ second: VanishingPoint, _ plane: RectifiedPlane
  ) -> [FoundLattice] {
    var (uPlaces, vPlaces): ([(place: Double, weight: Double)], [(place: Double, weight: Double)]) =
      ([], [])
    var (uSegments, vSegments): ([LineSegment], [LineSegment]) = ([], [])
    for (index, segment) in segments.enumerated() {
      guard plane.map.weight(at: segment.middle) > 0.1 else { continue }
      let place = plane.map.map(segment.middle)
      let (a, b) = (bundle.agreement(index, first), bundle.agreement(index, second))
      if a > max(0, b) {
        uPlaces.append((place.x, segment.length))
        uSegments.append(segment)
      } else if b > 0 {
        vPlaces.append((place.y, segment.length))
        vSegments.append(segment)
      }
    }
    let tolerance = 3.0
    let us = LinePeriods(uPlaces, tolerance: tolerance).best(
      leastPeriod: leastPitch, tolerance: 3.5, limit: 4)
    let vs = LinePeriods(vPlaces, tolerance: tolerance).best(
      leastPeriod: leastPitch, tolerance: 3.5, limit: 4)
    var drafts: [FoundLattice] = []
    for u in us {
      for v in vs {
        guard u.period < 6 * v.period, v.period < 6 * u.period,
          var lattice = Lattice(plane, u, v)
        else { continue }
        align(&lattice, uSegments, vSegments, in: field)
        let evidence = LatticeEvidence(lattice, in: field, reach: 4, sampleCount: 4)
        if let first = LatticeBoxes(evidence).best(limit: 1).first,
          let draft = FoundLattice(lattice, first)
        {
          drafts.append(draft)
        }
      }
    }
    return drafts.sorted { $0.score > $1.score }.prefix(4).flatMap { refined($0, in: field) }
  }

  /// Fits a lattice to the segments near its lines.
  private static func align(
    _ lattice: inout Lattice, _ us: [LineSegment], _ vs: [LineSegment], in field: GradientField
  ) {
    for tolerance in [0.2, 0.12] {
      var sightings: [Lattice.Sighting] = []
      for (segments, isUpright) in [(us, true), (vs, false)] {
        for segment in segments {
          for point in [segment.start, segment.end] {
            let place = lattice.inverse.map(point)
            let value = isUpright ? place.x : place.y
            guard abs(value) < 60, abs(value - value.rounded()) < tolerance else { continue }
            sightings.append(
              Lattice.Sighting(
                point: point, line: value.rounded(), isUpright: isUpright, weight: segment.length))
          }
        }
      }
      var next = lattice
      guard next.fit(sightings, width: field.width, height: field.height) else { return }
      lattice = next
    }
    // The middle of what was seen.
    var (sum, weight) = (SIMD2<Double>.zero, 0.0)
    for segment in us + vs {
      sum += segment.length * segment.middle
      weight += segment.length
    }
    if weight > 0 { lattice.recenter(at: sum / weight) }
  }

  /// The lattice fitted to the edges in its box, and the best boxes after that.
  private static func refined(_ draft: FoundLattice, in field: GradientField) -> [FoundLattice] {
    var lattice = draft.lattice
    for reach in [4.0, 3.0] {
      let near = LatticeEvidence(lattice, in: field, reach: reach, within: draft.box)
      var next = lattice
      guard next.fit(near.sightings, width: field.width, height: field.height) else { break }
      lattice = next
    }
    let evidence = LatticeEvidence(lattice, in: field, reach: 2.5)
    return LatticeBoxes(evidence).best(limit: 12).compactMap { FoundLattice(lattice, $0) }
  }
}

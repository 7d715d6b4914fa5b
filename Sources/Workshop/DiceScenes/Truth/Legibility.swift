internal import DiceNumerics

/// How well a picture shows the value of a face to somebody who knows the die and where it lies.
///
/// A die can be seen and yet not be read: three pixels wide, in the dark, pips in the colours of
/// their marble, half of them behind another die. A label for such a die would ask for a guess.
public struct Legibility: Hashable, Sendable {
  /// How far apart the pips of the face and those of the nearest other value are in the picture,
  /// in standard deviations of what varies between pips (and between places without them).
  ///
  /// Counted are the places that the picture shows where just one of the two values has a pip. 0
  /// where the picture shows no such place.
  public var separation: Double
  /// The least distance in the picture between two neighbouring places of pips, in pixels.
  ///
  /// Between the cells of a grid of seven by seven on faces with numerals or symbols.
  public var spacing: Double

  /// The separation that a value needs in order to be read.
  ///
  /// Looked at one by one, faces below it are such that a reader has to guess.
  public static let leastSeparation = 3.0
  /// The spacing that a value needs in order to be read.
  ///
  /// Dots that are closer run into each other whatever their colour.
  public static let leastSpacing = 1.5

  /// Whether the value can be read.
  public var isSufficient: Bool {
    separation >= Self.leastSeparation && spacing >= Self.leastSpacing
  }

  /// How legible a face is.
  public init(separation: Double, spacing: Double) {
    self.separation = separation
    self.spacing = spacing
  }
}

/// The places of a face that are painted for some value, and for which.
struct FacePattern {
  /// Where they are on the face, in halves of the edge from its middle.
  private(set) var places: [Vector2] = []
  /// How far a place reaches.
  let radius: Float
  /// How far the place in the middle reaches where the face shows a one with a larger pip; else 0.
  private(set) var largeRadius: Float = 0
  /// The distance between neighbouring places.
  let pitch: Float
  /// What each way to draw a value paints: the value, and whether each place is painted.
  private(set) var drawings: [(value: Int, isPainted: [Bool])] = []
  /// Which of the drawings the face shows.
  private(set) var shown = 0

  init(
    places: [Vector2], radius: Float, pitch: Float, drawings: [(value: Int, isPainted: [Bool])],
    shown: Int
  ) {
    self.places = places
    self.radius = radius
    self.pitch = pitch
    self.drawings = drawings
    self.shown = shown
  }

  /// - Parameters:
  ///   - isTurned: whether the pips of the value are turned by a quarter.
  init(_ style: PipStyle, value: Int, isTurned: Bool) {
    let numerals = style.numerals
    let symbols = style.symbols
    if numerals != nil || symbols != nil {
      let count = 7
      let step = 2 * 0.8 / Float(count)
      radius = step * 0.5
      pitch = step
      for row in 0..<count {
        for column in 0..<count {
          places.append((Vector2(Float(column), Float(row)) - Float(count - 1) * 0.5) * step)
        }
      }
      for other in 1...6 {
        // Another value may stand on the face in any of four ways; it is as hard to tell in each.
        drawings.append(
          (
            other,
            places.map {
              symbols?.covers($0, value: other) ?? numerals?.covers($0, value: other) ?? false
            }
          ))
      }
      shown = value - 1
      return
    }
    radius = style.radius
    pitch = min(style.spacing, style.columnSpacing)
    if value == 1 && style.oneFactor > 1 { largeRadius = style.radius(ofValue: 1) }
    var spots: [(value: Int, isTurned: Bool, positions: [Vector2])] = []
    for other in 1...6 {
      for turned in [false, true] {
        if turned && (other == 1 || other == 4 || other == 5) { continue }
        let positions = (0..<other).map {
          let p = style.position(of: $0, value: other)
          return turned ? Vector2(-p.y, p.x) : p
        }
        if other == value && turned == (isTurned && ![1, 4, 5].contains(value)) {
          shown = spots.count
        }
        spots.append((other, turned, positions))
      }
    }
    // The pips of the face itself lie where they are; those of other values join them.
    for position in spots[shown].positions + spots.flatMap({ $0.positions })
    where !places.contains(where: { length($0 - position) < radius }) {
      places.append(position)
    }
    for spot in spots {
      drawings.append(
        (
          spot.value,
          places.map { place in spot.positions.contains { length($0 - place) < radius } }
        ))
    }
  }
}

extension FacePattern {
  /// How legible the face is.
  ///
  /// - Parameters:
  ///   - features: for each place what the picture shows there, nil where it does not show it;
  ///     each has the same number of elements.
  ///   - noise: the standard deviation of an element in a picture of one colour, at least.
  /// - Returns: the least separation from the drawings of other values.
  func separation(_ features: [[Float]?], noise: Float) -> Double {
    let isPainted = drawings[shown].isPainted
    // A blank face has nothing that could fail to stand out.
    guard isPainted.contains(true) else { return .infinity }
    var sums: [[Float]] = [[], []]
    var counts: [Float] = [0, 0]
    for (feature, isPainted) in zip(features, isPainted) {
      guard let feature else { continue }
      let kind = isPainted ? 1 : 0
      counts[kind] += 1
      sums[kind] =
        sums[kind].isEmpty ? feature : zip(sums[kind], feature).map { $0 + $1 }
    }
    guard counts[0] > 0, counts[1] > 0 else { return 0 }
    let means = (0..<2).map { kind in sums[kind].map { $0 / counts[kind] } }
    var scatter: Float = 0
    for (feature, isPainted) in zip(features, isPainted) {
      guard let feature else { continue }
      for (x, mean) in zip(feature, means[isPainted ? 1 : 0]) { scatter += (x - mean) * (x - mean) }
    }
    let count = Float(means[0].count)
    let variance = scatter / max(counts[0] + counts[1] - 2, 1) + count * noise * noise
    var difference: Float = 0
    for (a, b) in zip(means[0], means[1]) { difference += (a - b) * (a - b) }
    // Means of few places differ by themselves.
    let square = max(difference / variance - (1 / counts[0] + 1 / counts[1]), 0)
    var least = Double.infinity
    for drawing in drawings where drawing.value != drawings[shown].value {
      var differing = 0
      for index in places.indices
      where features[index] != nil && drawing.isPainted[index] != isPainted[index] {
        differing += 1
      }
      least = min(least, Double(square * Float(differing)).squareRoot())
    }
    return least
  }
}

extension TruthFinder {
  /// How legible the top face of a die is in a picture of the stage.
  ///
  /// - Parameters:
  ///   - samples: the picture, `[height, width, 3]`.
  func legibility(ofDie index: Int, samples: [UInt8]) -> Legibility {
    let solid = stage.solids[index]
    let appearance = stage.scene.appearances[solid.look]
    let side = stage.topSides[index]
    let value = appearance.layout.value(onSide: side)
    let pattern = FacePattern(
      appearance.pips, value: value, isTurned: appearance.layout.isTurned(value))
    let blockers = blockers(of: index)
    let isNumeral = appearance.pips.numerals != nil || appearance.pips.symbols != nil

    /// Where a point of the face is in the picture, nil where it is hidden or outside.
    func pixel(_ point: Vector2) -> Vector2? {
      let local = DieLayout.point(point, height: 1, onSide: side)
      let world = solid.toWorld(local)
      let view = world - stage.scene.camera.position
      guard dot(solid.rotation.toWorld(DieLayout.direction(ofSide: side)), view) < 0,
        let pixel = stage.camera.project(world), isInside(pixel), !isHidden(view, blockers)
      else { return nil }
      return pixel
    }
    /// The picture's colour around the points of a place, nil where most of them cannot be seen or lie
    /// no farther than a distance from the middle of the face.
    func colours(_ points: [Vector2], beyond distance: Float) -> [Vector3]? {
      var result: [Vector3?] = []
      var sum = Vector3.zero
      var count: Float = 0
      for point in points {
        let isBeyond = length(point) > distance
        let colour = isBeyond ? pixel(point).map { stage.colour(at: $0, in: samples) } : nil
        result.append(colour)
        if let colour {
          sum += colour
          count += 1
        }
      }
      guard count * 3 >= Float(points.count) * 2 else { return nil }
      return result.map { $0 ?? sum / count }
    }

    let features = pattern.places.map { place -> [Float]? in
      let isLarge = pattern.largeRadius > 0 && place == .zero
      let radius = isLarge ? pattern.largeRadius : pattern.radius
      // What a large pip covers of the other places does not count.
      let covered = isLarge || pattern.largeRadius == 0 ? -1 : pattern.largeRadius
      let inner = FacePattern.disc.map { place + $0 * radius }
      guard let inside = colours(inner, beyond: covered) else { return nil }
      guard !isNumeral else {
        return inside.reduce(Vector3.zero, +).components.map { $0 / Float(inside.count) }
      }
      // Against what surrounds the place, so that light that changes along the face does not count.
      let around = FacePattern.rim.map { place + $0 * radius }
      guard let outside = colours(around, beyond: covered) else { return nil }
      let ground = outside.reduce(Vector3.zero, +) / Float(outside.count)
      return inside.flatMap { ($0 - ground).components }
    }
    return Legibility(
      separation: pattern.separation(features, noise: 2),
      spacing: Double(pattern.pitch * scale(ofDie: index)))
  }

  /// How long the shortest line of the top face's middle is in the picture, in pixels for half an
  /// edge; 0 where the face cannot be seen.
  private func scale(ofDie index: Int) -> Float {
    let solid = stage.solids[index]
    func pixel(_ x: Float, _ y: Float) -> Vector2? {
      let local = DieLayout.point(Vector2(x, y), height: 1, onSide: stage.topSides[index])
      return stage.camera.project(solid.toWorld(local))
    }
    let h: Float = 0.25
    guard let left = pixel(-h, 0), let right = pixel(h, 0), let low = pixel(0, -h),
      let high = pixel(0, h)
    else { return 0 }
    return leastScale((right - left) / (2 * h), (high - low) / (2 * h))
  }

  /// The smaller singular value of the matrix with these columns.
  func leastScale(_ a: Vector2, _ b: Vector2) -> Float {
    let mean = (dot(a, a) + dot(b, b)) * 0.5
    let determinant = a.x * b.y - a.y * b.x
    let root = max(mean * mean - determinant * determinant, 0).squareRoot()
    return max(mean - root, 0).squareRoot()
  }
}

extension FacePattern {
  /// Points of a place, and of what surrounds it, in its radii.
  static let disc: [Vector2] = (0..<13).map { number in
    number == 0 ? .zero : spoke(number - 1, of: 6) * (number <= 6 ? 0.4 : 0.8)
  }
  static let rim: [Vector2] = (0..<10).map { spoke($0, of: 10) * 1.4 }

  private static func spoke(_ number: Int, of count: Int) -> Vector2 {
    let turns = Float(number % count) / Float(count)
    return Vector2(cosineOfTurns(turns), cosineOfTurns(turns - 0.25))
  }
}

extension SIMD3<Float> {
  fileprivate var components: [Float] { [x, y, z] }
}

extension Stage {
  /// A picture's colour at a point, between the four pixels around it, in levels of 0 to 255.
  func colour(at point: Vector2, in samples: [UInt8]) -> Vector3 {
    let x = clamp(point.x - 0.5, 0, Float(width - 1))
    let y = clamp(point.y - 0.5, 0, Float(height - 1))
    let (left, top) = (Int(x), Int(y))
    let (right, bottom) = (min(left + 1, width - 1), min(top + 1, height - 1))
    func pixel(_ x: Int, _ y: Int) -> Vector3 {
      let start = (y * width + x) * 3
      return Vector3(Float(samples[start]), Float(samples[start + 1]), Float(samples[start + 2]))
    }
    let across = x - Float(left)
    return mix(
      mix(pixel(left, top), pixel(right, top), across),
      mix(pixel(left, bottom), pixel(right, bottom), across), y - Float(top))
  }
}

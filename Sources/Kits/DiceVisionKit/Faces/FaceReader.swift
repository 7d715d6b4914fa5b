internal import DiceGeometry
internal import DiceImaging
internal import DiceNumerics

/// The maps of taught faces, ready to be compared.
struct FaceReader: Sendable {
  /// The names of the faces with what they count, and that of an unknown one behind them.
  let labels: ClassLabels
  let rule: PipelineProfile.Faces
  /// `[maps, rings, angles]`, made comparable.
  let maps: [Float]
  /// For each map the number that stands for how faint it is.
  let remainders: [Float]
  /// For each face, how many maps there are up to its last one.
  let ends: [Int]

  /// - Parameter faces: A set with one face at least.
  init(_ faces: FaceSet, rule: PipelineProfile.Faces) {
    var (names, values, ends) = ([String](), [Int](), [Int]())
    var (maps, remainders) = ([Float](), [Float]())
    var mapCount = 0
    for face in faces.faces {
      names.append(face.name)
      values.append(face.value)
      for number in face.maps { maps.append(Float(number) / FaceMap.unit) }
      mapCount += face.exampleCount
      ends.append(mapCount)
    }
    var comparable = maps
    for index in 0..<mapCount {
      remainders.append(
        FaceComparison.makeComparable(maps, from: index * FaceMap.count, into: &comparable))
    }
    labels = ClassLabels(taught: names, values: values)
    (self.rule, self.maps, self.remainders, self.ends) = (rule, comparable, remainders, ends)
  }
}

/// Compares a die with taught faces.
///
/// What counts on a ring is how it changes. With `d` the numbers of a map (``FaceMap``), `e` each of
/// them less three quarters of the mean of the seven about it on its ring, and `w` the share of each
/// in the map's area, a map is made comparable by
///
///     n = √(Σ w e² + 0.015²)      v = √w · e / n      rest = 0.015 / n
///
/// so that `Σ v² + rest² = 1`; the rest is near 1 where nothing is drawn on a face. The likeness of
/// two maps is `Σ v v' + rest rest'`, -1 to 1, and that of a die and a face the greatest one for any
/// angle, any of the face's examples, and each of ``FaceMap/scales`` and of ``FaceMap/shifts`` of the
/// die's map. Examples that are far less alike than the best one before shifts are passed over. With
/// likenesses `s` the probabilities of the faces are
///
///     p[f] = exp(sharpness · s[f]) / (exp(sharpness · leastLikeness) + Σ exp(sharpness · s))
///
/// and that of an unknown face is what is left.
struct FaceComparison {
  /// The relative contrast of edges at which a face counts half as empty.
  private static let faintness: Float = 0.015

  /// Of two examples, how much less alike one may be before shifts to stay in the running.
  private static let margin: Float = 0.3

  private var mapper = FaceMapper()
  private var map = [Float](repeating: 0, count: FaceMap.count)
  private var comparable = [Float](repeating: 0, count: FaceMap.count)
  /// The rings of the map, each twice in a row, so that a turned ring lies in one piece.
  private var rings = [Float](repeating: 0, count: 2 * FaceMap.count)
  /// For each map of the reader the greatest likeness.
  private var likenesses: [Float] = []
  /// The probability of each face, then that of an unknown one.
  private(set) var probabilities: [Float] = []

  /// Compares a die; where its box has no picture, the face is unknown.
  mutating func compare(
    _ box: BoundingBox, in frame: borrowing RawFrame, through transform: ImageTransform,
    with reader: FaceReader
  ) {
    likenesses.removeAll(keepingCapacity: true)
    for _ in reader.remainders { likenesses.append(-1) }
    if mapper.look(at: box, in: frame, through: transform) {
      for scale in FaceMap.scales {
        mapper.draw(scale: scale, into: &map)
        compare(with: reader, from: -1)
      }
      var best: Float = -1
      for likeness in likenesses { best = max(best, likeness) }
      for x in FaceMap.shifts {
        for y in FaceMap.shifts where x != 0 || y != 0 {
          for scale in FaceMap.scales {
            mapper.draw(scale: scale, shift: SIMD2(x, y), into: &map)
            compare(with: reader, from: best - Self.margin)
          }
        }
      }
    }
    tell(reader)
  }

  /// Raises the likenesses that are at least so great to those of the map as it is.
  private mutating func compare(with reader: FaceReader, from least: Float) {
    let rest = Self.makeComparable(map, into: &comparable)
    let angles = FaceMap.angleCount
    for ring in 0..<FaceMap.ringCount {
      for angle in 0..<angles {
        let number = comparable[ring * angles + angle]
        rings[2 * ring * angles + angle] = number
        rings[(2 * ring + 1) * angles + angle] = number
      }
    }
    unsafe rings.withUnsafeBytes { (rings) in
      for index in likenesses.indices where likenesses[index] >= least {
        let likeness = unsafe Self.greatestProduct(rings, reader.maps, from: index * FaceMap.count)
        likenesses[index] = max(likenesses[index], likeness + rest * reader.remainders[index])
      }
    }
  }

  /// The greatest scalar product of a map and another one that is turned by each of the angles.
  ///
  /// Vectors of eight lanes: those of 32 are computed number by number.
  private static func greatestProduct(
    _ rings: UnsafeRawBufferPointer, _ maps: [Float], from start: Int
  ) -> Float {
    var (first, second) = (SIMD8<Float>.zero, SIMD8<Float>.zero)
    var (third, fourth) = (SIMD8<Float>.zero, SIMD8<Float>.zero)
    let step = MemoryLayout<SIMD8<Float>>.stride
    var place = start
    for ring in 0..<FaceMap.ringCount {
      for angle in 0..<FaceMap.angleCount {
        let offset = (2 * ring * FaceMap.angleCount + angle) * MemoryLayout<Float>.stride
        func turned(_ part: Int) -> SIMD8<Float> {
          unsafe rings.loadUnaligned(fromByteOffset: offset + part * step, as: SIMD8<Float>.self)
        }
        let number = maps[place]
        first += turned(0) * number
        second += turned(1) * number
        third += turned(2) * number
        fourth += turned(3) * number
        place += 1
      }
    }
    return max(max(first.max(), second.max()), max(third.max(), fourth.max()))
  }

  /// Turns likenesses into probabilities.
  private mutating func tell(_ reader: FaceReader) {
    probabilities.removeAll(keepingCapacity: true)
    var index = 0
    for end in reader.ends {
      var likeness: Float = -1
      while index < end {
        likeness = max(likeness, likenesses[index])
        index += 1
      }
      probabilities.append(likeness)
    }
    probabilities.append(reader.rule.leastLikeness)
    var greatest: Float = -1
    for likeness in probabilities { greatest = max(greatest, likeness) }
    var sum: Float = 0
    for place in probabilities.indices {
      probabilities[place] = Float(
        exponential(Double(reader.rule.sharpness * (probabilities[place] - greatest))))
      sum += probabilities[place]
    }
    for place in probabilities.indices { probabilities[place] /= sum }
  }

  /// The likeliest face; that of the first ones where several are equally likely.
  var best: Int {
    var best = 0
    for index in probabilities.indices where probabilities[index] > probabilities[best] {
      best = index
    }
    return best
  }

  /// Makes a map comparable.
  ///
  /// - Parameters:
  ///   - map: a map, from `start` on.
  ///   - comparable: takes its numbers, from the same place on.
  /// - Returns: how faint it is, 0 to 1.
  static func makeComparable(
    _ map: [Float], from start: Int = 0, into comparable: inout [Float]
  ) -> Float {
    let angles = FaceMap.angleCount
    var variance: Float = 0
    for ring in 0..<FaceMap.ringCount {
      let first = start + ring * angles
      var sum: Float = 0
      for angle in 0..<angles {
        var neighbours: Float = 0
        for other in angle - 3...angle + 3 { neighbours += map[first + (other & (angles - 1))] }
        let edge = map[first + angle] - 0.75 / 7 * neighbours
        comparable[first + angle] = edge
        sum += edge * edge
      }
      variance += sum * FaceMap.weight(ofRing: ring)
    }
    let factor = 1 / (variance + faintness * faintness).squareRoot()
    for ring in 0..<FaceMap.ringCount {
      let first = start + ring * angles
      let weight = FaceMap.weight(ofRing: ring).squareRoot() * factor
      for index in first..<first + angles { comparable[index] *= weight }
    }
    return faintness * factor
  }
}

// MARK: - Measuring

extension DiceDetector {
  /// The likeness below which a die shows no taught face.
  package var leastFaceLikeness: Double { Double(decimalOf: core.profile.faces.leastLikeness) }

  /// The taught face that a die is most like, and how much, which follows from its probabilities; nil
  /// where it was not compared with taught faces.
  ///
  /// - Parameter observation: of a detector with the same profile.
  package func faceLikeness(of observation: DieObservation) -> (name: String, likeness: Float)? {
    var unknown: Float?
    var best: ClassificationLabel?
    for label in observation.labels {
      if label.value == nil { unknown = label.confidence } else { best = best ?? label }
    }
    guard let unknown, let best else { return nil }
    let rule = core.profile.faces
    let odds = Double(max(best.confidence, 1e-30)) / Double(max(unknown, 1e-30))
    return (best.identifier, rule.leastLikeness + Float(naturalLogarithm(odds)) / rule.sharpness)
  }
}

internal import DiceDrawing
package import DiceGameKit
package import DiceTraining

/// Draws what is no digit: letters, scribbles, shapes, parts of digits and several digits at once.
package struct StraySampler {
  let dataset: StrokeDataset
  let distortion = StrokeDistortion()
  /// The samples of each writer.
  private let byWriter: [[Int]]
  /// Letters of other typefaces: half of those that are drawn, where there are any.
  private let others: [LetterDataset.Letter]

  package init(_ dataset: StrokeDataset, letters: LetterDataset? = nil) {
    self.dataset = dataset
    others = letters?.letters ?? []
    var places: [String: [Int]] = [:]
    for (index, sample) in dataset.samples.enumerated() {
      places[sample.writer, default: []].append(index)
    }
    byWriter = places.keys.sorted().compactMap { places[$0] }
  }

  /// Paths that show no digit.
  package func sample(using random: inout TrainingRandom) -> [InkPath] {
    switch random.index(100) {
    case 0..<42: pair(using: &random)
    case 42..<52: part(using: &random)
    case 52..<74: letter(using: &random)
    case 74..<90: scribble(using: &random)
    default: shape(using: &random)
    }
  }

  /// Paths of a letter, a scribble or a shape: nothing that is made of digits.
  package func other(using random: inout TrainingRandom) -> [InkPath] {
    named(using: &random).paths
  }

  /// The same, with the letter that it shows; nil for a scribble.
  package func named(
    using random: inout TrainingRandom
  ) -> (paths: [InkPath], letter: Unicode.Scalar?) {
    guard random.chance(0.6) else { return (scribble(using: &random), nil) }
    if !others.isEmpty, random.chance(0.5) {
      return (letter(others[random.index(others.count)], using: &random), nil)
    }
    let scalar = Self.letters[random.index(Self.letters.count)]
    return (letter(scalar, using: &random), scalar)
  }

  // MARK: Digits

  /// A digit beside another of the same writer, or beside a part of it.
  private func pair(using random: inout TrainingRandom) -> [InkPath] {
    let writer = byWriter[random.index(byWriter.count)]
    func digit(_ random: inout TrainingRandom) -> [InkPath] {
      distortion.vary(
        dataset.samples[writer[random.index(writer.count)]].paths, using: &random)
    }
    let first = digit(&random)
    var second = digit(&random)
    if second.count > 1, random.chance(0.4) {
      second = random.chance(0.5) ? [second[0]] : Array(second.dropFirst())
    }
    let (one, other) = (InkGroup(first), InkGroup(second))
    let height = max(one.high.y - one.low.y, 0.3)
    // Mostly close to each other, as only those are ever looked at together.
    let gap = height * (random.chance(0.6) ? random.between(-0.06, 0.12) : random.between(0.1, 0.6))
    let isRight = random.chance(0.85)
    var offset = SIMD2<Float>()
    // A ring close above another is an eight.
    let isEight =
      gap < 0.2 * height && first.count == 1 && second.count == 1
      && WritingHabits.isClosed(first[0]) && WritingHabits.isClosed(second[0])
    if isRight || isEight {
      offset.x = one.high.x + gap - other.low.x
      offset.y = random.between(-0.15, 0.15)
    } else {
      offset.y = one.high.y + gap - other.low.y
      offset.x = random.between(-0.2, 0.2)
    }
    second = second.map { path in InkPath(path.points.map { $0 + offset }) }
    var paths = first + second
    if first.count > 1, random.chance(0.15) { paths.removeFirst() }
    if random.chance(0.12) {
      let third = digit(&random)
      let (left, right) = (InkGroup(third), InkGroup(paths))
      let shift = SIMD2(right.high.x + abs(gap) - left.low.x, 0)
      paths += third.map { path in InkPath(path.points.map { $0 + shift }) }
    }
    return paths
  }

  /// A digit of which a part is missing that makes it that digit.
  private func part(using random: inout TrainingRandom) -> [InkPath] {
    for _ in 0..<40 {
      let sample = dataset.samples[random.index(dataset.count)]
      let paths = distortion.vary(sample.paths, using: &random)
      switch (sample.digit, paths.count) {
      case (0, 1), (3, 1):
        // A zero begins anywhere, and so do its parts.
        let isBegunElsewhere = sample.digit == 0 && random.chance(0.5)
        let points =
          isBegunElsewhere
          ? WritingHabits.begun(paths[0], at: random.unit()).points : paths[0].points
        let share = sample.digit == 0 ? random.between(0.35, 0.68) : random.between(0.3, 0.5)
        let count = max(2, Int(share * Float(points.count)))
        guard count < points.count else { continue }
        let isEnd = sample.digit == 0 && random.chance(0.5)
        return [InkPath(Array(isEnd ? points.suffix(count) : points.prefix(count)))]
      case (4, 2):
        // The hook of a four, and a bar; an upright stroke alone is a one.
        for path in paths where path.size.x > 0.45 * path.size.y { return [path] }
      case (5, 2), (7, 2):
        // A roof, or a bar, with nothing else.
        for path in paths where path.size.x > 2.2 * path.size.y { return [path] }
      default: continue
      }
    }
    return shape(using: &random)
  }

  // MARK: Others

  /// Letters and signs that no digit looks like.
  private static let letters = Array(
    "ACEFHJKLMNPQRTUVWXYacdefhkmnprtuvwxy$&#*+?%@=<>".unicodeScalars)

  private func letter(using random: inout TrainingRandom) -> [InkPath] {
    if !others.isEmpty, random.chance(0.5) {
      return letter(others[random.index(others.count)], using: &random)
    }
    return letter(Self.letters[random.index(Self.letters.count)], using: &random)
  }

  private func letter(
    _ scalar: Unicode.Scalar, using random: inout TrainingRandom
  ) -> [InkPath] {
    let lines = StrokeFont.lines(of: scalar).map { line in
      InkPath(line.map { SIMD2(Float($0.x), Float($0.y)) })
    }
    guard !lines.isEmpty else { return scribble(using: &random) }
    return bent(lines, using: &random)
  }

  /// A letter of another typeface, bent.
  package func letter(
    _ letter: LetterDataset.Letter, using random: inout TrainingRandom
  ) -> [InkPath] {
    bent(letter.paths, using: &random)
  }

  private func bent(_ lines: [InkPath], using random: inout TrainingRandom) -> [InkPath] {
    var wild = distortion
    wild.bend = 0.09
    wild.scale = 0.35
    wild.shift = 0.06
    var paths = wild.vary(lines.map { Self.dense($0) }, using: &random)
    if random.chance(0.4) {
      // A hand that does not lift the pen.
      paths = [InkPath(paths.flatMap(\.points))].map { Self.dense($0) }
    }
    return paths
  }

  /// A path with places in between, so that lines can be bent.
  static func dense(_ path: InkPath) -> InkPath {
    var points = [path.points[0]]
    for place in 1..<max(1, path.points.count) {
      let (start, end) = (path.points[place - 1], path.points[place])
      for part in 1...4 { points.append(start + Float(part) / 4 * (end - start)) }
    }
    return InkPath(points)
  }

  /// A line that turns by chance.
  private func scribble(using random: inout TrainingRandom) -> [InkPath] {
    var paths: [InkPath] = []
    for _ in 0..<(random.chance(0.75) ? 1 : 2 + random.index(3)) {
      var point = SIMD2(random.unit(), random.unit())
      var angle = random.between(0, 2 * .pi)
      var turn = random.between(-0.4, 0.4)
      let wildness = random.between(0.02, 0.3)
      let isZigzag = random.chance(0.35)
      let tilt = random.between(0, .pi)
      var points: [SIMD2<Float>] = []
      for index in 0..<(40 + random.index(140)) {
        points.append(point)
        if isZigzag {
          let swing: Float = (index / 6) % 2 == 0 ? 1 : -1
          let way = SIMD2(cosine(tilt), sine(tilt)) * swing
          point += 0.06 * way + 0.012 * SIMD2(-sine(tilt), cosine(tilt))
          point += 0.006 * SIMD2(random.normal(), random.normal())
        } else {
          turn = 0.93 * turn + wildness * random.normal() * 0.5
          angle += turn
          point += 0.04 * SIMD2(cosine(angle), sine(angle))
          // Scribbles stay in one place.
          point += 0.02 * (SIMD2(0.5, 0.5) - point)
        }
      }
      paths.append(InkPath(points))
    }
    return paths
  }

  /// Bars, dots, crosses, polygons, spirals, waves, ticks.
  private func shape(using random: inout TrainingRandom) -> [InkPath] {
    func line(_ corners: [(Float, Float)]) -> InkPath {
      var path = InkPath(corners.map { SIMD2($0.0, $0.1) })
      for _ in 0..<2 { path = Self.dense(path) }
      return InkPath(Array(path.points.prefix(InkPath.pointLimit)))
    }
    var wild = distortion
    wild.bend = 0.04
    let paths: [InkPath]
    switch random.index(9) {
    case 0, 1: paths = [line([(0, 0), (1, 0)])]
    case 2: paths = [line([(0, 0), (1, 0)]), line([(0, 0.5), (1, 0.5)])]
    case 3: paths = [line([(0, 0), (1, 1)]), line([(1, 0), (0, 1)])]
    case 4: paths = [line([(0.5, 0), (0.5, 1)]), line([(0, 0.5), (1, 0.5)])]
    case 5: paths = [line([(0, 0), (1, 0), (1, 1), (0, 1), (0, 0)])]
    case 6: paths = [line([(0.5, 0), (1, 1), (0, 1), (0.5, 0)])]
    case 7: paths = [line([(0, 0.6), (0.35, 1), (1, 0)])]
    default:
      let turns = random.between(1.8, 4)
      let isSpiral = random.chance(0.5)
      paths = [
        InkPath(
          (0..<100).map { index in
            let share = Float(index) / 99
            if isSpiral {
              let angle = share * turns * 2 * .pi
              return (0.05 + share) * SIMD2(cosine(angle), sine(angle))
            }
            return SIMD2(2 * share, 0.2 * sine(share * turns * 2 * .pi))
          })
      ]
    }
    return wild.vary(paths, using: &random)
  }
}

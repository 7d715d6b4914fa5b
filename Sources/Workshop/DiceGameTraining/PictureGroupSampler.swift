package import DiceGameKit
package import DiceTraining

/// Draws groups of ink as a search for numbers comes upon them: what it cuts letters, scribbles and
/// digits that touch into.
package struct PictureGroupSampler: Sendable {
  private let strokes: StrokeDataset
  private let stray: StraySampler
  private let composer: NumberComposer
  private let pictures: DigitDataset
  private let scenes: NumberSceneSampler
  /// What has learnt to tell digits from what is none: of several groups, that which it takes for a
  /// digit with the most confidence is drawn.
  private let reader: DigitOrNoneClassifier

  /// From how many groups of a letter one is chosen, at most.
  private static let choiceCount = 10
  /// The share of the union of a group's and a digit's ink that both have, from which on the group is
  /// that digit, and up to which it is none.
  private static let (isDigit, isNone): (Float, Float) = (0.86, 0.66)

  /// - Precondition: there are a picture and a digit in strokes.
  package init(
    _ pictures: DigitDataset, _ strokes: StrokeDataset, letters: LetterDataset?,
    reader: DigitOrNoneClassifier
  ) {
    self.strokes = strokes
    self.pictures = pictures
    scenes = NumberSceneSampler(pictures: pictures, strokes: strokes)
    self.reader = reader
    stray = StraySampler(strokes, letters: letters)
    composer = NumberComposer(strokes)
  }

  private static func light(using random: inout TrainingRandom) -> NumberScene.Light {
    var light = NumberScene.Light()
    if random.chance(0.5) { (light.ground, light.full) = (0, 255) }
    light.noise = random.chance(0.3) ? random.between(0.5, 6) : 0
    return light
  }

  /// A group of a letter, a few letters side by side, or a scribble.
  package func none(using random: inout TrainingRandom) -> DigitBitmap? {
    let height = exponential(random.between(3.3, 4.4))  // 27 to 81 pixels
    let penWidth = max(1, height * exponential(random.between(-3.7, -1.7)))
    var paths = stray.other(using: &random)
    if random.chance(0.2) {
      for _ in 0...random.index(2) {
        let next = stray.other(using: &random)
        let (one, other) = (InkGroup(paths), InkGroup(next))
        let gap = random.between(-0.1, 0.3) * max(one.high.y - one.low.y, 0.3)
        let shift = SIMD2(one.high.x + gap - other.low.x, random.between(-0.1, 0.1))
        paths += next.map { path in InkPath(path.points.map { $0 + shift }) }
      }
    }
    let group = InkGroup(paths)
    let size = group.high - group.low
    // Of several letters, each is about as high.
    let scene = NumberSceneSampler.scene(
      of: paths, height: height * max(1, min(3, size.x / max(size.y, 1e-6))), penWidth: penWidth)
    let light = Self.light(using: &random)
    guard let picture = try? scene.picture(light, using: &random) else { return nil }
    let groups = PictureGroups(picture, isDarkOnLight: light.ground > light.full)
    guard groups.count > 0 else { return nil }
    guard random.chance(0.75) else { return groups.bitmap(random.index(groups.count)) }
    var best: (bitmap: DigitBitmap, none: Float)?
    for number in 0..<min(Self.choiceCount, groups.count) {
      let index =
        groups.count <= Self.choiceCount ? number : random.index(groups.count)
      let bitmap = groups.bitmap(index)
      guard let none = try? reader.probabilities(of: bitmap)[10] else { continue }
      if none < best?.none ?? 2 { best = (bitmap, none) }
    }
    return best?.bitmap
  }

  /// The group of a digit that stands alone, on paper or as it is in the set of pictures; nil where no
  /// group has its ink.
  package func digit(
    using random: inout TrainingRandom
  ) -> (bitmap: DigitBitmap, target: Int)? {
    let height = exponential(random.between(3.3, 4.4))
    let penWidth = max(0.8, height * exponential(random.between(-3.7, -1.7)))
    var light = Self.light(using: &random)
    if random.chance(0.6) { NumberSceneSampler.paper(&light, using: &random) }
    let kind = random.unit()
    let scene: NumberScene
    var picture: NumberPicture?
    var target: Int
    if kind < 0.25 {
      let index = random.index(pictures.count)
      target = Int(pictures.digits[index])
      let side = DigitBitmap.side
      var plain = NumberScene(width: side, height: side)
      plain.place(InkRaster(pictures.bitmaps[index]), column: 0, row: 0)
      scene = plain
      (light.ground, light.full) = (0, 255)
      picture = try? NumberPicture(
        width: side, height: side, gray: pictures.bitmaps[index].samples)
    } else if kind < 0.65 {
      let (ink, digit) = scenes.rasters(1, height: height, using: &random)[0]
      target = Int(digit)
      var paper = NumberScene(width: ink.width + 20, height: ink.height + 20)
      paper.place(ink, column: 10, row: 10)
      scene = paper
    } else {
      let sample = strokes.samples[random.index(strokes.count)]
      target = sample.digit
      scene =
        NumberSceneSampler.drawn(
          NumberComposer.Number(digits: [sample.paths], text: "\(target)"), height: height,
          margin: 10, penWidth: penWidth
        ).scene
    }
    if picture == nil { picture = try? scene.picture(light, using: &random) }
    guard let picture else { return nil }
    let groups = PictureGroups(picture, isDarkOnLight: light.ground > light.full)
    let area = Float(scene.ink.count { $0 >= 0.5 })
    var best: (index: Int, share: Float)?
    for index in 0..<groups.count {
      let places = groups.places(index)
      let common = Float(places.count { scene.ink[$0] >= 0.5 })
      let share = common / max(1, Float(places.count) + area - common)
      if share > best?.share ?? 0.6 { best = (index, share) }
    }
    return best.map { (groups.bitmap($0.index), target) }
  }

  /// A group of digits that touch or nearly do, with its digit, or 10 for none; nil where it is nearly
  /// a digit.
  package func touching(
    using random: inout TrainingRandom
  ) -> (bitmap: DigitBitmap, target: Int)? {
    let height = exponential(random.between(3.3, 4.4))
    let penWidth = max(0.8, height * exponential(random.between(-3.7, -1.7)))
    let number = composer.number(
      digitCount: 2 + random.index(2), gap: -0.02...0.04, using: &random)
    let margin = 6
    let all = NumberSceneSampler.drawn(
      number, height: height, margin: margin, penWidth: penWidth)
    let light = Self.light(using: &random)
    guard let picture = try? all.scene.picture(light, using: &random) else { return nil }
    let groups = PictureGroups(picture, isDarkOnLight: light.ground > light.full)
    guard groups.count > 0 else { return nil }
    // What each digit covers, as bits.
    var covered = [UInt8](repeating: 0, count: picture.width * picture.height)
    var areas = [Float](repeating: 0, count: number.digits.count)
    for (index, paths) in number.digits.enumerated() {
      var scene = NumberScene(width: picture.width, height: picture.height)
      scene.draw(paths, scale: all.scale, offset: all.offset, penWidth: penWidth)
      for place in covered.indices where scene.ink[place] >= 0.5 {
        covered[place] |= 1 << UInt8(index)
        areas[index] += 1
      }
    }
    let wantsDigit = random.chance(0.5)
    for _ in 0..<12 {
      let index = random.index(groups.count)
      let places = groups.places(index)
      var (best, share) = (0, Float(0))
      for digit in areas.indices {
        let common = Float(places.count { covered[$0] >> UInt8(digit) & 1 == 1 })
        let union = Float(places.count) + areas[digit] - common
        if common > share * union { (best, share) = (digit, common / union) }
      }
      if share >= Self.isDigit, wantsDigit {
        let digits = Array(number.text.utf8)
        return (groups.bitmap(index), Int(digits[best]) - 48)
      }
      if share <= Self.isNone, !wantsDigit { return (groups.bitmap(index), 10) }
    }
    return nil
  }
}

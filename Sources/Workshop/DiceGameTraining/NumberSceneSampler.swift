package import DiceGameKit
package import DiceTraining

/// Draws pictures of numbers whose text is known.
package struct NumberSceneSampler {
  /// What kind of picture.
  package enum Kind: CaseIterable, Sendable {
    /// Strokes on a plain canvas, drawn with pens of any width.
    case canvas
    /// Digits of a set of pictures, on paper.
    case paperPictures
    /// Strokes on paper.
    case paperStrokes
    /// Strokes on lined paper.
    case lined
    /// Strokes and pictures on paper, taken from aslant in uneven light.
    case photo
    /// Three numbers below each other or side by side on paper.
    case several
    /// Strokes whose digits nearly touch or touch, on a canvas.
    case touching
    /// Letters and scribbles on a canvas.
    case others
  }

  private let pictures: DigitDataset
  private let strokes: StrokeDataset
  private let composer: NumberComposer
  private let stray: StraySampler

  /// - Precondition: there are pictures and strokes.
  package init(pictures: DigitDataset, strokes: StrokeDataset) {
    precondition(pictures.count > 0 && strokes.count > 0, "there is something to draw")
    self.pictures = pictures
    self.strokes = strokes
    composer = NumberComposer(strokes)
    stray = StraySampler(strokes)
  }

  /// A picture, and the numbers in it in reading order.
  package func sample(
    _ kind: Kind, using random: inout TrainingRandom
  ) throws(NumberPictureError) -> (picture: NumberPicture, texts: [String]) {
    if kind == .others { return (try other(using: &random).picture, []) }
    var light = NumberScene.Light()
    let height = exponential(random.between(3.3, 5))  // 27 to 148 pixels
    let penShare = exponential(random.between(-3.7, -1.7))  // 0.025 to 0.18 of the height
    switch kind {
    case .canvas, .touching, .others:
      if random.chance(0.5) { (light.ground, light.full) = (0, 255) }
    default: Self.paper(&light, using: &random)
    }
    if kind == .photo {
      light.turn = random.between(-8, 8)
      light.tilt = SIMD2(random.between(-0.35, 0.35), random.between(-0.35, 0.35))
      light.shadow = random.chance(0.5) ? random.between(0.1, 0.45) : 0
      light.blur = random.index(3)
    }
    if kind == .several {
      return try several(height: min(height, 60), light, penShare, using: &random)
    }
    let digitCount = 1 + random.index(4)
    let usesPictures = kind == .paperPictures || (kind == .photo && random.chance(0.5))
    let gap: ClosedRange<Float> = kind == .touching ? -0.02...0.04 : 0.12...0.5
    var scene: NumberScene
    let text: String
    let margin = Int(height * random.between(0.3, 1.5)) + 4
    if usesPictures {
      let rasters = rasters(digitCount, height: height, using: &random)
      let gaps = (0..<digitCount).map { _ in Int(height * random.between(0.1, 0.4)) }
      let width = zip(rasters, gaps).reduce(0) { $0 + $1.0.ink.width + $1.1 }
      let rows = rasters.map(\.ink.height).max() ?? 1
      scene = NumberScene(width: width + 2 * margin, height: rows + 2 * margin)
      var left = margin
      for (raster, gap) in zip(rasters, gaps) {
        let rise = Int(height * random.between(-0.05, 0.05))
        scene.place(raster.ink, column: left, row: margin + rows - raster.ink.height + rise)
        left += raster.ink.width + gap
      }
      text = rasters.map { "\($0.digit)" }.joined()
    } else {
      let number = composer.number(
        digitCount: kind == .touching ? 2 + random.index(2) : digitCount, gap: gap, using: &random)
      scene =
        Self.drawn(
          number, height: height, margin: margin, penWidth: max(0.8, penShare * height)
        ).scene
      text = number.text
    }
    if kind == .lined {
      scene.rule(spacing: Int(height * random.between(0.9, 1.6)), using: &random)
    }
    return (try scene.picture(light, using: &random), [text])
  }

  /// A picture of a letter or a scribble on a canvas, and the letter; nil for a scribble.
  package func other(
    using random: inout TrainingRandom
  ) throws(NumberPictureError) -> (picture: NumberPicture, letter: Unicode.Scalar?) {
    let canvas = Canvas(using: &random)
    let (paths, letter) = stray.named(using: &random)
    return (try canvas.picture(of: paths, using: &random), letter)
  }

  /// A picture of a letter of another typeface on a canvas.
  package func picture(
    of letter: LetterDataset.Letter, using random: inout TrainingRandom
  ) throws(NumberPictureError) -> NumberPicture {
    let canvas = Canvas(using: &random)
    return try canvas.picture(of: stray.letter(letter, using: &random), using: &random)
  }

  /// A plain canvas with a pen of any width.
  private struct Canvas {
    let height: Float
    let penWidth: Float
    var light = NumberScene.Light()

    init(using random: inout TrainingRandom) {
      height = exponential(random.between(3.3, 5))
      penWidth = max(1, height * exponential(random.between(-3.7, -1.7)))
      if random.chance(0.5) { (light.ground, light.full) = (0, 255) }
    }

    func picture(
      of paths: [InkPath], using random: inout TrainingRandom
    ) throws(NumberPictureError) -> NumberPicture {
      try NumberSceneSampler.scene(of: paths, height: height, penWidth: penWidth)
        .picture(light, using: &random)
    }
  }

  // MARK: Parts

  /// Paths alone in the middle, with a longer side of a height.
  static func scene(of paths: [InkPath], height: Float, penWidth: Float) -> NumberScene {
    let group = InkGroup(paths)
    let scale = height / max(1e-6, max(group.high.x - group.low.x, group.high.y - group.low.y))
    var scene = NumberScene(width: Int(2 * height) + 8, height: Int(2 * height) + 8)
    scene.draw(
      paths, scale: scale, offset: SIMD2(repeating: height / 2) - group.low * scale,
      penWidth: penWidth)
    return scene
  }

  /// Paper, or a board, in a light that is uneven.
  static func paper(_ light: inout NumberScene.Light, using random: inout TrainingRandom) {
    light.ground = random.between(150, 245)
    light.full = light.ground - random.between(70, min(200, light.ground - 10))
    if random.chance(0.25) {
      light.ground = random.between(15, 70)
      light.full = light.ground + random.between(80, 180)
    }
    light.falloff = random.between(0, 0.4)
    light.vignette = random.between(0, 0.3)
    light.noise = random.between(0.5, 6)
    light.blur = random.chance(0.5) ? 1 : 0
  }

  /// Pictures of the set as ink of a height, sharper than they get by being enlarged.
  func rasters(
    _ count: Int, height: Float, using random: inout TrainingRandom
  ) -> [(ink: InkRaster, digit: UInt8)] {
    var result: [(ink: InkRaster, digit: UInt8)] = []
    let scale = height / 20
    while result.count < count {
      let index = random.index(pictures.count)
      guard let ink = InkRaster(pictures.bitmaps[index]).cropped(above: 0.1) else { continue }
      var large = ink.part(columns: -1..<ink.width + 1, rows: -1..<ink.height + 1).resized(
        width: max(1, Int(Float(ink.width + 2) * scale)),
        height: max(1, Int(Float(ink.height + 2) * scale)))
      let sharpness = min(3, max(1, scale))
      for place in large.ink.indices {
        large.ink[place] = min(max(0, (large.ink[place] - 0.5) * sharpness + 0.5), 1)
      }
      result.append((large, pictures.digits[index]))
    }
    return result
  }

  /// A number with the upper left corner of its ink at a margin, and where that puts its paths.
  static func drawn(
    _ number: NumberComposer.Number, height: Float, margin: Int, penWidth: Float
  ) -> (scene: NumberScene, scale: Float, offset: SIMD2<Float>) {
    let groups = number.digits.map { InkGroup($0) }
    let usual = groups.reduce(Float(0)) { $0 + max($1.high.y - $1.low.y, 1) } / Float(groups.count)
    let all = InkGroup(number.digits.flatMap { $0 })
    let scale = height / usual
    let size = (all.high - all.low) * scale
    let offset = SIMD2(repeating: Float(margin)) - all.low * scale
    var scene = NumberScene(
      width: Int(size.x) + 2 * margin + 1, height: Int(size.y) + 2 * margin + 1)
    scene.draw(
      number.digits.flatMap { $0 }, scale: scale, offset: offset, penWidth: penWidth)
    return (scene, scale, offset)
  }

  private func several(
    height: Float, _ light: NumberScene.Light, _ penShare: Float,
    using random: inout TrainingRandom
  ) throws(NumberPictureError) -> (picture: NumberPicture, texts: [String]) {
    let side = Int(9 * height)
    var scene = NumberScene(width: side, height: side)
    var texts: [String] = []
    for row in 0..<3 {
      let isPair = random.chance(0.4)
      for column in 0..<(isPair ? 2 : 1) {
        let number = composer.number(
          digitCount: 1 + random.index(isPair ? 2 : 3), gap: 0.12...0.4, using: &random)
        let groups = number.digits.map { InkGroup($0) }
        let usual =
          groups.reduce(Float(0)) { $0 + max($1.high.y - $1.low.y, 1) } / Float(groups.count)
        let all = InkGroup(number.digits.flatMap { $0 })
        let scale = height / usual * random.between(0.85, 1.15)
        let place = SIMD2(
          (isPair ? (column == 0 ? 0.6 : 5.4) : random.between(0.6, 4)) * height,
          (1 + 2.8 * Float(row)) * height)
        scene.draw(
          number.digits.flatMap { $0 }, scale: scale, offset: place - all.low * scale,
          penWidth: max(0.8, penShare * height))
        texts.append(number.text)
      }
    }
    return (try scene.picture(light, using: &random), texts)
  }
}

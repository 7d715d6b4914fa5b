public import DiceGameKit
public import DiceParallel
public import DiceTraining

/// Teaches ``NetworkDescription/digitOrNone`` to read pictures of digits and to know what is none.
///
/// It learns from pictures of a set and from strokes, drawn with pens of many widths; from letters,
/// scribbles and shapes; and from parts of pictures and pictures side by side, as they come about where
/// the ink of several digits is cut in the wrong places.
public struct DigitOrNoneTask: LearningTask {
  /// What the network is to say of a sample: its digit, or 10 for none.
  public typealias Target = Int

  /// The pictures to learn from; at least one.
  public let pictures: DigitDataset
  /// The strokes to learn from; at least one digit.
  public let strokes: StrokeDataset
  /// How samples and loss come about, as text.
  public let identity: String
  /// The pictures and strokes.
  public let parts: [TrainingPart]

  /// The shares of digits in pictures and of digits in strokes; the others are no digits.
  private static let (pictureShare, strokeShare): (Float, Float) = (0.34, 0.3)
  /// The share of the digits in strokes that are forms that nobody drew.
  private static let formShare: Float = 0.3
  private let loss = SoftmaxCrossEntropy(smoothing: 0.02)
  private let stray: StraySampler
  private let distortion = StrokeDistortion()
  private let forms = DigitForms()
  private let sampler = DigitSampler(distortion: DigitDistortion())
  private let byDigit: [[Int]]
  /// What draws groups of ink that an earlier network is wrong about.
  private let groups: PictureGroupSampler?

  /// The shares of groups of letters and scribbles, of digits that touch, and of digits that stand
  /// alone, where there are groups.
  private static let (noneShare, touchingShare, aloneShare): (Float, Float, Float) =
    (0.16, 0.1, 0.2)

  /// A task.
  ///
  /// - Parameter letters: letters of typefaces, which are none; nil for the package's own alone.
  /// - Precondition: there are a picture and a digit in strokes.
  public init(
    _ pictures: DigitDataset, _ strokes: StrokeDataset, letters: LetterDataset? = nil
  ) {
    self.init(pictures, strokes, letters, groups: nil, of: [])
  }

  /// A task for a network that has learnt before.
  ///
  /// It also learns from groups of ink that a search for numbers cuts letters, scribbles and digits
  /// that touch into: mostly from those which the earlier network takes for digits.
  ///
  /// - Parameters:
  ///   - letters: letters of typefaces, which are none; nil for the package's own alone.
  ///   - earlier: the weight file of the earlier network.
  /// - Throws: the rule that the file or its network breaks.
  /// - Precondition: there are a picture and a digit in strokes.
  public init(
    _ pictures: DigitDataset, _ strokes: StrokeDataset, letters: LetterDataset? = nil,
    earlier: [UInt8]
  ) throws(DigitClassifierError) {
    let reader = try DigitOrNoneClassifier(weights: earlier)
    self.init(
      pictures, strokes, letters,
      groups: PictureGroupSampler(pictures, strokes, letters: letters, reader: reader),
      of: earlier)
  }

  private init(
    _ pictures: DigitDataset, _ strokes: StrokeDataset, _ letters: LetterDataset?,
    groups: PictureGroupSampler?,
    of earlier: [UInt8]
  ) {
    precondition(pictures.count > 0 && strokes.count > 0, "there is a digit to learn from")
    self.pictures = pictures
    self.strokes = strokes
    self.groups = groups
    stray = StraySampler(strokes, letters: letters)
    byDigit = (0..<10).map { digit in
      strokes.samples.indices.filter { strokes.samples[$0].digit == digit }
    }
    var identity =
      "digit or none \(Self.pictureShare) \(Self.strokeShare) \(Self.formShare) \(distortion) \(DigitDistortion()) 0.02"
    var parts = [
      TrainingPart("pictures or digits", fingerprint: pictures.fingerprint),
      TrainingPart("strokes", fingerprint: strokes.fingerprint),
    ]
    if let letters {
      parts.append(TrainingPart("letters", fingerprint: letters.fingerprint))
    }
    if groups != nil {
      identity += " groups \(Self.noneShare) \(Self.touchingShare) \(Self.aloneShare)"
      var hash: UInt64 = 0xcbf2_9ce4_8422_2325
      for byte in earlier { hash = (hash ^ UInt64(byte)) &* 0x100_0000_01b3 }
      parts.append(TrainingPart("earlier network", fingerprint: hash))
    }
    self.identity = identity
    self.parts = parts
  }

  /// Draws a sample.
  public func makeSample(
    into inputs: [SampleInput], at moment: TrainingMoment, using random: inout TrainingRandom
  ) -> Int {
    if let groups, let (bitmap, target) = group(groups, using: &random) {
      inputs[0].write(bitmap.samples.map { Float($0) / 255 })
      return target
    }
    let kind = random.unit()
    var target = 10
    var values: [Float]
    if kind < Self.pictureShare {
      let index = random.index(pictures.count)
      target = Int(pictures.digits[index])
      values = varied(pictures.bitmaps[index], using: &random)
    } else if kind < Self.pictureShare + Self.strokeShare {
      target = random.index(10)
      let paths: [InkPath]
      if random.chance(Self.formShare) {
        paths = forms.form(of: target, using: &random)
      } else {
        let digits = byDigit[target]
        let index =
          digits.isEmpty ? random.index(strokes.count) : digits[random.index(digits.count)]
        target = strokes.samples[index].digit
        paths = distortion.vary(strokes.samples[index].paths, using: &random)
      }
      values = drawn(paths, using: &random)
    } else if random.chance(0.62) {
      values = drawn(stray.sample(using: &random), using: &random)
    } else {
      values = cut(using: &random)
    }
    for place in values.indices { values[place] *= 1 / 255 }
    inputs[0].write(values)
    return target
  }

  /// A group of ink for some samples, with its digit or 10 for none; nil for the others.
  private func group(
    _ groups: PictureGroupSampler, using random: inout TrainingRandom
  ) -> (bitmap: DigitBitmap, target: Int)? {
    let kind = random.unit()
    if kind < Self.noneShare { return groups.none(using: &random).map { ($0, 10) } }
    if kind < Self.noneShare + Self.touchingShare { return groups.touching(using: &random) }
    return kind < Self.noneShare + Self.touchingShare + Self.aloneShare
      ? groups.digit(using: &random) : nil
  }

  /// A picture of the set, varied, with thicker or thinner lines.
  private func varied(_ bitmap: DigitBitmap, using random: inout TrainingRandom) -> [Float] {
    var values = [Float](repeating: 0, count: DigitBitmap.side * DigitBitmap.side)
    sampler.sample(bitmap, using: &random, into: &values)
    if random.chance(0.3) { values = thickened(values, by: random.between(-0.7, 0.8)) }
    if random.chance(0.2) { values = values.map { min(255, 1.4 * $0) } }
    return values
  }

  /// Strokes drawn with a pen of any width.
  private func drawn(_ paths: [InkPath], using random: inout TrainingRandom) -> [Float] {
    let width = random.chance(0.4) ? 2.8 : random.between(1.8, 4.2)
    let values = DigitBitmap(InkGroup(paths), markerWidth: width).samples.map { Float($0) }
    guard random.chance(0.5) else { return values }
    return varied(
      DigitBitmap(samples: values.map { UInt8($0) }) ?? pictures.bitmaps[0], using: &random)
  }

  /// A share of each sample's greatest or least neighbour, the sample's own for the rest.
  private func thickened(_ values: [Float], by share: Float) -> [Float] {
    let side = DigitBitmap.side
    var result = values
    for row in 1..<side - 1 {
      for column in 1..<side - 1 {
        let place = row * side + column
        var extreme = values[place]
        for other in [place - 1, place + 1, place - side, place + side] {
          extreme = share > 0 ? max(extreme, values[other]) : min(extreme, values[other])
        }
        result[place] += share.magnitude * (extreme - values[place])
      }
    }
    return result
  }

  // MARK: Wrong cuts

  /// The digits of which a part, left or right of a cut, looks like no other digit.
  private static let cutDigits: Set<UInt8> = [0, 2, 3, 5, 6, 8]

  /// Two pictures side by side, a part of one, or one with a part of another.
  private func cut(using random: inout TrainingRandom) -> [Float] {
    func ink(_ random: inout TrainingRandom, parts: Bool) -> InkRaster {
      for _ in 0..<50 {
        let index = random.index(pictures.count)
        if parts, !Self.cutDigits.contains(pictures.digits[index]) { continue }
        let bitmap = DigitBitmap(
          samples: varied(pictures.bitmaps[index], using: &random).map {
            UInt8(min(max(0, $0), 255))
          })
        guard let bitmap, let ink = InkRaster(bitmap).cropped(above: 0.2) else { continue }
        return ink
      }
      return InkRaster(width: 4, height: 20)
    }
    func part(_ ink: InkRaster, _ random: inout TrainingRandom) -> InkRaster {
      let share = random.between(0.3, 0.7)
      let length = max(2, Int(share * Float(random.chance(0.8) ? ink.width : 0)))
      if length > 2 {
        return random.chance(0.5)
          ? ink.part(columns: 0..<length, rows: 0..<ink.height)
          : ink.part(columns: ink.width - length..<ink.width, rows: 0..<ink.height)
      }
      // Above or below a cut.
      let rows = max(3, Int(share * Float(ink.height)))
      return random.chance(0.5)
        ? ink.part(columns: 0..<ink.width, rows: 0..<rows)
        : ink.part(columns: 0..<ink.width, rows: ink.height - rows..<ink.height)
    }
    let result: InkRaster
    if random.chance(0.4) {
      result = part(ink(&random, parts: true), &random)
    } else {
      let first = ink(&random, parts: false)
      var second = ink(&random, parts: false)
      let isPart = random.chance(0.4)
      if isPart { second = part(second, &random) }
      let (left, right) = random.chance(0.5) ? (first, second) : (second, first)
      let gap = random.chance(0.6) ? random.index(3) - 2 : random.index(7)
      let rise = random.index(5) - 2
      let height = max(left.height, right.height) + 4
      var both = InkRaster(width: max(1, left.width + gap + right.width), height: height)
      for (ink, column, row) in [(left, 0, 2), (right, left.width + gap, 2 + rise)] {
        for y in 0..<ink.height where (0..<height).contains(y + row) {
          for x in 0..<ink.width where (0..<both.width).contains(x + column) {
            both[y + row, x + column] = max(both[y + row, x + column], ink[y, x])
          }
        }
      }
      result = both
    }
    return DigitBitmap(result).samples.map { Float($0) }
  }

  /// The cross entropy, and the share of samples that are read right.
  public func loss(
    of outputs: [TrainingOutput], targets: [Int], pool: WorkerPool
  ) -> LossParts {
    loss.parts(of: outputs[0], labels: targets, pool: pool)
  }
}

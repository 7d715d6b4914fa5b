internal import DiceGeometry
internal import DiceTraining
public import DiceVisionTraining
internal import ThrowVisionKit

/// How crops of people are varied before a network learns from them.
public struct PoseVariation: Hashable, Sendable {
  /// The share of samples that are turned by a lot.
  public var turnedShare: Float = 0.3
  /// The deviation of the angle of most samples, in degrees.
  public var rotation: Float = 20
  /// The deviation of the angle of those that are turned by a lot, in degrees.
  public var greatRotation: Float = 80
  /// The smallest and greatest factor of the crop's side.
  public var scale: ClosedRange<Float> = 0.8...1.4
  /// The deviation of the crop's middle, in shares of its side.
  public var shift: Float = 0.06
  /// The greatest ratio by which width and height are stretched differently.
  public var aspect: Float = 1.15
  /// The probability of a mirrored picture.
  public var flip: Float = 0.5
  /// The probability of a patch that covers a part.
  public var cutOutShare: Float = 0.3
  /// The probability that only a part of a person is shown, as at the edge of a photo or behind a table.
  public var partShare: Float = 0.35
  /// The probability that other people stand near, before or behind the person.
  public var companyShare: Float = 0.35
  /// The share of the run, at its end, with little variation.
  public var plainShare: Float = 0.1
  /// How colours are varied, blurs and noise.
  public var colors: Augmentation

  /// Much variation: for the beginning of a training.
  public init() {
    colors = Augmentation()
    colors.hue = 20
    colors.anyHue = 0.03
    colors.inversion = 0
    colors.coarseness = 0.1
  }

  /// Less variation, nearer to what a network is shown in use: for the end of a training.
  public static var calm: PoseVariation {
    var calm = PoseVariation()
    calm.turnedShare = 0.15
    calm.rotation = 15
    calm.greatRotation = 60
    calm.scale = 0.87...1.25
    calm.shift = 0.045
    calm.aspect = 1.08
    calm.cutOutShare = 0.1
    calm.colors.gray = 0.05
    calm.colors.flattening = 0.05
    calm.colors.anyHue = 0
    calm.colors.hue = 10
    calm.colors.brightness = 0.12
    calm.colors.contrast = 1.25
    calm.colors.gamma = 1.25
    calm.colors.saturation = 1.4
    calm.colors.noise = 0.1
    calm.colors.blur = 0.1
    calm.colors.coarseness = 0.05
    return calm
  }

  /// Where a sample shows a person.
  struct Place {
    var placement: Placement
    var isMirrored: Bool
    /// What is shown of the person; nil for all.
    var part: PersonPart?

    /// What the sample says of a joint at a point of the photo; `side` is that of the input.
    func target(_ point: PixelPoint, side: Double) -> JointTarget {
      let shown = placement.transform(point.x, point.y)
      guard shown.x >= 0, shown.x < side, shown.y >= 0, shown.y < side else { return .outside }
      if let part, !part.shows(point) {
        switch part.beyond {
        case .nothing: return .outside
        case .thing: return .unknown
        case .photo: break
        }
      }
      return .place(SIMD2(Float(shown.x / side), Float(shown.y / side)))
    }
  }

  /// A varied place; `side` is that of the input.
  func place(
    _ person: LearntPerson, side: Double, isPlain: Bool, using random: inout TrainingRandom
  ) -> Place {
    let calm: Float = isPlain ? 0.5 : 1
    let degrees =
      random.chance(turnedShare * calm)
      ? greatRotation * random.normal()
      : rotation * calm * random.normal()
    func factor(_ range: ClosedRange<Float>) -> Float {
      exponential(
        random.between(naturalLogarithm(range.lowerBound), naturalLogarithm(range.upperBound))
          * calm)
    }
    let part = random.chance(partShare) ? PersonPart(of: person.places, using: &random) : nil
    let (center, length) = part.map { PersonPart.crop(of: $0.box) } ?? (person.center, person.side)
    let crop = max(8, length * Double(PoseConstants.defaultCropScale)) * Double(factor(scale))
    let x = center.x + crop * Double(shift * calm * random.normal())
    let y = center.y + crop * Double(shift * calm * random.normal())
    let isMirrored = random.chance(flip)
    return Place(
      placement: Placement(
        source: (x, y), target: (side / 2, side / 2), angle: degrees * .pi / 180,
        scale: side / crop, stretch: factor(1 / aspect...aspect), isMirrored: isMirrored),
      isMirrored: isMirrored, part: part)
  }

  /// Where somebody else stands near a person in the sample.
  ///
  /// - Parameters:
  ///   - place: where the person is.
  ///   - side: that of the input.
  func companion(
    _ other: LearntPerson, near person: LearntPerson, at place: Place, side: Double,
    using random: inout TrainingRandom
  ) -> Placement {
    let length = person.side * place.placement.scale
    let middle = place.placement.transform(person.center.x, person.center.y)
    // Mostly beside the longer side of the person's box.
    let turn =
      (person.isWide ? .pi / 2 : 0) + (random.chance(0.5) ? .pi : 0) + 0.4 * random.normal()
    let distance = length * Double(random.between(0.3, 0.8))
    let target = (
      x: middle.x + distance * Double(cosine(turn)), y: middle.y + distance * Double(sine(turn))
    )
    return Placement(
      source: (other.center.x, other.center.y), target: target,
      angle: 12 * random.normal() * .pi / 180,
      scale: length * Double(random.between(0.6, 1.2)) / other.side, stretch: 1,
      isMirrored: random.chance(flip))
  }

  /// Covers a part with one gray or with noise, by chance.
  func cutOut(_ canvas: SampleCanvas, using random: inout TrainingRandom) {
    guard random.chance(cutOutShare) else { return }
    let (width, height) = (canvas.input.width, canvas.input.height)
    let columns = Int(Float(width) * random.between(0.08, 0.35))
    let rows = Int(Float(height) * random.between(0.08, 0.35))
    let (left, top) = (random.index(width - columns), random.index(height - rows))
    let gray = random.unit()
    let noise = random.chance(0.5) ? random.unit() * 0.5 : 0
    for row in top..<top + rows {
      for column in left..<left + columns {
        let value = gray + noise * (random.unit() - 0.5)
        canvas.set(min(1, max(0, value)), row: row, column: column)
      }
    }
  }
}

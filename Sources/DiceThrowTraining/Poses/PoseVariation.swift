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
    let crop =
      max(8, person.side * Double(PoseConstants.defaultCropScale)) * Double(factor(scale))
    let x = person.center.x + crop * Double(shift * calm * random.normal())
    let y = person.center.y + crop * Double(shift * calm * random.normal())
    let isMirrored = random.chance(flip)
    return Place(
      placement: Placement(
        source: (x, y), target: (side / 2, side / 2), angle: degrees * .pi / 180,
        scale: side / crop, stretch: factor(1 / aspect...aspect), isMirrored: isMirrored),
      isMirrored: isMirrored)
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

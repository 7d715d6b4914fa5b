/// How training pictures are varied.
///
/// Every value is a probability or a range; a sample draws each anew.
public struct Augmentation: Hashable, Sendable {
  /// The probability that a sample is put together from four pictures.
  public var mosaic: Float = 0.3
  /// The smallest and greatest scale, relative to the picture fitted into the network's input.
  public var scale: ClosedRange<Float> = 0.75...2.2
  /// The probability that a sample which shows a part of a picture is placed around one of its dice.
  public var dieInView: Float = 0.8
  /// The greatest ratio by which width and height are stretched differently.
  public var aspect: Float = 1.2
  /// The probability of a mirrored picture.
  public var flip: Float = 0.5
  /// Whether pictures are turned by multiples of 90 degrees.
  ///
  /// They are not: seen from the side, a die's top face is the uppermost of its faces, and a network
  /// that is shown pictures turned around cannot learn that.
  public var quarterTurns = false
  /// The greatest further rotation, in degrees, either way.
  public var rotation: Float = 12
  /// The greatest change of brightness, as a share of white, either way.
  public var brightness: Float = 0.2
  /// The greatest change of contrast, as a factor either way.
  public var contrast: Float = 1.4
  /// The greatest exponent of the tone curve, either way.
  public var gamma: Float = 1.4
  /// The greatest change of saturation, as a factor either way.
  public var saturation: Float = 1.6
  /// The greatest rotation of the hue, in degrees, either way.
  public var hue: Float = 40
  /// The probability of a hue anywhere on the circle.
  public var anyHue: Float = 0.15
  /// The greatest factor of a single colour channel, either way: the light's colour.
  public var whiteBalance: Float = 1.2
  /// The probability that light and dark are brought closer together while colours keep their
  /// distance, which leaves red pips on a black die to be told by their red.
  public var flattening: Float = 0.15
  /// The least share of the differences in brightness that is then left.
  public var leastRelief: Float = 0.3
  /// The probability of a gray picture.
  public var gray: Float = 0.1
  /// The probability of inverted brightness, which turns white dice with black pips around.
  public var inversion: Float = 0.02
  /// The probability of added noise.
  public var noise: Float = 0.3
  /// The greatest deviation of the noise, as a share of white.
  public var noiseDeviation: Float = 0.06
  /// The probability of a blur.
  public var blur: Float = 0.15
  /// The probability that a crop is drawn from the picture at half the pixels that it could have: dice
  /// that are far away, or out of focus.
  public var coarseness: Float = 0.2
  /// A die shows its value only if it is at least this long in pixels of the input; smaller ones
  /// count neither as dice nor as background.
  public var minimumSide: Float = 9
  /// The least visible share of a die that still counts.
  public var minimumVisibility: Float = 0.55

  /// The variation of the recipe for the library's own weights.
  public init() {}

  /// The variation of the recipe without mirrored pictures: for dice with numerals or other signs
  /// that mean nothing, or something else, in a mirror.
  public static var unmirrored: Augmentation {
    var unmirrored = Augmentation()
    unmirrored.flip = 0
    return unmirrored
  }

  /// No variation: pictures fitted into the input.
  public static var none: Augmentation {
    var none = Augmentation()
    none.mosaic = 0
    none.dieInView = 0
    none.scale = 1...1
    none.aspect = 1
    none.flip = 0
    none.quarterTurns = false
    none.rotation = 0
    none.brightness = 0
    none.contrast = 1
    none.gamma = 1
    none.saturation = 1
    none.hue = 0
    none.anyHue = 0
    none.whiteBalance = 1
    none.flattening = 0
    none.gray = 0
    none.inversion = 0
    none.noise = 0
    none.blur = 0
    none.coarseness = 0
    return none
  }
}

/// What a drawn person wears and looks like.
///
/// Colours are red, green and blue, 0...255.
public struct Outfit: Hashable, Sendable {
  var skin = SIMD3(206.0, 158, 128)
  var shirt = SIMD3(178.0, 44, 52)
  var trousers = SIMD3(52.0, 62, 92)
  var shoes = SIMD3(232.0, 232, 226)
  var hair = SIMD3(66.0, 46, 34)
  /// How far sleeves reach, in bones of the arm: 0 for none, 2 for long ones.
  var sleeves = 0.6
  /// How far trousers reach, in bones of the leg.
  var trouserLegs = 2.0
  /// What the thickness of all limbs is multiplied with.
  var girth = 1.0

  /// The red shirt and the long trousers of the player of ``ThrowFilm``.
  public init() {}

  /// Somebody by chance: skin from pale to dark, clothes of any colour and length, thin or stout.
  public init(using random: inout some RandomNumberGenerator) {
    func color() -> SIMD3<Double> {
      let light = random.between(15, 240)
      let vivid = random.between(0, 1) * random.between(0, 1) * 110
      return SIMD3(
        light + vivid * random.between(-1, 1), light + vivid * random.between(-1, 1),
        light + vivid * random.between(-1, 1)
      )
      .clamped(lowerBound: SIMD3(repeating: 5), upperBound: SIMD3(repeating: 250))
    }
    let tan = random.between(0, 1)
    skin = SIMD3(236.0, 196, 170) * (1 - tan) + SIMD3(84.0, 52, 38) * tan
    shirt = color()
    trousers = color()
    shoes = color()
    hair =
      SIMD3(30.0, 24, 20) + SIMD3(150.0, 120, 80) * (random.between(0, 1) * random.between(0, 1))
    sleeves = [0, random.between(0.3, 0.9), random.between(1.5, 2)][Int(random.next() % 3)]
    trouserLegs = [random.between(0.3, 1.1), 2][Int(random.next() % 2)]
    girth = random.between(0.85, 1.3)
  }
}

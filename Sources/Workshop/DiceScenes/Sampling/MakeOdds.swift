/// How often dice are made how, in varied scenes.
struct MakeOdds: Sendable {
  /// Of the colour of the body: white, ivory, black, a colour of dice, a pale colour, wood, metal.
  var bodies: [Float]
  /// Of the pattern: one colour, marbled, swirled, speckled, two colours, glitter.
  var patterns: [Float]
  /// Of a translucent body, of one colour and patterned.
  var translucency: (plain: Float, patterned: Float)
  /// Of the colour of the pips: white, black, gold, a strong colour.
  var pipColours: [Float]
  /// Of pips in a colour near that of the body.
  var faintPips: Float
  /// Of the kind of the pips: sunk, flat, bare, rings, squares, targets.
  var pipKinds: [Float]
  /// Of a large red one, and often a red four.
  var redOne: Float
  /// Of a pip on the one that is up to half as wide as its face.
  var largeOne: Float
  /// Of the value on top, from the one to the six; none where all are as likely.
  var values: [Float] = []
  /// Of a disc behind the pips.
  var disc: Float
  /// Of a disc in a colour of its own with pips in that of the body.
  var inlay: Float
  /// Of pips that have lost some of their colour.
  var wear: Float
  /// Of a sign in the place of pips, mostly of the one.
  var mark: Float

  /// Of the colour of a large one on a body that is not clear: white, red, orange, pink, blue, black,
  /// another.
  static let oneColours: [Float] = [0.03, 0.63, 0.08, 0.07, 0.06, 0.06, 0.07]

  init(_ makes: SceneOptions.Makes) {
    switch makes {
    case .usual:
      bodies = [0.26, 0.08, 0.12, 0.4, 0.06, 0.04, 0.04]
      patterns = [0.66, 0.09, 0.1, 0.05, 0.03, 0.03]
      translucency = (0.16, 0.25)
      pipColours = [0.45, 0.33, 0.06, 0.16]
      faintPips = 0.04
      pipKinds = [0.62, 0.22, 0.05, 0.04, 0.02, 0.03]
      redOne = 0.09
      largeOne = 0
      disc = 0.05
      inlay = 0
      wear = 0.15
      mark = 0.03
    case .rare:
      bodies = [0.14, 0.04, 0.16, 0.42, 0.08, 0.04, 0.12]
      patterns = [0.36, 0.16, 0.18, 0.08, 0.14, 0.08]
      translucency = (0.35, 0.3)
      pipColours = [0.27, 0.19, 0.16, 0.38]
      faintPips = 0.4
      pipKinds = [0.5, 0.22, 0.1, 0.06, 0.06, 0.06]
      redOne = 0.15
      largeOne = 0
      disc = 0.08
      inlay = 0.14
      wear = 0.25
      mark = 0.1
    case .largeOne:
      bodies = [0.54, 0.12, 0.03, 0.12, 0.17, 0.01, 0.01]
      patterns = [0.86, 0.05, 0.04, 0.02, 0.01, 0.02]
      translucency = (0.25, 0.25)
      pipColours = [0.2, 0.6, 0.03, 0.17]
      faintPips = 0.04
      pipKinds = [0.8, 0.2, 0, 0, 0, 0]
      redOne = 0
      largeOne = 1
      values = [0.5, 0.06, 0.08, 0.2, 0.09, 0.07]
      disc = 0
      inlay = 0
      wear = 0.15
      mark = 0
    }
  }
}

/// What kind of scenes to sample.
public struct SceneOptions: Hashable, Sendable {
  /// How far the looks may go.
  public enum Style: UInt8, Hashable, Sendable {
    /// Clear, typical pictures: ordinary dice, a calm ground, soft light, little noise.
    case plain
    /// Anything that a photo can show, bad light and cheap cameras included.
    case varied
  }

  /// What tells the value of a face.
  public enum Faces: UInt8, Hashable, Sendable {
    /// As many pips as the value.
    case pips
    /// A painted numeral, upright in turns by quarters, with a bar under the six.
    case numerals
  }

  /// Of what make dice are in varied scenes.
  public enum Makes: UInt8, Hashable, Sendable {
    /// As they are sold: most are of one colour, with white or black pips.
    case usual
    /// What is rare among them: metal, two colours, glitter, coloured pips that hardly stand out,
    /// discs behind the pips, a sign in the place of the one.
    case rare
    /// With one large pip on the one, mostly red on white, and often a red four; some are
    /// translucent with a white one. Half of them show the one, every fifth the four.
    case largeOne
  }

  /// What dice of 4 to 20 sides with numerals are labelled with.
  public enum PolyhedronLabels: Hashable, Sendable {
    /// Nothing: they lie there as other things do.
    case none
    /// Their kinds, `d4` to `d20`, with boxes around all that can be seen of them.
    case kinds
    /// Kinds and what counts, as `d20-17`, with boxes around the uppermost face.
    case values
  }

  /// How many dice to lay; fewer where there is no room for more.
  public var diceCount: ClosedRange<Int>
  /// The length of a die's edge in pixels at the middle of a picture whose longer side is 640.
  public var dieSize: ClosedRange<Double>
  /// How high the camera stands, in degrees above the table: 90 looks straight down.
  public var cameraElevation: ClosedRange<Double>
  /// Whether other things lie on the table: coins, cards, pens, game pieces.
  public var hasDistractors: Bool
  /// Width over height of the pictures that the layout is made for.
  public var aspectRatio: Double
  /// How far the looks may go.
  public var style: Style
  /// Whether things lie on the table that resemble dice: cubes without pips, sugar, bricks with
  /// studs, dominoes, buttons, keys, ladybirds, printed dice.
  public var hasHardNegatives: Bool
  /// What the dice show on their faces; nothing else in a scene depends on it.
  public var faces: Faces
  /// Of what make dice are in varied scenes.
  public var makes: Makes
  /// How many dice of 4 to 20 sides with numerals lie among the dice.
  public var polyhedra: ClosedRange<Int>
  /// How many sides those have, of 4, 6, 8, 10, 12 and 20; other numbers mean nothing.
  public var polyhedronSides: Set<Int> = [4, 6, 8, 10, 12, 20]
  /// What those are labelled with; nothing else in a scene depends on it.
  public var polyhedronLabels: PolyhedronLabels
  /// Whether the table is full of what has dots, signs or lights but is no die: keyboards, screens,
  /// lamps, plugs, print, fruit, fronts of houses.
  public var hasClutter: Bool
  /// How many game pieces to lay, all of which have labels.
  public var pieces: ClosedRange<Int>
  /// The makes of dice with six symbols in place of pips, by number; nil for pips or numerals.
  ///
  /// A number fixes the body, its colours and its symbols in every scene of one style.
  public var symbols: ClosedRange<Int>?

  /// Options with every part given; each is brought into the range that makes sense.
  ///
  /// Numbers of dice, pieces and makes are clamped to 0 ... 100, sizes to 4 ... 600 pixels, elevations to 15 ... 90
  /// degrees and the aspect ratio to 0.25 ... 4; what is NaN becomes the lower limit.
  public init(
    diceCount: ClosedRange<Int>, dieSize: ClosedRange<Double>,
    cameraElevation: ClosedRange<Double>, hasDistractors: Bool, aspectRatio: Double = 1,
    style: Style, hasHardNegatives: Bool = false, faces: Faces = .pips,
    makes: Makes = .usual, polyhedra: ClosedRange<Int> = 0...0,
    polyhedronLabels: PolyhedronLabels = .none, hasClutter: Bool = false,
    pieces: ClosedRange<Int> = 0...0, symbols: ClosedRange<Int>? = nil
  ) {
    self.diceCount = diceCount
    self.dieSize = dieSize
    self.cameraElevation = cameraElevation
    self.hasDistractors = hasDistractors
    self.aspectRatio = aspectRatio
    self.style = style
    self.hasHardNegatives = hasHardNegatives
    self.faces = faces
    self.makes = makes
    self.polyhedra = polyhedra
    self.polyhedronLabels = polyhedronLabels
    self.hasClutter = hasClutter
    self.pieces = pieces
    self.symbols = symbols
  }

  /// One to six ordinary dice on felt, wood or stone in soft light, seen well.
  public static let fixture = SceneOptions(
    diceCount: 1...6, dieSize: 60...130, cameraElevation: 42...85, hasDistractors: false,
    style: .plain)

  /// Everything: one to forty dice of any make, 10 to 250 pixels large, anywhere.
  public static let training = SceneOptions(
    diceCount: 1...40, dieSize: 10...250, cameraElevation: 25...90, hasDistractors: true,
    style: .varied)

  /// Tables of every kind without a die, with clutter and things that resemble dice.
  public static let hardNegatives = SceneOptions(
    diceCount: 0...0, dieSize: 20...170, cameraElevation: 25...90, hasDistractors: true,
    style: .varied, hasHardNegatives: true)

  /// Keyboards, screens, lamps, plugs, print, fruit and fronts of houses, without a die.
  public static let clutter = SceneOptions(
    diceCount: 0...0, dieSize: 20...170, cameraElevation: 25...90, hasDistractors: false,
    style: .varied, hasClutter: true)

  /// Game pieces on tables of every kind, without a die with pips.
  public static let gamePieces = SceneOptions(
    diceCount: 0...0, dieSize: 22...130, cameraElevation: 28...90, hasDistractors: false,
    style: .varied, pieces: 1...14)
}

extension SceneOptions {
  /// The same options within the limits that `init` documents.
  var limited: SceneOptions {
    func limit(_ range: ClosedRange<Double>, _ lower: Double, _ upper: Double)
      -> ClosedRange<Double>
    {
      func inside(_ x: Double) -> Double { x >= lower ? Swift.min(x, upper) : lower }
      let a = inside(range.lowerBound)
      return a...Swift.max(a, inside(range.upperBound))
    }
    var result = self
    func limit(_ range: ClosedRange<Int>) -> ClosedRange<Int> {
      let least = Swift.min(Swift.max(range.lowerBound, 0), 100)
      return least...Swift.min(Swift.max(range.upperBound, least), 100)
    }
    result.diceCount = limit(diceCount)
    result.polyhedra = limit(polyhedra)
    result.pieces = limit(pieces)
    result.symbols = symbols.map(limit)
    result.dieSize = limit(dieSize, 4, 600)
    result.cameraElevation = limit(cameraElevation, 15, 90)
    result.aspectRatio = aspectRatio >= 0.25 ? Swift.min(aspectRatio, 4) : 0.25
    return result
  }
}

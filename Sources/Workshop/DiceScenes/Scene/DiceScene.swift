/// A table with dice, ready to be drawn at any size: the camera, the light, the ground and all on it.
///
/// A scene is made by `DiceScene.random(seed:options:)`. Lengths count in edges of a typical die; the
/// ground is the plane z = 0 and z points up.
public struct DiceScene: Sendable {
  var camera: Camera
  var lights: [Light]
  var surroundings: Surroundings
  var surfaces: [Surface]
  /// The surface under everything, an index into `surfaces`.
  var ground: Int
  var patches: [Patch]
  var decals: [Decal]
  var tray: Tray?
  var appearances: [DieAppearance]
  var dice: [Die]
  var materials: [Material]
  var props: [Solid]
  var effects: PictureEffects
  /// Dice with numerals, whichever way they lie; they are among the props.
  var numeralDice: [NumeralDie] = []
  /// Flat things with pictures, some of which glow; they lie below the decals.
  var panels: [Panel] = []
  /// The game pieces; they are among the props.
  var pieces: [ScenePiece] = []
  /// The seed that the scene and the noise of its picture come from.
  public let seed: UInt64

  /// How many dice stand on the table; some can be out of sight.
  public var diceCount: Int { dice.count }

  /// The values that the dice show, in the order in which they were laid.
  public var values: [Int] {
    dice.map { die in
      let layout = appearances[die.appearance].layout
      return layout.value(onSide: layout.topSide(for: die.rotation))
    }
  }
}

internal import DiceCommandLine
internal import DiceFiles
internal import DiceGeometry

/// The options that say where one plays.
enum FieldArguments {
  static let field = ValueOption<Quadrilateral>(
    "field", "X,Y,X,Y,X,Y,X,Y",
    "The corners of the field of play in the first frame: eight numbers, pixels of the upright picture, "
      + "clockwise from the upper left corner. Dice outside are told apart, and the field moves with the "
      + "camera.",
    requirement: CornerArguments.requirement, read: { CornerArguments.corners($0) })
  static let size = ValueOption<FieldSize>(
    "field-size", "WxHcm",
    "The field's real size: the length of its upper side and of its left one, in cm, mm, m or in. Dice then "
      + "have places in centimetres, and those that lean may be told. Needs --field.",
    requirement: "two lengths from 0.1 to 100000 and their unit (cm, mm, m, in), such as 40x40cm",
    read: { FieldSize($0) })
  static let playerSide = ValueOption<PlayingField.Side>.choice(
    "player-side", [("lower", .lower), ("left", .left), ("upper", .upper), ("right", .right)],
    "At which side of the field the player sits, who counts dice from left to right. Needs --field.",
    default: "lower")

  /// The options of the group.
  static let descriptions = [field.description, size.description, playerSide.description]

  /// The field that the arguments tell; nil where they tell none.
  static func field(_ arguments: ParsedArguments) throws(ToolError) -> PlayingField? {
    guard let corners = arguments[field] else {
      for (isThere, name) in [
        (arguments.contains(size), size.description.name),
        (arguments.contains(playerSide), playerSide.description.name),
      ] where isThere {
        throw .usage(.conflict(sentence: "--\(name) needs --field."))
      }
      return nil
    }
    do {
      return try PlayingField(
        corners: corners,
        size: arguments[size].map { PlayingField.Size(width: $0.width, height: $0.height) },
        playerSide: arguments[playerSide] ?? .lower)
    } catch {
      throw .usage(.conflict(sentence: "--field: \(error)"))
    }
  }
}

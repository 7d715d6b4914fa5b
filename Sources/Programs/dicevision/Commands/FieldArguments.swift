internal import DiceFiles
internal import DiceGeometry

/// The options that say where one plays.
enum FieldArguments {
  /// What four corners are, in the words of all commands that take some.
  static let cornersRequirement =
    "four corners as eight numbers from -100000 to 100000, such as 100,80,540,90,560,400,80,390"
  static let field = ValueOption<Quadrilateral>(
    "field", "X,Y,X,Y,X,Y,X,Y",
    "The corners of the field of play in the first frame: eight numbers, pixels of the upright picture, "
      + "clockwise from the upper left corner. Dice outside are told apart, and the field moves with the "
      + "camera.",
    requirement: cornersRequirement, read: { corners($0) })
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

  /// Four corners of a text; nil where it has none.
  static func corners(_ text: String) -> Quadrilateral? {
    guard let numbers = numbers(text, count: 8) else { return nil }
    return Quadrilateral(
      corners: (0..<4).map { PixelPoint(x: numbers[2 * $0], y: numbers[2 * $0 + 1]) })
  }

  /// Numbers with commas between them, each from -100,000 to 100,000; nil where a text has others.
  static func numbers(_ text: String, count: Int) -> [Double]? {
    let numbers = text.split(separator: ",", omittingEmptySubsequences: false).map {
      NumberText.number(String($0))
    }
    let known = numbers.compactMap { $0 }
    guard numbers.count == count, known.count == count,
      known.allSatisfy({ (-100_000...100_000).contains($0) })
    else { return nil }
    return known
  }
}

internal import DiceCodecs
internal import DiceFiles
package import DiceGeometry

/// The options of every command that reads pictures.
package enum PictureArguments {
  package static let orientation = ValueOption<ImageOrientation>(
    "orientation", "NAME",
    "How to turn the stored rows: EXIF's number 1 to 8 or its name.",
    default: "what the file says", requirement: OrientationNames.requirement,
    choices: OrientationNames.names, read: OrientationNames.read)
  package static let region = ValueOption<NormalizedRect>(
    "region", "X,Y,W,H",
    "Looks only in this part of the upright picture: left edge, top edge, width and height as "
      + "shares of its sides, counted from the upper left corner.",
    default: "0,0,1,1",
    requirement:
      "four numbers X,Y,W,H from 0 to 1 with W and H above 0 and X + W and Y + H at most "
      + "1",
    read: readRegion)
  package static let pixelLimit = ValueOption.integer(
    "max-pixels", "N", in: 1...4_000_000_000,
    "Refuses pictures with more pixels, before it takes memory for them.",
    default: NumberText.grouped(DecodingLimits().pixelCount))
  package static let recursive = Switch("recursive", "Also looks into folders inside folders.")
  package static let threads = ValueOption.integer(
    "threads", "N", in: 1...64,
    "Threads that work at once: on a single picture together, of several pictures each on one of "
      + "its own. Results do not depend on it.",
    default: "one per processor")

  /// Which command reads the dice of pictures, as a sentence.
  package static let diceAdvice = "`\(Tool.name) detect` reads the dice of pictures."

  package static func readRegion(_ text: String) -> NormalizedRect? {
    var numbers: [Double] = []
    for part in text.split(separator: ",", omittingEmptySubsequences: false) {
      guard let number = NumberText.number(String(part)), (0...1).contains(number) else {
        return nil
      }
      numbers.append(number)
    }
    // Sums of decimal fractions may exceed 1 in their last bit.
    guard numbers.count == 4, numbers[2] > 0, numbers[3] > 0, numbers[0] + numbers[2] <= 1 + 1e-9,
      numbers[1] + numbers[3] <= 1 + 1e-9
    else { return nil }
    return NormalizedRect(
      x: numbers[0], y: numbers[1], width: min(numbers[2], 1 - numbers[0]),
      height: min(numbers[3], 1 - numbers[1])
    ).verticallyFlipped()
  }
}

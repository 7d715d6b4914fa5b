internal import DiceCommandLine
internal import DiceFiles
internal import DiceVisionTraining

/// An annotation file on the command line with how much it counts: `FILE[:weight=W][:boxes=B][:images=DIR]`.
enum TrainingSourceArgument {
  /// What a value must be.
  static let requirement =
    "FILE[:weight=W][:boxes=B][:images=DIR] with W above 0, at most 1000000, and B from 0 to 1"

  private static let keys = ["weight", "boxes", "images"]

  /// What a path that is no file may have meant: a part at its end has a misspelt key.
  static func suggestion(for path: String) -> String? {
    guard let colon = path.utf8.lastIndex(of: UInt8(ascii: ":")) else { return nil }
    let part = path[path.utf8.index(after: colon)...]
    guard let equals = part.utf8.firstIndex(of: UInt8(ascii: "=")),
      let key = Suggestion.nearest(to: String(part[..<equals]), among: keys)
    else { return nil }
    return "\(path[..<colon]):\(key)\(part[equals...])"
  }

  /// The source of an argument; nil where it breaks the rules.
  ///
  /// The parts behind the file's name are taken from the end, each once, so that a file's name may
  /// hold colons.
  static func read(_ text: String) -> TrainingSource? {
    var rest = text[...]
    var weight: Float?
    var boxes: Float?
    var images: String?
    while let colon = rest.utf8.lastIndex(of: UInt8(ascii: ":")) {
      let part = rest[rest.utf8.index(after: colon)...]
      guard let equals = part.utf8.firstIndex(of: UInt8(ascii: "=")) else { break }
      let key = part[..<equals]
      let value = NumberText.number(String(part[part.utf8.index(after: equals)...]))
      if key == "weight" {
        guard weight == nil, let value, value > 0, value <= 1_000_000, Float(value) > 0 else {
          return nil
        }
        weight = Float(value)
      } else if key == "boxes" {
        guard boxes == nil, let value, (0...1).contains(value) else { return nil }
        boxes = Float(value)
      } else if key == "images" {
        let folder = String(part[part.utf8.index(after: equals)...])
        guard images == nil, !folder.isEmpty else { return nil }
        images = folder
      } else {
        break
      }
      rest = rest[..<colon]
    }
    if rest.isEmpty { return nil }
    return TrainingSource(
      annotations: String(rest), images: images, weight: weight ?? 1, boxWeight: boxes ?? 1)
  }
}

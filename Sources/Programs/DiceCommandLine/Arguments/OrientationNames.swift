internal import DiceFiles
package import DiceGeometry

/// The names and numbers by which people give an orientation.
package enum OrientationNames {
  private static let known: [(name: String, orientation: ImageOrientation)] = [
    ("up", .up), ("up-mirrored", .upMirrored), ("down", .down), ("down-mirrored", .downMirrored),
    ("left-mirrored", .leftMirrored), ("right", .right), ("right-mirrored", .rightMirrored),
    ("left", .left),
  ]

  /// The names in the order of EXIF's numbers 1 to 8.
  package static var names: [String] { known.map { $0.name } }

  /// What a value must be.
  package static var requirement: String { "1 to 8, \(NumberText.alternatives(names))" }

  /// The orientation of a number or name; `upMirrored` and `up-mirrored` are the same, and letter
  /// case does not count.
  package static func read(_ text: String) -> ImageOrientation? {
    if text.utf8.count == 1, let number = UInt8(text, radix: 10) {
      return ImageOrientation(rawValue: number)
    }
    let wanted = plain(text)
    for entry in known where plain(entry.name) == wanted { return entry.orientation }
    return nil
  }

  private static func plain(_ name: String) -> String {
    name.lowercased().filter { $0 != "-" }
  }
}

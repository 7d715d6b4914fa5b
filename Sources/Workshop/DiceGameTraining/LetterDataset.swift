internal import DiceCodecs
internal import DiceFiles
package import DiceGameKit

/// Letters of typefaces as lines of a pen: what no digit looks like.
///
/// A file has a line of JSON for each letter: `{"label": "A", "strokes": [[[x, y], ...], ...]}`, y down,
/// in any unit; plain or with gzip (`.gz`).
public struct LetterDataset: Hashable, Sendable {
  /// One letter.
  package struct Letter: Hashable, Sendable {
    package var label: String
    package var paths: [InkPath]
  }

  package let letters: [Letter]

  /// How many letters there are.
  public var count: Int { letters.count }

  package init(letters: [Letter]) { self.letters = letters }

  /// Reads a file.
  ///
  /// - Throws: that the file cannot be read, or the line that breaks a rule.
  public init(file path: String) throws(StrokeDatasetError) {
    var letters: [Letter] = []
    for (number, line) in try StrokeDataset.lines(ofFile: path) {
      let object = try StrokeDataset.object(line, number: number)
      guard let label = object["label"]?.string, !label.isEmpty else {
        throw .line(number, "no \"label\"")
      }
      letters.append(Letter(label: label, paths: try StrokeDataset.paths(object, number: number)))
    }
    self.init(letters: letters)
  }

  /// A number that follows from all letters.
  var fingerprint: UInt64 {
    var hash: UInt64 = 0xcbf2_9ce4_8422_2325
    func add(_ word: UInt64) { hash = (hash ^ word) &* 0x100_0000_01b3 }
    for letter in letters {
      for byte in letter.label.utf8 { add(UInt64(byte)) }
      for path in letter.paths {
        add(UInt64(path.points.count))
        for point in path.points {
          add(UInt64(point.x.bitPattern) << 32 | UInt64(point.y.bitPattern))
        }
      }
    }
    return hash
  }
}

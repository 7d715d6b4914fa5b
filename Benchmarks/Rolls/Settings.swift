import BenchmarkSupport
import DiceParallel

/// What the command line asks for.
struct Settings {
  /// How many throws to render and follow.
  var count = 200
  /// The seed of the first throw; each next one has the next seed.
  var seed: UInt64 = 900_001
  /// How many throws are rendered at once.
  var threadCount = WorkerPool.processorCount
  /// A folder that keeps what was seen of each throw, so that following it again costs little.
  var folder: String?
  /// Whether throws are measured.
  var measuresThrows = true
  /// Whether the tracker is run over many frames.
  var measuresSoak = false
  /// Whether films of a field of play are measured.
  var measuresField = false
  /// Whether throws soon after others are measured.
  var measuresPairs = false
  /// Whether films in which nothing is thrown are measured.
  var measuresHands = false
  /// Whether films of dice of 4 to 20 sides are measured.
  var measuresAnyDice = false
  /// Whether the features of their dice are printed.
  var printsFeatures = false
  /// Over how many.
  var soakFrameCount = 100_000
  /// A file that takes a picture of a board on a table; nil for none.
  var picture: String?
  /// Whether the report is JSON.
  var printsJSON = false
  /// A document whose marked block takes the tables; nil for none.
  var document: String?

  static let help = """
    Usage: roll-benchmark [--count N] [--seed N] [--threads N] [--keep FOLDER]
                          [--soak] [--only throws|pairs|hands|any-dice|soak|field]
                          [--frames N]
                          [--format text|json] [--write FILE] [--draw FILE]

    Renders N throws (200, from seed 900001 on) and follows them. --keep puts what
    the detector saw into FOLDER, and takes it from there where it is. --soak also
    runs the tracker over 100000 frames (--frames). --only field renders N films of
    dice on a field of play instead, --only pairs N throws that begin 0.1 s to 1 s
    after another one was swept away, --only hands N films of half a minute in which
    hands lay, push, turn and take dice and nobody throws any, --only any-dice three
    times N films of dice of 4 to 20 sides that lie on a table. --features prints a
    line for each die of a field of play.
    --draw writes a JPEG of a board on a table, and does nothing else.
    """

  /// Reads the arguments.
  ///
  /// - Throws: `WrongArgument`.
  init(_ words: [String]) throws {
    var words = words
    while !words.isEmpty {
      let name = words.removeFirst()
      if name == "--soak" {
        measuresSoak = true
        continue
      }
      if name == "--features" {
        printsFeatures = true
        continue
      }
      let value = try Arguments.value(of: name, &words)
      switch name {
      case "--count": count = try Arguments.count(value, name)
      case "--seed":
        guard let number = UInt64(value), number < 1 << 53 else {
          throw WrongArgument("--seed must be a whole number below 2^53, not \(value)")
        }
        seed = number
      case "--threads": threadCount = try Arguments.count(value, name)
      case "--keep": folder = value
      case "--frames": soakFrameCount = try Arguments.count(value, name)
      case "--only":
        guard ["throws", "pairs", "hands", "any-dice", "soak", "field"].contains(value) else {
          throw WrongArgument(
            "--only must be throws, pairs, hands, any-dice, soak or field, not \(value)")
        }
        measuresThrows = value == "throws"
        measuresPairs = value == "pairs"
        measuresHands = value == "hands"
        measuresAnyDice = value == "any-dice"
        measuresSoak = value == "soak"
        measuresField = value == "field"
      case "--format":
        guard ["text", "json"].contains(value) else {
          throw WrongArgument("--format must be text or json, not \(value)")
        }
        printsJSON = value == "json"
      case "--write": document = value
      case "--draw": picture = value
      default: throw WrongArgument("there is no option \(name)")
      }
    }
  }
}

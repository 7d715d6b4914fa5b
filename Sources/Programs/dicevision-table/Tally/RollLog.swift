internal import DiceCommandLine
internal import DiceFiles
internal import DiceRolls
internal import DiceStatistics

/// A log of rolls: JSON lines, piece by piece.
///
/// Lines are events of `track` and `live`, of which `rollEnded` and `resultRevised` count, or the results of
/// `detect`, a roll each. A stream of Server-Sent Events has them behind `data:`.
struct RollLog {
  /// The most bytes of a line.
  static let lineLimit = 1 << 20
  /// The most errors that are told one by one.
  private static let toldErrorLimit = 10

  private let name: String
  private let environment: Environment
  private var line: [UInt8] = []
  private var lineNumber = 0
  private var isTooLong = false
  private var errorCount = 0
  private var eventCount = 0
  /// Where the last roll is, and its number.
  private var last: (number: Int, place: Int?)?
  /// The dice of the last roll and of the one before, by their identities.
  private var (lying, before): ([Int: Die], [Int: Die]) = ([:], [:])

  private static let dataField = Array("data:".utf8)
  private static let otherFields = ["event:", "id:", "retry:", ":"].map { Array($0.utf8) }

  /// Whether a file may be a log, by its first bytes.
  static func isLog(beginning: [UInt8]) -> Bool {
    let text = beginning.drop { $0 <= 0x20 }
    return text.first == UInt8(ascii: "{")
      || ([dataField] + otherFields).contains { text.starts(with: $0) }
  }

  init(_ name: String, _ environment: Environment) {
    self.name = name
    self.environment = environment
  }

  /// Counts all rolls of a log.
  ///
  /// A line that breaks a rule is told, and passed over.
  ///
  /// - Returns: `failure` where a line was passed over.
  /// - Throws: `ToolError.file`, and `.failure` for a file that holds no event and no result.
  static func count(
    _ name: String, into rolls: inout CountedRolls, _ environment: Environment,
    _ next: () throws(FileError) -> [UInt8]?
  ) throws(ToolError) -> CallStatus {
    var log = RollLog(name, environment)
    do throws(FileError) {
      while let bytes = try next() { log.take(bytes, &rolls) }
    } catch { throw .file(error) }
    log.finishLine(&rolls)
    if log.errorCount > toldErrorLimit {
      let more = log.errorCount - toldErrorLimit
      environment.report(
        .failure(
          subject: name, sentence: "\(NumberText.grouped(more)) more such lines are left out."))
    }
    guard log.eventCount > 0 else {
      throw .failure(
        subject: name,
        sentence: "This is no log of rolls: no line holds an event of `\(Tool.name) track --format "
          + "json` or a result of `\(Tool.name) detect --format json`.")
    }
    return log.errorCount == 0 ? .success : .failure
  }

  private mutating func take(_ bytes: [UInt8], _ rolls: inout CountedRolls) {
    for part in bytes.split(separator: 0x0A, omittingEmptySubsequences: false).enumerated() {
      if part.offset > 0 { finishLine(&rolls) }
      if line.count + part.element.count > Self.lineLimit {
        isTooLong = true
      } else if !isTooLong {
        line += part.element
      }
    }
  }

  private mutating func finishLine(_ rolls: inout CountedRolls) {
    lineNumber += 1
    defer {
      line.removeAll(keepingCapacity: true)
      isTooLong = false
    }
    if isTooLong {
      return tell("At most \(NumberText.grouped(Self.lineLimit)) bytes of a line are read.")
    }
    if line.starts(with: Self.dataField) { line.removeFirst(Self.dataField.count) }
    let isOtherField = Self.otherFields.contains { line.starts(with: $0) }
    if isOtherField || line.allSatisfy({ $0 <= 0x20 }) { return }
    let value: JSONValue
    do throws(JSONError) {
      value = try JSONReader.parse(
        line,
        limits: JSONLimits(byteCount: Self.lineLimit, depth: 32, valueCount: 100_000))
    } catch { return tell("Column \(error.column): \(error.rule).") }
    guard case .object(let object) = value else { return tell("A line holds an object.") }
    if let sentence = take(object, &rolls) { tell(sentence) }
  }

  private mutating func tell(_ sentence: String) {
    errorCount += 1
    guard errorCount <= Self.toldErrorLimit else { return }
    environment.report(.failure(subject: name, sentence: "Line \(lineNumber): \(sentence)"))
  }

  /// Counts what a line says.
  ///
  /// - Returns: the rule that it breaks; nil for none.
  private mutating func take(_ object: JSONObject, _ rolls: inout CountedRolls) -> String? {
    guard let event = object["event"] else {
      guard object["image"] != nil, let dice = object["dice"]?.array else {
        return "An object has an event, or an image and its dice."
      }
      guard let read = Self.dice(dice) else { return Self.dieRule }
      eventCount += 1
      rolls.add(CountedRoll(dice: read.map(\.counted)))
      return nil
    }
    guard let name = event.string else { return "An event is a string." }
    eventCount += 1
    guard name == "rollEnded" || name == "resultRevised" else { return nil }
    guard let number = object["roll"]?.integer else { return "A roll has a whole number." }
    guard let dice = object["dice"]?.array, let read = Self.dice(dice) else { return Self.dieRule }
    let isRevision = name == "resultRevised" && last?.number == number
    if !isRevision {
      // Another film begins where the numbers do.
      before = number > last?.number ?? .max ? lying : [:]
    }
    let roll = CountedRoll(dice: thrown(read))
    if !isRevision {
      last = (number, rolls.add(roll))
    } else if let place = last?.place {
      rolls.replace(roll, at: place)
    }
    lying = [:]
    for die in read {
      if let identity = die.identity { lying[identity] = die }
    }
    return nil
  }

  /// The dice of a roll without those that lie as they lay before it: nobody threw them.
  private func thrown(_ dice: [Die]) -> [CountedRoll.Die] {
    dice.filter { die in
      guard let identity = die.identity, let old = before[identity] else { return true }
      let distance = max((die.x - old.x).magnitude, (die.y - old.y).magnitude)
      return old.counted.value != die.counted.value
        || !(distance < 0.2 * die.counted.appearance.size)
    }.map(\.counted)
  }

  /// A die of a line.
  private struct Die {
    var counted: CountedRoll.Die
    var identity: Int?
    /// The middle of its box.
    var x: Double
    var y: Double
  }

  private static let dieRule =
    "A roll has dice, each with a whole number or null as its value, a box of four numbers, and the kind where "
    + "it is known: \(DieKind.allCases.map(\.rawValue).joined(separator: ", "))."

  /// The dice of a line; nil where a rule is broken.
  private static func dice(_ values: [JSONValue]) -> [Die]? {
    var dice: [Die] = []
    for value in values {
      guard case .object(let die) = value, let reading = die["value"],
        case .object(let box)? = die["box"], let x = box["x"]?.number, let y = box["y"]?.number,
        let width = box["width"]?.number, let height = box["height"]?.number, width >= 0,
        height >= 0
      else { return nil }
      if reading != .null, reading.integer == nil { return nil }
      let name = die["kind"] ?? .string(DieKind.d6.rawValue)
      guard let kind = name.string.flatMap({ DieKind(rawValue: $0) }) else { return nil }
      dice.append(
        Die(
          counted: CountedRoll.Die(
            kind: kind, value: reading.integer,
            appearance: DieAppearance(
              color: SIMD3(repeating: 0.5), size: (width * height).squareRoot())),
          identity: die["identity"]?.integer, x: x + width / 2, y: y + height / 2))
    }
    return dice
  }
}

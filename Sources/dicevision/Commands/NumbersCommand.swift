internal import DiceFiles
internal import DiceGameKit
internal import DiceGameTraining

/// `dicevision numbers`: reads numbers that somebody drew.
enum NumbersCommand {
  static let name = "numbers"

  /// The most bytes of a file of drawings.
  static let byteLimit = 1 << 28

  /// The command.
  static let command = Tool.Command(
    description: CommandDescription(
      name: name,
      summary: "Reads numbers drawn with a finger or a pen, from their strokes.",
      discussion: [
        .paragraph(
          "A drawing is a line of JSON, {\"id\": ..., \"strokes\": [[[x, y], ...], ...]}: the strokes "
            + "in the order they were drawn, x to the right and y down, in any unit. Other members "
            + "are passed over. A line that is no such drawing is named on standard error, gets no "
            + "answer, and makes the exit status 1."),
        .paragraph(
          "An answer in JSON is a line, {\"id\": ..., \"text\": \"24\", \"digits\": [{\"value\": 2, "
            + "\"confidence\": 0.99, \"strokes\": [0]}, ...]}. Strokes that show no digit are in none; "
            + "several numbers below each other are lines of the text."),
      ],
      argument: CommandDescription.Argument(
        name: "FILE", summary: "A file of drawings, one a line; - for standard input.",
        counts: 1...Int.max),
      groups: [
        CommandDescription.OptionGroup(
          title: "Output",
          options: [InspectCommand.format.description, ResultArguments.json.description])
      ],
      examples: [
        CommandDescription.Example(
          call: "\(Tool.name) \(name) drawings.jsonl --format json",
          meaning: "A line of JSON for each drawing.")
      ]), run: run)

  static func run(
    _ arguments: ParsedArguments, _ environment: Environment
  ) throws(ToolError) -> CallStatus {
    let isJSON = try ResultArguments.isJSON(
      arguments, format: arguments[InspectCommand.format])
    var recognizer: NumberRecognizer
    do throws(NumberRecognizerError) { recognizer = try NumberRecognizer() } catch {
      throw .failure(subject: name, sentence: "\(error)")
    }
    var status = CallStatus.success
    for path in arguments.positionals {
      let bytes: [UInt8]
      do throws(FileError) {
        bytes =
          try path == "-"
          ? environment.readStandardInput(byteLimit)
          : FileSystem.readFile(at: path, byteLimit: byteLimit)
      } catch {
        environment.report(.file(error))
        status = .failure
        continue
      }
      let lines = bytes.split(separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false)
      for (index, line) in lines.enumerated()
      where line.contains(where: { $0 > UInt8(ascii: " ") }) {
        let answer: (id: JSONValue, reading: NumberReading)
        do throws(BrokenLine) { answer = try read(Array(line), &recognizer) } catch {
          environment.report(
            .failure(subject: path, sentence: "Line \(index + 1): \(error.sentence)"))
          status = .failure
          continue
        }
        try environment.print(
          isJSON ? json(answer.id, answer.reading) : text(answer.id, answer.reading))
      }
    }
    return status
  }

  private struct BrokenLine: Error {
    var sentence: String
  }

  private static func read(
    _ line: [UInt8], _ recognizer: inout NumberRecognizer
  ) throws(BrokenLine) -> (id: JSONValue, reading: NumberReading) {
    let value: JSONValue
    do throws(JSONError) { value = try JSONReader.parse(line) } catch {
      throw BrokenLine(sentence: "\(error)")
    }
    guard case .object(let object) = value, case .array? = object["strokes"] else {
      throw BrokenLine(sentence: "A drawing is an object with \"strokes\", an array.")
    }
    do throws(NumberRecognizerError) {
      let drawing: Drawing
      do throws(DrawingError) { drawing = try StrokeJSON.drawing(object["strokes"]) } catch {
        throw .drawing(error)
      }
      return (object["id"] ?? .null, try recognizer.read(drawing))
    } catch { throw BrokenLine(sentence: "\(error)") }
  }

  private static func json(_ id: JSONValue, _ reading: NumberReading) -> String {
    let value: JSONValue = [
      "id": id, "text": .string(reading.text),
      "digits": .array(
        reading.digits.map { digit in
          [
            "value": JSONValue(digit.value),
            "confidence": .number(NumberText.rounded(Double(digit.confidence), decimals: 4)),
            "strokes": .array(digit.strokes.map { JSONValue($0) }),
          ]
        }),
    ]
    return String(decoding: JSONWriter.write(value, layout: .compact), as: UTF8.self) + "\n"
  }

  private static func text(_ id: JSONValue, _ reading: NumberReading) -> String {
    let name: String
    switch id {
    case .string(let text): name = printable(text)
    case .null: name = "-"
    default:
      name = String(decoding: JSONWriter.write(id, layout: .compact), as: UTF8.self)
    }
    let numbers = reading.lines.map(\.text).joined(separator: " ")
    return "\(name): \(numbers.isEmpty ? "no number" : numbers)\n"
  }
}

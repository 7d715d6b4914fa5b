internal import DiceAudio
internal import DiceCommandLine
internal import DiceFiles
internal import DiceGameKit

/// What the commands about speech share.
enum SpeechArguments {
  static let weights = ValueOption.text(
    "weights", "FILE", "The weight file, as `train speech` writes it.", default: "the library's")

  /// A recogniser with the weights that a call names, or the library's.
  static func recognizer(
    _ arguments: ParsedArguments, sampleRate: Int = 16_000
  ) throws(ToolError) -> SpokenNumberRecognizer {
    guard let path = arguments[weights] else {
      do throws(SpokenNumberError) {
        return try SpokenNumberRecognizer(sampleRate: sampleRate)
      } catch { throw .failure(subject: "the library's weights", sentence: "\(error)") }
    }
    let bytes = try WeightSource.bytes(at: path)
    do throws(SpokenNumberError) {
      return try SpokenNumberRecognizer(weights: bytes, sampleRate: sampleRate)
    } catch { throw .failure(subject: path, sentence: "\(error)") }
  }
}

/// `dicevision listen`: the numbers that are said in sound files.
enum ListenCommand {
  static let name = "listen"

  static let format = ValueOption<ResultFormat>.choice(
    "format", [("text", .text), ("json", .json)], "How results are printed.", default: "text")

  private static let byteLimit = 1 << 30

  /// The command.
  static let command = Tool.Command(
    description: CommandDescription(
      name: name,
      summary: "Prints the number that is said in each sound file, in English.",
      argument: CommandDescription.Argument(
        name: "FILE",
        summary: "WAV or FLAC files; - is one on standard input, heard as a stream: a line for "
          + "each utterance.", counts: 1...1_000_000),
      groups: [
        CommandDescription.OptionGroup(
          title: "Network", options: [SpeechArguments.weights.description]),
        CommandDescription.OptionGroup(
          title: "Output", options: [format.description, ResultArguments.json.description]),
      ],
      examples: [
        CommandDescription.Example(
          call: "\(Tool.name) \(name) --format json answer.wav",
          meaning: "A line of JSON with the number, its words and how sure it is.")
      ]), run: run)

  static func run(
    _ arguments: ParsedArguments, _ environment: Environment
  ) throws(ToolError) -> CallStatus {
    let isJSON = try ResultArguments.isJSON(arguments, format: arguments[format])
    let recognizer = try SpeechArguments.recognizer(arguments)
    var attempts = Attempts(environment)
    for path in arguments.positionals {
      try attempts.print { () throws(ToolError) in
        let clip = try clip(path, environment)
        if path == InputFiles.standardInput { return try stream(clip, arguments, isJSON) }
        do throws(SpokenNumberError) {
          return line(path, try recognizer.number(in: clip), isJSON)
        } catch { throw .failure(subject: path, sentence: "\(error)") }
      }
    }
    return attempts.status
  }

  private static func clip(_ path: String, _ environment: Environment) throws(ToolError)
    -> AudioClip
  {
    let bytes = try InputFiles.bytes(path, byteLimit: byteLimit, environment)
    let clip: AudioClip
    do throws(AudioFileError) { clip = try AudioClip(file: bytes) } catch {
      throw .failure(subject: InputFiles.name(path), sentence: "\(error)")
    }
    let rates = SpokenNumberRecognizer.sampleRates
    guard rates.contains(clip.sampleRate) else {
      throw .failure(
        subject: path,
        sentence: "The sound has \(clip.sampleRate) samples a second; "
          + "\(rates.lowerBound) to \(rates.upperBound) are heard.")
    }
    return clip
  }

  /// A line for each utterance of standard input.
  private static func stream(
    _ clip: AudioClip, _ arguments: ParsedArguments, _ isJSON: Bool
  ) throws(ToolError) -> String {
    let recognizer = try SpeechArguments.recognizer(
      arguments, sampleRate: clip.sampleRate)
    let events: [SpokenNumberRecognizer.Event]
    do throws(SpokenNumberError) {
      events = try recognizer.append(clip.mono) + recognizer.finish()
    } catch { throw .failure(subject: "standard input", sentence: "\(error)") }
    return events.map { (event) in
      switch event {
      case .speechBegan: ""
      case .heard(let number): line("-", number, isJSON)
      case .rejected: line("-", nil, isJSON)
      }
    }.joined()
  }

  private static func line(_ path: String, _ number: SpokenNumber?, _ isJSON: Bool) -> String {
    guard isJSON else {
      return "\(printable(path)): \(number.map { "\($0)" } ?? "no number")\n"
    }
    let confidence = NumberText.rounded(Double(number?.confidence ?? 0), decimals: 4)
    let result: JSONValue = [
      "audio": .string(path), "number": number.map { JSONValue($0.value) } ?? .null,
      "words": .array((number?.words ?? []).map { .string($0.text) }),
      "confidence": .number(confidence),
    ]
    return String(decoding: JSONWriter.write(result), as: UTF8.self) + "\n"
  }
}

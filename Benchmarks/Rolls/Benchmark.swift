import BenchmarkSupport
import DiceFiles
import DiceVisionKit

/// Measures how rolls are followed: rendered throws through detector and follower, and the tracker over
/// a hundred thousand frames.
///
/// `Benchmarks/README.md` explains each line.
@main
enum Benchmark {
  static func main() {
    do {
      let words = Array(CommandLine.arguments.dropFirst())
      if words == ["--help"] { return print(Settings.help) }
      let settings = try Settings(words)
      if let picture = settings.picture {
        let detector = try DiceDetector()
        try FileSystem.writeFile(
          FieldPicture.jpeg(seed: settings.seed, detector: detector), to: picture)
        return
      }
      try measure(settings, command: "roll-benchmark " + words.joined(separator: " "))
    } catch {
      StandardStream.write("roll-benchmark: \(error)\n")
      Process.exit(1)
    }
  }

  private static func measure(_ settings: Settings, command: String) throws {
    let heading = "\(Process.date), \(Machine.name), commit \(Machine.commit)\n\(command)"
    if !settings.printsJSON { print(heading) }
    var members: [JSONObject.Member] = [
      .init(key: "date", value: .string(Process.date)),
      .init(key: "machine", value: .string(Machine.name)),
      .init(key: "commit", value: .string(Machine.commit)),
      .init(key: "command", value: .string(command)),
    ]
    var texts: [String] = []
    func report(_ name: String, _ table: Table, _ note: String) {
      let text = "\(name): \(table.title)\n\n\(table.text)" + (note.isEmpty ? "" : "\n\n\(note)")
      if !settings.printsJSON { print("\n\(text)") }
      texts.append(text)
      members.append(.init(key: name, value: table.json))
    }
    if settings.measuresThrows {
      let measurement = try ThrowMeasurement(settings)
      report("throws", measurement.table, measurement.note)
      members.append(.init(key: "equalAtAllRates", value: JSONValue(measurement.equalCount)))
      members.append(.init(key: "misses", value: measurement.misses))
      if !settings.printsJSON {
        for miss in measurement.missTexts { print(miss) }
      }
    }
    if settings.measuresPairs {
      let measurement = try PairMeasurement(settings)
      report("pairs", measurement.table, measurement.missTexts.joined(separator: "\n"))
    }
    if settings.measuresHands {
      let measurement = try HandMeasurement(settings)
      report("hands", measurement.table, measurement.note)
    }
    if settings.measuresAnyDice {
      report("any-dice", try AnyDiceMeasurement(settings).table, "")
    }
    if settings.measuresField {
      let measurement = try FieldMeasurement(settings)
      report("field", measurement.dice, "")
      report("board", measurement.board, measurement.boardNote)
      report("covered", measurement.covered, "")
      report("sparings", measurement.sparings, measurement.roomNote)
      if settings.printsFeatures { print(measurement.features) }
    }
    if settings.measuresSoak {
      report("soak", try SoakMeasurement.run(frameCount: settings.soakFrameCount), "")
    }
    if settings.printsJSON {
      let text = JSONWriter.write(.object(JSONObject(members)), layout: .pretty)
      print(String(decoding: text, as: UTF8.self), terminator: "")
    }
    if let document = settings.document {
      try MarkedDocument.insert(
        "\(heading)\n\n" + texts.joined(separator: "\n\n\n"), into: document, at: "rolls")
    }
  }
}

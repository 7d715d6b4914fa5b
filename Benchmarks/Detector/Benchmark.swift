import BenchmarkSupport
import DiceFiles

/// Measures what the library does, from a core's peak to the events of a film.
///
/// `Benchmarks/README.md` explains each line.
@main
enum Benchmark {
  /// The measurements by name, in the order of the report.
  private static let measurements: [(name: String, run: @Sendable (Settings) throws -> Table)] = [
    ("peak", PeakMeasurement.run),
    ("layers", LayerMeasurement.run),
    ("network", NetworkMeasurement.run),
    ("pipelines", PipelineMeasurement.run),
    ("clip", ClipMeasurement.run),
    ("throughput", ThroughputMeasurement.run),
    ("suppression", SuppressionMeasurement.run),
    ("field", FieldMeasurement.run),
    ("startup", StartupMeasurement.run),
    ("memory", MemoryMeasurement.run),
    ("allocations", AllocationMeasurement.run),
    ("flights", FlightTable.run),
  ]

  static func main() {
    var arguments = Array(CommandLine.arguments.dropFirst())
    do {
      switch arguments.first {
      case "engine":
        try EngineMode.run(Array(arguments.dropFirst()))
      case "--help":
        print(Settings.help(names: measurements.map { $0.name }))
      default:
        let settings = try Settings(&arguments, names: measurements.map { $0.name })
        try measure(settings)
      }
    } catch {
      StandardStream.write("detector-benchmark: \(error)\n")
      Process.exit(1)
    }
  }

  private static func measure(_ settings: Settings) throws {
    let surroundings = Surroundings.current(settings)
    if !settings.printsJSON { print(surroundings.text) }
    var tables: [(name: String, table: Table)] = []
    for (name, run) in measurements where settings.includes(name) {
      let table = try run(settings)
      tables.append((name, table))
      if !settings.printsJSON { print("\n\(name): \(table.title)\n\(table.text)") }
    }
    if settings.printsJSON {
      var members = surroundings.json
      for (name, table) in tables { members.append(.init(key: name, value: table.json)) }
      let text = JSONWriter.write(.object(JSONObject(members)), layout: .pretty)
      print(String(decoding: text, as: UTF8.self), terminator: "")
    }
    if let document = settings.document {
      let text = tables.map { "\($0.name): \($0.table.title)\n\n\($0.table.text)" }
      try MarkedDocument.insert(
        "\(surroundings.text)\n\n" + text.joined(separator: "\n\n\n"), into: document,
        at: "detector")
    }
  }
}

import BenchmarkSupport
import DiceVisionKit

/// What the command line asks for.
struct Settings {
  /// Timed calls of each measurement, and films of `flights`.
  var rounds = 60
  /// The measurements to make; empty for all.
  var only: [String] = []
  /// Whether the report is JSON.
  var printsJSON = false
  /// The folder with the fixtures.
  var fixtures = "Fixtures"
  /// A document whose marked block takes the tables; nil for none.
  var document: String?
  /// A picture file with dice for the pipelines; nil takes a fixture.
  var picture: String?
  /// What the networks of the pipelines compute with.
  var precision = DiceDetector.Precision.single

  static func help(names: [String]) -> String {
    """
    Usage: detector-benchmark [--only NAME]... [--rounds N] [--format text|json]
                              [--fixtures FOLDER] [--picture FILE] [--precision NAME]
                              [--write FILE]
           detector-benchmark engine network|tensors|picture|suppression|contours [OPTIONS]

    Measurements: \(names.joined(separator: ", ")).
    Run it in the root of the checkout, on a machine that does nothing else.
    """
  }

  /// Reads the arguments.
  ///
  /// - Throws: `WrongArgument`.
  init(_ arguments: inout [String], names: [String]) throws {
    while !arguments.isEmpty {
      let name = arguments.removeFirst()
      let value = try Arguments.value(of: name, &arguments)
      switch name {
      case "--rounds": rounds = try Arguments.count(value, name)
      case "--only":
        for word in value.split(separator: ",") {
          guard names.contains(String(word)) else {
            throw WrongArgument("--only must be one of \(names.joined(separator: ", "))")
          }
          only.append(String(word))
        }
      case "--format":
        guard ["text", "json"].contains(value) else {
          throw WrongArgument("--format must be text or json")
        }
        printsJSON = value == "json"
      case "--fixtures": fixtures = value
      case "--picture": picture = value
      case "--precision":
        guard let named = DiceDetector.Precision(rawValue: value), named.isAvailable else {
          throw WrongArgument("the precision \(value) is not available here")
        }
        precision = named
      case "--write": document = value
      default: throw WrongArgument("there is no option \(name)")
      }
    }
  }

  func includes(_ name: String) -> Bool { only.isEmpty || only.contains(name) }
}

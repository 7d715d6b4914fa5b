import DiceFiles
import TestSupport
import Testing

@testable import DiceCommandLine

@Suite struct TrainFlightsCommandTests {
  private let folder: TemporaryFolder
  private let call = ToolCall()

  init() throws { folder = try TemporaryFolder() }

  @Test func aNetworkIsWrittenAndMeasured() throws {
    let output = folder.file("Network.swift")
    let arguments = [
      "train", "flights", "--parks", "2", "--gardens", "0", "--sessions", "0", "--validation", "1",
      "--samples", "2560", "--threads", "2", "--output", output,
    ]
    expectEqual(call.run(arguments + ["--json"]), .success, "\(call.errors)")
    let result = try JSONReader.parse([UInt8](call.output.utf8))
    #expect(result["lookCount"]?.integer ?? 0 > 100)
    #expect(result["thrownCount"]?.integer ?? 0 > 0)
    let measured = try #require(result["validation"]?.array)
    expectEqual(measured.map { $0["threshold"]?.number }, [0.5, 1, 1.5, 2, 2.5])
    // A greater threshold reports no more.
    let wrong = measured.compactMap { $0["falseReportCount"]?.integer }
    #expect(wrong.count == 5 && wrong == wrong.sorted(by: >))
    let source = String(
      decoding: try FileSystem.readFile(at: output, byteLimit: 1 << 20), as: UTF8.self)
    #expect(source.contains("static let bundled = FlightNetwork("))
    expectEqual(source.components(of: "Unit("), 16)
    // What it wrote itself it replaces, and the same films give the same network.
    let again = ToolCall()
    expectEqual(again.run(arguments), .success)
    #expect(again.errors.contains("threshold 1.5: "))
    expectEqual(
      String(decoding: try FileSystem.readFile(at: output, byteLimit: 1 << 20), as: UTF8.self),
      source)
  }

  @Test func whatCannotBeLearntIsSaid() throws {
    expectEqual(call.run("train", "flights"), .usage)
    let output = folder.file("Network.swift")
    let none = ToolCall()
    expectEqual(
      none.run(
        "train", "flights", "--parks", "0", "--gardens", "0", "--sessions", "0", "--output", output),
      .failure)
    #expect(none.errors.contains("Nothing thrown"))
    let other = try folder.write("let x = 1\n", to: "Other.swift")
    let refused = ToolCall()
    expectEqual(refused.run("train", "flights", "--output", other), .usage)
    #expect(refused.errors.contains("--force"))
    #expect(!FileSystem.exists(at: output))
  }
}

extension String {
  /// How often a text is in it.
  fileprivate func components(of text: String) -> Int {
    var (count, rest) = (0, self[...])
    while let found = rest.firstRange(of: text) {
      count += 1
      rest = rest[found.upperBound...]
    }
    return count
  }
}

import DiceFiles
import DiceGeometry
import DiceImaging
import DiceCodecs
import DiceVisionKit
import DiceWeights
import Foundation
import Synchronization
import Testing

@testable import DiceCommandLine
@testable import DiceFinders
@testable import dicevision
@testable import dicevision_game
@testable import dicevision_table
@testable import dicevision_throws
@testable import dicevision_workshop

/// A call of the tool with streams, clock and detector of the test's own.
final class ToolCall {
  /// What was printed.
  private(set) var output = ""
  /// What was said on standard error.
  private(set) var errors = ""
  /// The requests that the detector got, with what it was prepared with.
  private(set) var requests: [FinderRequest] = []
  private(set) var finderOptions: [FinderOptions] = []

  /// What standard input holds.
  var input: [UInt8] = []
  /// Whether messages go to a terminal.
  var isErrorTerminal = false
  /// Whether results go to a terminal.
  var isOutputTerminal = false
  /// How many columns the terminal has.
  var columns: Int? = 80
  /// The environment variables.
  var variables: [String: String] = ["LANG": "C.UTF-8"]
  /// How often standard output can be written to before nobody reads it any more.
  var writesUntilClosed = Int.max
  /// After how many looks at it an interruption shows, and by which signal.
  var interruption: (looks: Int, signal: Int32)?
  /// What is found in a picture; nil uses the library's detector.
  var find: ((PixelImage, FinderRequest) throws(ToolError) -> PictureReading)?
  /// The network that the test's own detector has.
  var network = ReportedNetwork(
    name: "test", checksum: 0xA1, labels: ["1", "2", "3", "4", "5", "6"], confidence: 0.25,
    intersectionOverUnion: 0.45, inputWidth: 64, inputHeight: 64)

  /// What the test's own detector needs of the longer side of JPEG files.
  var decodedSide: Int?

  /// How many threads may work at once; more than one needs the library's own detector.
  var processorCount = 1

  /// Programs that were not built.
  var missingPrograms: Set<String> = []

  private let clock = Mutex(0.0)

  /// Carries out a call.
  func run(_ arguments: String...) -> CallStatus { run(arguments) }

  /// Carries out a call.
  func run(_ arguments: [String]) -> CallStatus { Program.dice.run(arguments, environment) }

  /// Carries out a call of a program that another one hands over to; nil where it is missing.
  private func runSister(_ name: String, _ arguments: [String]) -> CallStatus? {
    guard !missingPrograms.contains(name) else { return nil }
    return allPrograms.first { $0.name == name }?.run(arguments, environment)
  }

  /// The lines of what was printed.
  var outputLines: [String] { output.split(separator: "\n").map { String($0) } }

  /// What a call reads and writes.
  var environment: Environment {
    Environment(
      writeOutput: { [self] (bytes) throws(FileError) in
        writesUntilClosed -= 1
        if writesUntilClosed < 0 { throw .closedPipe(path: "standard output") }
        output += String(decoding: bytes, as: UTF8.self)
      },
      writeError: { [self] bytes in errors += String(decoding: bytes, as: UTF8.self) },
      isErrorTerminal: isErrorTerminal,
      isOutputTerminal: isOutputTerminal,
      terminalColumns: { [self] in columns },
      variable: { [self] name in variables[name] },
      readStandardInput: { [self] (limit) throws(FileError) in
        if input.count > limit {
          throw .tooLarge(path: "standard input", found: input.count, limit: limit)
        }
        return input
      },
      openStandardInput: { [self] () throws(FileError) in
        // Pieces of an odd size, so that frames straddle them.
        var rest = input[...]
        return { () throws(FileError) in
          guard !rest.isEmpty else { return nil }
          defer { rest = rest.dropFirst(1009) }
          return Array(rest.prefix(1009))
        }
      },
      seconds: { [self] in
        clock.withLock { time in
          time += 0.25
          return time
        }
      },
      watchInterruptions: { [self] in
        { [self] in
          guard let (looks, signal) = interruption else { return nil }
          interruption = (looks - 1, signal)
          return looks <= 1 ? signal : nil
        }
      },
      processorCount: processorCount,
      handOver: { [self] in runSister($0, $1) },
      runSister: { [self] (name, arguments) in
        let call = ToolCall()
        call.missingPrograms = missingPrograms
        return call.runSister(name, arguments)
      },
      finderMaker: FinderMaker { [self] (options) throws(ToolError) in
        finderOptions.append(options)
        guard let find else { return try DetectorFinder(options) }
        return TestFinder(network: network, decodedSide: decodedSide) {
          [self] (image, request) throws(ToolError) in
          requests.append(request)
          return try find(image, request)
        }
      })
  }
}

/// All programs, in the order of the help.
let allPrograms: [Program] = [.dice, .game, .table, .throwing, .workshop]

/// All commands that the help lists.
let allCommands: [Tool.Command] = allPrograms.flatMap(\.commands)

/// Weights of the library.
func bundledWeights(_ name: WeightSource.Name = .standard) throws -> WeightFile {
  let weights = try #require(Program.workshop.weights.first { $0.name == name })
  return try WeightFile(bytes: weights.bytes())
}

/// A detector whose finds a test decides.
struct TestFinder: DieFinder {
  let network: ReportedNetwork
  let decodedSide: Int?
  let find: (PixelImage, FinderRequest) throws(ToolError) -> PictureReading

  func decodedSide(_ request: FinderRequest) -> Int? { decodedSide }

  func dice(
    in image: PixelImage, subject: String, _ request: FinderRequest
  ) throws(ToolError) -> PictureReading {
    try find(image, request)
  }
}

/// A die for a test's detector.
func die(
  _ value: Int, _ confidence: Double, x: Double, y: Double, width: Double = 10,
  height: Double = 10
) -> FoundDie {
  FoundDie(
    label: "\(value)", value: value, confidence: confidence,
    boundingBox: BoundingBox(x: x, y: y, width: width, height: height))
}

/// A folder that is there for the length of a test.
final class TemporaryFolder {
  let path: String

  init() throws {
    let url = FileManager.default.temporaryDirectory.appending(
      path: "dicevision-\(UUID().uuidString)", directoryHint: .isDirectory)
    try FileManager.default.createDirectory(at: url, withIntermediateDirectories: true)
    path = Paths.removingExtension(of: url.path(percentEncoded: false))
  }

  deinit { try? FileManager.default.removeItem(atPath: path) }

  /// The path of a file in the folder.
  func file(_ name: String) -> String { Paths.joined(path, name) }

  /// Writes a file, and the folders on the way to it.
  @discardableResult
  func write(_ bytes: [UInt8], to name: String) throws -> String {
    let path = file(name)
    try FileSystem.createFolder(at: Paths.parent(of: path))
    try FileSystem.writeFile(bytes, to: path)
    return path
  }

  /// Writes a text file.
  @discardableResult
  func write(_ text: String, to name: String) throws -> String {
    try write([UInt8](text.utf8), to: name)
  }

  /// Writes a picture with a gray gradient as PNG.
  @discardableResult
  func writePicture(_ name: String, width: Int = 40, height: Int = 30) throws -> String {
    try write(PNGEncoder.encode(picture(width: width, height: height)), to: name)
  }

  /// The bytes of a file.
  func bytes(_ name: String) throws -> [UInt8] {
    try FileSystem.readFile(at: file(name), byteLimit: 1 << 26)
  }

  /// The text of a file.
  func text(_ name: String) throws -> String {
    String(decoding: try bytes(name), as: UTF8.self)
  }
}

/// A picture with a gradient.
func picture(width: Int, height: Int, orientation: ImageOrientation = .up) -> PixelImage {
  var samples: [UInt8] = []
  for row in 0..<height {
    for column in 0..<width {
      samples += [
        UInt8(truncatingIfNeeded: column * 5), UInt8(truncatingIfNeeded: row * 7), 90,
      ]
    }
  }
  return PixelImage(
    width: width, height: height, format: .rgb, samples: samples, orientation: orientation)
}

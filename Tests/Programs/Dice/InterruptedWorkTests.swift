import DiceNumerics
import DiceFiles
import DiceWeights
import Foundation
import TestSupport
import Testing

/// Full disks, folders that cannot be written to and programs that are ended at any moment: a clear
/// message and status, and never half a file under its final name.
@Suite(.enabled(if: BuiltProgram.path != nil, "the program is not beside the tests"))
struct InterruptedWorkTests {
  let folder: TemporaryFolder

  init() throws { folder = try TemporaryFolder() }

  private struct Outcome {
    var status: Int32
    var reason: Process.TerminationReason
    var errors: String
  }

  /// Runs the program, behind words for the shell where there are any.
  private func run(
    _ arguments: [String], shell: String? = nil, output: FileHandle = .nullDevice
  ) throws -> Outcome {
    let process = Process()
    let program = try #require(BuiltProgram.path)
    process.executableURL = URL(filePath: shell == nil ? program : "/bin/sh")
    process.arguments =
      shell.map { ["-c", "\($0); exec \"$0\" \"$@\"", program] + arguments } ?? arguments
    let errors = Pipe()
    process.standardInput = FileHandle.nullDevice
    process.standardOutput = output
    process.standardError = errors
    try process.run()
    let text = try errors.fileHandleForReading.readToEnd() ?? Data()
    process.waitUntilExit()
    return Outcome(
      status: process.terminationStatus, reason: process.terminationReason,
      errors: String(decoding: text, as: UTF8.self))
  }

  private var names: [String] {
    get throws { try FileManager.default.contentsOfDirectory(atPath: folder.path).sorted() }
  }

  /// What the tool wrote earlier.
  private let old = "// Made by `dicevision bundle`."

  private var weights: String { Fixtures.path("golden/network/small.weights") }

  @Test(.enabled(if: FileSystem.exists(at: "/dev/full"), "a device of Linux"))
  func aFullDiskBehindStandardOutputIsNamed() throws {
    let output = try #require(FileHandle(forWritingAtPath: "/dev/full"))
    let outcome = try run(["help"], output: output)
    #expect(outcome.reason == .exit && outcome.status == 1)
    #expect(outcome.errors.contains("No room is left to write"))
    let file = try run(["bundle", weights, "--output", "/dev/full"])
    #expect(file.reason == .exit && file.status == 1)
    #expect(file.errors.contains("No room is left to write \"/dev/full\"."))
  }

  /// A limit on the size of files stands for a disk that fills up on the way.
  @Test(.disabled(if: Sanitizers.hasThread, "the thread sanitizer keeps its notes in larger files"))
  func aFileThatDoesNotFitLeavesTheOldOneAndNothingElse() throws {
    try folder.write(old, to: "Weights.swift")
    let outcome = try run(
      ["bundle", weights, "--output", folder.file("Weights.swift")],
      shell: "trap '' XFSZ; ulimit -f 1")
    #expect(outcome.reason == .exit && outcome.status == 1)
    #expect(outcome.errors.contains("Could not write \"\(folder.file("Weights.swift"))\""))
    try expectEqual(folder.text("Weights.swift"), old)
    try expectEqual(names, ["Weights.swift"])
  }

  /// The same, where the system ends the program in the middle of its writing.
  @Test(.disabled(if: Sanitizers.hasThread, "the thread sanitizer keeps its notes in larger files"))
  func aProgramEndedWhileItWritesLeavesTheOldFile() throws {
    try folder.write(old, to: "Weights.swift")
    let outcome = try run(
      ["bundle", weights, "--output", folder.file("Weights.swift")], shell: "ulimit -f 1")
    // Where the tests were started with that signal ignored, it is an error as above.
    let wasEnded = outcome.reason == .uncaughtSignal && outcome.status == SIGXFSZ
    #expect(wasEnded || outcome.reason == .exit && outcome.status == 1)
    try expectEqual(folder.text("Weights.swift"), old)
    // What was begun has a hidden name of its own.
    #expect(try names.allSatisfy { $0 == "Weights.swift" || $0.hasSuffix(".temporary") })
  }

  @Test func aPlaceThatCannotBeWrittenToIsNamed() throws {
    try folder.write("a file", to: "file")
    let outcome = try run(["bundle", weights, "--output", folder.file("file/below.swift")])
    #expect(outcome.reason == .exit && outcome.status == 1)
    #expect(outcome.errors.contains(folder.file("file")) && outcome.errors.contains("folder"))
    let missing = try run(["bundle", weights, "--output", folder.file("missing/a.swift")])
    #expect(missing.reason == .exit && missing.status == 1)
    #expect(missing.errors.contains(folder.file("missing")))
  }

  @Test(.disabled(if: getuid() == 0, "the administrator may write everywhere"))
  func aFolderWithoutPermissionIsNamed() throws {
    try FileManager.default.setAttributes([.posixPermissions: 0o500], ofItemAtPath: folder.path)
    defer {
      try? FileManager.default.setAttributes([.posixPermissions: 0o700], ofItemAtPath: folder.path)
    }
    let outcome = try run(["bundle", weights, "--output", folder.file("a.swift")])
    #expect(outcome.reason == .exit && outcome.status == 1)
    #expect(outcome.errors.contains("No permission for"))
  }

  /// A checkpoint is written after each step; whenever the program is ended, a whole one is there.
  @Test func aTrainingThatIsKilledLeavesAWholeCheckpoint() throws {
    try folder.writePicture("a.png", width: 64, height: 64)
    try folder.write(
      #"[{"image": "a.png", "annotations": [{"label": "5", "coordinates": "#
        + #"{"x": 20, "y": 20, "width": 16, "height": 16}}]}]"#, to: "set.json")
    let checkpoint = folder.file("w.checkpoint")
    for round in 0..<3 {
      let process = Process()
      process.executableURL = URL(filePath: try #require(BuiltProgram.path))
      process.arguments = [
        "train", "dice", folder.file("set.json"), "--output", folder.file("w"), "--samples",
        "100000000",
        "--batch", "1", "--input", "64", "--threads", "1", "--checkpoint-every", "1",
      ]
      process.standardInput = FileHandle.nullDevice
      process.standardOutput = FileHandle.nullDevice
      process.standardError = FileHandle.nullDevice
      try process.run()
      while process.isRunning, !FileSystem.exists(at: checkpoint) {
        Thread.sleep(forTimeInterval: 0.01)
      }
      Thread.sleep(forTimeInterval: 0.03 * Double(1 + round))
      kill(process.processIdentifier, SIGKILL)
      process.waitUntilExit()
      // The next round takes it up; what it is refused for would end the program.
      let bytes = try FileSystem.readFile(at: checkpoint, byteLimit: 1 << 28)
      let checksum = XXHash64.hash(Array(bytes.dropLast(8)))
      let stored = bytes.suffix(8).reversed().reduce(UInt64(0)) { $0 << 8 | UInt64($1) }
      #expect(bytes.count > 40 && stored == checksum)
      expectEqual(process.terminationReason, .uncaughtSignal)
    }
    #expect(!FileSystem.exists(at: folder.file("w")))
  }
}

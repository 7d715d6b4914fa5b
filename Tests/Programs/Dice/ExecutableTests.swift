import DiceFiles
import Foundation
import TestSupport
import Testing

/// The program that was built along with the tests.
enum BuiltProgram {
  /// Beside the test bundle, where the package manager puts both; nil where it is not there.
  static let path: String? = {
    guard let tests = CommandLine.arguments.first else { return nil }
    let path = Paths.joined(Paths.parent(of: tests), "dicevision")
    return FileSystem.kind(of: path) == .file ? path : nil
  }()
}

/// Streams, exit statuses and signals of a real process.
@Suite(.enabled(if: BuiltProgram.path != nil, "the program is not beside the tests"))
struct ExecutableTests {
  private func process(_ arguments: [String]) throws -> Process {
    let process = Process()
    process.executableURL = URL(filePath: try #require(BuiltProgram.path))
    process.arguments = arguments
    process.standardInput = FileHandle.nullDevice
    process.standardError = FileHandle.nullDevice
    process.standardOutput = FileHandle.nullDevice
    return process
  }

  @Test func statusesReachTheCaller() throws {
    for (arguments, status) in [
      (["--version"], 0), ([], 2), (["nonsense"], 2), (["detect", "/nowhere/a.png"], 1),
      (["inspect", "/nowhere/w.dvweights"], 1),
    ] as [([String], Int32)] {
      let process = try process(arguments)
      try process.run()
      process.waitUntilExit()
      expectEqual(process.terminationReason, .exit)
      expectEqual(process.terminationStatus, status, "\(arguments)")
    }
  }

  @Test func aClosedPipeEndsTheProgramQuietly() throws {
    let process = try process(["help"])
    let output = Pipe()
    let errors = Pipe()
    process.standardOutput = output
    process.standardError = errors
    try output.fileHandleForReading.close()
    try process.run()
    try output.fileHandleForWriting.close()
    process.waitUntilExit()
    expectEqual(process.terminationReason, .exit)
    expectEqual(process.terminationStatus, 0)
    try expectEqual(errors.fileHandleForReading.readToEnd() ?? Data(), Data())
  }

  @Test func aPictureComesThroughStandardInput() throws {
    let process = try process(["detect", "-", "--input", "64", "--threads", "1"])
    let folder = try TemporaryFolder()
    let path = try folder.writePicture("a.png")
    let output = Pipe()
    process.standardInput = try FileHandle(forReadingFrom: URL(filePath: path))
    process.standardOutput = output
    try process.run()
    let text = String(
      decoding: try output.fileHandleForReading.readToEnd() ?? Data(), as: UTF8.self)
    process.waitUntilExit()
    expectEqual(process.terminationStatus, 0)
    #expect(text.hasPrefix("-: "))
  }

  /// Runs user programs of another processor, where it is installed; not those with a sanitizer,
  /// which needs more addresses or memory than it has.
  static let emulator: String? = {
    #if arch(x86_64) && os(Linux)
      guard !Sanitizers.hasAddress && !Sanitizers.hasThread else { return nil }
      return
        ["/usr/bin/qemu-x86_64-static", "/usr/bin/qemu-x86_64"].first {
          FileSystem.kind(of: $0) == .file
        }
    #else
      nil
    #endif
  }()

  /// No instruction is used that a processor lacks: with SSE2 to SSE4.2 alone, and with AVX2.
  @Test(
    .enabled(
      if: emulator != nil, "qemu-user-static is not installed, or a sanitizer is in the way"),
    arguments: ["Nehalem", "Haswell"])
  func readsOnOlderProcessors(_ model: String) throws {
    let arguments = [
      "detect", "--threads", "1", "--input", "128", "--tiling", "none", "--confidence", "0.02",
      Fixtures.path("scenes/scene-15.jpg"),
    ]
    func values(_ process: Process) throws -> String {
      let output = Pipe()
      process.standardOutput = output
      try process.run()
      let text = String(
        decoding: try output.fileHandleForReading.readToEnd() ?? Data(), as: UTF8.self)
      process.waitUntilExit()
      #expect(process.terminationReason == .exit && process.terminationStatus == 0)
      return String(text.prefix { $0 != "\n" })
    }
    let native = try values(process(arguments))
    let emulated = try process(["-cpu", model, try #require(BuiltProgram.path)] + arguments)
    emulated.executableURL = URL(filePath: try #require(Self.emulator))
    try expectEqual(values(emulated), native)
    #expect(native.contains(": "))
  }

  @Test func controlCLeavesACheckpoint() throws {
    let folder = try TemporaryFolder()
    try folder.writePicture("a.png", width: 64, height: 64)
    try folder.write(
      #"[{"image": "a.png", "annotations": [{"label": "5", "coordinates": "#
        + #"{"x": 20, "y": 20, "width": 16, "height": 16}}]}]"#, to: "set.json")
    let process = try process([
      "train", "dice", folder.file("set.json"), "--output", folder.file("w"), "--samples",
      "100000000",
      "--batch", "1", "--input", "64", "--threads", "1", "--checkpoint-every", "1",
    ])
    try process.run()
    // The first checkpoint says that the run, and the handler with it, is under way.
    while process.isRunning, !FileSystem.exists(at: folder.file("w.checkpoint")) {
      Thread.sleep(forTimeInterval: 0.02)
    }
    process.interrupt()
    // A program that does not listen is ended after a minute, and the test with it.
    for _ in 0..<3000 where process.isRunning { Thread.sleep(forTimeInterval: 0.02) }
    if process.isRunning { kill(process.processIdentifier, SIGKILL) }
    process.waitUntilExit()
    expectEqual(process.terminationReason, .exit)
    expectEqual(process.terminationStatus, 130)
    #expect(FileSystem.exists(at: folder.file("w.checkpoint")))
    #expect(!FileSystem.exists(at: folder.file("w")))
  }
}

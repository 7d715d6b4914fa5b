import Foundation
import TestSupport
import Testing

@testable import DiceFiles

/// Pipes between threads of this process: a full one, and one that nobody reads.
struct PipeTests {
  @Test func aClosedPipeIsAnErrorAndNoSignal() throws {
    var ends: [Int32] = [0, 0]
    expectEqual(pipe(&ends), 0)
    close(ends[0])
    let code = BrokenPipes.held { FileDescriptor.writeAll([1, 2, 3], to: ends[1]) }
    expectEqual(code, EPIPE)
    expectEqual(FileError.system(code, .write, "p"), .closedPipe(path: "p"))
    // Nothing is left that would end the process once signals are let through again.
    var pending = sigset_t()
    sigemptyset(&pending)
    sigpending(&pending)
    expectEqual(sigismember(&pending, SIGPIPE), 0)
    close(ends[1])
  }

  @Test func writesMoreThanAPipeHolds() throws {
    var ends: [Int32] = [0, 0]
    expectEqual(pipe(&ends), 0)
    let (reading, writing) = (ends[0], ends[1])
    // A descriptor that does not block, as a shared terminal can be.
    _ = fcntl(writing, F_SETFL, O_NONBLOCK)
    let bytes = (0..<1_000_000).map { UInt8(truncatingIfNeeded: $0 &* 7) }
    let writer = Thread {
      expectEqual(FileDescriptor.writeAll(bytes, to: writing), 0)
      close(writing)
    }
    writer.start()
    let file = FileDescriptor(adopting: reading)
    let found = try file.readToEnd("pipe", expectedByteCount: 0, byteLimit: 2_000_000)
    expectEqual(found, bytes)
  }

  @Test func readsNoMoreThanAllowedFromAPipe() throws {
    var ends: [Int32] = [0, 0]
    expectEqual(pipe(&ends), 0)
    expectEqual(FileDescriptor.writeAll([UInt8](repeating: 1, count: 101), to: ends[1]), 0)
    close(ends[1])
    let file = FileDescriptor(adopting: ends[0])
    #expect(throws: FileError.tooLarge(path: "pipe", found: 101, limit: 100)) {
      try file.readToEnd("pipe", expectedByteCount: 0, byteLimit: 100)
    }
  }

  @Test func standardErrorTakesText() throws {
    try StandardStream.error.write("")
    try StandardStream.output.write([])
  }
}

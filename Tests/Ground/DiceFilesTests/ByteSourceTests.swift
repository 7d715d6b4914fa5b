import Foundation
import TestSupport
import Testing

@testable import DiceFiles

struct ByteSourceTests {
  @Test func filesAreReadInPiecesOfAnySize() throws {
    let path = NSTemporaryDirectory() + "byte-source-\(UInt64.random(in: 0...UInt64.max)).bin"
    let bytes = (0..<5000).map { UInt8(truncatingIfNeeded: $0 &* 31) }
    try FileSystem.writeFile(bytes, to: path)
    defer { try? FileSystem.removeFile(at: path) }
    for size in [1, 7, 4096, 5000, 5001, 100_000] {
      var source = try ByteSource(readingFileAt: path)
      expectEqual(source.name, path)
      var buffer = [UInt8](repeating: 0, count: size)
      var found: [UInt8] = []
      while let count = try source.read(into: &buffer) {
        #expect(count >= 1 && count <= size && buffer.count == size)
        found += buffer[..<count]
      }
      expectEqual(found, bytes)
      // The end stays the end.
      try expectEqual(source.read(into: &buffer), nil)
    }
  }

  @Test func aSliceThatIsHeldKeepsItsBytes() throws {
    var source = try ByteSource(readingFileAt: #filePath)
    var buffer = [UInt8](repeating: 0, count: 10)
    let count = try #require(try source.read(into: &buffer))
    let held = buffer[..<count]
    _ = try source.read(into: &buffer)
    #expect(held.elementsEqual("import Foundation".utf8.prefix(count)))
  }

  @Test func whatCannotBeReadIsNamed() throws {
    #expect(throws: FileError.notFound(path: "/no/such/file")) {
      _ = try ByteSource(readingFileAt: "/no/such/file")
    }
    #expect(throws: FileError.isFolder(path: "/tmp")) { _ = try ByteSource(readingFileAt: "/tmp") }
    #expect(throws: FileError.unusablePath(path: "")) { _ = try ByteSource(readingFileAt: "") }
  }

  @Test func pipesGiveWhatIsThereAndEnd() throws {
    var ends: [Int32] = [0, 0]
    expectEqual(pipe(&ends), 0)
    let (reading, writing) = (ends[0], ends[1])
    // A descriptor that does not block is waited for.
    _ = fcntl(reading, F_SETFL, O_NONBLOCK)
    let bytes = (0..<300_000).map { UInt8(truncatingIfNeeded: $0 &* 13) }
    let writer = Thread {
      expectEqual(FileDescriptor.writeAll(bytes, to: writing), 0)
      close(writing)
    }
    writer.start()
    var source = ByteSource(adopting: FileDescriptor(adopting: reading), name: "pipe")
    var buffer = [UInt8](repeating: 0, count: 1000)
    var found: [UInt8] = []
    while let count = try source.read(into: &buffer) { found += buffer[..<count] }
    expectEqual(found, bytes)
  }

  @Test func standardInputStaysOpen() throws {
    do {
      let source = try ByteSource.standardInput()
      expectEqual(source.name, "standard input")
    }
    #expect(fcntl(0, F_GETFD) >= 0)
  }
}

struct NaturalOrderTests {
  @Test func numbersAreComparedAsNumbers() {
    let sorted = [
      "", "/", "a", "a/1", "a/2", "a/10", "a 1", "a-1", "a0", "a00", "a0b", "a00b", "a1", "a01",
      "a001", "a1.5", "a1.10", "a2", "a02", "a10", "a010", "a99999999999999999999998",
      "a99999999999999999999999", "ab", "b1/frame_9.jpg", "b1/frame_10.jpg", "b2/frame_1.jpg",
      "ä1", "ä2",
    ]
    for (i, first) in sorted.enumerated() {
      for (j, second) in sorted.enumerated() {
        expectEqual(Paths.precedesNaturally(first, second), (i < j), "\(first) \(second)")
      }
    }
    expectEqual(Paths.sortedNaturally(sorted.reversed()), sorted)
    var state: UInt32 = 1
    let mixed = sorted.map { path -> (UInt32, String) in
      state = state &* 1_664_525 &+ 1_013_904_223
      return (state >> 8, path)
    }
    expectEqual(Paths.sortedNaturally(mixed.sorted { $0.0 < $1.0 }.map(\.1)), sorted)
  }
}

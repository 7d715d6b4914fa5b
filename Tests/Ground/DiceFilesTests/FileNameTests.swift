import DiceFiles
import Foundation
import TestSupport
import Testing

#if canImport(Glibc)
  import Glibc
#endif

@Suite struct FileNameTests {
  private let names: [[UInt8]] = [
    [], Array("a.png".utf8), Array("é…😀.png".utf8), [0xFF], Array("bad".utf8) + [0xFF, 0xFE, 0x80],
    [0xC0, 0x80], [0xED, 0xA0, 0x80], [0xE2, 0x80], [0xF5, 0x80, 0x80, 0x80],
    [0xF4, 0x90, 0x80, 0x80], [0xF0, 0x9F, 0x98],
    // A name with the characters that stand for bytes.
    [0xF4, 0x8F, 0xBA, 0x80, 0x41], [0xF4, 0x8F, 0xBB, 0xBF, 0xFF], [0xF4, 0x8F, 0xBA],
    [0xF4, 0x8F, 0xB9, 0xBF], [0xF4, 0xF4, 0x8F, 0xBA, 0xBA, 0xBA],
  ]

  @Test func everyNameHasOneText() {
    var texts: Set<String> = []
    for name in names {
      let text = FileName.text(name)
      expectEqual(FileName.bytes(of: text), name)
      #expect(texts.insert(text).inserted)
    }
    expectEqual(FileName.text("é.png".utf8), "é.png")
    // All names of two bytes, and all of one.
    var count = 0
    for first in UInt8.min...UInt8.max {
      if FileName.bytes(of: FileName.text([first])) != [first] { Issue.record("\(first)") }
      for second in UInt8.min...UInt8.max {
        count += FileName.bytes(of: FileName.text([first, second])) == [first, second] ? 1 : 0
      }
    }
    expectEqual(count, 65_536)
  }

  @Test func whatIsNoUTF8IsShownAsSuch() {
    let text = FileName.text(Array("a".utf8) + [0xFF] + Array("b".utf8))
    expectEqual(FileName.repaired(text), "a\u{FFFD}b")
    expectEqual(printable(text), "a\u{FFFD}b")
    expectEqual("\(FileError.notFound(path: text))", "\"a\u{FFFD}b\" does not exist.")
    expectEqual(FileName.repaired("é😀"), "é😀")
  }

  #if os(Linux)
    @Test func filesOfEveryNameAreListedReadWrittenAndRemoved() throws {
      let folder = FileManager.default.temporaryDirectory.appending(path: UUID().uuidString).path
      try FileSystem.createFolder(at: folder)
      defer { try? FileManager.default.removeItem(atPath: folder) }
      let inner = Paths.joined(folder, FileName.text([0x66, 0xFF]))
      try FileSystem.createFolder(at: inner)
      let names = names.filter { !$0.isEmpty }
      for name in names {
        try FileSystem.writeFile(name, to: Paths.joined(inner, FileName.text(name)))
      }
      // As the system names them, with no help of this module.
      let tail = [0x2F, 0x66, 0xFF, 0].map { CChar(truncatingIfNeeded: $0) }
      #expect(open(folder.utf8CString.dropLast() + tail, O_RDONLY) >= 0)
      let found = try FileSystem.files(in: inner)
      expectEqual(found.count, names.count)
      for path in found {
        let name = FileName.bytes(of: Paths.lastComponent(of: path))
        #expect(names.contains(name))
        try expectEqual(FileSystem.readFile(at: path, byteLimit: 100), name)
        #expect(FileSystem.identity(of: path) != nil)
        try FileSystem.removeFile(at: path)
      }
      #expect(try FileSystem.files(in: inner).isEmpty)
    }
  #endif

  @Test func aFileIsTheSameByEveryNameThatLeadsToIt() throws {
    let folder = FileManager.default.temporaryDirectory.appending(path: UUID().uuidString).path
    try FileSystem.createFolder(at: folder)
    defer { try? FileManager.default.removeItem(atPath: folder) }
    let path = Paths.joined(folder, "a")
    try FileSystem.writeFile([1, 2, 3], to: path)
    try FileSystem.writeFile([1, 2, 3], to: path + "2")
    try FileManager.default.linkItem(atPath: path, toPath: path + "-hard")
    try FileManager.default.createSymbolicLink(
      atPath: path + "-soft", withDestinationPath: path)
    let identity = try #require(FileSystem.identity(of: path))
    for other in [path + "-hard", path + "-soft", folder + "/./a", folder + "//a"] {
      expectEqual(FileSystem.identity(of: other), identity, "\(other)")
    }
    #expect(FileSystem.identity(of: path + "2") != identity)
    #expect(FileSystem.identity(of: path + "3") == nil && FileSystem.identity(of: "") == nil)
    expectEqual(FileSystem.beginning(of: path, byteCount: 2), [1, 2])
    #expect(FileSystem.beginning(of: folder).isEmpty)
  }
}

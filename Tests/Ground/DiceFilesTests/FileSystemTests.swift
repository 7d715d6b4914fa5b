import DiceFiles
import Foundation
import TestSupport
import Testing

/// A folder of its own for each test, removed afterwards.
final class TemporaryFolder {
  let path: String

  init() throws {
    path = Paths.joined(
      FileManager.default.temporaryDirectory.path(percentEncoded: false),
      "dicefiles-\(UUID().uuidString)")
    try FileManager.default.createDirectory(
      atPath: path, withIntermediateDirectories: true)
  }

  deinit { try? FileManager.default.removeItem(atPath: path) }

  func path(_ name: String) -> String { Paths.joined(path, name) }

  func make(_ names: String...) throws {
    for name in names { try FileSystem.writeFile([UInt8](name.utf8), to: path(name)) }
  }

  /// Every name in the folder, hidden ones too.
  var names: [String] {
    get throws { try FileManager.default.contentsOfDirectory(atPath: path).sorted() }
  }
}

struct FileSystemTests {
  let folder: TemporaryFolder

  init() throws { folder = try TemporaryFolder() }

  @Test(arguments: [0, 1, 4095, 4096, 4097, 100_000, 1 << 20])
  func readsBackWhatItWrote(_ count: Int) throws {
    let bytes = (0..<count).map { UInt8(truncatingIfNeeded: $0 &* 31) }
    let path = folder.path("file")
    try FileSystem.writeFile(bytes, to: path)
    try expectEqual(FileSystem.readFile(at: path, byteLimit: count), bytes)
    try expectEqual(folder.names, ["file"])
    if count > 0 {
      #expect(throws: FileError.tooLarge(path: path, found: count, limit: count - 1)) {
        try FileSystem.readFile(at: path, byteLimit: count - 1)
      }
    }
  }

  @Test func readsWithTheGreatestLimit() throws {
    try folder.make("a")
    try expectEqual(FileSystem.readFile(at: folder.path("a"), byteLimit: .max), [0x61])
  }

  @Test func saysWhatIsWrongWithAPath() throws {
    try folder.make("file")
    let missing = folder.path("missing")
    let below = folder.path("file/below")
    #expect(throws: FileError.notFound(path: missing)) {
      try FileSystem.readFile(at: missing, byteLimit: 10)
    }
    #expect(throws: FileError.isFolder(path: folder.path)) {
      try FileSystem.readFile(at: folder.path, byteLimit: 10)
    }
    #expect(throws: FileError.isNotFolder(path: below)) {
      try FileSystem.readFile(at: below, byteLimit: 10)
    }
    #expect(throws: FileError.unusablePath(path: "")) {
      try FileSystem.readFile(at: "", byteLimit: 10)
    }
    // A C string would end at the NUL and name another file.
    let hidden = folder.path("file\0.png")
    #expect(throws: FileError.unusablePath(path: hidden)) {
      try FileSystem.readFile(at: hidden, byteLimit: 10)
    }
    #expect(throws: FileError.unusablePath(path: hidden)) {
      try FileSystem.writeFile([], to: hidden)
    }
    expectEqual(FileSystem.kind(of: hidden), nil)
    let long = folder.path(String(repeating: "x", count: 5000))
    #expect {
      try FileSystem.readFile(at: long, byteLimit: 10)
    } throws: { error in
      guard case .failed(.open, let path, let code, let reason)? = error as? FileError else {
        return false
      }
      return path == long && code != 0 && reason.contains("long")
    }
  }

  @Test(.disabled(if: getuid() == 0, "the administrator may read everything"))
  func refusesWhatTheUserMayNotRead() throws {
    try folder.make("secret")
    let path = folder.path("secret")
    try FileManager.default.setAttributes([.posixPermissions: 0], ofItemAtPath: path)
    #expect(throws: FileError.noPermission(path: path)) {
      try FileSystem.readFile(at: path, byteLimit: 100)
    }
  }

  @Test(.disabled(if: getuid() == 0, "the administrator may write everywhere"))
  func refusesToWriteWhereTheUserMayNot() throws {
    try FileManager.default.setAttributes([.posixPermissions: 0o500], ofItemAtPath: folder.path)
    let path = folder.path("new")
    #expect(throws: FileError.noPermission(path: path)) { try FileSystem.writeFile([1], to: path) }
    try FileManager.default.setAttributes([.posixPermissions: 0o700], ofItemAtPath: folder.path)
  }

  @Test func replacesAFileAndKeepsItsPermissions() throws {
    let path = folder.path("file")
    try FileSystem.writeFile([1, 2, 3], to: path)
    try FileManager.default.setAttributes([.posixPermissions: 0o640], ofItemAtPath: path)
    try FileSystem.writeFile([4], to: path)
    try expectEqual(FileSystem.readFile(at: path, byteLimit: 10), [4])
    let attributes = try FileManager.default.attributesOfItem(atPath: path)
    expectEqual((attributes[.posixPermissions] as? NSNumber)?.intValue, 0o640)
    try expectEqual(folder.names, ["file"])
  }

  @Test func writesThroughALink() throws {
    try folder.make("target")
    let link = folder.path("link")
    try FileManager.default.createSymbolicLink(
      atPath: link, withDestinationPath: "target")
    try FileSystem.writeFile([7], to: link)
    try expectEqual(FileSystem.readFile(at: folder.path("target"), byteLimit: 10), [7])
    try expectEqual(FileManager.default.destinationOfSymbolicLink(atPath: link), "target")
    try expectEqual(folder.names, ["link", "target"])
  }

  @Test func leavesNothingBehindWhenWritingFails() throws {
    let inMissing = folder.path("missing/file")
    #expect(throws: FileError.notFound(path: inMissing)) {
      try FileSystem.writeFile([1], to: inMissing)
    }
    #expect(throws: FileError.isFolder(path: folder.path)) {
      try FileSystem.writeFile([1], to: folder.path)
    }
    let slash = folder.path("new") + "/"
    #expect(throws: FileError.notFound(path: slash)) { try FileSystem.writeFile([1], to: slash) }
    let long = folder.path(String(repeating: "x", count: 300))
    #expect {
      try FileSystem.writeFile([1], to: long)
    } throws: { error in
      if case .failed(.rename, long, _, _)? = error as? FileError { true } else { false }
    }
    try expectEqual(folder.names, [])
  }

  @Test func writesToADeviceInsteadOfReplacingIt() throws {
    try FileSystem.writeFile([1, 2, 3], to: "/dev/null")
    expectEqual(FileSystem.kind(of: "/dev/null"), .other)
  }

  @Test(.enabled(if: FileSystem.exists(at: "/dev/full"), "a device of Linux"))
  func saysWhenTheDeviceIsFull() throws {
    #expect(throws: FileError.diskFull(path: "/dev/full")) {
      try FileSystem.writeFile([1], to: "/dev/full")
    }
    #expect(throws: FileError.diskFull(path: "/dev/full")) {
      try FileSystem.append([1], toFileAt: "/dev/full")
    }
  }

  @Test func boundsWhatIsReadFromAnEndlessDevice() throws {
    #expect {
      try FileSystem.readFile(at: "/dev/zero", byteLimit: 10_000)
    } throws: { error in
      guard case .tooLarge(_, let found, 10_000)? = error as? FileError else { return false }
      return found > 10_000
    }
    try expectEqual(FileSystem.readFile(at: "/dev/null", byteLimit: 0), [])
  }

  @Test func readsOnOnlyWhereTheBeginningIsWanted() throws {
    #expect(FileSystem.exists(at: "/dev/zero"))
    // An endless device: the limit is never met.
    let zeros = try FileSystem.readFile(at: "/dev/zero", byteLimit: .max, where: { _ in false })
    #expect((1024...4096).contains(zeros.count) && zeros.allSatisfy { $0 == 0 })
    for count in [0, 1, 1023, 1024, 70_000, 300_000] {
      let bytes = (0..<count).map { UInt8(truncatingIfNeeded: $0 &* 31) }
      let path = folder.path("file-\(count)")
      try FileSystem.writeFile(bytes, to: path)
      var asked = 0
      let all = try FileSystem.readFile(at: path, byteLimit: count) { beginning in
        asked += 1
        #expect(beginning.count >= 1024 && bytes.starts(with: beginning))
        return true
      }
      #expect(all == bytes && asked == (count < 1024 ? 0 : 1))
      let part = try FileSystem.readFile(at: path, byteLimit: count, where: { _ in false })
      #expect(bytes.starts(with: part) && part.count <= (1 << 16) + 1)
    }
  }

  @Test func appends() throws {
    let path = folder.path("log")
    try FileSystem.append([1, 2], toFileAt: path)
    try FileSystem.append([3], toFileAt: path)
    try expectEqual(FileSystem.readFile(at: path, byteLimit: 10), [1, 2, 3])
    #expect(throws: FileError.isFolder(path: folder.path)) {
      try FileSystem.append([1], toFileAt: folder.path)
    }
  }

  @Test func removesFilesAndNotFolders() throws {
    try folder.make("a")
    try FileSystem.removeFile(at: folder.path("a"))
    #expect(!FileSystem.exists(at: folder.path("a")))
    #expect(throws: FileError.notFound(path: folder.path("a"))) {
      try FileSystem.removeFile(at: folder.path("a"))
    }
    #expect(throws: FileError.isFolder(path: folder.path)) {
      try FileSystem.removeFile(at: folder.path)
    }
  }

  @Test func describesEveryErrorInASentence() {
    let errors: [FileError] = [
      .unusablePath(path: ""), .unusablePath(path: "a\0"), .notFound(path: "a"),
      .isFolder(path: "a"), .isNotFolder(path: "a"), .noPermission(path: "a"),
      .readOnly(path: "a"), .diskFull(path: "a"), .tooLarge(path: "a", found: 2, limit: 1),
      .tooManyEntries(path: "a", limit: 1), .closedPipe(path: "a\u{1B}[31m"),
      .failed(operation: .createFolder, path: "a", code: 5, reason: "Input/output error"),
    ]
    for error in errors {
      let text = "\(error)"
      #expect(text.hasSuffix("."))
      #expect(!text.unicodeScalars.contains { $0.value < 0x20 })
    }
    expectEqual("\(errors[11])", "Could not create the folder \"a\": Input/output error (error 5).")
  }
}

struct FolderTests {
  let folder: TemporaryFolder

  init() throws { folder = try TemporaryFolder() }

  @Test func createsFoldersOnTheWay() throws {
    let path = folder.path("a/b/c/")
    try FileSystem.createFolder(at: path)
    #expect(FileSystem.isFolder(at: path))
    try FileSystem.createFolder(at: path)
    try FileSystem.createFolder(at: folder.path("x/../y"))
    #expect(FileSystem.isFolder(at: folder.path("y")))
    try folder.make("file")
    let file = folder.path("file")
    #expect(throws: FileError.isNotFolder(path: file)) { try FileSystem.createFolder(at: file) }
    #expect(throws: FileError.isNotFolder(path: file)) {
      try FileSystem.createFolder(at: file + "/a/b")
    }
    #expect(throws: FileError.unusablePath(path: "")) { try FileSystem.createFolder(at: "") }
  }

  @Test func listsFilesSortedByTheirBytes() throws {
    try folder.make("b.jpg", "a.JPG", "Z.jpg", "é.jpg", "c.png", ".hidden.jpg", "10.jpg", "9.jpg")
    try FileSystem.createFolder(at: folder.path("d.jpg"))
    let found = try FileSystem.files(in: folder.path, withExtensions: ["jpg"])
    expectEqual(
      found.map { Paths.lastComponent(of: $0) },
      [
        "10.jpg", "9.jpg", "Z.jpg", "a.JPG", "b.jpg", "é.jpg",
      ])
    #expect(found.allSatisfy { $0.hasPrefix(folder.path) })
    let all = try FileSystem.files(in: folder.path, includesHidden: true)
    expectEqual(all.count, 8)
    try expectEqual(FileSystem.folders(in: folder.path), [folder.path("d.jpg")])
  }

  @Test func goesAsDeepAsAsked() throws {
    try FileSystem.createFolder(at: folder.path("one/two/three"))
    try folder.make("0", "one/1", "one/two/2", "one/two/three/3")
    for depth in 0...4 {
      let found = try FileSystem.files(in: folder.path, depth: depth)
      expectEqual(found.map { Paths.lastComponent(of: $0) }, (0...min(depth, 3)).map { "\($0)" })
    }
  }

  @Test func followsNoLinkToAFolder() throws {
    try FileSystem.createFolder(at: folder.path("real"))
    try folder.make("real/file")
    let manager = FileManager.default
    try manager.createSymbolicLink(
      atPath: folder.path("real/loop"), withDestinationPath: folder.path)
    try manager.createSymbolicLink(
      atPath: folder.path("link"), withDestinationPath: folder.path("real/file"))
    try manager.createSymbolicLink(
      atPath: folder.path("nowhere"), withDestinationPath: folder.path("missing"))
    let found = try FileSystem.files(in: folder.path, depth: 100)
    expectEqual(found, [folder.path("link"), folder.path("real/file")])
    // The folder itself may be a link.
    let looped = folder.path("real/loop")
    try expectEqual(FileSystem.files(in: looped), [Paths.joined(looped, "link")])
    try expectEqual(FileSystem.folders(in: folder.path("real")), [looped])
  }

  @Test func refusesMoreEntriesThanAllowed() throws {
    try folder.make("a", "b", "c")
    try expectEqual(FileSystem.files(in: folder.path, entryLimit: 3).count, 3)
    #expect(throws: FileError.tooManyEntries(path: folder.path, limit: 2)) {
      try FileSystem.files(in: folder.path, entryLimit: 2)
    }
    #expect(throws: FileError.tooManyEntries(path: folder.path, limit: 2)) {
      try FileSystem.folders(in: folder.path, entryLimit: 2)
    }
  }

  @Test func saysWhatCannotBeListed() throws {
    try folder.make("file")
    let missing = folder.path("missing")
    #expect(throws: FileError.notFound(path: missing)) { try FileSystem.files(in: missing) }
    let file = folder.path("file")
    #expect(throws: FileError.isNotFolder(path: file)) { try FileSystem.files(in: file) }
    #expect(throws: FileError.unusablePath(path: "\0")) { try FileSystem.files(in: "\0") }
  }

  @Test func tellsKindsApart() throws {
    try folder.make("file")
    expectEqual(FileSystem.kind(of: folder.path("file")), .file)
    expectEqual(FileSystem.kind(of: folder.path), .folder)
    expectEqual(FileSystem.kind(of: "/dev/null"), .other)
    expectEqual(FileSystem.kind(of: folder.path("missing")), nil)
    #expect(!FileSystem.isFolder(at: folder.path("file")))
  }
}

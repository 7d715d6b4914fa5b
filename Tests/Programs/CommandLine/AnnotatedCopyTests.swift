import DiceRolls
import DiceFiles
import DiceGeometry
import DiceCodecs
import DiceVisionKit
import Foundation
import TestSupport
import Testing

#if canImport(FoundationXML)
  import FoundationXML
#endif

@testable import DiceCommandLine
@testable import DiceFinders
@testable import dicevision

@Suite struct AnnotatedCopyTests {
  let folder: TemporaryFolder
  let call = ToolCall()

  init() throws {
    folder = try TemporaryFolder()
    call.find = { (image, _) in
      PictureReading(
        width: image.uprightWidth, height: image.uprightHeight,
        dice: [die(5, 0.9996, x: 8, y: 12)])
    }
  }

  private func isXML(_ name: String) throws -> Bool {
    XMLParser(data: Data(try folder.bytes(name))).parse()
  }

  @Test func aDrawingHoldsThePictureUnlessToldOtherwise() throws {
    let path = try folder.writePicture("a b&c.png")
    expectEqual(call.run("detect", path, "--annotate", folder.file("out.svg")), .success)
    let embedded = try folder.text("out.svg")
    #expect(try isXML("out.svg"))
    #expect(embedded.contains("href=\"data:image/jpeg;base64,"))
    #expect(embedded.contains("<title>a b&amp;c.png: 5, sum 5</title>"))
    // Surely is not certainly.
    #expect(embedded.contains("<title>5  99 %</title>"))

    expectEqual(
      call.run(
        "detect", path, "--annotate-as", "svg-link", "--annotate", folder.file("link.svg")),
      .success)
    #expect(try isXML("link.svg"))
    #expect(try folder.text("link.svg").contains("/a%20b%26c.png\""))
    expectEqual(
      call.run(
        "detect", path, "--annotate-as", "svg-overlay", "--annotate", folder.file("over.svg")),
      .success)
    #expect(try !folder.text("over.svg").contains("<image"))
  }

  @Test func copiesKeepTheColorProfile() throws {
    var bytes = [UInt8](repeating: 7, count: 200)
    bytes.replaceSubrange(0..<4, with: [0, 0, 0, 200])
    bytes.replaceSubrange(16..<20, with: "RGB ".utf8)
    bytes.replaceSubrange(36..<40, with: "acsp".utf8)
    let profile = try #require(ColorProfile(bytes))
    let image = picture(width: 40, height: 30)
    let sources = [
      try folder.write(PNGEncoder.encode(image, colorProfile: profile), to: "a.png"),
      try folder.write(JPEGEncoder.encode(image, colorProfile: profile), to: "b.jpg"),
    ]
    for source in sources {
      for name in ["out.png", "out.jpg"] {
        expectEqual(call.run("detect", source, "--annotate", folder.file(name)), .success)
        expectEqual(ImageDecoder.colorProfile(of: try folder.bytes(name)), profile)
      }
    }
    let plain = try folder.writePicture("c.png")
    expectEqual(call.run("detect", plain, "--annotate", folder.file("plain.png")), .success)
    expectEqual(ImageDecoder.colorProfile(of: try folder.bytes("plain.png")), nil)
  }

  @Test func aFolderTakesOneFormatForAll() throws {
    let one = try folder.writePicture("a.png")
    let two = try folder.write(
      try JPEGEncoder.encode(picture(width: 40, height: 30)), to: "b.jpg")
    let out = folder.file("out")
    expectEqual(
      call.run("detect", one, two, "--annotate", out, "--annotate-as", "svg-overlay"), .success)
    try expectEqual(
      FileSystem.files(in: out).map { Paths.lastComponent(of: $0) }, ["a.svg", "b.svg"])
    expectEqual(call.run("detect", one, two, "--annotate", out, "--annotate-as", "jpeg"), .success)
    try expectEqual(FileSystem.files(in: out).count, 4)
  }

  @Test func drawingsStandUpright() throws {
    let stored = picture(width: 40, height: 30, orientation: .right)
    let path = try folder.write(PNGEncoder.encode(stored), to: "a.png")
    expectEqual(call.run("detect", path, "--annotate", folder.file("a.svg")), .success)
    #expect(try folder.text("a.svg").contains("viewBox=\"0 0 30 40\""))
  }

  @Test func contradictionsAreRefused() throws {
    let path = try folder.writePicture("a.png")
    let cases = [
      [path, "--annotate-as", "svg"], [path, "--annotate", "x.png", "--annotate-as", "svg"],
      [path, "--annotate", "x.svg", "--annotate-as", "jpeg"],
      ["-", "--annotate", "x.svg", "--annotate-as", "svg-link"],
    ]
    for arguments in cases {
      let call = ToolCall()
      call.find = self.call.find
      expectEqual(call.run(["detect"] + arguments), .usage, "\(arguments)")
      #expect(call.requests.isEmpty)
    }
    let film = ToolCall()
    expectEqual(
      film.run("track", "-", "--annotate", folder.file("a.y4m"), "--annotate-as", "svg"), .usage)
    expectEqual(film.run("track", "-", "--annotate-as", "svg"), .usage)
  }

  @Test func addressesAreSeenFromTheDocument() {
    let cases = [
      ("photos/a.png", "out", "../photos/a.png"), ("photos/a.png", "photos/marked", "../a.png"),
      ("a.png", ".", "a.png"), ("./a.png", "out/", "../a.png"), ("a/b.png", "a", "b.png"),
      ("/x/a b.png", "out", "/x/a%20b.png"), ("é.png", ".", "%C3%A9.png"),
      ("a?b#c\"<.png", ".", "a%3Fb%23c%22%3C.png"),
    ]
    for (path, folder, expected) in cases {
      expectEqual(FileAddress.relative(path, from: folder), expected, "\(path) from \(folder)")
    }
  }

  @Test func waysFadeAndEndWithTheirDice() throws {
    var tracker = RollTracker()
    var trails = DiceTrails()
    func observe(_ x: Double?, _ milliseconds: Int) {
      let time = Duration.milliseconds(milliseconds)
      let seen = x.map {
        [
          RollTracker.Observation(
            boundingBox: BoundingBox(x: $0, y: 20, width: 30, height: 30), confidence: 0.9,
            value: 4)
        ]
      }
      _ = tracker.update(with: seen ?? [], at: time)
      trails.add(tracker, at: time)
    }
    for step in 0..<12 { observe(Double(20 + 12 * step), 40 * step) }
    let moving = try #require(trails.lines.first)
    #expect(moving.points.count >= 5)
    #expect(moving.points.last.map { $0.x } ?? 0 > moving.points[0].x + 50)
    // Long after the die is gone nothing is left.
    for step in 12..<100 { observe(nil, 40 * step) }
    #expect(trails.lines.isEmpty)
  }
}

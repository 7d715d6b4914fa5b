import DiceCodecs
import DiceFiles
import DiceDrawing
import DiceGeometry
import DiceImaging
import TestSupport
import Testing

@testable import DiceCommandLine
@testable import DiceFinders
@testable import dicevision

// Annotated copies.
extension DetectCommandTests {
  @Test func oneCopyGoesToAFile() throws {
    let path = try folder.writePicture("a.png")
    for name in ["out.png", "out.jpg", "out.JPEG"] {
      expectEqual(call.run("detect", "--annotate", folder.file(name), path), .success)
      let copy = try ImageDecoder.decode(try folder.bytes(name))
      #expect(copy.width == 40 && copy.height == 30)
      try expectEqual(
        ImageDecoder.format(of: folder.bytes(name)), (name == "out.png" ? .png : .jpeg))
    }
    let marked = try ImageDecoder.decode(try folder.bytes("out.png"))
    #expect(marked != picture(width: 40, height: 30))
  }

  @Test func copiesStandUpright() throws {
    let stored = picture(width: 40, height: 30, orientation: .right)
    let path = try folder.write(PNGEncoder.encode(stored), to: "a.png")
    expectEqual(call.run("detect", "--annotate", folder.file("b.png"), path), .success)
    let copy = try ImageDecoder.decode(try folder.bytes("b.png"))
    #expect(copy.width == 30 && copy.height == 40 && copy.orientation == .up)
    expectEqual(
      call.run("detect", "--orientation", "1", "--annotate", folder.file("c.png"), path), .success)
    try expectEqual(ImageDecoder.decode(try folder.bytes("c.png")).width, 40)
  }

  @Test func severalCopiesGoToAFolderUnderNamesOfTheirOwn() throws {
    try folder.writePicture("photos/a.png")
    try folder.write(try JPEGEncoder.encode(picture(width: 40, height: 30)), to: "photos/b.jpeg")
    let other = try folder.writePicture("other/A.png")
    let out = folder.file("marked/deep")
    expectEqual(call.run("detect", folder.file("photos"), other, "--annotate", out), .success)
    let names = try FileSystem.files(in: out).map { Paths.lastComponent(of: $0) }
    expectEqual(names, ["A-2.png", "a.png", "b.jpg"])
  }

  @Test func aFolderForOnePictureIsFine() throws {
    let path = try folder.writePicture("a.png")
    expectEqual(call.run("detect", path, "--annotate", folder.file("new/")), .success)
    #expect(FileSystem.exists(at: folder.file("new/a.png")))
    call.input = try folder.bytes("a.png")
    expectEqual(call.run("detect", "-", "--annotate", folder.file("new")), .success)
    #expect(FileSystem.exists(at: folder.file("new/standard-input.png")))
  }

  @Test func picturesAreNeverReplaced() throws {
    let path = try folder.writePicture("a.png")
    let second = try folder.writePicture("b.png")
    let before = try folder.bytes("a.png")
    expectEqual(call.run("detect", path, "--annotate", path), .usage)
    expectEqual(call.run("detect", path, second, "--annotate", folder.path), .usage)
    expectEqual(call.run("detect", path, "--annotate", folder.path + "/../" + last), .usage)
    #expect(call.errors.contains("would replace the pictures"))
    try expectEqual(folder.bytes("a.png"), before)
    #expect(call.requests.isEmpty)
  }

  private var last: String { Paths.lastComponent(of: folder.path) }

  @Test func destinationsThatDoNotFitAreRefused() throws {
    let path = try folder.writePicture("a.png")
    let second = try folder.writePicture("b.png")
    expectEqual(call.run("detect", path, "--annotate", folder.file("x.gif")), .usage)
    #expect(call.errors.contains("must be a folder, or a file that ends in png, jpg, jpeg or svg"))
    expectEqual(call.run("detect", path, second, "--annotate", folder.file("x.png")), .usage)
    #expect(call.errors.contains("Several pictures need a folder"))
  }

  @Test func aCopysMissingFolderIsNamedBeforeTheWork() throws {
    let path = try folder.writePicture("a.png")
    expectEqual(
      call.run("detect", path, "--annotate", folder.file("missing/out.png")), .failure)
    #expect(call.errors.contains("\"\(folder.path)/missing\" does not exist."))
    #expect(call.output.isEmpty && call.requests.isEmpty)
  }

  @Test func aCopyThatCannotBeWrittenIsNamedAfterItsResult() throws {
    let path = try folder.writePicture("a.png")
    let out = folder.file("out.png")
    call.find = { [self] (image, _) in
      // A folder that takes its name meanwhile.
      try? FileSystem.createFolder(at: folder.file("out.png"))
      return PictureReading(width: 40, height: 30, dice: [die(2, 0.9, x: 4, y: 4)])
    }
    expectEqual(call.run("detect", path, "--annotate", out), .failure)
    #expect(call.output.contains("sum 2"))
    #expect(call.errors.contains(out))
  }

  @Test func grayPicturesAreMarkedInColour() {
    let gray = PixelImage(
      width: 40, height: 40, format: .gray, samples: [UInt8](repeating: 128, count: 1600))
    let reading = PictureReading(width: 40, height: 40, dice: [die(5, 0.9, x: 8, y: 18)])
    let region = NormalizedRect(x: 0, y: 0, width: 1, height: 0.6)
    var canvas = Canvas(AnnotatedCopies.upright(gray))
    ReadingOverlay(reading: reading, region: region).draw(on: &canvas)
    let marked = canvas.image
    expectEqual(marked.format, .rgb)
    let colored = (0..<1600).filter { (index: Int) -> Bool in
      marked.samples[3 * index] != marked.samples[3 * index + 1]
    }
    #expect(colored.count > 40)
  }
}

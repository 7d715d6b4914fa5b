import DiceCodecs
import DiceFiles
import Foundation
import TestSupport
import Testing

@testable import DiceCommandLine
@testable import DiceFinders

/// What a call reads is never replaced, and what others made only with `--force`.
@Suite struct OutputPlanTests {
  let folder: TemporaryFolder

  init() throws {
    folder = try TemporaryFolder()
    try folder.writePicture("images/a.png", width: 64, height: 64)
    try folder.write(
      """
      [{"image": "a.png", "annotations": [
         {"label": "5", "coordinates": {"x": 20, "y": 20, "width": 16, "height": 16}}]}]
      """, to: "set.json")
    try folder.write(try bundledWeights(.fast).bytes, to: "fast.dvweights")
    let writer = try Y4MWriter(width: 32, height: 32)
    try folder.write(
      writer.header + writer.frame(picture(width: 32, height: 32)), to: "film.y4m")
    try folder.writePicture("frames/frame_000000.png")
    try folder.write("mine", to: "mine.txt")
  }

  /// A call of the tool whose detector finds nothing; explanations are the library's.
  private func call(_ arguments: [String]) -> (status: CallStatus, errors: String) {
    let call = ToolCall()
    if arguments[0] != "explain" {
      call.find = { (image, _) in
        PictureReading(width: image.uprightWidth, height: image.uprightHeight, dice: [])
      }
    }
    return (call.run(arguments), call.errors)
  }

  /// The files of the folder with their bytes.
  private func snapshot() throws -> [String: [UInt8]] {
    var files: [String: [UInt8]] = [:]
    for path in try FileSystem.files(in: folder.path, depth: 3) {
      files[path] = try FileSystem.readFile(at: path, byteLimit: 1 << 26)
    }
    return files
  }

  /// Every command with an output: the call but for its output, the option, and what it reads.
  private var calls: [(arguments: [String], option: String, inputs: [String])] {
    let set = folder.file("set.json")
    let picture = folder.file("images/a.png")
    let weights = folder.file("fast.dvweights")
    let film = folder.file("film.y4m")
    let train = [
      "train", "dice", set, "--samples", "1", "--batch", "1", "--input", "64", "--restart",
    ]
    let trained = train + ["--output", folder.file("w"), "--from", weights, "--network", "fast"]
    return [
      (["detect", picture], "--annotate", [picture]),
      (["explain", "--input", "64", picture], "--output", [picture]),
      (["evaluate", "dice", "--weights", weights, set], "--output", [set, picture, weights]),
      (["evaluate", "dice", set], "--report", [set, picture]),
      (["relabel", set], "--output", [set, picture]),
      (["track", film], "--annotate", [film]),
      (["bundle", weights], "--output", [weights]), (["export", weights], "--output", [weights]),
      (train + ["--validation", set], "--output", [set, picture]),
      (trained, "--checkpoint", [set, picture, weights]), (trained, "--log", [set, picture]),
      (trained, "--report", [set, picture, weights]),
    ]
  }

  /// A name that the option takes and that leads to a file.
  private func link(to path: String, like call: [String], _ option: String) throws -> String {
    let fileExtension =
      switch (call[0], option) {
      case ("detect", _): "png"
      case ("track", _): "y4m"
      case (_, "--report"), ("explain", _): "html"
      default: "x"
      }
    let link = folder.file("link.\(fileExtension)")
    if (try? FileManager.default.destinationOfSymbolicLink(atPath: link)) != nil {
      try FileSystem.removeFile(at: link)
    }
    try FileManager.default.createSymbolicLink(atPath: link, withDestinationPath: path)
    return link
  }

  @Test func whatIsReadIsNeverReplaced() throws {
    let before = try snapshot()
    var count = 0
    for (arguments, option, inputs) in calls {
      for input in inputs {
        let link = try link(to: input, like: arguments, option)
        let (status, errors) = call(arguments + [option, link, "--force"])
        expectEqual(status, .usage, "\(arguments) \(option) \(input)")
        #expect(errors.contains("replace"), "\(arguments) \(option) \(input): \(errors)")
        try FileSystem.removeFile(at: link)
        count += 1
      }
    }
    #expect(count > 15)
    try expectEqual(snapshot(), before)
  }

  @Test func hardLinksAreTheSameFile() throws {
    let before = try folder.bytes("set.json")
    try FileManager.default.linkItem(
      atPath: folder.file("set.json"), toPath: folder.file("twin.json"))
    let (status, _) = call([
      "relabel", folder.file("set.json"), "--force", "--output", folder.file("twin.json"),
    ])
    expectEqual(status, .usage)
    try expectEqual(folder.bytes("set.json"), before)
  }

  @Test func whatOthersMadeIsReplacedOnlyIfToldSo() throws {
    for (arguments, option, _) in calls {
      let name = Paths.lastComponent(
        of: try link(to: folder.file("mine.txt"), like: arguments, option))
      try FileSystem.removeFile(at: folder.file(name))
      try folder.write("what others wrote", to: name)
      let (status, errors) = call(arguments + [option, folder.file(name)])
      expectEqual(status, .usage, "\(arguments) \(option)")
      #expect(errors.contains("--force replaces it"), "\(errors)")
      try expectEqual(folder.text(name), "what others wrote")
      let forced = call(arguments + [option, folder.file(name), "--force"])
      expectEqual(forced.status, .success, "\(arguments) \(option): \(forced.errors)")
      #expect(try folder.bytes(name) != [UInt8]("what others wrote".utf8))
      try FileSystem.removeFile(at: folder.file(name))
    }
  }

  /// What a call made, it makes again; what took long or may have been changed is left alone.
  @Test func whatTheToolMadeIsReplaced() throws {
    for (arguments, option, _) in calls where arguments[0] != "relabel" {
      let name = Paths.lastComponent(
        of: try link(to: folder.file("mine.txt"), like: arguments, option))
      try FileSystem.removeFile(at: folder.file(name))
      for round in 0..<2 {
        let (status, errors) = call(arguments + [option, folder.file(name)])
        expectEqual(status, .success, "\(round) \(arguments) \(option): \(errors)")
      }
      try FileSystem.removeFile(at: folder.file(name))
    }
    let relabel = ["relabel", folder.file("set.json"), "--output", folder.file("faces.json")]
    expectEqual(call(relabel).status, .success)
    expectEqual(call(relabel).status, .usage)
    expectEqual(call(relabel + ["--force"]).status, .success)
  }

  @Test func signaturesStandInFilesThatStayValid() throws {
    let image = picture(width: 40, height: 30, orientation: .right)
    let png = Signature.added(to: PNGEncoder.encode(image))
    try expectEqual(PNGDecoder.decode(png), image)
    for orientation in [image.orientation, .up] {
      var picture = image
      picture.orientation = orientation
      let jpeg = try JPEGEncoder.encode(picture)
      let signed = Signature.added(to: jpeg)
      try expectEqual(JPEGDecoder.decode(signed), JPEGDecoder.decode(jpeg))
      #expect(Signature.isIn(Array(signed.prefix(1024))) && !Signature.isIn(jpeg))
    }
    let writer = try Y4MWriter(width: 32, height: 32, range: .full)
    var film = try
      (Signature.added(to: writer.header)
      + writer.frame(picture(width: 32, height: 32)))[...]
    var reader = Y4MReader()
    try expectEqual(reader.nextFrame(from: &film)?.width, 32)
    for text in ["<?xml version=\"1.0\"?>\n<svg/>", "<!DOCTYPE html>\n<html></html>"] {
      let signed = String(decoding: Signature.added(to: [UInt8](text.utf8)), as: UTF8.self)
      #expect(Signature.isIn([UInt8](signed.utf8)))
      #expect(signed.hasPrefix(text.prefix { $0 != "\n" }))
    }
    for bytes in [png, Array(film)] + [[], [0x89], [0xFF, 0xD8], [0xFF, 0xD8, 0xFF, 0xE0]] {
      _ = Signature.added(to: bytes)
    }
    #expect(!Signature.isIn([]) && !Signature.isIn(PNGEncoder.encode(image)))
  }

  @Test func drawnFramesDoNotComeAmongThoseThatAreRead() throws {
    for path in ["frames", "frames/../frames"] {
      let (status, errors) = call([
        "track", folder.file("frames"), "--annotate", folder.file(path), "--force",
      ])
      #expect(status == .usage && errors.contains("is read"))
    }
    try folder.write("mine", to: "out/frame_000007.jpg")
    try folder.write("mine", to: "out/frame_7.jpg")
    let arguments = ["track", folder.file("frames"), "--annotate", folder.file("out")]
    expectEqual(call(arguments).status, .usage)
    expectEqual(call(arguments + ["--force"]).status, .success)
    try FileSystem.removeFile(at: folder.file("out/frame_000007.jpg"))
    expectEqual(call(arguments).status, .success)
    expectEqual(call(arguments).status, .success)
    try expectEqual(folder.text("out/frame_7.jpg"), "mine")
  }

  @Test func twoOutputsAreTwoFiles() throws {
    try FileManager.default.createSymbolicLink(
      atPath: folder.file("here"), withDestinationPath: folder.path)
    let (status, errors) = call([
      "train", "dice", folder.file("set.json"), "--output", folder.file("w"), "--log",
      folder.file("here/w"),
    ])
    #expect(status == .usage && errors.contains("need a file each"))
    #expect(!FileSystem.exists(at: folder.file("w")))
  }
}

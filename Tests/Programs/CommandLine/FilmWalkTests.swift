import DiceCodecs
import DiceImaging
import Foundation
import TestSupport
import Testing

@testable import DiceCommandLine
@testable import DiceFinders

/// What all commands that follow a film do alike.
@Suite struct FilmWalkTests {
  static let commands = [["track"], ["trajectories"], ["session", "--poses", "none"]]

  let folder: TemporaryFolder

  init() throws { folder = try TemporaryFolder() }

  private func run(_ command: [String], _ film: String, _ input: [UInt8]) -> (CallStatus, ToolCall)
  {
    let call = ToolCall()
    call.input = input
    return (call.run(command + [film]), call)
  }

  @Test(arguments: commands) func lossesAreToldOneByOneAndThenCounted(_ command: [String]) {
    let (status, call) = run(
      command, "-", (0..<40).flatMap { _ in [0xFF, 0xD8, 0xFF, 0xD9] as [UInt8] })
    expectEqual(status, .failure)
    let lines = call.errors.split(separator: "\n")
    expectEqual(lines.count, 11)
    expectEqual(lines.last, "dicevision: standard input: 30 more such losses.")
  }

  @Test(arguments: commands) func aFilmWithoutFramesIsAnError(_ command: [String]) {
    let (status, call) = run(command, "-", Array("YUV4MPEG2 W64 H64 F30:1 C420\n".utf8))
    expectEqual(status, .failure)
    expectEqual(call.errors, "dicevision: standard input: The film has no frames.\n")
  }

  @Test(arguments: commands) func anInterruptionEndsIt(_ command: [String]) {
    let call = ToolCall()
    call.input = Array("YUV4MPEG2 W64 H64 F30:1 Cmono\n".utf8)
    for _ in 0..<4 { call.input += Array("FRAME\n".utf8) + [UInt8](repeating: 90, count: 64 * 64) }
    call.interruption = (looks: 2, signal: 2)
    call.find = { (image, _) in
      PictureReading(width: image.width, height: image.height, dice: [])
    }
    expectEqual(call.run(command + ["-"]).rawValue, 130)
    #expect(call.errors.isEmpty && call.output.isEmpty)
  }

  @Test(arguments: commands.dropFirst())
  func lossesAreCountedBeforeWhatEndsTheFilm(_ command: [String]) throws {
    for index in 0..<12 { try folder.write([0xFF, 0xD8, 1], to: "\(index + 10).jpg") }
    for (index, side) in [64, 48].enumerated() {
      let picture =
        Array("P5 \(side) 64 255\n".utf8) + [UInt8](repeating: 90, count: side * 64)
      try folder.write(picture, to: "\(index + 50).pgm")
    }
    let (status, call) = run(command, folder.path, [])
    expectEqual(status, .failure)
    let lines = call.errors.split(separator: "\n")
    expectEqual(lines.count, 12)
    expectEqual(lines.dropLast().last, "dicevision: \(folder.path): 2 more such losses.")
    expectEqual(lines.last?.contains("48 by 64 pixels"), true)
  }

  @Test(
    arguments: zip(commands, ["`dicevision detect`", "is a single picture", "`dicevision field`"]))
  func aSinglePictureIsToldAsSuch(_ command: [String], _ advice: String) throws {
    let picture = PixelImage(
      width: 64, height: 64, format: .gray, samples: [UInt8](repeating: 90, count: 64 * 64))
    let call = ToolCall()
    call.find = { (image, _) in
      PictureReading(width: image.width, height: image.height, dice: [])
    }
    let jpeg = try folder.write(try JPEGEncoder.encode(picture), to: "photo.jpg")
    expectEqual(call.run(command + [jpeg]), .success)
    #expect(call.errors.contains("photo.jpg: This is a single picture, and no film."))
    #expect(call.errors.contains(advice), "\(call.errors)")
    let refused = ToolCall()
    let png = try folder.write(PNGEncoder.encode(picture), to: "photo.png")
    expectEqual(refused.run(command + [png]), .failure)
    #expect(refused.errors.contains("of the kind PNG"))
    if advice.hasPrefix("`") { #expect(refused.errors.contains(advice)) }
  }
}

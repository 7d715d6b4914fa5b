import DiceCodecs
import DiceFiles
import DiceImaging
import TestSupport
import Testing

@testable import DiceCommandLine

@Suite struct TrajectoriesCommandTests {
  let folder: TemporaryFolder
  let call = ToolCall()

  init() throws { folder = try TemporaryFolder() }

  /// A bright ball on a parabola before stripes, 30 frames a second.
  private func film(frameCount: Int = 60) throws -> [UInt8] {
    let (width, height) = (320, 180)
    let writer = try Y4MWriter(width: width, height: height, chroma: .s444, range: .full)
    var bytes = writer.header
    for index in 0..<frameCount {
      let t = Double(index - 15) / 30
      let (x, y) = (20 + 180 * t, 150 - 270 * t + 196 * t * t)
      var samples = [UInt8](repeating: 0, count: width * height)
      for row in 0..<height {
        for column in 0..<width {
          let (dx, dy) = (Double(column) + 0.5 - x, Double(row) + 0.5 - y)
          let isBall = index >= 15 && dx * dx + dy * dy < 16
          samples[row * width + column] = isBall ? 240 : (column / 16 + row / 16) % 2 == 0 ? 60 : 90
        }
      }
      bytes += try writer.frame(
        PixelImage(width: width, height: height, format: .gray, samples: samples))
    }
    return bytes
  }

  @Test func jsonHasAnObjectForEachChange() throws {
    call.input = try film()
    expectEqual(call.run("trajectories", "--format", "json", "-"), .success)
    let events = try call.outputLines.map { try JSONReader.parse([UInt8]($0.utf8)) }
    let states = events.map { $0["state"]?.string }
    #expect(states.first == "began" && states.last == "ended")
    #expect(states.dropFirst().dropLast().allSatisfy { $0 == "continued" })
    #expect(events.allSatisfy { $0["event"]?.string == "trajectory" })
    #expect(events.allSatisfy { $0["identity"]?.integer == 1 })
    let last = try #require(events.last)
    let frames = try #require(last["frames"]?.array).compactMap(\.integer)
    let points = try #require(last["points"]?.array)
    #expect(frames.count == points.count && frames.count > 25)
    for (frame, point) in zip(frames, points) {
      let t = Double(frame - 15) / 30
      #expect(abs((point.array?[0].number ?? 0) - (20 + 180 * t) / 320) < 0.01)
      #expect(
        abs((point.array?[1].number ?? 0) - (1 - (150 - 270 * t + 196 * t * t) / 180)) < 0.015)
    }
    let coefficients = try #require(last["coefficients"]?.array).compactMap(\.number)
    expectEqual(coefficients.count, 3)
    #expect(abs(coefficients[0] + 196 / 180 * (320 / 180.0) * (320 / 180.0)) < 0.15)
    // Gravity is 392 pixels, the speed 324.5 pixels a second. That air did not slow this ball is taken for speed.
    let speed = try #require(last["speed"]?.number) / (324.5 * 9.81 / 392)
    #expect((0.98...1.09).contains(speed), "\(speed)")
    #expect((last["confidence"]?.number ?? 0) > 0.8)
  }

  @Test func textHasALineForEachTrajectory() throws {
    try folder.write(try film(), to: "throw.y4m")
    expectEqual(call.run("trajectories", folder.file("throw.y4m")), .success)
    expectEqual(call.outputLines.count, 1)
    expectEqual(call.outputLines.first?.contains("trajectory 1: "), true)
    expectEqual(call.outputLines.first?.hasSuffix(" m/s"), true)
  }

  @Test func framesAreWrittenWithWaysDrawnIn() throws {
    let original = try film()
    try folder.write(original, to: "throw.y4m")
    let marked = folder.file("marked.y4m")
    expectEqual(call.run("trajectories", "--annotate", marked, folder.file("throw.y4m")), .success)
    let bytes = try FileSystem.readFile(at: marked, byteLimit: 100_000_000)
    var stream = FrameStream(frameRate: .standard)
    var rest = bytes[...]
    var count = 0
    var coloured = 0
    while case .frame(let frame)? = try stream.next(from: &rest) {
      count += 1
      let image = frame.makeImage().converted(to: .rgb)
      let isColoured = stride(from: 0, to: image.samples.count, by: 3).contains {
        abs(Int(image.samples[$0]) - Int(image.samples[$0 + 2])) > 80
      }
      if isColoured { coloured += 1 }
    }
    expectEqual(count, 60)
    #expect(coloured > 20 && coloured < 50)
  }

  @Test func aFilmWithoutAFlightIsToldUnlessFramesWereLost() throws {
    call.input = try film(frameCount: 3)
    expectEqual(call.run("trajectories", "-"), .success)
    #expect(call.output.isEmpty)
    expectEqual(call.errors, "dicevision: Nothing was thrown in 3 frames.\n")
    let cut = ToolCall()
    cut.input = try film(frameCount: 3).dropLast(9)
    expectEqual(cut.run("trajectories", "-"), .failure)
    #expect(!cut.errors.contains("Nothing was thrown"))
    for name in ["0.pgm", "2.pgm"] {
      try folder.write(
        Array("P5 64 64 255\n".utf8) + [UInt8](repeating: 90, count: 64 * 64), to: name)
    }
    try folder.write([0xFF, 0xD8, 1], to: "1.jpg")
    let lost = ToolCall()
    expectEqual(lost.run("trajectories", folder.path), .failure)
    #expect(!lost.errors.contains("Nothing was thrown"), "\(lost.errors)")
    let thrown = ToolCall()
    thrown.input = try film()
    expectEqual(thrown.run("trajectories", "-"), .success)
    #expect(thrown.errors.isEmpty)
  }

  @Test func wrongCallsAreToldAsSuch() throws {
    call.input = try film(frameCount: 2)
    expectEqual(call.run("trajectories", "--annotate-as", "png", "-"), .usage)
    expectEqual(
      call.run("trajectories", "--minimum-radius", "0.2", "--maximum-radius", "0.1", "-"), .usage)
    expectEqual(call.run("trajectories", "--length", "2", "-"), .usage)
    expectEqual(call.run("trajectories", folder.file("missing.y4m")), .failure)
  }
}

import MediaTestSupport
import DiceGeometry
import DiceImaging
import TestSupport
import Testing

/// Comparison with pictures made by Pillow: see `Fixtures/golden/resampling/generate.py`.
struct PillowResamplingTests {
  struct Case: CustomTestStringConvertible {
    var kind: String
    var width: Int
    var height: Int
    var orientation: ImageOrientation
    var region: NormalizedRect
    var rule: String
    var outWidth: Int
    var outHeight: Int
    var expected: [UInt8]

    var testDescription: String {
      "\(kind) \(width)x\(height) \(orientation) \(rule) to \(outWidth)x\(outHeight)"
    }
  }

  static let cases: [Case] = {
    guard let text = try? Fixtures.bytes("golden/resampling/cases.txt"),
      let data = try? Fixtures.bytes("golden/resampling/expected.bin")
    else { return [] }
    var cases: [Case] = []
    var place = 0
    for line in String(decoding: text, as: UTF8.self).split(separator: "\n") {
      let words = line.split(separator: " ").map(String.init)
      let numbers = words.map { Double($0) ?? .nan }
      let (width, height) = (Int(numbers[9]), Int(numbers[10]))
      let channels = words[0] == "gray" ? 1 : words[0] == "rgba" ? 4 : 3
      let count = width * height * channels
      cases.append(
        Case(
          kind: words[0], width: Int(numbers[1]), height: Int(numbers[2]),
          orientation: ImageOrientation(rawValue: UInt8(numbers[3]))!,
          region: NormalizedRect(
            x: numbers[4], y: numbers[5], width: numbers[6], height: numbers[7]),
          rule: words[8], outWidth: width, outHeight: height,
          expected: Array(data[place..<place + count])))
      place += count
    }
    return place == data.count ? cases : []
  }()

  @Test func everyCaseOfTheFixtureIsRead() {
    expectEqual(Self.cases.count, 67)
    #expect(Self.cases.contains { $0.kind == "bt709full" })
  }

  @Test(arguments: cases.filter { $0.rule == "resize" })
  func resizedPicturesAgreeWithinOneLevel(_ item: Case) {
    let format: PixelImage.Format =
      item.kind == "gray" ? .gray : item.kind == "rgb" ? .rgb : .rgba
    let image = TestPictures.formula(width: item.width, height: item.height, format: format)
    let result = image.resized(width: item.outWidth, height: item.outHeight)
    #expect(result.width == item.outWidth && result.height == item.outHeight)
    expectEqual(result.format, format)
    if format == .rgba {
      // Pillow divides by a rounded alpha: colours count where they can be seen.
      for i in stride(from: 0, to: item.expected.count, by: 4) {
        let differences = (0..<4).map {
          abs(Int(result.samples[i + $0]) - Int(item.expected[i + $0]))
        }
        let limit = 1 + 3 * 255 / max(Int(item.expected[i + 3]), 1)
        #expect(differences[3] <= 1 && differences[0..<3].allSatisfy { $0 <= limit })
      }
    } else {
      #expect(TestPictures.largestDifference(result.samples, item.expected) <= 1)
    }
  }

  @Test(arguments: cases.filter { $0.rule != "resize" })
  func sampledInputsAgreeWithinOneLevel(_ item: Case) throws {
    let transform = try ImageTransform(
      storedWidth: item.width, storedHeight: item.height, orientation: item.orientation,
      regionOfInterest: item.region,
      cropAndScale: item.rule == "fill" ? .scaleFill : item.rule == "fit" ? .scaleFit : .centerCrop,
      inputWidth: item.outWidth, inputHeight: item.outHeight)
    var sampler = InputSampler()
    let count = item.outWidth * item.outHeight * 3
    var bytes = [UInt8](repeating: 0, count: count)
    var numbers = [Float](repeating: .nan, count: count)
    let layout = SampleLayout.interleaved(width: item.outWidth)
    func sample(_ frame: borrowing RawFrame) {
      sampler.sample(frame, through: transform, into: &bytes, layout: layout)
      sampler.sample(frame, through: transform, into: &numbers, layout: layout, scale: 2, bias: 1)
    }
    switch item.kind {
    case "gray", "rgb":
      TestPictures.formula(
        width: item.width, height: item.height, format: item.kind == "gray" ? .gray : .rgb
      ).withFrame { sample($0) }
    default:
      try TestPictures.planes(
        width: item.width, height: item.height,
        encoding: YCbCrEncoding(
          item.kind.hasPrefix("bt601") ? .bt601 : .bt709,
          item.kind.hasSuffix("full") ? .full : .video)
      ).withFrame { sample($0) }
    }
    let expected =
      item.kind == "gray" ? item.expected.flatMap { [$0, $0, $0] } : item.expected
    #expect(TestPictures.largestDifference(bytes, expected) <= 1)
    // Numbers are not rounded: half a level, and the level that Pillow's rounding may be off by.
    let values = numbers.map { ($0 - 1) / 2 }
    #expect(zip(values, expected).allSatisfy { abs($0 - Float($1)) <= 1.001 })
    #expect(zip(values, bytes).allSatisfy { abs($0 - Float($1)) <= 0.501 })
  }
}

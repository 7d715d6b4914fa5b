import DiceCodecs
import DiceVisionKit
import Foundation
import TestSupport
import Testing

/// What Foundation's types bring: URLs, data, and sentences of errors.
@Suite struct FoundationTests {
  @Test func filesAreReadAtURLs() async throws {
    let folder = FileManager.default.temporaryDirectory
      .appending(path: "Dice Vision Kit \(UUID())")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(at: folder) }
    let (weights, picture) = (folder.appending(path: "w%20.dvw"), folder.appending(path: "ä b.png"))
    let layout = Layout.all[3]
    try Data(PatternNetwork().weightFile()).write(to: weights)
    try Data(PNGEncoder.encode(layout.image)).write(to: picture)

    let detector = try DiceDetector(weightsAt: weights, configuration: .init(tiling: .none))
    let result = try detector.detect(inImageFileAt: picture, regionOfInterest: layout.region)
    #expect(result.matches(layout.blocks))
    let other = try await detector.detectConcurrently(
      inImageFileAt: picture, regionOfInterest: layout.region)
    #expect(other.hasSameContent(as: result))

    let page = try #require(URL(string: "https://example.org/dice.jpg"))
    #expect(throws: DetectorError.file(.notAFileURL(url: "https://example.org/dice.jpg"))) {
      try detector.detect(inImageFileAt: page)
    }
    #expect(throws: DetectorError.file(.notAFileURL(url: "https://example.org/dice.jpg"))) {
      try DiceDetector(weightsAt: page)
    }
  }

  @Test func bytesMayBeDataOrAPartOfAnArray() async throws {
    let weights = try PatternNetwork().weightFile()
    let detector = try DiceDetector(weights: Data(weights), configuration: .init(tiling: .none))
    let layout = Layout.all[0]
    let file = PNGEncoder.encode(layout.image)
    #expect(try detector.detect(inImageFile: Data(file)).matches(layout.blocks))
    let padded = [0, 0] + file
    #expect(try detector.detect(inImageFile: padded[2...]).matches(layout.blocks))
    #expect(try await detector.detectConcurrently(inImageFile: Data(file)).matches(layout.blocks))
  }

  @Test func errorsSayTheirSentence() {
    let errors: [any Error & CustomStringConvertible] = [
      DetectorError.invalidThreadCount(0), FileError.notFound(path: "x"), FrameError.noTimestamp,
      GeometryError.storedSizeOutOfRange(width: 0, height: 1), GridBoxError.noHead,
      ImageDecodingError.empty, NetworkError.tensorCount(found: 1, required: 2),
      RollTracker.ConfigurationError.expectedMoreThanMaximum(expected: 2, maximum: 1),
      SceneStability.ConfigurationError.valueOutOfRange(name: "x", value: 2, range: 0...1),
      TrackerStateError.notATrackerState,
      WeightFileError.layerCount(found: 0, allowed: 1...9), FrameStreamError.empty,
      GzipError.wrongMagic, InflateError.presetDictionary,
      JPEGError.invalidQuality(0), PNGError.missingImageData, PlayingFieldError.notConvex,
      PortableMapError.truncatedHeader, Y4MError.truncatedHeader(found: 2),
    ]
    for error in errors {
      expectEqual((error as any Error).localizedDescription, error.description)
      #expect(error.description.count > 15)
    }
  }
}

import DiceCodecs
import DiceVisionKit
import Foundation
import Testing
import TestSupport

@Suite struct ImageFileTests {
  @Test func findsEveryBlockInFilesOfEveryOrientation() throws {
    let detector = try PatternNetwork().detector()
    let layout = Layout.all[0]
    for orientation in ImageOrientation.allCases {
      let file = PNGEncoder.encode(layout.image.stored(orientation))
      let result = try detector.detect(inImageFile: file)
      #expect(result.matches(layout.blocks), "\(orientation)")
      #expect(result.timings.imageDecoding > .zero)
      #expect(result.timings.total > result.timings.imageDecoding)
      if orientation != .up {
        #expect(try !detector.detect(inImageFile: file, orientation: .up).matches(layout.blocks))
      }
    }
  }

  @Test func readsFilesAtPaths() throws {
    let folder = FileManager.default.temporaryDirectory
      .appending(path: "DiceVisionKitTests-\(UUID())")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(at: folder) }
    let weights = folder.appending(path: "pattern.dvw")
    let picture = folder.appending(path: "picture.png")
    let layout = Layout.all[3]
    try Data(PatternNetwork().weightFile()).write(to: weights)
    try Data(PNGEncoder.encode(layout.image.stored(.leftMirrored))).write(to: picture)

    let detector = try DiceDetector(
      weightsAt: weights.path(percentEncoded: false), configuration: .init(tiling: .none))
    expectEqual(detector.weightFile.description.name, "pattern")
    let result = try detector.detect(
      inImageFileAt: picture.path(percentEncoded: false), regionOfInterest: layout.region)
    #expect(result.matches(layout.blocks))

    let missing = folder.appending(path: "missing").path(percentEncoded: false)
    #expect(throws: DetectorError.file(.notFound(path: missing))) {
      try detector.detect(inImageFileAt: missing)
    }
    #expect(throws: DetectorError.file(.notFound(path: missing))) {
      try DiceDetector(weightsAt: missing)
    }
    let pathOfPicture = picture.path(percentEncoded: false)
    do throws(DetectorError) {
      _ = try DiceDetector(weightsAt: pathOfPicture)
      Issue.record("a picture was taken for weights")
    } catch {
      guard case .weights(.wrongMagic) = error else {
        Issue.record("\(error)")
        return
      }
    }
  }

  // MARK: - Reduced pictures

  /// A layout and a JPEG file that shows it eight times as large, stored so.
  private static func large(_ orientation: ImageOrientation) throws -> (blocks: [Block], [UInt8]) {
    let blocks = Layout.all[0].blocks.map {
      Block(
        value: $0.value, x: 8 * $0.x, y: 8 * $0.y, width: 8 * $0.width, height: 8 * $0.height)
    }
    let picture = PixelImage.blocks(blocks, width: 8 * Layout.width, height: 8 * Layout.height)
    return (
      blocks, try JPEGEncoder.encode(picture.stored(orientation), quality: 95, subsampling: .s444)
    )
  }

  @Test func aSinglePassDecodesNoMoreThanItNeeds() throws {
    // Two pixels for each of the 64 along a side of the network's input.
    let detector = try PatternNetwork().detector()
    expectEqual(detector.decodedSide(), 128)
    let quarter = NormalizedRect(x: 0.5, y: 0, width: 0.5, height: 0.25)
    expectEqual(detector.decodedSide(regionOfInterest: quarter), 512)
    for orientation in [ImageOrientation.up, .right, .leftMirrored] {
      let (blocks, file) = try Self.large(orientation)
      let result = try detector.detect(inImageFile: file, orientation: orientation)
      expectEqual(result.uprightWidth, 8 * Layout.width)
      expectEqual(result.uprightHeight, 8 * Layout.height)
      #expect(result.matches(blocks), "\(orientation)")
      let full = try PatternNetwork().detector(.init(fileResolution: .full))
      let other = try full.detect(inImageFile: file, orientation: orientation)
      #expect(other.matches(blocks))
      for (one, other) in zip(result.observations, other.observations) {
        expectEqual(one.normalizedBoundingBox, other.normalizedBoundingBox)
      }
    }
  }

  @Test func tilesAndTheSecondStageSeeAllPixels() throws {
    let network = PatternNetwork()
    try expectEqual(network.detector(tiling: .automatic).decodedSide(), nil)
    let secondStage = DiceDetector.SecondStage.weights(
      try PatternNetwork.secondStage(shift: 0).weightFile())
    try expectEqual(network.detector(.init(secondStage: secondStage)).decodedSide(), nil)
    try expectEqual(network.detector(.init(fileResolution: .full)).decodedSide(), nil)
    for rule in [CropAndScale.centerCrop, .scaleFill] {
      try expectEqual(network.detector(.init(cropAndScale: rule)).decodedSide(), nil)
    }
    let side = DiceDetector.Configuration(fileResolution: .longerSide(99))
    try expectEqual(network.detector(side, tiling: .automatic).decodedSide(), 99)
  }

  @Test func hostileRegionsAreRefusedAtEveryResolution() throws {
    let detector = try PatternNetwork().detector()
    let (_, file) = try Self.large(.up)
    for side in [0, -1, 1e-300, .nan, .infinity] {
      let region = NormalizedRect(x: 0, y: 0, width: side, height: 1)
      #expect(throws: DetectorError.self) {
        try detector.detect(inImageFile: file, regionOfInterest: region)
      }
    }
  }

  @Test func refusesFilesThatAreNoPictures() throws {
    let detector = try PatternNetwork().detector()
    #expect(throws: DetectorError.image(.empty)) { try detector.detect(inImageFile: []) }
    #expect(
      throws: DetectorError.image(.unrecognizedFormat(firstBytes: [1, 2, 3, 4, 5, 6, 7, 8]))
    ) {
      try detector.detect(inImageFile: [1, 2, 3, 4, 5, 6, 7, 8, 9])
    }
    let file = PNGEncoder.encode(Layout.all[0].image)
    var refusals = 0
    for count in stride(from: 8, to: file.count - 12, by: 7) {
      do throws(DetectorError) {
        _ = try detector.detect(inImageFile: Array(file[..<count]))
        Issue.record("a file of \(count) bytes was taken")
      } catch {
        guard case .image(.png) = error else {
          Issue.record("\(error)")
          continue
        }
        refusals += 1
      }
    }
    #expect(refusals > 10)
    do throws(DetectorError) {
      _ = try detector.detect(inImageFile: file, limits: DecodingLimits(pixelCount: 100))
      Issue.record("a picture over the limit was taken")
    } catch {
      guard case .image(.png) = error else {
        Issue.record("\(error)")
        return
      }
    }
  }
}

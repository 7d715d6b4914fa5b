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
      weightsAt: weights.path(percentEncoded: false), configuration: .init(zoom: .none))
    #expect(detector.weightFile.description.name == "pattern")
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

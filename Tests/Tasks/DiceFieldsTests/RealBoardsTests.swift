import DiceCodecs
import DiceFields
import DiceGeometry
import Foundation
import TestSupport
import Testing

/// Photos of printed grids and of go boards, with corners marked by hand.
@Suite(.enabled(if: RealBoards.folder != nil, "shared/boards is not there"))
struct RealBoardsTests {
  /// Every seventh photo, since all of them take minutes; `DICEVISION_ALL_BOARDS=1` looks at all.
  @Test func printedGridsAreFound() throws {
    let result = try RealBoards.measure("sudoku")
    print("sudoku: \(result)")
    #expect(result.count >= 12)
    #expect(result.above90 >= 0.97 && result.above95 >= 0.9 && result.error < 0.007)
  }

  @Test func goBoardsAreFound() throws {
    let result = try RealBoards.measure("go")
    print("go: \(result)")
    #expect(result.count >= 5)
    #expect(result.above90 >= 0.75 && result.bestOfFive >= 0.95)
  }
}

enum RealBoards {
  struct Entry: Decodable {
    var image: String
    var corners: [[Double]]
  }

  struct Result {
    var count = 0
    /// The shares of the photos whose first candidate overlaps that much.
    var above90 = 0.0
    var above95 = 0.0
    /// The share with one of the first five above 0.9.
    var bestOfFive = 0.0
    /// The mean corner error of those found, as a share of the diagonal.
    var error = 0.0
  }

  /// The folder, or nil where it is absent: `DICEVISION_BOARDS`, else `shared/boards` beside the
  /// checkout or beside the photos.
  static let folder: URL? = {
    let environment = ProcessInfo.processInfo.environment["DICEVISION_BOARDS"]
    let places = [
      environment.map { URL(filePath: $0, directoryHint: .isDirectory) },
      Fixtures.photos?.deletingLastPathComponent().appending(path: "boards"),
      Fixtures.folder.deletingLastPathComponent().deletingLastPathComponent()
        .appending(path: "shared/boards"),
    ]
    return places.compactMap { $0 }.first { (url) in
      FileManager.default.fileExists(
        atPath: url.appending(path: "sudoku").path(percentEncoded: false))
    }
  }()

  static func measure(_ set: String) throws -> Result {
    let folder = folder!.appending(path: set)
    let entries = try JSONDecoder().decode(
      [Entry].self, from: Data(contentsOf: folder.appending(path: "corners.json")))
    let takesAll = ProcessInfo.processInfo.environment["DICEVISION_ALL_BOARDS"] == "1"
    var result = Result()
    var (above90, above95, bestOfFive) = (0, 0, 0)
    for index in stride(from: 0, to: entries.count, by: takesAll ? 1 : 7) {
      let entry = entries[index]
      let bytes = try Data(contentsOf: folder.appending(path: entry.image))
      let image = try ImageDecoder.decode([UInt8](bytes))
      let corners = entry.corners.map { PixelPoint(x: $0[0], y: $0[1]) }
      let truth = try #require(Quadrilateral(corners: corners))
      let fields = try FieldDetector().detect(in: image)
      let overlaps = fields.map { $0.outline.intersectionOverUnion(with: truth) }
      result.count += 1
      bestOfFive += overlaps.prefix(5).contains { $0 > 0.9 } ? 1 : 0
      guard let first = overlaps.first, first > 0.9 else { continue }
      above90 += 1
      above95 += first > 0.95 ? 1 : 0
      result.error += cornerError(fields[0].outline, truth, image)
    }
    let count = Double(max(1, result.count))
    result.above90 = Double(above90) / count
    result.above95 = Double(above95) / count
    result.bestOfFive = Double(bestOfFive) / count
    result.error /= Double(max(1, above90))
    return result
  }
}

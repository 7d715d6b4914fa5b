import DiceFields
import DiceGeometry
import Foundation
import TestSupport

extension BinaryImage {
  /// A picture drawn with `#` for foreground, a string for each row.
  init(_ rows: String...) {
    self.init(width: rows[0].count, height: rows.count)
    for (row, text) in rows.enumerated() {
      for (column, character) in text.enumerated() where character == "#" {
        self[column: column, row: row] = true
      }
    }
  }
}

/// A pixel by its column and row.
func pixel(_ column: Int, _ row: Int) -> ContourPoint { ContourPoint(column: column, row: row) }

/// Points from pairs of numbers.
func points(_ pairs: [[Double]]) -> [PixelPoint] {
  pairs.map { PixelPoint(x: $0[0], y: $0[1]) }
}

/// What an independent library computed, in the folder of boards beside the checkout.
enum GoldenGeometry {
  static let absence = "shared/boards is not there"

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
    return places.compactMap { $0?.appending(path: "golden") }.first { (url) in
      FileManager.default.fileExists(atPath: url.path(percentEncoded: false))
    }
  }()

  static func read() throws -> Cases {
    let decoder = JSONDecoder()
    decoder.keyDecodingStrategy = .convertFromSnakeCase
    return try decoder.decode(
      Cases.self, from: Data(contentsOf: folder!.appending(path: "golden.json")))
  }

  /// The samples of a binary portable graymap.
  static func picture(_ name: String) throws -> (width: Int, height: Int, samples: [UInt8]) {
    let bytes = [UInt8](try Data(contentsOf: folder!.appending(path: name)))
    var place = 2
    var fields: [Int] = []
    while fields.count < 3 {
      while bytes[place] <= 32 { place += 1 }
      var number = 0
      while bytes[place] > 32 {
        number = number * 10 + Int(bytes[place] - 48)
        place += 1
      }
      fields.append(number)
    }
    return (fields[0], fields[1], Array(bytes[(place + 1)...]))
  }

  struct Cases: Decodable {
    var images: [Image]
    var polygons: [PolygonCase]
    var homographies: [HomographyCase]
  }

  struct Image: Decodable {
    var file: String
    var external: Int
    var components8: Int
    var componentAreas: [Int]
    var contours: [Border]
  }

  struct Border: Decodable {
    var points: [[Int]]
    var simple: [[Int]]
    var parent: Int
    var depth: Int
    var hole: Bool
  }

  struct PolygonCase: Decodable {
    var points: [[Double]]
    var area: Double
    var orientedArea: Double
    var perimeterClosed: Double
    var perimeterOpen: Double
    var bounding: [Double]
    var convex: Bool
    var hull: [[Double]]
    var approx: [Approximation]
    var minAreaRect: Rectangle
    var minCircle: CircleCase
    var fitEllipse: EllipseCase?
    var fitEllipseDirect: EllipseCase?
    var moments: [String: Double]
  }

  struct Approximation: Decodable {
    var epsilon: Double
    var closed: Bool
    var points: [[Double]]
  }

  struct Rectangle: Decodable {
    var size: [Double]
    var area: Double
    var corners: [[Double]]
  }

  struct CircleCase: Decodable {
    var center: [Double]
    var radius: Double
  }

  struct EllipseCase: Decodable {
    var center: [Double]
    var axes: [Double]
    var angle: Double
  }

  struct HomographyCase: Decodable {
    var kind: String
    var source: [[Double]]
    var target: [[Double]]
    var matrix: [[Double]]
    var probe: [[Double]]?
    var image: [[Double]]?
    var outliers: [Int]?
    var rmsInliers: Double?
  }
}

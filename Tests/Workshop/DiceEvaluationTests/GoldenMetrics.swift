import DiceFiles
import DiceGeometry
import DiceEvaluation
import TestSupport
import Testing

/// The cases of `Fixtures/golden/metrics`.
struct GoldenMetrics {
  let name: String
  let classCount: Int
  let images: [EvaluatedImage]
  let json: JSONValue

  static func read(_ file: String) throws -> [GoldenMetrics] {
    let root = try JSONReader.parse(try Fixtures.bytes("golden/metrics/\(file).json"))
    return try #require(root.array).map { try GoldenMetrics($0) }
  }

  init(_ json: JSONValue) throws {
    self.json = json
    name = try #require(json["name"]?.string)
    classCount = try #require(json["classCount"]?.integer)
    images = try #require(json["images"]?.array).enumerated().map { index, image in
      EvaluatedImage(
        name: "\(index)",
        detections: try Self.rows(image["detections"], 6).map {
          DetectedObject(
            boundingBox: BoundingBox(x: $0[1], y: $0[2], width: $0[3], height: $0[4]),
            classIndex: Int($0[0]), confidence: $0[5])
        },
        groundTruth: try Self.rows(image["truth"], 5).map {
          GroundTruthObject(
            boundingBox: BoundingBox(x: $0[1], y: $0[2], width: $0[3], height: $0[4]),
            classIndex: Int($0[0]))
        })
    }
  }

  static func numbers(_ json: JSONValue?) throws -> [Double] {
    try #require(json?.array).map { try #require($0.number) }
  }

  private static func rows(_ json: JSONValue?, _ count: Int) throws -> [[Double]] {
    try #require(json?.array).map {
      let row = try numbers($0)
      try #require(row.count == count)
      return row
    }
  }
}

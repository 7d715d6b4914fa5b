import DiceDetectorHeads
import DiceGeometry
import DiceImaging
import DiceModelImport
import DiceObjects
import Foundation
import TestSupport
import Testing

/// Models of others beside what independent runtimes answer.
struct RealDetectorTests {
  static let absence: Comment = "shared/models is not there"

  private static func bytes(_ name: String) throws -> [UInt8] {
    [UInt8](try Data(contentsOf: #require(Fixtures.models).appending(path: name)))
  }

  private static func array(_ name: String) throws -> NumPyArray {
    try NumPyArray(bytes(name))
  }

  private static func lines(_ name: String) throws -> [String] {
    String(decoding: try bytes(name), as: UTF8.self).split { $0.isNewline }.map(String.init)
  }

  /// The picture that a tensor `[1, 3, H, W]` of samples in 0...1 was made of.
  private static func picture(_ array: NumPyArray, isBGR: Bool) -> PixelImage {
    let shape = array.shape.suffix(3).map { $0 }
    let (height, width) = (shape[1], shape[2])
    var samples = [UInt8](repeating: 0, count: height * width * 3)
    for place in 0..<height * width {
      for channel in 0..<3 {
        let source = (isBGR ? 2 - channel : channel) * height * width + place
        samples[3 * place + channel] = UInt8((array.numbers[source] * 255).rounded())
      }
    }
    return PixelImage(width: width, height: height, format: .rgb, samples: samples)
  }

  /// What remains of boxes: greedy, written as plainly as possible.
  private static func kept(
    _ boxes: [(box: [Double], label: Int, score: Double)], overlap: Double, perClass: Bool
  ) -> [(box: [Double], label: Int, score: Double)] {
    var result: [(box: [Double], label: Int, score: Double)] = []
    for candidate in boxes.sorted(by: { $0.score > $1.score }) {
      let isFree = result.allSatisfy { (other) in
        if perClass, other.label != candidate.label { return true }
        let (a, b) = (candidate.box, other.box)
        let width = max(0, min(a[2], b[2]) - max(a[0], b[0]))
        let height = max(0, min(a[3], b[3]) - max(a[1], b[1]))
        let both = (a[2] - a[0]) * (a[3] - a[1]) + (b[2] - b[0]) * (b[3] - b[1])
        return width * height / (both - width * height) <= overlap
      }
      if isFree { result.append(candidate) }
    }
    return result
  }

  /// Compares objects with boxes of corners, clipped to a square picture.
  private static func compare(
    _ objects: [DetectedObject], _ right: [(box: [Double], label: Int, score: Double)],
    side: Double
  ) {
    #expect(objects.count == right.count && !right.isEmpty)
    for (object, right) in zip(objects, right) {
      expectEqual(object.classIndex, right.label)
      #expect(abs(Double(object.confidence) - right.score) < 2e-3)
      let box = object.boundingBox
      for (found, right) in zip([box.minX, box.minY, box.maxX, box.maxY], right.box) {
        #expect(abs(found - min(max(right, 0), side)) < 0.5)
      }
    }
  }

  @Test(.enabled(if: Fixtures.models != nil, Self.absence))
  func fastestDetFindsWhatItsNumbersSay() throws {
    let labels = try Self.lines("fastestdet/coco.names")
    let imported = try ModelImporter.importONNX(Self.bytes("fastestdet/FastestDet.onnx"))
    let model = try #require(
      try imported.detector(DetectorOptions(kind: .fastestdet, labels: labels)))
    let detector = try ObjectDetector(weights: model.weightFile())
    #expect(detector.labels == labels && detector.cropAndScale == .scaleFill)
    let picture = Self.picture(
      try Self.array("fastestdet/FastestDet.in.input.1.npy"), isBGR: true)
    // The makers' runtime.py on the answer of ONNX Runtime.
    let answer = try Self.array("fastestdet/FastestDet.out.758.npy").numbers
    var right: [(box: [Double], label: Int, score: Double)] = []
    let threshold = 0.3
    for place in 0..<22 * 22 {
      let number = { (channel: Int) in Double(answer[channel * 484 + place]) }
      let label = (0..<80).max { number(5 + $0) < number(5 + $1) }!
      let score = pow(number(0), 0.6) * pow(number(5 + label), 0.4)
      guard score >= threshold else { continue }
      let x = (Double(place % 22) + tanh(number(1))) / 22 * 352
      let y = (Double(place / 22) + tanh(number(2))) / 22 * 352
      let width = 352 / (1 + exp(-number(3)))
      let height = 352 / (1 + exp(-number(4)))
      right.append(
        (
          [x - width / 2, y - height / 2, x + width / 2, y + height / 2], label, score
        ))
    }
    let found = try detector.detect(
      in: picture, confidenceThreshold: Float(threshold))
    Self.compare(
      found.objects, Self.kept(right, overlap: 0.45, perClass: false), side: 352)
    #expect(found.objects.allSatisfy { labels[$0.classIndex] == $0.label })
  }

  @Test(.enabled(if: Fixtures.models != nil, Self.absence))
  func yoloFastestFindsWhatOpenCVFinds() throws {
    let imported = try ModelImporter.importDarknet(
      configuration: Self.bytes("yolo-fastest/yolo-fastest-1.1.cfg"),
      weights: Self.bytes("yolo-fastest/yolo-fastest-1.1.weights"))
    let model = try #require(
      try imported.detector(DetectorOptions(labels: Self.lines("fastestdet/coco.names"))))
    let detector = try ObjectDetector(weights: model.weightFile())
    let picture = Self.picture(
      try Self.array("yolo-fastest/yolo-fastest-1.1.in.image.npy"), isBGR: false)
    // OpenCV leaves out scores up to 0.2 or so; those above are compared.
    let threshold = 0.25
    var right: [(box: [Double], label: Int, score: Double)] = []
    for name in ["yolo_121", "yolo_130"] {
      let answer = try Self.array("yolo-fastest/yolo-fastest-1.1.out.\(name).npy").numbers
      for start in stride(from: 0, to: answer.count, by: 85) {
        let number = { (index: Int) in Double(answer[start + index]) }
        let label = (0..<80).max { number(5 + $0) < number(5 + $1) }!
        guard number(5 + label) >= threshold else { continue }
        let (x, y) = (number(0) * 320, number(1) * 320)
        let (width, height) = (number(2) * 320, number(3) * 320)
        right.append(
          (
            [x - width / 2, y - height / 2, x + width / 2, y + height / 2], label,
            number(5 + label)
          ))
      }
    }
    let found = try detector.detect(in: picture, confidenceThreshold: Float(threshold))
    Self.compare(found.objects, Self.kept(right, overlap: 0.45, perClass: true), side: 320)
  }

  @Test(.enabled(if: Fixtures.models != nil, Self.absence))
  func createMLsLayoutFindsWhatItsSuppressionLeaves() throws {
    let imported = try ModelImporter.importCoreML(Self.bytes("detector/detector.mlmodel"))
    let model = try #require(try imported.detector())
    let detector = try ObjectDetector(weights: model.weightFile())
    let array = try Self.array("detector/detector.in.image.npy")
    let picture = PixelImage(
      width: 416, height: 416, format: .rgb, samples: array.numbers.map { UInt8($0) })
    for (name, overlap, confidence) in [
      ("", nil, nil), (".iou0.2-confidence0.4", 0.2, 0.4), (".iou0.7-confidence0.1", 0.7, 0.1),
    ] as [(String, Float?, Float?)] {
      let scores = try Self.array("detector/detector\(name).out.confidence.npy")
      let boxes = try Self.array("detector/detector\(name).out.coordinates.npy").numbers
      let classCount = scores.shape[1]
      var right: [(box: [Double], label: Int, score: Double)] = []
      for row in 0..<scores.shape[0] {
        let own = scores.numbers[row * classCount..<(row + 1) * classCount].map { Double($0) }
        let label = own.indices.max { own[$0] < own[$1] }!
        let four = boxes[4 * row..<4 * row + 4].map { Double($0) * 416 }
        let halves: [Double] = [four[2] / 2, four[3] / 2]
        let box: [Double] = [
          four[0] - halves[0], four[1] - halves[1], four[0] + halves[0], four[1] + halves[1],
        ]
        right.append((box, label, own[label]))
      }
      let found = try detector.detect(
        in: picture, confidenceThreshold: confidence, overlapThreshold: overlap)
      expectEqual(found.objects.count, right.count, "\(name)")
      // Of a random network, many boxes are as sure as others: they are compared as sets.
      for right in right {
        #expect(
          found.objects.contains { (object) in
            let box = object.boundingBox
            return object.classIndex == right.label
              && abs(Double(object.confidence) - right.score) < 2e-3
              && zip([box.minX, box.minY, box.maxX, box.maxY], right.box).allSatisfy {
                abs($0 - min(max($1, 0), 416)) < 0.5
              }
          }, "\(name)")
      }
    }
  }
}

import DiceImaging
import DiceParallel
import Foundation
import TestSupport
import Testing

@testable import DiceVisionTraining

struct TrainingSourceTests {
  private func folder(_ annotations: String, pictures: [String: [UInt8]]) throws -> URL {
    let folder = FileManager.default.temporaryDirectory
      .appending(path: "training-source-\(UUID().uuidString)")
    let images = folder.appending(path: "images")
    try FileManager.default.createDirectory(at: images, withIntermediateDirectories: true)
    try Data(annotations.utf8).write(to: folder.appending(path: "annotations.json"))
    for (name, bytes) in pictures { try Data(bytes).write(to: images.appending(path: name)) }
    return folder
  }

  private var picture: [UInt8] {
    Array("P6 8 4 255\n".utf8) + (0..<96).map { UInt8($0) }
  }

  private func entry(_ label: String) -> String {
    """
    [{"image": "a.ppm", "annotations": [{"label": "\(label)", "coordinates":
      {"x": 4, "y": 2, "width": 2, "height": 3}}]}]
    """
  }

  @Test func readsPicturesAndBoxes() throws {
    let folder = try folder(entry("5"), pictures: ["a.ppm": picture])
    defer { try? FileManager.default.removeItem(at: folder) }
    let source = TrainingSource(
      annotations: folder.appending(path: "annotations.json").path, boxWeight: 0.5)
    let pictures = try source.load(labels: ["1", "5"], maximumSide: 100)
    expectEqual(pictures.count, 1)
    #expect(pictures[0].width == 8 && pictures[0].height == 4)
    expectEqual(
      pictures[0].truths,
      [
        TruthBox(
          centerX: 4, centerY: 2, width: 2, height: 3, classIndex: 1, boxWeight: 0.5)
      ])
    expectEqual(pictures[0].color(x: 0.5, y: 0.5), SIMD4(0, 1, 2, 1))
    expectEqual(pictures[0].color(x: 1, y: 0.5), SIMD4(1.5, 2.5, 3.5, 1))
  }

  @Test func largePicturesAreReducedWithTheirBoxes() throws {
    let folder = try folder(entry("5"), pictures: ["a.ppm": picture])
    defer { try? FileManager.default.removeItem(at: folder) }
    let source = TrainingSource(annotations: folder.appending(path: "annotations.json").path)
    let pictures = try source.load(labels: ["5"], maximumSide: 4)
    #expect(pictures[0].width == 4 && pictures[0].height == 2)
    #expect(pictures[0].truths[0].centerX == 2 && pictures[0].truths[0].height == 1.5)
  }

  @Test func theQuestionMarkIsADieThatNobodyCanRead() throws {
    let folder = try folder(entry("?"), pictures: ["a.ppm": picture])
    defer { try? FileManager.default.removeItem(at: folder) }
    let source = TrainingSource(annotations: folder.appending(path: "annotations.json").path)
    try expectEqual(source.load(labels: ["5"], maximumSide: 100)[0].truths[0].classIndex, nil)
  }

  @Test func threadsReadPicturesInTheirOrderAndNameTheFirstThatFails() throws {
    let names = (0..<50).map { "\($0).ppm" }
    let entries = names.map { "{\"image\": \"\($0)\", \"annotations\": []}" }
    var pictures: [String: [UInt8]] = [:]
    for (index, name) in names.enumerated() {
      pictures[name] =
        Array("P6 \(index + 1) 1 255\n".utf8) + Array(repeating: 9, count: 3 * (index + 1))
    }
    let folder = try folder("[\(entries.joined(separator: ","))]", pictures: pictures)
    defer { try? FileManager.default.removeItem(at: folder) }
    let source = TrainingSource(annotations: folder.appending(path: "annotations.json").path)
    let pool = WorkerPool(threadCount: 3)
    let read = try source.load(labels: ["1"], maximumSide: 100, pool: pool)
    expectEqual(read.map(\.width), Array(1...50))
    for name in ["41.ppm", "37.ppm"] {
      try Data("P6 8 4".utf8).write(to: folder.appending(path: "images/\(name)"))
    }
    do {
      _ = try source.load(labels: ["1"], maximumSide: 100, pool: pool)
      Issue.record("a damaged picture was accepted")
    } catch {
      #expect("\(error)".contains("37.ppm"))
    }
  }

  @Test func saysWhichFileBrokeWhichRule() throws {
    let folder = try folder(entry("7"), pictures: ["a.ppm": Array("P6 8 4".utf8)])
    defer { try? FileManager.default.removeItem(at: folder) }
    let path = folder.appending(path: "annotations.json").path
    let source = TrainingSource(annotations: path)
    do {
      _ = try source.load(labels: ["1"], maximumSide: 100)
      Issue.record("a damaged picture was accepted")
    } catch {
      guard case .image(let where_, _) = error else {
        Issue.record("unexpected error \(error)")
        return
      }
      #expect(where_.hasSuffix("a.ppm"))
    }
    try Data(picture).write(to: folder.appending(path: "images/a.ppm"))
    #expect(
      throws: TrainingSourceError.unknownLabel(
        label: "7", path: folder.appending(path: "images/a.ppm").path)
    ) { try source.load(labels: ["1"], maximumSide: 100) }
    #expect(throws: TrainingSourceError.self) {
      try TrainingSource(annotations: path + ".missing").load(labels: ["1"], maximumSide: 100)
    }
  }
}

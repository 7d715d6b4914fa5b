import DiceGameKit
import DiceParallel
import DiceTraining
import DiceWeights
import Foundation
import TestSupport
import Testing

@testable import DiceGameTraining

@Suite struct PenWayTaskTests {
  /// Arcs of ten lengths, by two writers.
  private static func arcs() -> StrokeDataset {
    StrokeDataset(
      samples: (0..<20).map { index in
        let digit = index % 10
        let points = (0...20).map { place in
          let angle = Float(place) / 20 * (0.5 + 0.6 * Float(digit))
          return SIMD2(100 * Float(cos(angle)), 100 * Float(sin(angle)))
        }
        return StrokeDataset.Sample(
          writer: index < 10 ? "a" : "b", digit: digit, paths: [InkPath(points)])
      })
  }

  private static func options(sampleCount: Int) -> TrainingOptions {
    var options = TrainingOptions()
    options.batchSize = 20
    options.sampleCount = sampleCount
    options.learningRate = 0.005
    options.averageDecay = 0.9
    return options
  }

  @Test func learnsDigitsAndWhatIsNone() throws {
    let trainer = try Trainer(
      .penWays, task: PenWayTask(Self.arcs()), options: Self.options(sampleCount: 4000),
      threadCount: 2)
    var (first, last): (Float, Float) = (0, 0)
    while !trainer.isFinished {
      let progress = try trainer.advance()
      if trainer.step <= 20 { first += progress.loss.total }
      if trainer.step > 180 { last += progress.loss.total }
    }
    #expect(last < 0.7 * first)
    let classifier = try PenWayClassifier(weights: trainer.export(storage: .int8))
    let dash = try classifier.probabilities(
      of: InkGroup([InkPath([SIMD2(0, 0), SIMD2(50, 0)])]))
    expectEqual(dash.count, 11)
    let sum = dash.reduce(0, +)
    #expect(abs(sum - 1) < 1e-4)
  }

  @Test func theSameSeedGivesTheSameSamples() {
    let sampler = StraySampler(Self.arcs())
    var (one, other) = (TrainingRandom(3), TrainingRandom(3))
    for _ in 0..<200 {
      let paths = sampler.sample(using: &one)
      expectEqual(paths, sampler.sample(using: &other))
      #expect(!paths.isEmpty)
      #expect(paths.allSatisfy { $0.low.x.isFinite && $0.high.y.isFinite })
    }
  }

  @Test func rewrittenStrokesLeaveTheSameInk() {
    let ring = InkPath(
      (0...40).map { place in
        let angle = Float(place) / 40 * 2 * .pi
        return SIMD2(30 * Float(sin(angle)), -50 * Float(cos(angle)))
      })
    let stick = InkPath((0...20).map { SIMD2(60, Float($0) * 5) })
    #expect(WritingHabits.isClosed(ring) && !WritingHabits.isClosed(stick))
    var (firsts, counts, rightways): (Set<SIMD2<Float>>, Set<Int>, Set<Bool>) = ([], [], [])
    var random = TrainingRandom(11)
    for _ in 0..<200 {
      let paths = WritingHabits().rewritten([ring, stick], using: &random)
      expectEqual(Set(paths.flatMap(\.points)), Set(ring.points + stick.points))
      counts.insert(paths.count)
      for path in paths where path.size.x > 0 { firsts.insert(path.points[0]) }
      for path in paths where path.size.x == 0 {
        rightways.insert(path.points[0].y < path.points[path.points.count - 1].y)
      }
    }
    // Begun all around, in two pieces or three, and the stick both ways.
    #expect(firsts.count > 30 && counts == [2, 3] && rightways == [false, true])
  }

  @Test func formsOfDigitsAreDrawings() {
    var (one, other) = (TrainingRandom(4), TrainingRandom(4))
    for index in 0..<1000 {
      let paths = DigitForms().form(of: index % 10, using: &one)
      expectEqual(paths, DigitForms().form(of: index % 10, using: &other))
      #expect((1...4).contains(paths.count))
      let group = InkGroup(paths)
      let size = group.high - group.low
      #expect(size.y > 0.4 && size.y < 2 && size.x < 2)
      #expect(paths.allSatisfy { $0.points.count <= InkPath.pointLimit })
    }
  }

  @Test func readsStrokesOfWriters() throws {
    let folder = FileManager.default.temporaryDirectory.appending(path: UUID().uuidString)
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(at: folder) }
    let path = folder.appending(path: "strokes.jsonl").path
    func read(_ text: String) throws -> StrokeDataset {
      try Data(text.utf8).write(to: URL(filePath: path))
      return try StrokeDataset(file: path)
    }
    let line =
      "{\"id\": 1, \"writer\": \"w\", \"label\": \"4\", \"strokes\": [[[1, 2], [3, 4]], [[5, 6]]]}"
    let set = try read(line + "\n\n" + line.replacing("\"w\"", with: "\"v\"") + "\n")
    expectEqual(set.count, 2)
    expectEqual(set.writers, ["v", "w"])
    expectEqual(set.ofWriters { $0 == "w" }.count, 1)
    expectEqual(set.samples[0].paths.map(\.points.count), [2, 1])
    for broken in [
      line.replacing("\"4\"", with: "\"x\""), line.replacing("[3, 4]", with: "[3]"),
      line.replacing("[[1, 2], [3, 4]]", with: "[]"), "[1]", "{",
      line.replacing("writer", with: "hand"),
    ] {
      do {
        _ = try read(line + "\n" + broken)
        Issue.record("\(broken) is no digit")
      } catch StrokeDatasetError.line(let number, _) {
        expectEqual(number, 2)
      }
    }
    #expect(throws: StrokeDatasetError.self) { try StrokeDataset(file: path + ".missing") }
  }
}

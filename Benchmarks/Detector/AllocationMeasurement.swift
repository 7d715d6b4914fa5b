import DiceFields
import DiceWeights
import DiceImaging
import DiceGeometry
import BenchmarkSupport
import DiceVisionKit

/// Requests for memory per call, after the first calls.
enum AllocationMeasurement {
  static func run(_ settings: Settings) throws -> Table {
    let isCounting = isCounting
    var table = Table(
      "requests for memory in each call after the first ones, one thread"
        + (isCounting ? "" : "; not counted in this build"),
      [
        .init("call", "call"), .init("allocations", "allocations"), .init("bytes", "bytes"),
      ])
    guard isCounting else { return table }
    let file = try WeightFile(bytes: DiceDetector.bundledWeights)
    let runner = try NetworkMeasurement.runner(file, .automatic, threadCount: 1)
    try add("network", to: &table) { runner.run() }
    let detector = try DiceDetector(configuration: .init(tiling: .none, threadCount: 1))
    let frame = try Pictures.frame(settings)
    let empty = try StoredFrame(
      pixels: [UInt8](repeating: 114, count: 1920 * 1080 * 4), format: .bgra, width: 1920,
      height: 1080, bytesPerRow: 1920 * 4)
    try Pictures.check(detector.detect(in: frame), Pictures.sceneValues, "frame")
    try Pictures.check(detector.detect(in: empty), [], "frame without dice")
    try add("1080p frame without dice", to: &table) { _ = try detector.detect(in: empty) }
    try add("1080p frame with five dice (the result included)", to: &table) {
      _ = try detector.detect(in: frame)
    }
    let boxes = [BoundingBox](repeating: BoundingBox(x: 0, y: 0, width: 1, height: 1), count: 100)
    let confidences = [Float](repeating: 0.5, count: 100)
    var workspace = NonMaximumSuppression.Workspace()
    let rule = NonMaximumSuppression()
    try add("suppression of 100 boxes", to: &table) {
      rule.select(boxes: boxes, confidences: confidences, classIndices: [], using: &workspace)
    }
    for threshold in ["otsu", "mean"] {
      var steps = try ContourSteps(threshold: threshold)
      try add("contours of a 1080p frame, threshold \(threshold)", to: &table) { steps.run(frame) }
    }
    let film = try FieldMeasurement.Film()
    var tracker = FieldTracker()
    try add("a field followed through sixteen 1080p frames", to: &table) {
      try film.follow(&tracker)
    }
    try ThrowAllocations.add(to: &table)
    return table
  }

  /// Whether an array that is made is seen.
  private static var isCounting: Bool {
    guard let before = AllocationCounter.current() else { return false }
    let array = array(12_345)
    guard let after = AllocationCounter.current() else { return false }
    return after.count > before.count && after.byteCount - before.byteCount >= array.count
  }

  @inline(never)
  private static func array(_ count: Int) -> [UInt8] { [UInt8](repeating: 1, count: count) }

  /// Adds a row: what a call asks for, in the mean of some calls after the first ones.
  ///
  /// - Parameters:
  ///   - parts: how many frames a call has; the row is for one of them.
  static func add(
    _ name: String, to table: inout Table, warm: Int = 5, rounds: Int = 10, parts: Int = 1,
    _ body: () throws -> Void
  ) throws {
    for _ in 0..<warm { try body() }
    let before = AllocationCounter.current() ?? (0, 0)
    for _ in 0..<rounds { try body() }
    let after = AllocationCounter.current() ?? (0, 0)
    let count = Double(rounds * parts)
    table.append(
      .text(name), .number(Double(after.count - before.count) / count, decimals: 1),
      .number(Double(after.byteCount - before.byteCount) / count, decimals: 0))
  }
}

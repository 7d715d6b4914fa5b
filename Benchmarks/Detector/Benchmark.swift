import DiceKernels
import DiceNetwork
import DiceParallel
import DiceVisionKit

/// Times the bundled network and the detector, and prints a table.
@main
enum Benchmark {
  static func main() throws {
    let file = try WeightFile(bytes: DiceDetector.bundledWeights)
    let (width, height) = (file.description.input.width, file.description.input.height)
    let macs = file.multiplyAddCount(width: width, height: height)
    print(
      "\(file.description.name), \(width) x \(height), \(macs / 1_000_000) million multiply-adds")
    print(row(["what", "kernels", "threads", "median ms", "spread", "GFLOP/s", "ratio"]))
    try timeNetwork(file, multiplyAddCount: Double(macs))
    try timeFrames()
  }

  /// The network alone, from input map to heads.
  private static func timeNetwork(_ file: WeightFile, multiplyAddCount: Double) throws {
    var expected: [[Float]] = []
    var first: Double?
    for implementation in KernelImplementation.allCases where implementation.isAvailable {
      let plan = try NetworkPlan(file, kernels: .implementation(implementation))
      for threadCount in [1, 2] {
        let runner = try NetworkRunner(plan, pool: WorkerPool(threadCount: threadCount))
        var value: UInt32 = 1
        runner.setInput(
          (0..<runner.width * runner.height * 3).map { _ in
            value = value &* 1_664_525 &+ 1_013_904_223
            return Float(value >> 24) / 255
          })
        runner.run()
        let outputs = plan.heads.indices.map { runner.headFeatureMap($0).values }
        if expected.isEmpty { expected = outputs }
        try verify(outputs, expected, implementation)
        let (median, spread) = time { runner.run() }
        if first == nil { first = median }
        print(
          row([
            "network", implementation.rawValue, "\(threadCount)", decimal(median, 2),
            "±\(decimal(spread, 2))", decimal(2 * multiplyAddCount / median / 1e6, 0),
            decimal(median / (first ?? median), 2),
          ]))
      }
    }
  }

  /// From a 1080p BGRA frame to the dice.
  private static func timeFrames() throws {
    let (width, height) = (1920, 1080)
    let samples = (0..<width * height * 4).map { UInt8(truncatingIfNeeded: $0 &* 31 &+ $0 >> 11) }
    let frame = try StoredFrame(
      pixels: samples, format: .bgra, width: width, height: height, bytesPerRow: width * 4)
    var first: Double?
    for threadCount in [1, 2] {
      let detector = try DiceDetector(
        configuration: DiceDetector.Configuration(threadCount: threadCount))
      var failure: (any Error)?
      let (median, spread) = time {
        do { _ = try detector.detect(in: frame) } catch { failure = error }
      }
      if let failure { throw failure }
      if first == nil { first = median }
      print(
        row([
          "1080p frame to dice", KernelImplementation.best.rawValue, "\(threadCount)",
          decimal(median, 2), "±\(decimal(spread, 2))", "",
          decimal(median / (first ?? median), 2),
        ]))
    }
  }

  private struct Difference: Error, CustomStringConvertible {
    let description: String
  }

  private static func verify(
    _ outputs: [[Float]], _ expected: [[Float]], _ implementation: KernelImplementation
  ) throws {
    for (found, wanted) in zip(outputs, expected) {
      let range = wanted.reduce(Float(0)) { max($0, abs($1)) }
      for (a, b) in zip(found, wanted) where !(abs(a - b) <= 1e-4 * range) {
        throw Difference(description: "\(implementation): \(a) differs from \(b)")
      }
    }
  }

  /// The median of 60 calls in milliseconds and half the distance of the quartiles.
  private static func time(_ body: () -> Void) -> (median: Double, spread: Double) {
    for _ in 0..<5 { body() }
    let clock = ContinuousClock()
    let times = (0..<60).map { _ in
      let duration = clock.measure(body).components
      return Double(duration.seconds) * 1e3 + Double(duration.attoseconds) * 1e-15
    }.sorted()
    return (times[30], (times[45] - times[15]) / 2)
  }

  private static func decimal(_ value: Double, _ digits: Int) -> String {
    let factor = [1.0, 10, 100][digits]
    let scaled = Int((value * factor).rounded())
    guard digits > 0 else { return "\(scaled)" }
    let rest = "\(scaled % Int(factor))"
    return "\(scaled / Int(factor))."
      + String(repeating: "0", count: digits - rest.count) + rest
  }

  private static func row(_ cells: [String]) -> String {
    let widths = [20, 9, 8, 10, 8, 8, 6]
    return zip(cells, widths).map { cell, width in
      cell + String(repeating: " ", count: max(1, width - cell.count))
    }.joined()
  }
}

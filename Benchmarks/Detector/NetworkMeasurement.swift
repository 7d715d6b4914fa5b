import DiceWeights
import BenchmarkSupport
import DiceKernels
import DiceNetwork
import DiceParallel
import DiceVisionKit

/// The bundled network alone, from input to outputs.
enum NetworkMeasurement {
  static func run(_ settings: Settings) throws -> Table {
    let file = try WeightFile(bytes: DiceDetector.bundledWeights)
    let macs = Double(file.multiplyAddCount)
    var table = Table(
      "\(file.description.name), \(Decimals.text(macs / 1e6, 0)) million multiply-adds",
      [
        .init("kernels", "kernels"), .init("threads", "threads"),
        .init("medianMilliseconds", "median ms"), .init("spreadMilliseconds", "±"),
        .init("minimumMilliseconds", "least ms"), .init("gigaflops", "GFLOP/s"),
        .init("shareOfPeak", "share of peak"),
      ])
    let expected = try outputs(file, .reference)
    for implementation in KernelImplementation.allCases where implementation.isAvailable {
      let peak = PeakMeasurement.gigaflops(implementation, rounds: settings.rounds)
      for threadCount in [1, 2] {
        let runner = try runner(file, .implementation(implementation), threadCount: threadCount)
        runner.run()
        try verify(outputs(of: runner), expected, "\(implementation)")
        let timing = Timing(rounds: settings.rounds) { runner.run() }
        let gigaflops = 2 * macs / timing.median / 1e6
        table.append(
          .text(implementation.rawValue), .count(threadCount),
          .number(timing.median, decimals: 2), .number(timing.spread, decimals: 2),
          .number(timing.minimum, decimals: 2), .number(gigaflops, decimals: 1),
          .number(gigaflops / peak / Double(threadCount), decimals: 2))
      }
    }
    for precision in [NetworkPrecision.bfloat16, .int8] where precision.isAvailable {
      for threadCount in [1, 2] {
        let runner = try runner(file, .automatic, precision, threadCount: threadCount)
        guard runner.plan.precision == precision else { continue }
        let timing = Timing(rounds: settings.rounds) { runner.run() }
        table.append(
          .text(precision.rawValue), .count(threadCount), .number(timing.median, decimals: 2),
          .number(timing.spread, decimals: 2), .number(timing.minimum, decimals: 2),
          .number(2 * macs / timing.median / 1e6, decimals: 1), .none)
      }
    }
    return table
  }

  /// The network with an input of noise.
  static func runner(
    _ file: WeightFile, _ kernels: KernelChoice, _ precision: NetworkPrecision = .single,
    threadCount: Int
  ) throws -> NetworkRunner {
    let runner = try NetworkRunner(
      NetworkPlan(file, kernels: kernels, precision: precision),
      pool: WorkerPool(threadCount: threadCount))
    var value: UInt32 = 1
    runner.setInput(
      (0..<runner.width * runner.height * 3).map { _ in
        value = value &* 1_664_525 &+ 1_013_904_223
        return Float(value >> 24) / 255
      })
    return runner
  }

  /// The outputs for an input of noise.
  static func outputs(_ file: WeightFile, _ kernels: KernelChoice) throws -> [[Float]] {
    let runner = try runner(file, kernels, threadCount: 2)
    runner.run()
    return outputs(of: runner)
  }

  static func outputs(of runner: NetworkRunner) -> [[Float]] {
    runner.plan.outputs.indices.map { runner.output($0).values }
  }

  /// Checks that values differ by no more than a thousandth of their greatest.
  static func verify(_ outputs: [[Float]], _ expected: [[Float]], _ name: String) throws {
    guard outputs.map({ $0.count }) == expected.map({ $0.count }) else {
      throw WrongResult("\(name): the outputs have other shapes")
    }
    for (found, wanted) in zip(outputs, expected) {
      let range = wanted.reduce(Float(0)) { max($0, abs($1)) }
      for (a, b) in zip(found, wanted) where !(abs(a - b) <= 1e-3 * range) {
        throw WrongResult("\(name): \(a) differs from \(b)")
      }
    }
  }
}

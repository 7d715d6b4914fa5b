import BenchmarkSupport
import DiceKernels

/// What one core can do at most: multiply-adds on registers alone.
enum PeakMeasurement {
  static func run(_ settings: Settings) throws -> Table {
    var table = Table(
      "multiply-adds on registers alone, one thread",
      [
        .init("kernels", "kernels"), .init("gigaflops", "GFLOP/s"),
        .init("medianGigaflops", "median GFLOP/s"),
      ])
    for implementation in KernelImplementation.allCases where implementation.isAvailable {
      try verify(implementation)
      let times = time(implementation, rounds: settings.rounds)
      table.append(
        .text(implementation.rawValue),
        .number(gigaflops(implementation, milliseconds: times.minimum), decimals: 1),
        .number(gigaflops(implementation, milliseconds: times.median), decimals: 1))
    }
    return table
  }

  /// The best rate of an instruction set, as floating point operations in a nanosecond.
  static func gigaflops(_ implementation: KernelImplementation, rounds: Int) -> Double {
    gigaflops(implementation, milliseconds: time(implementation, rounds: rounds).minimum)
  }

  private static let length = 200_000

  private static func gigaflops(
    _ implementation: KernelImplementation, milliseconds: Double
  ) -> Double {
    var values = Self.values
    let count = Kernels(implementation).multiplyAddInRegisters(&values, rounds: 1) * length
    return 2 * Double(count) / milliseconds / 1e6
  }

  private static func time(_ implementation: KernelImplementation, rounds: Int) -> Timing {
    let kernels = Kernels(implementation)
    var values = Self.values
    return Timing(rounds: rounds) {
      _ = kernels.multiplyAddInRegisters(&values, rounds: length)
      values = Self.values
    }
  }

  /// A factor of 1/2 and a term of 1: sums go to 2, and never become small.
  private static let values =
    [Float](repeating: 0.5, count: 16) + [Float](repeating: 1, count: 16)

  private static func verify(_ implementation: KernelImplementation) throws {
    var values = Self.values
    _ = Kernels(implementation).multiplyAddInRegisters(&values, rounds: 2)
    // Sums begin with 1 and with 1...11; two rounds of 1 + sum / 2 make 1.5 + sum / 4 of each.
    let expected: Float = 12 * 1.5 + (1 + 66) / 4
    guard values[0] == expected else {
      throw WrongResult("\(implementation): the sums are \(values[0]), not \(expected)")
    }
  }
}

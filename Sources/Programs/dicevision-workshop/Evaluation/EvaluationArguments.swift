internal import DiceCommandLine

/// Options of commands that measure.
enum EvaluationArguments {
  static let seed = ValueOption<UInt64>(
    "seed", "N", "Where chance begins: the same number measures the same again.",
    default: "1", requirement: "a whole number from 0 to \(UInt64.max)"
  ) { UInt64($0, radix: 10) }
  static let threads = ValueOption.integer(
    "threads", "N", in: 1...64, "Threads that work at once; results do not depend on it.",
    default: "one per processor")
}

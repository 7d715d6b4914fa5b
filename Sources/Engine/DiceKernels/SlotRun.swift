/// Channels at equal distances in one pixel that lie side by side in another.
public struct SlotRun: Hashable, Sendable {
  /// The first channel's place in the pixel that is read; ``fill`` or ``zero`` where none is.
  public var source: Int
  /// From one channel to the next in the pixel that is read.
  public var step: Int
  /// The first channel's place in the pixel that is written.
  public var target: Int
  /// How many channels.
  public var count: Int

  /// The source of channels that are filled.
  public static var fill: Int { -1 }
  /// The source of channels that become 0, whatever else is filled with.
  public static var zero: Int { -2 }

  /// A run of the given parts.
  public init(source: Int, step: Int = 1, target: Int, count: Int) {
    self.source = source
    self.step = step
    self.target = target
    self.count = count
  }

  /// The fewest runs, taken in order, that give each target the number of its source.
  ///
  /// - Parameters:
  ///   - sources: For each channel its place in the pixel that is read, negative for none.
  ///   - targets: For each channel its place in the pixel that is written.
  public static func joining(_ sources: [Int], _ targets: [Int]) -> [SlotRun] {
    var runs: [SlotRun] = []
    for (source, target) in zip(sources, targets) {
      if var run = runs.last, run.target + run.count == target {
        let isFilled = run.source < 0
        let step = run.count == 1 && !isFilled ? source - run.source : run.step
        if isFilled ? source == run.source : source >= 0 && source == run.source + run.count * step
        {
          (run.step, run.count) = (step, run.count + 1)
          runs[runs.count - 1] = run
          continue
        }
      }
      runs.append(SlotRun(source: source, target: target, count: 1))
    }
    return runs
  }

  /// The parts as whole numbers, as ``SlotRuns`` reads them.
  public var numbers: [Int] { [source, step, target, count] }
}

/// Runs of channels in memory.
@safe public struct SlotRuns {
  /// The numbers of the runs one after the other.
  public var numbers: UnsafePointer<Int>
  /// How many runs.
  public var count: Int

  /// So many runs from a place in memory on.
  @unsafe
  public init(_ numbers: UnsafePointer<Int>, count: Int) {
    unsafe self.numbers = numbers
    self.count = count
  }

  /// The run number `index`.
  @inline(__always)
  public subscript(index: Int) -> SlotRun {
    let numbers = unsafe self.numbers + 4 * index
    return unsafe SlotRun(
      source: numbers[0], step: numbers[1], target: numbers[2], count: numbers[3])
  }
}

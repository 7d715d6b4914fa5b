/// Decodes a sequential scan on several threads, in rounds.
///
/// In a round each thread decodes a stretch: the first one from where the picture is complete, the others from later
/// bytes, out of step. Each then goes on to a unit where the next one is in step, some 5 units into it in photos.
/// Stretches up to the first that is not joined so are put in place, and their rows written during the next round.
/// Where the second stretch never falls in step, a round yields what the first one has, and no thread is faster.
struct JPEGParallelScan {
  /// Units that a stretch is to have.
  private static let shortest = 128
  private static let longest = 1024
  private static let maximumThreads = 16

  private let stretches: [JPEGStretch]
  private let assembler: JPEGRowAssembler
  private let length: Int
  private let width: Int
  private let unitCount: Int
  private let hasIntervals: Bool
  /// Units in place.
  private var doneCount = 0
  /// The first row of units at hand.
  private var firstRow = 0
  /// Rows of units that are in place and not yet written.
  private var waitingCount = 0
  /// In the latest round; before the first one, in what is left of the file.
  private var bytesPerUnit: Double

  /// - Parameter stretches: one for each thread, the first one at the beginning of the scan.
  init(
    _ stretches: [JPEGStretch], assembler: JPEGRowAssembler, frame: JPEGFrame, byteCount: Int,
    hasIntervals: Bool
  ) {
    self.stretches = stretches
    self.assembler = assembler
    self.hasIntervals = hasIntervals
    length = Self.length(frame, threadCount: stretches.count)
    width = frame.unitsWide
    unitCount = frame.unitsWide * frame.unitsHigh
    bytesPerUnit = Double(byteCount - stretches[0].position) / Double(unitCount)
  }

  /// Threads that are worth their trouble.
  static func threadCount(_ frame: JPEGFrame, of available: Int) -> Int {
    max(1, min(available, maximumThreads, frame.unitsWide * frame.unitsHigh / shortest))
  }

  /// Units that a stretch is to have: a quarter of what falls to a thread.
  private static func length(_ frame: JPEGFrame, threadCount: Int) -> Int {
    min(max(frame.unitsWide * frame.unitsHigh / (4 * threadCount), shortest), longest)
  }

  /// Units that a stretch has room for: where the picture is even, as many bytes hold more of them.
  static func capacity(_ frame: JPEGFrame, threadCount: Int) -> Int {
    2 * length(frame, threadCount: threadCount)
  }

  /// Rows of units that are at hand at once.
  static func windowRows(_ frame: JPEGFrame, threadCount: Int) -> Int {
    let capacity = capacity(frame, threadCount: threadCount)
    return min(frame.unitsHigh, ceilingDivide(threadCount * capacity, frame.unitsWide) + 2)
  }

  /// Writes the whole picture, or throws having written part of it.
  mutating func decode(to output: UnsafeMutablePointer<UInt8>) throws(JPEGError) {
    while doneCount < unitCount { try unsafe decodeRound(to: output) }
    assembler.run(count: assembler.partCount) { unsafe write($0, to: output) }
  }

  private mutating func decodeRound(to output: UnsafeMutablePointer<UInt8>) throws(JPEGError) {
    let count = stretches.count
    let remaining = unitCount - doneCount
    let start = stretches[0].position
    let step = max(Int(Double(min(length, ceilingDivide(remaining, count))) * bytesPerUnit), 1)
    for index in 1..<count {
      stretches[index].begin(near: start + index * step, before: start + (index + 1) * step)
    }
    // The first one always gets on.
    let limits =
      [max(stretches[1].position, start + 1)] + stretches.dropFirst(2).map { $0.position }
      + [start + count * step]
    // Threads take parts from both ends: the stretches, which take longest, come first.
    let front = (count + 1) / 2
    assembler.run(count: 2 * count) { (part) in
      if part >= front, part < front + count {
        unsafe write(part - front, to: output)
      } else {
        let index = part < front ? part : part - count
        stretches[index].decode(before: limits[index], upTo: remaining, isInStep: index == 0)
      }
    }
    if let failure = stretches[0].failure { throw failure }
    if waitingCount > 0 { assembler.advance(by: waitingCount) }
    firstRow += waitingCount

    var joints = [Int?](repeating: nil, count: count - 1)
    unsafe joints.withUnsafeMutableBufferPointer { (joints) in
      assembler.run(count: count - 1) { (part) in
        unsafe joints[part] = stretches[part].join(stretches[part + 1])
      }
    }
    let previousCount = doneCount
    place(joints)
    bytesPerUnit = Double(stretches[0].position - start) / Double(max(doneCount - previousCount, 1))
    waitingCount = doneCount / width - firstRow
    if waitingCount > 0 { assembler.complete(firstRow..<firstRow + waitingCount) }
  }

  /// Puts the stretches in place that are in step; the first one then begins behind them.
  private mutating func place(_ joints: [Int?]) {
    var runs: [(units: Range<Int>, offset: SIMD4<Int32>, place: Int)] = []
    var first = 0
    var offset = SIMD4<Int32>.zero
    for (index, stretch) in stretches.enumerated() {
      let end = min(stretch.unitCount, first + unitCount - doneCount)
      runs.append((first..<end, offset, doneCount - firstRow * width))
      doneCount += end - first
      guard index < joints.count, doneCount < unitCount, let joint = joints[index] else { break }
      if !hasIntervals {
        offset &+= stretch.means &- stretches[index + 1].means(before: joint)
      }
      first = joint
    }
    assembler.run(count: runs.count) { (index) in
      let run = runs[index]
      stretches[index].transform(run.units, offset: run.offset, to: run.place, width: width)
    }
    let last = stretches[runs.count - 1]
    stretches[0].begin(behind: last, means: last.means &+ offset)
  }

  private func write(_ part: Int, to output: UnsafeMutablePointer<UInt8>) {
    guard waitingCount > 0 else { return }
    unsafe assembler.emit(part, firstRow..<firstRow + waitingCount, to: output)
  }
}

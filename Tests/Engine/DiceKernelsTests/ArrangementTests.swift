import DiceKernels
import TestSupport
import Testing

/// Kernels that only move numbers, against values worked out by hand.
@Suite struct ArrangementTests {
  /// Numbers that say where they stand: `100 y + 10 x + c`.
  private func numbered(_ map: TestMap) -> Guarded {
    var values = [Float](repeating: .nan, count: map.count)
    for y in 0..<map.height {
      for x in 0..<map.width {
        for c in 0..<map.channelCount { values[map.place(y, x, c)] = Float(100 * y + 10 * x + c) }
      }
    }
    return Guarded(values)
  }

  @Test func gatheringCopiesWholePixelsOrFillsThem() {
    let (input, output) = (
      TestMap(height: 2, width: 3, channelCount: 16), TestMap(height: 3, width: 2, channelCount: 16)
    )
    let (source, target) = (numbered(input), Guarded(count: output.count))
    [input.rowStep, -1, 0].withUnsafeBufferPointer { (rows) in
      [2 * input.step, -1].withUnsafeBufferPointer { (columns) in
        ReferenceKernels.gather(
          GatheringTask(
            map: mapTask(source, input, target, output), rowOffsets: rows.baseAddress!,
            columnOffsets: columns.baseAddress!, channels: nil, fill: 7), rows: 0..<3)
      }
    }
    withExtendedLifetime((source, target)) {}
    expectEqual(target.values[output.place(0, 0, 4)], 124)
    expectEqual(target.values[output.place(2, 0, 15)], 35)
    expectEqual(target.values[output.place(1, 0, 2)], 7)
    expectEqual(target.values[output.place(0, 1, 2)], 7)
    expectEqual(target.values[output.place(0, 0, 16)].bitPattern, Guarded.untouched)
  }

  @Test func gatheringChoosesChannels() {
    let map = TestMap(height: 1, width: 1, channelCount: 16)
    let (source, target) = (numbered(map), Guarded(count: map.count))
    [0].withUnsafeBufferPointer { (zero) in
      SlotRun.joining([5, -1, 3], [0, 1, 4]).flatMap(\.numbers).withUnsafeBufferPointer { (runs) in
        ReferenceKernels.gather(
          GatheringTask(
            map: mapTask(source, map, target, map), rowOffsets: zero.baseAddress!,
            columnOffsets: zero.baseAddress!,
            channels: SlotRuns(runs.baseAddress!, count: 3), fill: -1), rows: 0..<1)
      }
    }
    withExtendedLifetime((source, target)) {}
    #expect(target.values[0] == 5 && target.values[1] == -1 && target.values[4] == 3)
    expectEqual(target.values[2].bitPattern, Guarded.untouched)
  }

  @Test(arguments: [1, 2, 3, -1])
  func runsOfChannelsAreCopiedAtAnyDistance(step: Int) {
    for count in 1...18 {
      let first = step < 0 ? count - 1 : 0
      let sources = (0..<count).map { (k) in first + k * step }
      let runs = SlotRun.joining(sources, Array(2..<count + 2))
      #expect(runs.count == 1 && runs[0].count == count)
      let map = TestMap(height: 1, width: 1, channelCount: 64)
      // As many numbers as are read, then guards.
      let source = Guarded((0...sources.max()!).map { Float($0) })
      let target = Guarded(count: map.count)
      [0].withUnsafeBufferPointer { (zero) in
        runs.flatMap(\.numbers).withUnsafeBufferPointer { (numbers) in
          ReferenceKernels.gather(
            GatheringTask(
              map: mapTask(source, map, target, map), rowOffsets: zero.baseAddress!,
              columnOffsets: zero.baseAddress!,
              channels: SlotRuns(numbers.baseAddress!, count: 1), fill: -1), rows: 0..<1)
        }
      }
      withExtendedLifetime((source, target)) {}
      expectEqual(Array(target.values[2..<2 + count]), sources.map { Float($0) })
      expectEqual(target.values[1].bitPattern, Guarded.untouched)
      expectEqual(target.values[count + 2].bitPattern, Guarded.untouched)
    }
  }

  @Test func runsNameEverySourceOnce() {
    var generator = SeededGenerator(seed: 6)
    for _ in 0..<50 {
      let targets = (0..<40).filter { (_) in Int.random(in: 0...4, using: &generator) > 0 }
      let sources = targets.map { (_) in Int.random(in: -2...3, using: &generator) }
      var found: [Int: Int] = [:]
      for run in SlotRun.joining(sources, targets) {
        for k in 0..<run.count {
          found[run.target + k] = run.source < 0 ? run.source : run.source + k * run.step
        }
      }
      expectEqual(found, Dictionary(uniqueKeysWithValues: zip(targets, sources)))
    }
    let zeros = SlotRun.joining([4, SlotRun.zero, SlotRun.zero, 5], [0, 1, 2, 3])
    expectEqual(zeros.map(\.count), [1, 2, 1])
  }

  @Test func offsetsForEachAxisGiveWhatRearrangingGives() throws {
    var generator = SeededGenerator(seed: 7)
    for _ in 0..<60 {
      let dimensions = (0..<4).map { (_) in Int.random(in: 1...4, using: &generator) }
      let order = [0, 1, 2, 3].shuffled(using: &generator)
      var extents = SIMD8<Int>(repeating: 1)
      var strides = SIMD8<Int>(repeating: 0)
      for (place, axis) in order.enumerated() {
        extents[4 + place] = dimensions[axis]
        strides[4 + place] = dimensions[(axis + 1)...].reduce(1, *)
      }
      // Two ways to see the numbers as maps, whose axes need not be those of the order.
      func map(_ extents: [Int]) -> TestMap {
        Bool.random(using: &generator)
          ? TestMap(height: extents[0], width: extents[1], channelCount: extents[2] * extents[3])
          : TestMap(height: extents[0] * extents[1], width: extents[2], channelCount: extents[3])
      }
      let input = map(dimensions)
      let output = map(order.map { dimensions[$0] })
      let (source, target, other) = (
        numbered(input), Guarded(count: output.count), Guarded(count: output.count)
      )
      let task = RearrangementTask(
        map: mapTask(source, input, target, output), inputWidth: input.width,
        inputSlots: Array(0..<input.channelCount), outputSlots: Array(0..<output.channelCount),
        extents: extents,
        strides: strides)
      ReferenceKernels.rearrange(task, rows: 0..<output.height)
      let offsets = try #require(task.separateOffsets(height: output.height))
      let runs = SlotRun.joining(offsets.channels, Array(0..<output.channelCount))
      offsets.rows.withUnsafeBufferPointer { (rows) in
        offsets.columns.withUnsafeBufferPointer { (columns) in
          runs.flatMap(\.numbers).withUnsafeBufferPointer { (numbers) in
            ReferenceKernels.gather(
              GatheringTask(
                map: mapTask(source, input, other, output), rowOffsets: rows.baseAddress!,
                columnOffsets: columns.baseAddress!,
                channels: SlotRuns(numbers.baseAddress!, count: runs.count), fill: 0),
              rows: 0..<output.height)
          }
        }
      }
      withExtendedLifetime((source, target, other)) {}
      expectEqual(other.bits, target.bits)
    }
  }

  @Test func anAxisThroughChannelsAndColumnsHasNoSeparateOffsets() {
    // [1, 3, 4] seen as [1, 2, 6]: where a pixel of four ends depends on column and channel.
    let (input, output) = (
      TestMap(height: 1, width: 3, channelCount: 4), TestMap(height: 1, width: 2, channelCount: 6)
    )
    let (source, target) = (numbered(input), Guarded(count: output.count))
    var extents = SIMD8<Int>(repeating: 1)
    var strides = SIMD8<Int>(repeating: 0)
    (extents[7], strides[7]) = (12, 1)
    let task = RearrangementTask(
      map: mapTask(source, input, target, output), inputWidth: 3, inputSlots: [0, 1, 2, 3],
      outputSlots: Array(0..<6), extents: extents, strides: strides)
    #expect(task.separateOffsets(height: 1) == nil)
    ReferenceKernels.rearrange(task, rows: 0..<1)
    withExtendedLifetime((source, target)) {}
    let found = (0..<12).map { target.values[output.place(0, $0 / 6, $0 % 6)] }
    expectEqual(found, [0, 1, 2, 3, 10, 11, 12, 13, 20, 21, 22, 23])
  }

  @Test func rearrangingTransposes() {
    // [2, 3, 4] to [4, 2, 3], every row by itself.
    let (input, output) = (
      TestMap(height: 2, width: 3, channelCount: 4), TestMap(height: 4, width: 2, channelCount: 3)
    )
    let (source, target) = (numbered(input), Guarded(count: output.count))
    var extents = SIMD8<Int>(repeating: 1)
    var strides = SIMD8<Int>(repeating: 0)
    (extents[5], extents[6], extents[7]) = (4, 2, 3)
    (strides[5], strides[6], strides[7]) = (1, 12, 4)
    let task = RearrangementTask(
      map: mapTask(source, input, target, output), inputWidth: 3, inputSlots: [0, 1, 2, 3],
      outputSlots: [2, 1, 0], extents: extents, strides: strides)
    for row in [2, 0, 3, 1] { ReferenceKernels.rearrange(task, rows: row..<row + 1) }
    withExtendedLifetime((source, target)) {}
    for y in 0..<4 {
      for x in 0..<2 {
        for c in 0..<3 {
          expectEqual(target.values[output.place(y, x, 2 - c)], Float(100 * x + 10 * c + y))
        }
      }
    }
  }

  @Test func reductionsGoOverTheAxesTheyAreTold() {
    let (input, output) = (
      TestMap(height: 2, width: 3, channelCount: 4), TestMap(height: 1, width: 3, channelCount: 1)
    )
    func reduced(_ kind: ReductionTask.Kind) -> [Float] {
      let (source, target) = (numbered(input), Guarded(count: output.count))
      ReferenceKernels.reduce(
        ReductionTask(
          map: mapTask(source, input, target, output), kind: kind, rowCount: 2, columnCount: 1,
          inputSlots: [0, 1, 2, 3], outputSlots: [0]), rows: 0..<1)
      return withExtendedLifetime((source, target)) {
        (0..<3).map { (x) in target.values[output.place(0, x, 0)] }
      }
    }
    expectEqual(reduced(.maximum), [103, 113, 123])
    expectEqual(reduced(.sum(divisor: 1)), [412, 492, 572])
    expectEqual(reduced(.sum(divisor: 8)), [51.5, 61.5, 71.5])
    expectEqual(reduced(.indexOfMaximum), [7, 7, 7])
  }

  @Test func theFirstOfEqualNumbersIsTheGreatestAndNoNaNIs() {
    let map = TestMap(height: 1, width: 1, channelCount: 5)
    for (values, expected) in [([3, 7, 7, 1, 0], 1), ([.nan, -2, -1, .nan, -1], 2)]
      as [([Float], Float)]
    {
      let source = Guarded(values + [Float](repeating: 0, count: map.count - 5))
      let target = Guarded(count: map.count)
      ReferenceKernels.reduce(
        ReductionTask(
          map: mapTask(source, map, target, map), kind: .indexOfMaximum, rowCount: 1,
          columnCount: 1, inputSlots: Array(0..<5), outputSlots: [0]), rows: 0..<1)
      withExtendedLifetime((source, target)) {}
      expectEqual(target.values[0], expected)
    }
  }

  @Test func softmaxOfColumnsSumsToOneInEveryRowAndSlot() {
    let map = TestMap(height: 2, width: 5, channelCount: 16)
    var generator = SeededGenerator(seed: 4)
    let source = Guarded(generator.fractions(map.count))
    let target = Guarded(count: map.count)
    ReferenceKernels.softmaxOfColumns(
      mapTask(source, map, target, map), slots: [1, 4], rows: 0..<2)
    withExtendedLifetime((source, target)) {}
    for y in 0..<2 {
      for c in [1, 4] {
        let sum = (0..<5).reduce(Float(0)) { (sum, x) in sum + target.values[map.place(y, x, c)] }
        #expect(abs(sum - 1) < 1e-6)
        let ratio = target.values[map.place(y, 2, c)] / target.values[map.place(y, 0, c)]
        let expected = ReferenceKernels.exponential(
          source.values[map.place(y, 2, c)] - source.values[map.place(y, 0, c)])
        #expect(abs(ratio - expected) < 1e-5)
      }
      expectEqual(target.values[map.place(y, 0, 2)].bitPattern, Guarded.untouched)
    }
  }
}

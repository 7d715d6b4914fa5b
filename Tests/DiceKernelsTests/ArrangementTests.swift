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
    #expect(target.values[output.place(0, 0, 4)] == 124)
    #expect(target.values[output.place(2, 0, 15)] == 35)
    #expect(target.values[output.place(1, 0, 2)] == 7)
    #expect(target.values[output.place(0, 1, 2)] == 7)
    #expect(target.values[output.place(0, 0, 16)].bitPattern == Guarded.untouched)
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
    #expect(target.values[2].bitPattern == Guarded.untouched)
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
          #expect(target.values[output.place(y, x, 2 - c)] == Float(100 * x + 10 * c + y))
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
    #expect(reduced(.maximum) == [103, 113, 123])
    #expect(reduced(.sum(divisor: 1)) == [412, 492, 572])
    #expect(reduced(.sum(divisor: 8)) == [51.5, 61.5, 71.5])
    #expect(reduced(.indexOfMaximum) == [7, 7, 7])
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
      #expect(target.values[0] == expected)
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
      #expect(target.values[map.place(y, 0, 2)].bitPattern == Guarded.untouched)
    }
  }
}

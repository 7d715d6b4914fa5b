import DiceKernels
import TestSupport
import Testing

/// A map whose pixels are slices of wider ones, with a gap behind each row.
struct TestMap {
  let height: Int
  let width: Int
  let channelCount: Int
  var step: Int { channelCount + 16 }
  var rowStep: Int { width * step + 7 }
  var count: Int { height * rowStep }

  /// The place of a number.
  func place(_ y: Int, _ x: Int, _ c: Int) -> Int { y * rowStep + x * step + c }
}

/// From one map to another.
func mapTask(
  _ input: Guarded, _ inputMap: TestMap, _ output: Guarded, _ outputMap: TestMap
) -> MapTask {
  MapTask(
    input: input.address, inputColumnStep: inputMap.step, inputRowStep: inputMap.rowStep,
    output: output.address, outputColumnStep: outputMap.step, outputRowStep: outputMap.rowStep,
    width: outputMap.width, channelCount: outputMap.channelCount)
}

/// Compares the whole output of every implementation with the reference's, gaps and guards included,
/// and splits the rows.
func compareBits(
  _ inputMap: TestMap, _ outputMap: TestMap, scale: Float = 10,
  reference: (MapTask, Range<Int>) -> Void, fast: (Kernels, MapTask, Range<Int>) -> Void
) {
  var generator = SeededGenerator(seed: UInt64(inputMap.count + outputMap.width))
  let input = Guarded(generator.fractions(inputMap.count).map { (value) in value * scale })
  let expected = Guarded(count: outputMap.count)
  withExtendedLifetime((input, expected)) {
    reference(mapTask(input, inputMap, expected, outputMap), 0..<outputMap.height)
  }
  #expect(expected.values[0].bitPattern != Guarded.untouched)
  for implementation in implementations {
    for split in [[0..<outputMap.height], [1..<outputMap.height, 0..<1]] {
      let found = Guarded(count: outputMap.count)
      withExtendedLifetime((input, found)) {
        for rows in split {
          fast(Kernels(implementation), mapTask(input, inputMap, found, outputMap), rows)
        }
      }
      expectEqual(found.bits, expected.bits, "\(implementation) \(inputMap) \(outputMap)")
    }
  }
}

/// None of these kernels fuses a product with a sum: all implementations give the reference's bits.
@Suite struct PointwiseTests {
  @Test func maximumPoolingGivesTheBitsOfTheReference() {
    for (size, stride, padding) in [(2, 2, 0), (3, 2, 1), (5, 1, 2), (4, 4, 1), (1, 1, 0)] {
      for (height, width) in [(4, 4), (8, 12), (4, 20)] {
        for channelCount in [16, 48] {
          let window = PoolingWindow(
            size: size, stride: stride, padding: padding, inputHeight: height, inputWidth: width)
          compareBits(
            TestMap(height: height, width: width, channelCount: channelCount),
            TestMap(height: height / stride, width: width / stride, channelCount: channelCount)
          ) { (task, rows) in
            ReferenceKernels.poolMaximum(task, window: window, rows: rows)
          } fast: { (kernels, task, rows) in
            kernels.poolMaximum(task, window: window, rows: rows)
          }
        }
      }
    }
  }

  @Test func maximumPoolingLeavesOutWhatLiesOutside() {
    // All values are negative: zeros from outside would win.
    let map = TestMap(height: 2, width: 3, channelCount: 16)
    var values = [Float](repeating: 0, count: map.count)
    for y in 0..<2 {
      for x in 0..<3 {
        for c in 0..<16 { values[y * map.rowStep + x * map.step + c] = -Float(10 * y + x + 1) }
      }
    }
    values[map.step] = .nan
    let window = PoolingWindow(size: 3, stride: 1, padding: 1, inputHeight: 2, inputWidth: 3)
    for implementation in implementations {
      let output = Guarded(count: map.count)
      let input = Guarded(values)
      withExtendedLifetime((input, output)) {
        let task = mapTask(input, map, output, map)
        Kernels(implementation).poolMaximum(task, window: window, rows: 0..<2)
      }
      expectEqual((0..<3).map { (x) in output.values[x * map.step + 1] }, [-1, -1, -2])
      expectEqual((0..<3).map { (x) in output.values[x * map.step] }, [-1, -1, -3])
      expectEqual(output.values[map.rowStep + 2 * map.step + 1], -2)
    }
  }

  @Test func nearestNeighboursGiveTheBitsOfTheReference() {
    for factor in [1, 2, 4] {
      for width in [1, 3, 13] {
        for channelCount in [16, 48] {
          compareBits(
            TestMap(height: 2, width: width, channelCount: channelCount),
            TestMap(height: 2 * factor, width: width * factor, channelCount: channelCount)
          ) { (task, rows) in
            ReferenceKernels.repeatNearest(task, factor: factor, rows: rows)
          } fast: { (kernels, task, rows) in
            kernels.repeatNearest(task, factor: factor, rows: rows)
          }
        }
      }
    }
  }

  private static let windows = [
    PoolingWindow(size: 2, stride: 2, padding: 0, inputHeight: 5, inputWidth: 9),
    PoolingWindow(
      rows: WindowAxis(size: 3, stride: 1, padding: 2, extent: 5),
      columns: WindowAxis(size: 4, stride: 3, padding: 1, extent: 9)),
    PoolingWindow(size: 9, stride: 1, padding: 0, inputHeight: 5, inputWidth: 9),
  ]

  @Test(arguments: [0, 1, 6] as [Float])
  func averagesGiveTheBitsOfTheReference(_ divisor: Float) {
    for (window, channelCount) in Self.windows.flatMap({ (window) in [(window, 16), (window, 48)] })
    {
      compareBits(
        TestMap(height: 5, width: 9, channelCount: channelCount),
        TestMap(height: 2, width: 3, channelCount: channelCount)
      ) { (task, rows) in
        ReferenceKernels.poolAverage(task, window: window, divisor: divisor, rows: rows)
      } fast: { (kernels, task, rows) in
        kernels.poolAverage(task, window: window, divisor: divisor, rows: rows)
      }
    }
  }

  @Test func anAverageDividesByWhatLiesInside() {
    let map = TestMap(height: 2, width: 2, channelCount: 16)
    var values = [Float](repeating: 0, count: map.count)
    for y in 0..<2 { for x in 0..<2 { values[map.place(y, x, 3)] = Float(1 + 2 * y + x) } }
    let window = PoolingWindow(size: 2, stride: 2, padding: 1, inputHeight: 2, inputWidth: 2)
    for (divisor, expected) in [(Float(0), [Float(1), 2, 3, 4]), (4, [0.25, 0.5, 0.75, 1])] {
      let (input, output) = (Guarded(values), Guarded(count: map.count))
      withExtendedLifetime((input, output)) {
        ReferenceKernels.poolAverage(
          mapTask(input, map, output, map), window: window, divisor: divisor, rows: 0..<2)
      }
      let found = [(0, 0), (0, 1), (1, 0), (1, 1)].map { (y, x) in
        output.values[map.place(y, x, 3)]
      }
      expectEqual(found, expected)
    }
  }

  private static var operations: [CombinationOperation] {
    [.addition, .subtraction, .multiplication, .division, .maximum, .minimum]
  }

  @Test(arguments: 0..<6)
  func combinationsGiveTheBitsOfTheReference(_ number: Int) {
    for width in [1, 2, 13] {
      for channelCount in [16, 48] {
        let map = TestMap(height: 3, width: width, channelCount: channelCount)
        var generator = SeededGenerator(seed: 9)
        let other = Guarded(generator.fractions(map.count + 16))
        defer { withExtendedLifetime(other) {} }
        for (columnStep, rowStep, isFirstSingle, isSecondSingle) in [
          (map.step, map.rowStep, false, false), (0, map.rowStep, false, false),
          (map.step, 0, false, true), (0, 0, true, false), (0, 0, true, true),
        ] {
          func combination(_ task: MapTask) -> CombinationTask {
            CombinationTask(
              map: task, other: other.address.advanced(by: 16), otherColumnStep: columnStep,
              otherRowStep: rowStep, operation: Self.operations[number],
              isFirstSingle: isFirstSingle, isSecondSingle: isSecondSingle)
          }
          compareBits(map, map) { (task, rows) in
            ReferenceKernels.combine(combination(task), rows: rows)
          } fast: { (kernels, task, rows) in
            kernels.combine(combination(task), rows: rows)
          }
        }
      }
    }
  }

  @Test func operationsCombineAsTheySay() {
    let expected: [Float] = [8, 4, 12, 3, 6, 2]
    for (operation, value) in zip(Self.operations, expected) {
      expectEqual(ReferenceKernels.value(of: operation, 6, 2), value)
    }
    expectEqual(ReferenceKernels.value(of: .maximum, 2, 6), 6)
    expectEqual(ReferenceKernels.value(of: .minimum, 6, 2), 2)
    expectEqual(ReferenceKernels.value(of: .maximum, 2, .nan), 2)
  }

  @Test func bilinearResizingGivesTheBitsOfTheReference() {
    for channelCount in [16, 48] {
      let input = TestMap(height: 3, width: 4, channelCount: channelCount)
      let output = TestMap(height: 4, width: 9, channelCount: channelCount)
      var generator = SeededGenerator(seed: 10)
      func offsets(_ count: Int, _ extent: Int, _ step: Int) -> [Int] {
        (0..<count * 2).map { (_) in Int.random(in: 0..<extent, using: &generator) * step }
      }
      let rows = offsets(output.height, input.height, input.rowStep)
      let columns = offsets(output.width, input.width, input.step)
      let weights = Guarded([0, 1, 0.5, 0.1, 0.2, 0.25, 0.75, 0.9, 0.3])
      rows.withUnsafeBufferPointer { (rows) in
        columns.withUnsafeBufferPointer { (columns) in
          func interpolation(_ task: MapTask) -> InterpolationTask {
            InterpolationTask(
              map: task,
              rows: InterpolationAxis(offsets: rows.baseAddress!, weights: weights.address),
              columns: InterpolationAxis(offsets: columns.baseAddress!, weights: weights.address))
          }
          compareBits(input, output) { (task, rows) in
            ReferenceKernels.interpolate(interpolation(task), rows: rows)
          } fast: { (kernels, task, rows) in
            kernels.interpolate(interpolation(task), rows: rows)
          }
        }
      }
      withExtendedLifetime(weights) {}
    }
  }

  @Test func bilinearResizingMixesItsFourNeighbours() {
    let map = TestMap(height: 2, width: 2, channelCount: 16)
    var values = [Float](repeating: 0, count: map.count)
    for y in 0..<2 { for x in 0..<2 { values[map.place(y, x, 5)] = Float(1 + 2 * y + x) } }
    let (input, output) = (Guarded(values), Guarded(count: map.count))
    let weights = Guarded([0.25])
    [0, map.rowStep].withUnsafeBufferPointer { (rows) in
      [0, map.step].withUnsafeBufferPointer { (columns) in
        var task = mapTask(input, map, output, map)
        task.width = 1
        ReferenceKernels.interpolate(
          InterpolationTask(
            map: task,
            rows: InterpolationAxis(offsets: rows.baseAddress!, weights: weights.address),
            columns: InterpolationAxis(offsets: columns.baseAddress!, weights: weights.address)),
          rows: 0..<1)
      }
    }
    // 1 + a quarter to the right and a quarter of two down.
    expectEqual(output.values[5], 1.75)
    withExtendedLifetime((input, output, weights)) {}
  }

  @Test func softmaxGivesTheBitsOfTheReference() {
    for count in [1, 2, 15, 16, 17, 32] {
      let map = TestMap(height: 3, width: 5, channelCount: (count + 15) / 16 * 16)
      compareBits(map, map) { (task, rows) in
        ReferenceKernels.softmax(task, count: count, rows: rows)
      } fast: { (kernels, task, rows) in
        kernels.softmax(task, count: count, rows: rows)
      }
      let input = Guarded([Float](repeating: 2, count: map.count))
      let output = Guarded(count: map.count)
      withExtendedLifetime((input, output)) {
        Kernels().softmax(mapTask(input, map, output, map), count: count, rows: 0..<1)
      }
      for channel in 0..<map.channelCount {
        let expected = channel < count ? 1 / Float(count) : 0
        #expect(abs(output.values[channel] - expected) < 1e-7)
      }
    }
  }
}

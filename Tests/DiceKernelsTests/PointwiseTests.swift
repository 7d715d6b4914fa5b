import DiceKernels
import Foundation
import Testing

/// A map whose pixels are slices of wider ones, with a gap behind each row.
private struct TestMap {
  let height: Int
  let width: Int
  let channelCount: Int
  var step: Int { channelCount + 16 }
  var rowStep: Int { width * step + 7 }
  var count: Int { height * rowStep }
}

/// None of these kernels fuses a product with a sum: all implementations give the reference's bits.
@Suite struct PointwiseTests {
  private func task(
    _ input: Guarded, _ inputMap: TestMap, _ output: Guarded, _ outputMap: TestMap
  ) -> MapTask {
    MapTask(
      input: input.address, inputColumnStep: inputMap.step, inputRowStep: inputMap.rowStep,
      output: output.address, outputColumnStep: outputMap.step, outputRowStep: outputMap.rowStep,
      width: outputMap.width, channelCount: outputMap.channelCount)
  }

  /// Compares the whole output, gaps and guards included, and splits the rows.
  private func compare(
    _ inputMap: TestMap, _ outputMap: TestMap, reference: (MapTask, Range<Int>) -> Void,
    fast: (Kernels, MapTask, Range<Int>) -> Void
  ) {
    var generator = SeededGenerator(seed: UInt64(inputMap.count + outputMap.width))
    let input = Guarded(generator.fractions(inputMap.count).map { (value) in value * 10 })
    let expected = Guarded(count: outputMap.count)
    withExtendedLifetime((input, expected)) {
      reference(task(input, inputMap, expected, outputMap), 0..<outputMap.height)
    }
    #expect(expected.values[0].bitPattern != Guarded.untouched)
    for implementation in implementations {
      for split in [[0..<outputMap.height], [1..<outputMap.height, 0..<1]] {
        let found = Guarded(count: outputMap.count)
        withExtendedLifetime((input, found)) {
          for rows in split {
            fast(Kernels(implementation), task(input, inputMap, found, outputMap), rows)
          }
        }
        #expect(found.bits == expected.bits, "\(implementation) \(inputMap) \(outputMap)")
      }
    }
  }

  @Test func maximumPoolingGivesTheBitsOfTheReference() {
    for (size, stride, padding) in [(2, 2, 0), (3, 2, 1), (5, 1, 2), (4, 4, 1), (1, 1, 0)] {
      for (height, width) in [(4, 4), (8, 12), (4, 20)] {
        for channelCount in [16, 48] {
          let window = PoolingWindow(
            size: size, stride: stride, padding: padding, inputHeight: height, inputWidth: width)
          compare(
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
        let task = task(input, map, output, map)
        Kernels(implementation).poolMaximum(task, window: window, rows: 0..<2)
      }
      #expect((0..<3).map { (x) in output.values[x * map.step + 1] } == [-1, -1, -2])
      #expect((0..<3).map { (x) in output.values[x * map.step] } == [-1, -1, -3])
      #expect(output.values[map.rowStep + 2 * map.step + 1] == -2)
    }
  }

  @Test func nearestNeighboursGiveTheBitsOfTheReference() {
    for factor in [1, 2, 4] {
      for width in [1, 3, 13] {
        for channelCount in [16, 48] {
          compare(
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

  @Test func sumsGiveTheBitsOfTheReference() {
    for width in [1, 2, 13] {
      for channelCount in [16, 32, 48] {
        let map = TestMap(height: 3, width: width, channelCount: channelCount)
        var generator = SeededGenerator(seed: 9)
        let other = Guarded(generator.fractions(map.count + 16))
        let start = other.address.advanced(by: 16)
        defer { withExtendedLifetime(other) {} }
        compare(map, map) { (task, rows) in
          ReferenceKernels.addMaps(
            task, other: start, otherColumnStep: map.step, otherRowStep: map.rowStep, rows: rows)
        } fast: { (kernels, task, rows) in
          kernels.addMaps(
            task, other: start, otherColumnStep: map.step, otherRowStep: map.rowStep, rows: rows)
        }
      }
    }
  }

  @Test func sigmoidWeightingGivesTheBitsOfTheReferenceAlsoInPlace() {
    for width in [1, 2, 13] {
      for channelCount in [16, 32, 48] {
        let map = TestMap(height: 3, width: width, channelCount: channelCount)
        compare(map, map) { (task, rows) in
          ReferenceKernels.weightBySigmoid(task, rows: rows)
        } fast: { (kernels, task, rows) in
          kernels.weightBySigmoid(task, rows: rows)
        }
        var generator = SeededGenerator(seed: 10)
        let start = generator.fractions(map.count)
        let expected = Guarded(start)
        ReferenceKernels.weightBySigmoid(task(expected, map, expected, map), rows: 0..<3)
        for implementation in implementations {
          let found = Guarded(start)
          Kernels(implementation).weightBySigmoid(task(found, map, found, map), rows: 0..<3)
          #expect(found.bits == expected.bits)
        }
      }
    }
  }

  @Test func vectorsGiveTheScalarBitsForExtremeValues() {
    let extremes: [Float] = [
      0, -0.0, .leastNonzeroMagnitude, -.leastNonzeroMagnitude, 86.9, 87.1, 88.1, -86.9, -87.1,
      -88.1, 1000, -1000, 3e38, -3e38,
      .infinity, .nan,
    ]
    let map = TestMap(height: 1, width: 1, channelCount: 16)
    let expected = Guarded(count: map.count)
    let input = Guarded(extremes + [Float](repeating: 0, count: map.count - 16))
    defer { withExtendedLifetime(input) {} }
    ReferenceKernels.weightBySigmoid(task(input, map, expected, map), rows: 0..<1)
    for implementation in implementations {
      let found = Guarded(count: map.count)
      Kernels(implementation).weightBySigmoid(task(input, map, found, map), rows: 0..<1)
      for channel in 0..<15 {
        #expect(found.values[channel].bitPattern == expected.values[channel].bitPattern)
      }
      #expect(found.values[15].isNaN)
    }
    #expect(expected.values[14] == .infinity)
    #expect(expected.values[11] <= 0 && expected.values[11] > -1e-30)
  }
}

@Suite struct ExponentialTests {
  @Test func staysWithinTwoUnitsInTheLastPlace() {
    var greatest = 0.0
    for index in 0...87_500 {
      let x = min(-87 + Float(index) * 0.002, 88)
      let exact = exp(Double(x))
      let found = Double(ReferenceKernels.exponential(x))
      greatest = max(greatest, abs(found - exact) / Double(Float(exact).ulp))
    }
    #expect(greatest <= 2, "\(greatest) units in the last place")
  }

  @Test func isClampedOutsideItsRange() {
    #expect(ReferenceKernels.exponential(1000) == ReferenceKernels.exponential(88))
    #expect(ReferenceKernels.exponential(.infinity) == ReferenceKernels.exponential(88))
    #expect(ReferenceKernels.exponential(-.infinity) == ReferenceKernels.exponential(-87))
    #expect(ReferenceKernels.exponential(0) == 1)
    #expect(ReferenceKernels.exponential(.nan).isNaN)
  }

  @Test func sigmoidIsExactAtItsLandmarks() {
    #expect(ReferenceKernels.sigmoid(0) == 0.5)
    #expect(ReferenceKernels.sigmoid(100) == 1)
    #expect(ReferenceKernels.sigmoid(-100) < 1e-37)
    #expect(ReferenceKernels.sigmoid(.nan).isNaN)
    for x: Float in [-20, -3, -0.5, 0.1, 2, 7, 15] {
      let exact = 1 / (1 + exp(-Double(x)))
      #expect(abs(Double(ReferenceKernels.sigmoid(x)) - exact) <= 4 * Double(Float(exact).ulp))
    }
  }

  @Test func softmaxIsADistributionWhateverTheLogits() {
    for logits: [Float] in [[0], [1, 2, 3], [1000, 999, -1000], [-3e38, 3e38, 0]] {
      var values = [7] + logits + [8]
      ReferenceKernels.softmax(&values, range: 1..<values.count - 1)
      #expect(values.first == 7 && values.last == 8)
      let probabilities = values[1..<values.count - 1]
      #expect(abs(probabilities.reduce(0, +) - 1) < 1e-6)
      #expect(probabilities.allSatisfy { (p) in p >= 0 && p <= 1 })
    }
    var values: [Float] = [1, 2, 3]
    ReferenceKernels.softmax(&values, range: 0..<3)
    let exact = [0.09003057317038046, 0.24472847105479764, 0.6652409557748218]
    for (found, expected) in zip(values, exact) { #expect(abs(Double(found) - expected) < 1e-7) }
    var broken: [Float] = [1, .nan, 2]
    ReferenceKernels.softmax(&broken, range: 0..<3)
    #expect(broken.allSatisfy { (value) in value.isNaN })
    var empty: [Float] = []
    ReferenceKernels.softmax(&empty, range: 0..<0)
    #expect(empty.isEmpty)
  }
}

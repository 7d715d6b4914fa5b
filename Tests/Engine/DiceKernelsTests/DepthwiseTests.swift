import DiceKernels
import TestSupport
import Testing

/// Depthwise convolutions against the reference.
@Suite struct DepthwiseTests {
  /// A kernel of some size over a map with a border.
  private struct Case {
    var size: Int
    var stride: Int
    var width: Int
    var channelCount: Int
    var slope: Float

    var height: Int { 3 }
    var input: TestMap {
      TestMap(
        height: (height - 1) * stride + size, width: (width - 1) * stride + size,
        channelCount: channelCount)
    }
    var output: TestMap { TestMap(height: height, width: width, channelCount: channelCount) }
    var offsets: [Int] {
      (0..<size * size).map { (tap) in input.place(tap / size, tap % size, 0) }
    }
  }

  private static let cases: [Case] = {
    var cases: [Case] = []
    for (size, stride) in [(1, 1), (3, 1), (3, 2), (5, 1), (5, 2)] {
      // Below, at and above groups of four and of eight pixels.
      for width in [1, 3, 4, 5, 7, 8, 9, 16, 19] {
        for (channelCount, slope) in [(16, Float(1)), (48, 0.125)] {
          cases.append(
            Case(
              size: size, stride: stride, width: width, channelCount: channelCount, slope: slope))
        }
      }
    }
    return cases
  }()

  private func run(
    _ test: Case, _ input: Guarded, _ weights: Guarded, _ bias: Guarded,
    requantization: Requantization? = nil, _ body: (DepthwiseTask) -> Void
  ) -> Guarded {
    let output = Guarded(count: test.output.count)
    withExtendedLifetime((input, weights, bias, output)) {
      test.offsets.withUnsafeBufferPointer { (offsets) in
        var map = mapTask(input, test.input, output, test.output)
        map.inputColumnStep *= test.stride
        map.inputRowStep *= test.stride
        body(
          DepthwiseTask(
            map: map, tapOffsets: offsets.baseAddress!, tapCount: offsets.count,
            weights: weights.address, bias: bias.address, weightStep: test.channelCount + 3,
            slope: test.slope, requantization: requantization))
      }
    }
    return output
  }

  @Test func wholeSumsAreRequantizedByEveryImplementation() {
    for test in Self.cases where test.slope == 1 {
      var generator = SeededGenerator(seed: UInt64(test.width + test.size))
      func whole(_ count: Int, _ limit: Int) -> Guarded {
        Guarded((0..<count).map { (_) in Float(Int.random(in: -limit...limit, using: &generator)) })
      }
      let input = whole(test.input.count, 255)
      let weights = whole(test.size * test.size * (test.channelCount + 3), 255)
      let bias = whole(test.channelCount, 9000)
      let numbers = (0..<3 * test.channelCount).map { (index) in
        switch index / test.channelCount {
        case 0: UInt32.random(in: 1 << 30..<1 << 31, using: &generator)
        case 1: UInt32(0)
        default: UInt32(8 + index % 4)
        }
      }
      let storage = Guarded(numbers.map { Float(bitPattern: $0) })
      defer { withExtendedLifetime(storage) {} }
      let task = Requantization(
        numbers: storage.address, step: test.channelCount, isRoundedOnce: false, lower: -90,
        upper: 120)
      let plain = run(test, input, weights, bias) { (task) in
        ReferenceKernels.convolveDepthwise(task, rows: 0..<3)
      }
      let expected = run(test, input, weights, bias, requantization: task) { (task) in
        ReferenceKernels.convolveDepthwise(task, rows: 0..<3)
      }
      let place = test.output.place(1, test.width - 1, 5)
      expectEqual(
        expected.values[place],
        ReferenceKernels.value(
          of: .requantization(task), at: plain.values[place], channel: 5))
      for implementation in implementations {
        let found = run(test, input, weights, bias, requantization: task) { (task) in
          Kernels(implementation).convolveDepthwise(task, rows: 0..<3)
        }
        expectEqual(found.bits, expected.bits, "\(implementation) \(test)")
      }
    }
  }

  @Test(arguments: [true, false])
  func agreesWithTheReferenceAndTouchesNothingElse(_ isExact: Bool) {
    for test in Self.cases {
      var generator = SeededGenerator(seed: UInt64(test.width * 31 + test.size))
      let input = Guarded(generator.values(test.input.count, exact: isExact))
      let weights = Guarded(
        generator.values(test.size * test.size * (test.channelCount + 3), exact: isExact))
      let bias = Guarded(generator.values(test.channelCount, exact: isExact))
      let expected = run(test, input, weights, bias) { (task) in
        ReferenceKernels.convolveDepthwise(task, rows: 0..<3)
      }
      for implementation in implementations {
        let found = run(test, input, weights, bias) { (task) in
          Kernels(implementation).convolveDepthwise(task, rows: 2..<3)
          Kernels(implementation).convolveDepthwise(task, rows: 0..<2)
        }
        if isExact || isSeparate(implementation) {
          expectEqual(found.bits, expected.bits, "\(implementation) \(test)")
          continue
        }
        // Products of at most 1; a rounding of 2⁻²⁴ for each operation.
        let bound = Float(test.size * test.size + 2) * 0x1p-23 * Float(test.size * test.size + 1)
        let differs = zip(expected.bits, found.bits).contains { (one, other) in
          let difference = Float(bitPattern: one) - Float(bitPattern: other)
          return one != other && !(difference.magnitude <= bound)
        }
        #expect(!differs, "\(implementation) \(test)")
      }
    }
    expectEqual(Self.cases.count, 90)
  }

  @Test func channelsAreSummedByThemselves() {
    let test = Case(size: 3, stride: 1, width: 1, channelCount: 16, slope: 0.5)
    var values = [Float](repeating: 0, count: test.input.count)
    var weights = [Float](repeating: 0, count: 9 * 19)
    for tap in 0..<9 {
      for channel in 0..<16 {
        values[test.input.place(tap / 3, tap % 3, channel)] = Float(channel)
        weights[tap * 19 + channel] = tap == 4 ? 1 : -1
      }
    }
    let bias = Guarded((0..<16).map { (channel) in Float(channel * 8) })
    let output = run(test, Guarded(values), Guarded(weights), bias) { (task) in
      ReferenceKernels.convolveDepthwise(task, rows: 0..<1)
    }
    // 8 c + c - 8 c
    for channel in 0..<16 { expectEqual(output.values[channel], Float(channel)) }
  }
}

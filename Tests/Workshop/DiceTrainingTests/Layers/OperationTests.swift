import TestSupport
import Testing

@testable import DiceTraining

private func shape(_ height: Int, _ width: Int, _ channels: Int) -> ValueShape {
  ValueShape(height: height, width: width, channelCount: channels)
}

private func value(_ height: Int, _ width: Int, _ channels: Int) -> Value {
  Value(shape(height, width, channels), learns: true)
}

struct PoolingOperationTests {
  static let kinds: [PoolingOperation.Kind] = [.maximum, .average, .averageWithPadding]

  @Test(arguments: kinds)
  func gradientsAgreeWithDifferences(_ kind: PoolingOperation.Kind) {
    let check = OperationCheck([shape(7, 6, 11)]) { inputs, _ in
      PoolingOperation(
        kind,
        window: ConvolutionGeometry(
          kernelHeight: 3, kernelWidth: 2, strideY: 2, strideX: 1, top: 1, left: 1),
        from: inputs[0], to: value(4, 6, 11))
    }
    #expect(check.compare(step: 1e-4) > 50)
  }

  @Test func windowsAreWhatTheySay() {
    // One row of five numbers, windows of three with one of padding, one apart.
    let window = ConvolutionGeometry(kernelHeight: 1, kernelWidth: 3, left: 1)
    let expected: [PoolingOperation.Kind: [Float]] = [
      .maximum: [2, 3, 4, 5, 5], .average: [1.5, 2, 3, 4, 4.5],
      .averageWithPadding: [1, 2, 3, 4, 3],
    ]
    for (kind, numbers) in expected {
      let check = OperationCheck([shape(1, 5, 1)], sampleCount: 1) { inputs, _ in
        PoolingOperation(kind, window: window, from: inputs[0], to: value(1, 5, 1))
      }
      SampleInput(map: check.inputs[0].map, sample: 0).write([1, 2, 3, 4, 5])
      #expect(zip(check.output(), numbers).allSatisfy { abs($0 - $1) < 1e-6 }, "\(kind)")
    }
  }

  @Test func theGradientOfEqualNumbersGoesToTheFirst() {
    let check = OperationCheck([shape(1, 2, 1)], sampleCount: 1) { inputs, _ in
      PoolingOperation(
        .maximum, window: ConvolutionGeometry(kernelHeight: 1, kernelWidth: 2), from: inputs[0],
        to: value(1, 1, 1))
    }
    SampleInput(map: check.inputs[0].map, sample: 0).write([3, 3])
    check.operation.forward(check.pass)
    _ = check.operation.output.gradientTarget()
    SampleInput(map: check.operation.output.gradient, sample: 0).write([5])
    check.operation.backward(check.pass)
    expectEqual(OperationCheck.numbers(check.inputs[0].gradient), [5, 0])
  }
}

struct ReductionOperationTests {
  @Test(arguments: [
    shape(1, 1, 11), shape(5, 1, 11), shape(1, 4, 11), shape(1, 1, 1), shape(5, 4, 1),
  ])
  func gradientsAgreeWithDifferences(_ output: ValueShape) {
    for kind in [ReductionOperation.Kind.maximum, .mean, .sum] {
      let check = OperationCheck([shape(5, 4, 11)]) { inputs, _ in
        ReductionOperation(kind, from: inputs[0], to: Value(output, learns: true))
      }
      #expect(check.compare(step: 1e-4) > 50)
    }
  }

  @Test func numbersAreTakenTogether() {
    for (kind, expected) in [
      (ReductionOperation.Kind.maximum, [Float(-1), 5]), (.mean, [-2, 3.5]), (.sum, [-4, 7]),
    ] {
      let check = OperationCheck([shape(1, 2, 2)], sampleCount: 1) { inputs, _ in
        ReductionOperation(kind, from: inputs[0], to: value(1, 1, 2))
      }
      SampleInput(map: check.inputs[0].map, sample: 0).write([-3, 2, -1, 5])
      expectEqual(check.output(), expected)
    }
  }
}

struct ElementwiseOperationTests {
  static let kinds: [ElementwiseOperation.Kind] = [
    .addition, .subtraction, .multiplication, .division, .maximum, .minimum,
  ]

  @Test(arguments: kinds)
  func gradientsAgreeWithDifferences(_ kind: ElementwiseOperation.Kind) {
    for shapes in [
      [shape(3, 4, 11), shape(3, 4, 11)], [shape(3, 4, 11), shape(1, 1, 11)],
      [shape(1, 4, 1), shape(3, 1, 11)], [shape(3, 4, 1), shape(3, 4, 11)],
      [shape(3, 1, 11), shape(1, 1, 1)],
    ] {
      let extents = (
        max(shapes[0].height, shapes[1].height), max(shapes[0].width, shapes[1].width)
      )
      let check = OperationCheck(shapes, range: 0.5...2) { inputs, _ in
        ElementwiseOperation(kind, inputs[0], inputs[1], to: value(extents.0, extents.1, 11))
      }
      #expect(check.compare(step: kind == .maximum || kind == .minimum ? 1e-4 : 1e-3) > 10)
    }
  }

  @Test func aValueWithItselfHasBothParts() {
    let check = OperationCheck([shape(2, 2, 3)]) { inputs, _ in
      ElementwiseOperation(.multiplication, inputs[0], inputs[0], to: value(2, 2, 3))
    }
    expectEqual(check.compare(), 24)
  }
}

struct ArrangementOperationTests {
  @Test func concatenationsJoinAlongEveryAxis() {
    for (shapes, places, joined) in [
      ([shape(2, 3, 5), shape(2, 3, 9)], [MapPlace(), MapPlace(channel: 5)], shape(2, 3, 14)),
      ([shape(2, 3, 9), shape(4, 3, 9)], [MapPlace(), MapPlace(row: 2)], shape(6, 3, 9)),
      ([shape(2, 3, 9), shape(2, 1, 9)], [MapPlace(), MapPlace(column: 3)], shape(2, 4, 9)),
    ] {
      let check = OperationCheck(shapes) { inputs, _ in
        ConcatenationOperation(inputs, at: places, to: Value(joined, learns: true))
      }
      #expect(check.compare() > 40)
      let output = check.output()
      let first = OperationCheck.numbers(check.inputs[0].map)
      #expect(output.prefix(5).elementsEqual(first.prefix(5)))
      expectEqual(output.count, first.count + OperationCheck.numbers(check.inputs[1].map).count)
    }
  }

  @Test func positionsAreGatheredAndTheirGradientsScattered() {
    var positions = GatherOperation.Positions(all: shape(3, 4, 9))
    positions.rows = [-1, 2, 2, 0]
    positions.columns = [3, 1]
    for channels in [Array(0..<9), [8, -1, 0, 0]] {
      positions.channels = channels
      let check = OperationCheck([shape(3, 4, 9)]) { inputs, _ in
        GatherOperation(
          positions, constant: 7, from: inputs[0], to: value(4, 2, channels.count))
      }
      #expect(check.compare() > 40)
      let (input, output) = (OperationCheck.numbers(check.inputs[0].map), check.output())
      for (row, from) in positions.rows.enumerated() {
        for (column, fromColumn) in positions.columns.enumerated() {
          for (channel, place) in channels.enumerated() {
            let found = output[(row * 2 + column) * channels.count + channel]
            let expected = from < 0 || place < 0 ? 7 : input[(from * 4 + fromColumn) * 9 + place]
            expectEqual(found, expected)
          }
        }
      }
    }
  }

  @Test func bilinearPlacesAreBetweenTheirNeighbours() {
    let rows = BilinearOperation.Places([
      (0, 1, 0), (0, 1, 0.25), (0, 1, 0.75), (1, 2, 0.25), (1, 2, 0.75), (2, 2, 0),
    ])
    let columns = BilinearOperation.Places([(0, 1, 0), (1, 2, 0.5), (3, 3, 0)])
    let check = OperationCheck([shape(3, 4, 9)]) { inputs, _ in
      BilinearOperation(rows: rows, columns: columns, from: inputs[0], to: value(6, 3, 9))
    }
    #expect(check.compare() > 40)
    let input = check.inputs[0]
    SampleInput(map: input.map, sample: 0).write(
      (0..<12).flatMap { (place: Int) -> [Float] in
        let value = Float(place / 4 * 10 + place % 4)
        return [Float](repeating: value, count: 9)
      })
    let output = check.output()
    for (row, y) in [Float(0), 0.25, 0.75, 1.25, 1.75, 2].enumerated() {
      for (column, x) in [Float(0), 1.5, 3].enumerated() {
        let expected: Float = 10 * y + x
        #expect(abs(output[(row * 3 + column) * 9] - expected) < 1e-5)
      }
    }
  }

  @Test func rearrangementsPermuteDimensions() {
    // [2, 3, 4] as [H, W, C] to [C, H, W].
    let check = OperationCheck([shape(2, 3, 4)]) { inputs, _ in
      RearrangementOperation(
        dimensions: [2, 3, 4], permutation: [2, 0, 1], from: inputs[0], to: value(4, 2, 3))
    }
    expectEqual(check.compare(), 48)
    let (input, output) = (OperationCheck.numbers(check.inputs[0].map), check.output())
    for row in 0..<2 {
      for column in 0..<3 {
        for channel in 0..<4 {
          expectEqual(
            output[(channel * 2 + row) * 3 + column], input[(row * 3 + column) * 4 + channel])
        }
      }
    }
  }

  @Test func reshapesKeepTheOrder() {
    let check = OperationCheck([shape(2, 3, 5)]) { inputs, _ in
      RearrangementOperation(
        dimensions: [30], permutation: [0], from: inputs[0], to: value(1, 1, 30))
    }
    expectEqual(check.compare(), 60)
    expectEqual(check.output(), OperationCheck.numbers(check.inputs[0].map))
  }
}

struct MatrixProductOperationTests {
  @Test(arguments: [false, true], [false, true])
  func gradientsAgreeWithDifferences(_ transposesFirst: Bool, _ transposesSecond: Bool) {
    let first = transposesFirst ? shape(3, 5, 4) : shape(3, 4, 5)
    let second = transposesSecond ? shape(3, 18, 5) : shape(3, 5, 18)
    let check = OperationCheck([first, second]) { inputs, _ in
      MatrixProductOperation(
        inputs[0], inputs[1], transposesFirst: transposesFirst, transposesSecond: transposesSecond,
        to: value(3, 4, 18))
    }
    expectEqual(check.compare(), 120)
  }

  @Test func aValueTimesItselfHasBothGradients() {
    let check = OperationCheck([shape(2, 3, 4)]) { inputs, _ in
      MatrixProductOperation(
        inputs[0], inputs[0], transposesFirst: false, transposesSecond: true, to: value(2, 3, 3))
    }
    expectEqual(check.compare(), 48)
    // Each row's matrix has the squares of lengths on its diagonal.
    let numbers = OperationCheck.numbers(check.inputs[0].map)
    let squares = (0..<4).reduce(Float(0)) { (sum, index) in
      sum + numbers[index] * numbers[index]
    }
    #expect(abs(check.output()[0] - squares) < 1e-5)
  }
}

struct NormalizingOperationTests {
  @Test(arguments: [SoftmaxOperation.Axis.rows, .columns, .channels])
  func softmaxAgreesWithDifferences(_ axis: SoftmaxOperation.Axis) {
    let check = OperationCheck([shape(3, 4, 5)]) { inputs, _ in
      SoftmaxOperation(along: axis, from: inputs[0], to: value(3, 4, 5))
    }
    expectEqual(check.compare(), 60)
    // Each slice along the axis sums to 1, in both samples.
    let length: Int
    switch axis {
    case .rows: length = 3
    case .columns: length = 4
    case .channels: length = 5
    }
    let sum: Float = check.output().reduce(0, +)
    #expect(abs(sum - Float(120 / length)) < 1e-4)
  }

  private func normalization(
    _ inputs: [Value], _ store: ParameterStore
  ) -> BatchNormalizationOperation {
    BatchNormalizationOperation(
      tensors: .init(scale: 0, shift: 1, mean: 2, variance: 3), epsilon: 1e-4, from: inputs[0],
      to: Value(inputs[0].shape, learns: true), store: store)
  }

  @Test func normalizationsAgreeWithDifferences() {
    let check = OperationCheck([shape(3, 4, 11)], sampleCount: 3) { normalization($0, $1) }
    #expect(check.compare(step: 1e-2) > 60)
  }

  @Test func normalizationsKeepWhatTheyWereGiven() {
    let check = OperationCheck([shape(2, 2, 3)]) { normalization($0, $1) }
    let tensors: [[Float]] = [[1, 2, -0.5], [0.5, 0, 3], [0.1, -2, 4], [1, 4, 0.25]]
    check.operation.load { tensors[$0] }
    var calibrating = check
    calibrating.pass.isCalibrating = true
    let input = OperationCheck.numbers(check.inputs[0].map)
    for (index, found) in calibrating.output().enumerated() {
      let c = index % 3
      let expected =
        (input[index] - tensors[2][c]) / (tensors[3][c] + 1e-4).squareRoot() * tensors[0][c]
        + tensors[1][c]
      #expect(abs(found - expected) < 1e-4)
    }
    check.store.averaged.write(check.store.values.floats(0..<check.store.count), at: 0)
    check.operation.averageStatistics(decay: 0)
    var exported = [[Float]](repeating: [], count: 4)
    check.operation.export(to: &exported)
    expectEqual(exported, tensors)
  }

  @Test func parametricRectifiersAgreeWithDifferences() {
    let check = OperationCheck([shape(3, 4, 11)]) { inputs, store in
      ParametricRectifierOperation(
        tensor: 0, from: inputs[0], to: value(3, 4, 11), store: store)
    }
    #expect(check.compare(step: 1e-3) > 60)
    for (x, y) in zip(OperationCheck.numbers(check.inputs[0].map), check.output()) where x >= 0 {
      expectEqual(x, y)
    }
    check.operation.load { _ in [Float](repeating: 0.5, count: 11) }
    for (x, y) in zip(OperationCheck.numbers(check.inputs[0].map), check.output()) where x < 0 {
      expectEqual(y, x / 2)
    }
  }
}

struct DropoutOperationTests {
  private func check(step: Int?, seed: UInt64 = 5, key: Int = 1) -> OperationCheck {
    var check = OperationCheck([shape(6, 7, 11)], range: 0.5...1) { inputs, _ in
      DropoutOperation(rate: 0.25, key: key, from: inputs[0], to: value(6, 7, 11))
    }
    check.pass.chance = step.map { Pass.Chance(seed: seed, step: $0) }
    return check
  }

  @Test func gradientsAgreeWithDifferences() {
    #expect(check(step: 3).compare() > 50)
  }

  @Test func aShareIsLeftOutAndTheRestEnlarged() {
    let check = check(step: 3)
    let (input, output) = (OperationCheck.numbers(check.inputs[0].map), check.output())
    let dropped = output.filter { $0 == 0 }.count
    #expect(abs(Double(dropped) / Double(output.count) - 0.25) < 0.05)
    for (x, y) in zip(input, output) where y != 0 { #expect(abs(y - x / 0.75) < 1e-6) }
  }

  @Test func chanceFollowsFromSeedStepAndKeyAlone() {
    let output = check(step: 3).output()
    expectEqual(output, check(step: 3).output())
    #expect(output != check(step: 4).output())
    #expect(output != check(step: 3, seed: 6).output())
    #expect(output != check(step: 3, key: 2).output())
    let half = output.count / 2
    #expect(output.prefix(half).map { $0 == 0 } != output.suffix(half).map { $0 == 0 })
  }

  @Test func withoutChanceNothingIsLeftOut() {
    let check = check(step: nil)
    expectEqual(check.output(), OperationCheck.numbers(check.inputs[0].map))
  }
}

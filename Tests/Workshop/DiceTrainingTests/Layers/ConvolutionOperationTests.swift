import DiceKernels
import TestSupport
import Testing

@testable import DiceTraining

struct ConvolutionOperationTests {
  /// A convolution of any geometry.
  struct Case: CustomTestStringConvertible {
    var input: ValueShape
    var outputs: Int
    var geometry: ConvolutionGeometry
    var output: (height: Int, width: Int)
    var groups = 1
    var isTransposed = false
    var testDescription: String

    init(
      _ name: String, _ height: Int, _ width: Int, _ channels: Int, outputs: Int, size: (Int, Int),
      stride: (Int, Int) = (1, 1), dilation: (Int, Int) = (1, 1),
      padding: (top: Int, left: Int, bottom: Int, right: Int) = (0, 0, 0, 0), groups: Int = 1,
      transposed: (extraRows: Int, extraColumns: Int)? = nil
    ) {
      testDescription = name
      input = ValueShape(height: height, width: width, channelCount: channels)
      self.outputs = outputs
      self.groups = groups
      geometry = ConvolutionGeometry(
        kernelHeight: size.0, kernelWidth: size.1, strideY: stride.0, strideX: stride.1,
        dilationY: dilation.0, dilationX: dilation.1, top: padding.top, left: padding.left)
      let spans = ((size.0 - 1) * dilation.0 + 1, (size.1 - 1) * dilation.1 + 1)
      if let transposed {
        isTransposed = true
        output = (
          (height - 1) * stride.0 + spans.0 - padding.top - padding.bottom + transposed.extraRows,
          (width - 1) * stride.1 + spans.1 - padding.left - padding.right
            + transposed.extraColumns
        )
      } else {
        output = (
          (height + padding.top + padding.bottom - spans.0) / stride.0 + 1,
          (width + padding.left + padding.right - spans.1) / stride.1 + 1
        )
      }
    }
  }

  static let cases = [
    Case("1 x 1", 3, 4, 5, outputs: 20, size: (1, 1)),
    Case("dense", 1, 1, 37, outputs: 10, size: (1, 1)),
    Case("3 x 3", 7, 6, 3, outputs: 18, size: (3, 3), padding: (1, 1, 1, 1)),
    Case("valid", 8, 9, 2, outputs: 6, size: (5, 5)),
    Case("rectangle", 9, 7, 3, outputs: 5, size: (1, 5), padding: (0, 2, 0, 2)),
    Case("sequence", 12, 1, 10, outputs: 7, size: (9, 1), padding: (4, 0, 4, 0)),
    Case("causal", 11, 1, 4, outputs: 4, size: (3, 1), dilation: (4, 1), padding: (8, 0, 0, 0)),
    Case(
      "dilated", 11, 10, 3, outputs: 4, size: (3, 3), dilation: (3, 2), padding: (3, 2, 3, 2)),
    Case("strides", 9, 12, 3, outputs: 17, size: (3, 4), stride: (2, 3), padding: (1, 0, 0, 2)),
    Case("stride beyond the kernel", 10, 11, 3, outputs: 4, size: (1, 2), stride: (3, 4)),
    Case("kernel larger than the input", 3, 2, 2, outputs: 3, size: (5, 5), padding: (2, 2, 2, 2)),
    Case(
      "all at once", 13, 10, 4, outputs: 6, size: (3, 2), stride: (2, 1), dilation: (2, 3),
      padding: (3, 1, 2, 0)),
    Case("two groups", 6, 5, 6, outputs: 10, size: (3, 3), padding: (1, 1, 1, 1), groups: 2),
    Case(
      "groups of one input", 6, 5, 4, outputs: 8, size: (3, 3), padding: (1, 1, 1, 1), groups: 4),
    Case("depthwise", 7, 6, 19, outputs: 19, size: (3, 3), padding: (1, 1, 1, 1), groups: 19),
    Case(
      "depthwise, strides", 9, 8, 6, outputs: 6, size: (5, 3), stride: (2, 2), dilation: (1, 2),
      padding: (1, 2, 2, 1),
      groups: 6),
    Case(
      "depthwise sequence", 14, 1, 24, outputs: 24, size: (9, 1), padding: (4, 0, 4, 0), groups: 24),
    Case("transposed", 4, 3, 5, outputs: 18, size: (2, 2), stride: (2, 2), transposed: (0, 0)),
    Case(
      "transposed, all at once", 4, 5, 18, outputs: 3, size: (3, 4), stride: (2, 3),
      dilation: (2, 1), padding: (1, 2, 0, 1),
      transposed: (1, 2)),
    Case(
      "transposed, groups", 3, 4, 4, outputs: 6, size: (3, 3), stride: (2, 2),
      padding: (1, 1, 1, 1), groups: 2, transposed: (1, 1)),
  ]

  private static func operation(
    _ test: Case, isNormalized: Bool, slope: Float = 1, _ inputs: [Value], _ store: ParameterStore
  ) -> ConvolutionOperation {
    ConvolutionOperation(
      test.geometry, groups: test.groups, isTransposed: test.isTransposed,
      tensors: .init(weights: 0, bias: 1), from: inputs[0],
      to: Value(
        ValueShape(
          height: test.output.height, width: test.output.width, channelCount: test.outputs),
        learns: true), isNormalized: isNormalized, slope: slope,
      beginning: .rectified(slope: 0.1), store: store,
      matrixKernels: nil)
  }

  @Test(arguments: cases)
  func gradientsAgreeWithDifferences(_ test: Case) {
    let check = OperationCheck([test.input]) { inputs, store in
      let operation = Self.operation(test, isNormalized: false, inputs, store)
      return operation
    }
    #expect(check.compare() > 20)
  }

  /// Of 37 samples pairs share a gradient in memory, and the last one has its own.
  @Test func gradientsOfSamplesInGroupsAgreeWithDifferences() {
    let test = Self.cases[0]
    let check = OperationCheck([test.input], sampleCount: 37) { inputs, store in
      Self.operation(test, isNormalized: false, inputs, store)
    }
    #expect(check.compare() > 20)
  }

  @Test(arguments: cases)
  func gradientsAgreeWithDifferencesWhereNormalized(_ test: Case) {
    // One pixel for each sample is too little for a batch of two.
    let check = OperationCheck([test.input], sampleCount: 5) { inputs, store in
      Self.operation(test, isNormalized: true, slope: 0.3, inputs, store)
    }
    #expect(check.compare(step: 3e-4, tolerance: 0.06) > 20)
  }

  /// The definition, term by term.
  private func reference(_ test: Case, _ input: [Float], _ weights: [Float], sample: Int) -> [Float]
  {
    let (height, width, channels) = (
      test.input.height, test.input.width, test.input.channelCount
    )
    let geometry = test.geometry
    let (groupInputs, groupOutputs) = (channels / test.groups, test.outputs / test.groups)
    var output = [Float](
      repeating: 0, count: test.output.height * test.output.width * test.outputs)
    let narrow = test.isTransposed ? (height: height, width: width) : test.output
    let wide = test.isTransposed ? test.output : (height: height, width: width)
    for y in 0..<narrow.height {
      for x in 0..<narrow.width {
        for ky in 0..<geometry.kernelHeight {
          for kx in 0..<geometry.kernelWidth {
            let row = y * geometry.strideY + ky * geometry.dilationY - geometry.top
            let column = x * geometry.strideX + kx * geometry.dilationX - geometry.left
            guard row >= 0, row < wide.height, column >= 0, column < wide.width else { continue }
            let (from, to) = test.isTransposed ? ((y, x), (row, column)) : ((row, column), (y, x))
            for o in 0..<test.outputs {
              for i in 0..<groupInputs {
                let channel = o / groupOutputs * groupInputs + i
                let weight = weights[
                  ((ky * geometry.kernelWidth + kx) * groupInputs + i) * test.outputs + o]
                output[(to.0 * test.output.width + to.1) * test.outputs + o] +=
                  weight
                  * input[
                    ((sample * height + from.0) * width + from.1) * channels + channel]
              }
            }
          }
        }
      }
    }
    return output
  }

  @Test(arguments: cases, KernelImplementation.allCases.filter(\.isAvailable))
  func loadedWeightsGiveWhatTheDefinitionSays(_ test: Case, implementation: KernelImplementation) {
    var random = TrainingRandom(3)
    let count =
      test.geometry.tapCount * test.input.channelCount / test.groups * test.outputs
    let weights = (0..<count).map { _ in random.between(-1, 1) }
    let bias = (0..<test.outputs).map { _ in random.between(-1, 1) }
    let check = OperationCheck([test.input], kernels: Kernels(implementation)) { inputs, store in
      Self.operation(test, isNormalized: false, inputs, store)
    }
    check.operation.load { $0 == 0 ? weights : bias }
    let input = OperationCheck.numbers(check.inputs[0].map)
    let found = check.output()
    let expected = (0..<2).flatMap { reference(test, input, weights, sample: $0) }
    expectEqual(found.count, expected.count)
    for (index, value) in found.enumerated() {
      let wanted = expected[index] + bias[index % test.outputs]
      if abs(value - wanted) > 1e-4 { Issue.record("number \(index): \(value), not \(wanted)") }
    }
    check.store.averaged.write(check.store.values.floats(0..<check.store.count), at: 0)
    var tensors: [[Float]] = [[], []]
    check.operation.export(to: &tensors)
    expectEqual(tensors, [weights, bias])
  }
}

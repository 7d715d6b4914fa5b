internal import DiceKernelTemplates

/// The same numbers in another shape and order.
///
/// The input's numbers, in the order of `[H, W, C]`, are seen as an array of `dimensions`, whose axes
/// are put into the order `permutation`; the result is seen as the output's `[H, W, C]`.
final class RearrangementOperation: Operation {
  let output: Value
  private let input: Value
  /// For each number of the output, in its order, the input's number that it is.
  private let order: [Int]

  /// - Parameters:
  ///   - dimensions: extents whose product is the number of the input's numbers.
  ///   - permutation: output axis `k` is axis `permutation[k]` of `dimensions`.
  init(dimensions: [Int], permutation: [Int], from input: Value, to output: Value) {
    self.input = input
    self.output = output
    // Floats between neighbours along each axis of the input, in the order of the output's axes.
    var steps = [Int](repeating: 1, count: dimensions.count)
    for axis in dimensions.indices.dropLast().reversed() {
      steps[axis] = steps[axis + 1] * dimensions[axis + 1]
    }
    let axes = permutation.map { (extent: dimensions[$0], step: steps[$0]) }
    var order = [0]
    for axis in axes {
      order = order.flatMap { start in (0..<axis.extent).map { start + $0 * axis.step } }
    }
    self.order = order
  }

  /// Where a value's numbers, in the order of `[H, W, C]`, lie in a sample of a map.
  private func offsets(_ shape: ValueShape, _ map: BatchMap) -> [Int] {
    var offsets: [Int] = []
    offsets.reserveCapacity(shape.height * shape.width * shape.channelCount)
    for row in 0..<shape.height {
      for column in 0..<shape.width {
        for channel in 0..<shape.channelCount {
          offsets.append(row * map.rowStep + column * map.pixelStep + channel)
        }
      }
    }
    return offsets
  }

  private var forwardOffsets: [(from: Int, to: Int)] = []
  private var backwardOffsets: [(from: Int, to: Int)] = []

  func prepare(sampleCount: Int) -> Int {
    let (source, target) = (offsets(input.shape, input.map), offsets(output.shape, output.map))
    forwardOffsets = order.enumerated().map { (source[$1], target[$0]) }
    guard input.learns else { return 0 }
    let to = offsets(input.shape, input.gradient)
    let from = offsets(output.shape, output.gradient)
    backwardOffsets = order.enumerated().map { (from[$0], to[$1]) }
    return 0
  }

  func forward(_ pass: Pass) {
    pass.forEachSample { sample in
      let (source, target) = (input.map.origin(of: sample), output.map.origin(of: sample))
      for place in forwardOffsets { target.store(source.scalar(at: place.from), at: place.to) }
    }
  }

  func backward(_ pass: Pass) {
    guard let target = input.gradientTarget() else { return }
    pass.forEachSample { sample in
      target.begin(sample)
      let (from, to) = (output.gradient.origin(of: sample), target.map.origin(of: sample))
      for place in backwardOffsets {
        to.store(to.scalar(at: place.to) + from.scalar(at: place.from), at: place.to)
      }
    }
  }
}

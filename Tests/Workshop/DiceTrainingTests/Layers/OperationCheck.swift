import DiceKernels
import DiceNetwork
import DiceParallel
import Testing

@testable import DiceTraining

/// One operation with inputs drawn at random, whose gradients are compared with finite differences.
struct OperationCheck {
  let store = ParameterStore()
  let inputs: [Value]
  let operation: any Operation
  var pass: Pass
  private let factors: [Float]

  /// - Parameters:
  ///   - range: what the inputs' numbers are drawn from.
  ///   - make: the operation; reserves in the store what it learns.
  init(
    _ shapes: [ValueShape], sampleCount: Int = 2, kernels: Kernels = Kernels(), seed: UInt64 = 7,
    range: ClosedRange<Float> = -1.5...1.5,
    make: (_ inputs: [Value], ParameterStore) -> any Operation
  ) {
    inputs = shapes.map { Value($0, learns: true) }
    operation = make(inputs, store)
    pass = Pass(
      kernels: kernels, pool: WorkerPool(threadCount: 2), sampleCount: sampleCount)
    store.allocate()
    var random = TrainingRandom(seed)
    operation.initialize(using: &random)
    // Away from the beginning, so that every factor is seen.
    for slot in store.slots {
      for index in slot.range where store.values[index] != 0 {
        store.values[index] += random.between(-0.2, 0.2)
      }
    }
    for value in inputs + [operation.output] { value.allocate(sampleCount: sampleCount) }
    let scratch = ScratchMemory(
      floatCount: operation.prepare(sampleCount: sampleCount), threadCount: 2)
    operation.use(scratch)
    for input in inputs {
      Self.forEachNumber(input.map) { map, sample, row, offset in
        map.row(row, of: sample).store(
          random.between(range.lowerBound, range.upperBound), at: offset)
      }
    }
    let shape = operation.output.shape
    factors = (0..<sampleCount * shape.height * shape.width * shape.channelCount).map { _ in
      random.between(-1, 1)
    }
  }

  static func forEachNumber(
    _ map: BatchMap, _ body: (_ map: BatchMap, _ sample: Int, _ row: Int, _ offset: Int) -> Void
  ) {
    for sample in 0..<map.sampleCount {
      for row in 0..<map.height {
        for column in 0..<map.width {
          for channel in 0..<map.channelCount {
            body(map, sample, row, column * map.pixelStep + channel)
          }
        }
      }
    }
  }

  /// The numbers of a map, `[sample, H, W, C]`.
  static func numbers(_ map: BatchMap) -> [Float] {
    var numbers: [Float] = []
    forEachNumber(map) { numbers.append($0.row($2, of: $1).scalar(at: $3)) }
    return numbers
  }

  /// The output after a forward pass, `[sample, H, W, C]`.
  func output() -> [Float] {
    operation.forward(pass)
    return Self.numbers(operation.output.map)
  }

  /// `Σ c · output`, whose gradient by the output is `c` itself.
  private func value() -> Double {
    zip(output(), factors).reduce(0) { $0 + Double($1.0) * Double($1.1) }
  }

  private func backward() {
    operation.forward(pass)
    operation.output.beginBackward()
    _ = operation.output.gradientTarget()
    var index = 0
    Self.forEachNumber(operation.output.gradient) {
      $0.row($2, of: $1).store(factors[index], at: $3)
      index += 1
    }
    operation.backward(pass)
  }

  /// Compares the gradients of inputs and learnt values with differences.
  ///
  /// - Parameters:
  ///   - step: what numbers are changed by, either way.
  ///   - tolerance: the greatest deviation, as a share of the greatest derivative.
  /// - Returns: how many derivatives were compared.
  @discardableResult
  func compare(
    step: Float = 4e-3, tolerance: Double = 0.02, sourceLocation: SourceLocation = #_sourceLocation
  ) -> Int {
    for input in inputs { input.beginBackward() }
    backward()
    let gradients = inputs.map { Self.numbers($0.gradient) }
    let learnt = store.gradient.floats(0..<store.count)
    #expect(isClean(), "channels that are none stay zero", sourceLocation: sourceLocation)

    // A second pass adds to what is there.
    for input in inputs { _ = input.gradientTarget() }
    backward()
    for (input, gradient) in zip(inputs, gradients) {
      let sums = Self.numbers(input.gradient)
      let greatest = gradient.reduce(Float(0)) { max($0, abs($1)) }
      let isDoubled = zip(sums, gradient).allSatisfy {
        abs($0 - 2 * $1) <= 1e-5 * max(1, greatest)
      }
      #expect(isDoubled, "gradients are added", sourceLocation: sourceLocation)
    }

    var count = 0
    for (number, input) in inputs.enumerated() {
      var index = 0
      var places: [(BatchMap, Int, Int, Int)] = []
      Self.forEachNumber(input.map) { places.append(($0, $1, $2, $3)) }
      let greatest = gradients[number].reduce(0.0) { max($0, abs(Double($1))) }
      let stride = max(1, places.count / 60)
      while index < places.count {
        let (map, sample, row, offset) = places[index]
        let address = map.row(row, of: sample)
        let old = address.scalar(at: offset)
        address.store(old + step, at: offset)
        let high = value()
        address.store(old - step, at: offset)
        let low = value()
        address.store(old, at: offset)
        let difference = (high - low) / (2 * Double(step))
        #expect(
          abs(difference - Double(gradients[number][index])) <= tolerance * greatest + 1e-3,
          "input \(number), number \(index)", sourceLocation: sourceLocation)
        count += 1
        index += stride
      }
    }
    for slot in store.slots {
      let greatest = slot.range.reduce(0.0) { max($0, abs(Double(learnt[$1]))) }
      let used = slot.range.filter { store.values[$0] != 0 || learnt[$0] != 0 }
      for index in used.enumerated().filter({ $0.offset % max(1, used.count / 40) == 0 }) {
        let place = index.element
        let old = store.values[place]
        store.values[place] = old + step
        let high = value()
        store.values[place] = old - step
        let low = value()
        store.values[place] = old
        let difference = (high - low) / (2 * Double(step))
        #expect(
          abs(difference - Double(learnt[place])) <= tolerance * greatest + 1e-3,
          "learnt value \(place)", sourceLocation: sourceLocation)
        count += 1
      }
    }
    return count
  }

  /// Whether channels between the last and the next pixel are zero in the output.
  private func isClean() -> Bool {
    let map = operation.output.map
    for sample in 0..<map.sampleCount {
      for row in 0..<map.height {
        for column in 0..<map.width {
          for channel in map.channelCount..<map.pixelStep
          where map.row(row, of: sample).scalar(at: column * map.pixelStep + channel) != 0 {
            return false
          }
        }
      }
    }
    return true
  }
}

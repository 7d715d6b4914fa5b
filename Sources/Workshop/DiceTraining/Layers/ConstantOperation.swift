/// The numbers of a tensor as a value; they are not learnt.
final class ConstantOperation: Operation {
  let output: Value
  private let tensor: Int
  private let numbers: [Float]

  /// - Parameter numbers: in the order of `[H, W, C]`.
  init(_ numbers: [Float], tensor: Int, to output: Value) {
    let shape = output.shape
    precondition(
      numbers.count == shape.height * shape.width * shape.channelCount, "numbers fit the value")
    self.numbers = numbers
    self.tensor = tensor
    self.output = output
  }

  func prepare(sampleCount: Int) -> Int {
    for sample in 0..<sampleCount {
      SampleInput(map: output.map, sample: sample).write(numbers)
    }
    return 0
  }

  func forward(_ pass: Pass) {}

  func backward(_ pass: Pass) {}

  func export(to tensors: inout [[Float]]) { tensors[tensor] = numbers }
}

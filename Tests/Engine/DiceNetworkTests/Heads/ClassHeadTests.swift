import DiceWeights
import TestSupport
import Testing

@testable import DiceNetwork

struct ClassHeadTests {
  private let shape = TensorShape(height: 1, width: 1, channels: 3)

  private func output(_ head: NetworkHead?) -> NetworkOutput {
    NetworkOutput(name: "class", layer: 0, head: head)
  }

  @Test func takesTheLabelsOfAHead() throws {
    let head = try ClassHead(output(ClassHead.head(labels: ["a", "b", "c"])), shape: shape)
    expectEqual(head.labels, ["a", "b", "c"])
  }

  @Test func namesTheBrokenRule() {
    #expect(throws: ClassHeadError.noHead(output: "class")) {
      try ClassHead(output(nil), shape: shape)
    }
    #expect(
      throws: ClassHeadError.wrongKind(
        output: "class", found: "grid boxes", required: "class logits")
    ) { try ClassHead(output(NetworkHead(kind: "grid boxes", labels: ["a"])), shape: shape) }
    for labels in [[], ["a"], ["a", "b"], ["a", "b", "c", "d"]] {
      #expect(
        throws: ClassHeadError.labelCount(output: "class", found: labels.count, valueCount: 3)
      ) { try ClassHead(output(ClassHead.head(labels: labels)), shape: shape) }
    }
  }

  @Test func softmaxSumsToOneAndKeepsTheOrder() {
    var values: [Float] = [1, 3, -2]
    ClassHead.softmax(&values)
    // Computed with NumPy: exp(x) / exp(x).sum().
    let expected: [Float] = [0.118_499_66, 0.875_600_6, 0.005_899_75]
    for (value, wanted) in zip(values, expected) { #expect(abs(value - wanted) < 1e-6) }
  }
}

import DiceModelImport
import DiceWeights
import TestSupport
import Testing

struct DarknetImportTests {
  private static let configuration = """
    [net]
    width=4  # columns
    height=4
    channels=2
    [convolutional]
    batch_normalize=1
    filters=4
    size=3
    stride=1
    pad=1
    activation=leaky
    [maxpool]
    size=2
    stride=2
    [reorg]
    stride=2
    [route]
    layers=-2
    groups=2
    group_id=1
    [upsample]
    stride=2
    [convolutional]
    filters=12
    activation=linear
    [yolo]
    mask=1
    anchors=1,2, 3,4
    classes=7
    num=2
    """

  /// A header of version 0.2 and so many numbers.
  private static func weights(_ count: Int) -> [UInt8] {
    [0, 0, 0, 0, 2, 0, 0, 0] + [UInt8](repeating: 0, count: 12)
      + (0..<count).flatMap { Message.little(Float($0 % 5) / 4) }
  }

  /// 4 biases, scales, means and variances, 4 * 2 * 9 weights; 12 biases, 12 * 2 weights.
  private static let numberCount = 16 + 72 + 12 + 24

  private static func imported(
    _ text: String = configuration, _ bytes: [UInt8] = weights(numberCount),
    labels: [String] = []
  ) throws -> ImportedModel {
    try ModelImporter.importDarknet(
      configuration: Array(text.utf8), weights: bytes, labels: labels)
  }

  @Test func aHeadIsAnOutputThatIsNotDecoded() throws {
    let model = try Self.imported(labels: ["a", "b", "c", "d", "e", "f", "g"])
    expectEqual(model.outputs.map { $0.name }, ["yolo_6"])
    expectEqual(model.outputs[0].shape, [1, 12, 4, 4])
    let head = try #require(model.description.outputs[0].head)
    expectEqual(head.labels.count, 7)
    expectEqual(head.parameters.first { $0.name == "anchors" }?.values, [3, 4])
    expectEqual(head.parameters.first { $0.name == "stride" }?.values, [1, 1])
  }

  @Test func everyByteOfTheWeightsIsUsed() throws {
    for count in [Self.numberCount - 1, Self.numberCount + 1] {
      #expect(throws: ModelImportError.self) {
        try Self.imported(Self.configuration, Self.weights(count))
      }
    }
    for count in 0..<24 {
      #expect(throws: ModelImportError.self) {
        try Self.imported(
          Self.configuration, Array(Self.weights(Self.numberCount).prefix(count)))
      }
    }
  }

  @Test func whatCannotBeCarriedOverIsToldByNameAndLine() {
    let text = Self.configuration.replacing("[reorg]", with: "[lstm]")
    let error = #expect(throws: ModelImportError.self) { try Self.imported(text) }
    if case .unsupported(let operations) = error {
      expectEqual(operations.map { $0.name }, ["[lstm]"])
      expectEqual(operations[0].place, "[lstm] in line 15")
    } else {
      Issue.record("\(String(describing: error))")
    }
  }

  @Test func damagedConfigurationsAreErrors() {
    let bytes = Array(Self.configuration.utf8)
    let weights = Self.weights(Self.numberCount)
    var changed = bytes
    for index in bytes.indices {
      for value in Array("09-,[=\n\u{0}".utf8) {
        changed[index] = value
        _ = try? ModelImporter.importDarknet(configuration: changed, weights: weights)
      }
      changed[index] = bytes[index]
    }
    for text in [
      "", "x=1", "[convolutional]", "[net]\nwidth=0", "[net]\nwidth=99999999999999999999",
    ] {
      #expect(throws: ModelImportError.self) { try Self.imported(text) }
    }
  }
}

import DiceWeights
import TestSupport
import Testing

/// Every file under `Fixtures/invalid/weights` gives exactly the error of the rule in its name.
struct InvalidWeightFileTests {
  /// A file and the error that it must give.
  struct Case: Sendable, CustomTestStringConvertible {
    let name: String
    let error: WeightFileError

    init(_ name: String, _ error: WeightFileError) {
      self.name = name
      self.error = error
    }

    var testDescription: String { name }
  }

  static let all: [Case] = description + layers + weights
  private static let description = header + sections + inputs + outputs
  private static let layers = records + operands
  private static let weights = tables + tensors

  @Test(arguments: all)
  func givesTheErrorOfItsRule(invalid: Case) throws {
    let bytes = try Fixtures.bytes("invalid/weights/\(invalid.name).dvweights")
    let error = try #require(throws: WeightFileError.self) { _ = try WeightFile(bytes: bytes) }
    // NaN differs from itself; there the description, which names the NaN, has to do.
    let isNotANumber = "\(invalid.error)".contains(" nan")
    #expect(error == invalid.error || isNotANumber)
    expectEqual("\(error)", "\(invalid.error)")
  }

  @Test func hasACaseForEveryFile() throws {
    let names = try Fixtures.names(in: "invalid/weights").filter { $0.hasSuffix(".dvweights") }
    #expect(names.count > 200)
    expectEqual(Set(names), Set(Self.all.map { "\($0.name).dvweights" }))
    expectEqual(names.count, Self.all.count)
  }

  @Test func nameOfEveryFileHasTheRuleThatTheDocumentGivesToItsError() throws {
    let rules = try FormatDocument.rules()
    expectEqual(rules.count, 73)
    expectEqual(Set(rules.values).count, 73, "each rule has an error of its own")
    // 256 MiB are too much for a file here; another test lowers the limit.
    var seen: Set<String> = ["W04"]
    for invalid in Self.all {
      let rule = String(invalid.name.prefix(3))
      expectEqual(rules[rule], invalid.error.caseName, "\(invalid.name)")
      seen.insert(rule)
    }
    expectEqual(seen, Set(rules.keys))
  }

  @Test func everyErrorSaysSomethingDifferentInOneSentence() {
    let shape = TensorShape(height: 1, width: 2, channels: 3)
    let others: [WeightFileError] = [
      .fileTooLarge(byteCount: 5, limit: 4), .valueListCount(found: 1, required: 2),
      .storageCount(found: 1, required: 2), .valueCount(tensor: 1, found: 2, required: 3),
      .valueTooLarge(tensor: 1, element: 2, found: 70_000, storage: .float16),
      .shapeCount(found: 1, required: 2), .fixedShape(input: 1, found: shape, required: shape),
      .sizeMultiple(input: 1, found: shape, multiple: 4),
    ]
    var cases: [String: String] = [:]
    for error in Self.all.map(\.error) + others {
      let text = error.description
      #expect(text.hasSuffix(".") && text.count > 20, "\(error.caseName)")
      expectEqual(text.first?.isUppercase, true, "\(text)")
      cases[error.caseName] = text
    }
    expectEqual(cases.count, 80)
    expectEqual(Set(cases.values).count, 80)
  }

  @Test func everyOptionOfALayerIsNamed() {
    var options: Set<WeightFileError.LayerOption> = []
    var texts: Set<String> = []
    for invalid in Self.all {
      guard case .unknownLayerOption(_, let option, _) = invalid.error else { continue }
      options.insert(option)
      texts.insert(option.description)
    }
    #expect(options.count == 10 && texts.count == 10)
  }
}

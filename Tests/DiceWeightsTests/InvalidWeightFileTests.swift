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

  private static let all = header + sections + codes + meaning + layers + heads + tensors

  @Test(arguments: all)
  func givesTheErrorOfItsRule(invalid: Case) throws {
    let bytes = try Fixtures.bytes("invalid/weights/\(invalid.name).dvweights")
    let error = try #require(throws: WeightFileError.self) { _ = try WeightFile(bytes: bytes) }
    // NaN differs from itself; there the description, which names the NaN, has to do.
    let isNotANumber = "\(invalid.error)".contains(" nan")
    #expect(error == invalid.error || isNotANumber)
    #expect("\(error)" == "\(invalid.error)")
  }

  @Test func hasACaseForEveryFile() throws {
    let names = try Fixtures.names(in: "invalid/weights").filter { $0.hasSuffix(".dvweights") }
    #expect(names.count > 100)
    #expect(Set(names) == Set(Self.all.map { "\($0.name).dvweights" }))
    #expect(names.count == Self.all.count)
  }

  @Test func nameOfEveryFileHasTheRuleThatTheDocumentGivesToItsError() throws {
    let rules = try FormatDocument.rules()
    #expect(rules.count == 59)
    var seen: Set<String> = ["W04"]
    for invalid in Self.all {
      let rule = String(invalid.name.prefix(3))
      #expect(rules[rule] == invalid.error.caseName, "\(invalid.name)")
      seen.insert(rule)
    }
    #expect(seen == Set(rules.keys))
  }

  @Test func everyErrorSaysSomethingDifferentInOneSentence() {
    let writing: [WeightFileError] = [
      .fileTooLarge(byteCount: 5, limit: 4), .valueListCount(found: 1, required: 2),
      .storageCount(found: 1, required: 2), .valueCount(tensor: 1, found: 2, required: 3),
      .valueTooLarge(tensor: 1, element: 2, found: 70_000, storage: .float16),
    ]
    var cases: [String: String] = [:]
    for error in Self.all.map(\.error) + writing {
      let text = error.description
      #expect(text.hasSuffix(".") && text.count > 20, "\(error.caseName)")
      #expect(text.first?.isUppercase == true, "\(text)")
      cases[error.caseName] = text
    }
    #expect(cases.count == 63)
    #expect(Set(cases.values).count == 63)
  }

  private static let header: [Case] = [
    Case("W01-empty", .wrongMagic(found: [])),
    Case("W01-magic-line-feed", .wrongMagic(found: [137, 68, 86, 87, 10, 26, 10, 0])),
    Case("W02-header-truncated", .headerTruncated(byteCount: 63, required: 64)),
    Case("W03-version-0", .unsupportedVersion(major: 0, minor: 0, supportedMajor: 1)),
    Case("W03-version-2", .unsupportedVersion(major: 2, minor: 0, supportedMajor: 1)),
    Case("W05-appended", .wrongByteCount(stated: 396, found: 397)),
    Case("W05-cut", .wrongByteCount(stated: 396, found: 395)),
    Case("W06-checksum", .wrongChecksum(stated: 0x700860E26B1F23B1, computed: 0x821B9AD02092D32A)),
    Case("W07-header", .reservedByteNotZero(offset: 63)),
    Case("W07-input", .reservedByteNotZero(offset: 96)),
    Case("W07-pooling", .reservedByteNotZero(offset: 209)),
    Case("W07-slope", .reservedByteNotZero(offset: 189)),
    Case("W07-tensor", .reservedByteNotZero(offset: 232)),
    Case("W08-description-beyond-file", .descriptionTooLong(byteCount: 1238, limit: 332)),
  ]

  private static let sections: [Case] = [
    Case("W09-name", .unexpectedSection(found: [78, 65, 77, 70], required: "NAME", offset: 64)),
    Case(
      "W09-unknown-in-known-version",
      .unexpectedSection(found: [110, 111, 116, 101], required: "", offset: 302)),
    Case(
      "W09-unknown-required-in-newer-version",
      .unexpectedSection(found: [78, 79, 84, 69], required: "", offset: 302)),
    Case("W10-description", .sectionTruncated(section: "", offset: 298, required: 4, available: 3)),
    Case("W10-field", .sectionTruncated(section: "THRS", offset: 150, required: 4, available: 0)),
    Case(
      "W10-section",
      .sectionTruncated(section: "", offset: 72, required: 2_147_483_648, available: 230)),
    Case("W10-text", .sectionTruncated(section: "NAME", offset: 76, required: 9, available: 1)),
    Case("W10-unknown", .sectionTruncated(section: "", offset: 306, required: 4, available: 0)),
    Case("W11-thresholds", .sectionTooLong(section: "THRS", unused: 1)),
    Case("W12-empty-key", .textLength(.provenanceKey(0), byteCount: 0, allowed: 1...64)),
    Case("W12-empty-label", .textLength(.label(0), byteCount: 0, allowed: 1...64)),
    Case("W12-empty-name", .textLength(.name, byteCount: 0, allowed: 1...256)),
    Case("W12-long-label", .textLength(.label(0), byteCount: 65, allowed: 1...64)),
    Case("W12-long-name", .textLength(.name, byteCount: 257, allowed: 1...256)),
    Case(
      "W12-long-value", .textLength(.provenanceValue(0), byteCount: 65_537, allowed: 0...65_536)),
    Case("W13-cut", .textNotUTF8(.provenanceValue(0))),
    Case("W13-overlong", .textNotUTF8(.name)),
    Case("W13-surrogate", .textNotUTF8(.label(0))),
  ]

  private static let codes: [Case] = [
    Case("W14-channel-order", .unknownChannelOrder(code: 2)),
    Case("W15-crop-and-scale", .unknownCropAndScale(code: 3)),
    Case("W16-labels", .labelCount(found: 1025, allowed: 1...1024)),
    Case("W16-no-labels", .labelCount(found: 0, allowed: 1...1024)),
    Case("W17-layers", .layerCount(found: 1025, allowed: 1...1024)),
    Case("W17-no-layers", .layerCount(found: 0, allowed: 1...1024)),
    Case("W18-layer-kind-0", .unknownLayerKind(layer: 1, code: 0)),
    Case("W18-layer-kind-7", .unknownLayerKind(layer: 1, code: 7)),
    Case("W19-concatenation", .layerRecordLength(layer: 1, found: 13, required: 12)),
    Case("W19-short", .layerRecordLength(layer: 1, found: 15, required: 16)),
    Case("W20-activation", .unknownActivation(layer: 0, code: 3)),
    Case("W21-many", .concatenationCount(layer: 1, found: 65, allowed: 2...64)),
    Case("W21-one", .concatenationCount(layer: 1, found: 1, allowed: 2...64)),
    Case("W22-no-tensors", .tensorCount(found: 0, allowed: 1...4096)),
    Case("W22-tensors", .tensorCount(found: 4097, allowed: 1...4096)),
    Case("W23-storage-0", .unknownStorage(tensor: 1, code: 0)),
    Case("W23-storage-5", .unknownStorage(tensor: 1, code: 5)),
    Case("W24-rank-0", .tensorRank(tensor: 1, found: 0, allowed: 1...4)),
    Case("W24-rank-5", .tensorRank(tensor: 0, found: 5, allowed: 1...4)),
    Case("W25-dimension-0", .tensorDimension(tensor: 0, found: 0, allowed: 1...4096)),
    Case("W25-dimension-4097", .tensorDimension(tensor: 0, found: 4097, allowed: 1...4096)),
    Case(
      "W25-dimension-4294967295", .tensorDimension(tensor: 0, found: 4294967295, allowed: 1...4096)),
    Case("W26-provenance", .provenanceCount(found: 257, allowed: 0...256)),
  ]

  private static let meaning: [Case] = [
    Case("W27-direction", .forbiddenCharacter(.provenanceValue(0), scalar: 0x202E)),
    Case("W27-escape", .forbiddenCharacter(.name, scalar: 0x1B)),
    Case("W27-line-feed", .forbiddenCharacter(.label(0), scalar: 0xA)),
    Case("W28-label", .duplicateLabel(index: 2, label: "1")),
    Case("W29-size-0-32", .inputSize(width: 0, height: 32)),
    Case("W29-size-32-48", .inputSize(width: 32, height: 48)),
    Case("W29-size-4128-32", .inputSize(width: 4128, height: 32)),
    Case("W30-infinite", .inputScale(channel: 1, found: .infinity)),
    Case("W30-nan", .inputScale(channel: 1, found: .nan)),
    Case("W30-zero", .inputScale(channel: 1, found: 0.0)),
    Case("W31-nan", .inputBias(channel: 2, found: .nan)),
    Case("W32-confidence", .thresholdOutOfRange(.confidence, found: -0.5)),
    Case("W32-nan", .thresholdOutOfRange(.intersectionOverUnion, found: .nan)),
    Case("W32-overlap", .thresholdOutOfRange(.intersectionOverUnion, found: 1.5)),
  ]

  private static let layers: [Case] = [
    Case("W33-far", .sourceNotEarlier(layer: 0, source: 4_294_967_294)),
    Case("W33-itself", .sourceNotEarlier(layer: 0, source: 0)),
    Case("W34-head", .sourceIsDetectionHead(layer: 2, source: 1)),
    Case("W35-kernel-0", .kernelSize(layer: 0, found: 0, allowed: 1...7)),
    Case("W35-kernel-8", .kernelSize(layer: 0, found: 8, allowed: 1...7)),
    Case("W35-pooling-16", .kernelSize(layer: 1, found: 16, allowed: 1...15)),
    Case("W36-stride-0", .stride(layer: 0, found: 0)),
    Case("W36-stride-3", .stride(layer: 0, found: 3)),
    Case("W37-even-kernel", .padding(layer: 0, found: 0, kernelSize: 2, stride: 1)),
    Case("W37-no-padding", .padding(layer: 0, found: 0, kernelSize: 3, stride: 1)),
    Case("W37-padding", .padding(layer: 0, found: 1, kernelSize: 1, stride: 1)),
    Case("W37-pooling", .padding(layer: 1, found: 1, kernelSize: 5, stride: 1)),
    Case("W38-nan", .activationSlope(layer: 0, found: .nan)),
    Case("W38-slope", .activationSlope(layer: 0, found: 1.5)),
    Case("W39-factor-1", .upsamplingFactor(layer: 1, found: 1, allowed: 2...32)),
    Case("W39-factor-33", .upsamplingFactor(layer: 1, found: 33, allowed: 2...32)),
    Case("W40-concatenation", .channelCount(layer: 2, found: 8192, allowed: 1...4096)),
    Case("W40-no-channels", .channelCount(layer: 0, found: 0, allowed: 1...4096)),
    Case("W41-addition", .channelMismatch(layer: 1, found: 3, required: 6)),
    Case("W41-convolution", .channelMismatch(layer: 0, found: 3, required: 4)),
    Case("W41-head", .channelMismatch(layer: 1, found: 6, required: 7)),
    Case("W42-addition", .downsamplingMismatch(layer: 2, found: 1, required: 2)),
    Case("W42-concatenation", .downsamplingMismatch(layer: 2, found: 2, required: 1)),
    Case("W43-large", .downsamplingOutOfRange(layer: 2, source: 2, stride: 1, factor: 4)),
    Case("W43-small", .downsamplingOutOfRange(layer: 6, source: 32, stride: 2, factor: 1)),
  ]

  private static let heads: [Case] = [
    Case("W44-classes", .headClassCount(layer: 1, found: 2, required: 1)),
    Case("W45-infinite", .headBaseSize(layer: 1, found: .infinity)),
    Case("W45-nan", .headBaseSize(layer: 1, found: .nan)),
    Case("W45-zero", .headBaseSize(layer: 1, found: 0.0)),
    Case("W46-stride", .headStride(layer: 1, found: 2, required: 1)),
    Case("W47-bias", .tensorIndex(layer: 0, found: 4_294_967_295, tensorCount: 2)),
    Case("W47-weights", .tensorIndex(layer: 0, found: 2, tensorCount: 2)),
    Case("W48-large", .tensorTooLarge(tensor: 2, elementCount: 822_083_584, limit: 268_435_456)),
    Case(
      "W49-order", .tensorShape(layer: 0, tensor: 0, found: [1, 1, 6, 3], required: [1, 1, 3, 6])),
    Case("W49-rank", .tensorShape(layer: 0, tensor: 0, found: [18], required: [1, 1, 3, 6])),
    Case(
      "W49-shared", .tensorShape(layer: 1, tensor: 0, found: [1, 1, 3, 6], required: [1, 1, 6, 6])),
    Case("W50-head", .noDetectionHead),
    Case("W51-layer", .unusedLayer(layer: 1)),
    Case("W52-all", .unusedTensor(tensor: 0)),
    Case("W52-gap", .unusedTensor(tensor: 1)),
    Case("W52-tensor", .unusedTensor(tensor: 2)),
  ]

  private static let tensors: [Case] = [
    Case("W53-long", .tensorByteCount(tensor: 1, found: 14, required: 12)),
    Case("W53-short", .tensorByteCount(tensor: 1, found: 10, required: 12)),
    Case("W54-descending", .tensorOffset(tensor: 0, found: 384, required: 320)),
    Case("W54-hole", .tensorOffset(tensor: 1, found: 448, required: 384)),
    Case("W54-huge", .tensorOffset(tensor: 1, found: 9223372036854776192, required: 384)),
    Case("W54-overlap", .tensorOffset(tensor: 1, found: 320, required: 384)),
    Case("W54-unaligned", .tensorOffset(tensor: 0, found: 322, required: 320)),
    Case("W55-before-all", .tensorsEnd(found: 356, byteCount: 302)),
    Case("W55-before", .tensorsEnd(found: 396, byteCount: 360)),
    Case("W55-behind", .tensorsEnd(found: 396, byteCount: 397)),
    Case("W55-within", .tensorsEnd(found: 396, byteCount: 395)),
    Case("W56-between", .gapByteNotZero(offset: 383)),
    Case("W56-gap", .gapByteNotZero(offset: 302)),
    Case("W57-bfloat16-infinite", .valueNotFinite(tensor: 0, element: 17)),
    Case("W57-bfloat16-minus-infinite", .valueNotFinite(tensor: 0, element: 17)),
    Case("W57-bfloat16-nan", .valueNotFinite(tensor: 0, element: 17)),
    Case("W57-float16-infinite", .valueNotFinite(tensor: 0, element: 17)),
    Case("W57-float16-minus-infinite", .valueNotFinite(tensor: 0, element: 17)),
    Case("W57-float16-nan", .valueNotFinite(tensor: 0, element: 17)),
    Case("W57-float32-infinite", .valueNotFinite(tensor: 0, element: 17)),
    Case("W57-float32-minus-infinite", .valueNotFinite(tensor: 0, element: 17)),
    Case("W57-float32-nan", .valueNotFinite(tensor: 0, element: 17)),
    Case("W58-infinite", .quantizationScale(tensor: 0, channel: 3, found: .infinity)),
    Case("W58-large", .quantizationScale(tensor: 0, channel: 3, found: 3e+38)),
    Case("W58-minus-zero", .quantizationScale(tensor: 0, channel: 3, found: -0.0)),
    Case("W58-nan", .quantizationScale(tensor: 0, channel: 3, found: .nan)),
    Case("W58-negative", .quantizationScale(tensor: 0, channel: 3, found: -1.0)),
    Case("W59-int8", .quantizedValue(tensor: 0, element: 7)),
  ]
}

import DiceWeights

extension InvalidWeightFileTests {
  static let header: [Case] = [
    Case("W01-empty", .wrongMagic(found: [])),
    Case("W01-magic-line-feed", .wrongMagic(found: [137, 68, 86, 87, 10, 26, 10, 0])),
    Case("W02-header-truncated", .headerTruncated(byteCount: 63, required: 64)),
    Case("W03-version-0", .unsupportedVersion(major: 0, minor: 0, supportedMajor: 2)),
    Case("W03-version-1", .unsupportedVersion(major: 1, minor: 0, supportedMajor: 2)),
    Case("W03-version-3", .unsupportedVersion(major: 3, minor: 0, supportedMajor: 2)),
    Case("W05-appended", .wrongByteCount(stated: 460, found: 461)),
    Case("W05-cut", .wrongByteCount(stated: 460, found: 459)),
    Case(
      "W06-checksum",
      .wrongChecksum(stated: 3_363_463_720_659_171_445, computed: 15_193_043_397_438_992_045)),
    Case("W07-header", .reservedByteNotZero(offset: 63)),
    Case("W08-description-beyond-file", .descriptionTooLong(byteCount: 1310, limit: 396)),
  ]

  static let sections: [Case] = [
    Case("W09-name", .unexpectedSection(found: [78, 65, 77, 70], required: "NAME", offset: 64)),
    Case(
      "W09-unknown-in-known-version",
      .unexpectedSection(found: [110, 111, 116, 101], required: "", offset: 374)),
    Case(
      "W09-unknown-required-in-newer-version",
      .unexpectedSection(found: [78, 79, 84, 69], required: "", offset: 374)),
    Case("W10-count", .sectionTruncated(section: "OUTP", offset: 232, required: 4, available: 0)),
    Case("W10-description", .sectionTruncated(section: "", offset: 370, required: 4, available: 3)),
    Case("W10-field", .sectionTruncated(section: "INPT", offset: 146, required: 4, available: 2)),
    Case(
      "W10-section",
      .sectionTruncated(section: "", offset: 72, required: 2_147_483_648, available: 302)),
    Case("W10-text", .sectionTruncated(section: "NAME", offset: 76, required: 9, available: 1)),
    Case("W10-unknown", .sectionTruncated(section: "", offset: 378, required: 4, available: 0)),
    Case("W11-layers", .sectionTooLong(section: "LAYR", unused: 45)),
    Case("W11-task", .sectionTooLong(section: "TASK", unused: 1)),
    Case("W12-empty-input", .textLength(.inputName(0), byteCount: 0, allowed: 1...256)),
    Case("W12-empty-key", .textLength(.provenanceKey(0), byteCount: 0, allowed: 1...64)),
    Case(
      "W12-empty-label", .textLength(.label(output: 0, index: 0), byteCount: 0, allowed: 1...256)),
    Case("W12-empty-name", .textLength(.name, byteCount: 0, allowed: 1...256)),
    Case(
      "W12-empty-parameter",
      .textLength(.headParameter(output: 0, index: 0), byteCount: 0, allowed: 1...64)),
    Case("W12-long-kind", .textLength(.headKind(output: 0), byteCount: 65, allowed: 0...64)),
    Case(
      "W12-long-label", .textLength(.label(output: 0, index: 0), byteCount: 257, allowed: 1...256)),
    Case("W12-long-name", .textLength(.name, byteCount: 257, allowed: 1...256)),
    Case("W12-long-output", .textLength(.outputName(0), byteCount: 257, allowed: 1...256)),
    Case("W12-long-profile", .textLength(.profileName(0), byteCount: 65, allowed: 1...64)),
    Case("W12-long-task", .textLength(.task, byteCount: 65, allowed: 0...64)),
    Case("W12-long-value", .textLength(.provenanceValue(0), byteCount: 65537, allowed: 0...65536)),
    Case("W13-cut", .textNotUTF8(.provenanceValue(0))),
    Case("W13-overlong", .textNotUTF8(.name)),
    Case("W13-surrogate", .textNotUTF8(.label(output: 0, index: 0))),
    Case("W14-direction", .forbiddenCharacter(.provenanceValue(0), scalar: 8238)),
    Case("W14-escape", .forbiddenCharacter(.name, scalar: 27)),
    Case("W14-line-feed", .forbiddenCharacter(.label(output: 0, index: 0), scalar: 10)),
    Case("W14-task", .forbiddenCharacter(.task, scalar: 127)),
    Case("W15-input", .duplicateName(.inputName(1), text: "x")),
    Case("W15-label", .duplicateName(.label(output: 0, index: 2), text: "1")),
    Case("W15-output", .duplicateName(.outputName(2), text: "y")),
    Case("W15-parameter", .duplicateName(.headParameter(output: 0, index: 1), text: "a")),
    Case("W15-profile", .duplicateName(.profileName(2), text: "a")),
  ]

  static let inputs: [Case] = [
    Case("W16-inputs", .inputCount(found: 65, allowed: 1...64)),
    Case("W16-no-inputs", .inputCount(found: 0, allowed: 1...64)),
    Case(
      "W17-channels", .inputShape(input: 0, found: TensorShape(height: 1, width: 1, channels: 0))),
    Case(
      "W17-columns",
      .inputShape(input: 0, found: TensorShape(height: 32, width: 16385, channels: 3))),
    Case(
      "W17-many-channels",
      .inputShape(input: 0, found: TensorShape(height: 1, width: 1, channels: 1_048_577))),
    Case("W17-rows", .inputShape(input: 0, found: TensorShape(height: 0, width: 32, channels: 3))),
    Case(
      "W17-values",
      .inputShape(input: 0, found: TensorShape(height: 16384, width: 16384, channels: 2))),
    Case("W18-content", .unknownInputContent(input: 0, code: 4)),
    Case("W19-channel-order", .unknownChannelOrder(input: 0, code: 3)),
    Case("W20-crop-and-scale", .unknownCropAndScale(input: 0, code: 3)),
    Case("W21-colour", .imageChannels(input: 0, found: 1, required: 3)),
    Case("W21-gray", .imageChannels(input: 0, found: 3, required: 1)),
    Case("W22-infinite", .inputScale(input: 0, channel: 1, found: .infinity)),
    Case("W22-nan", .inputScale(input: 0, channel: 1, found: .nan)),
    Case("W22-zero", .inputScale(input: 0, channel: 1, found: 0)),
    Case("W23-nan", .inputBias(input: 0, channel: 2, found: .nan)),
    Case("W24-input", .unusedInput(input: 1)),
  ]

  static let outputs: [Case] = [
    Case("W25-no-outputs", .outputCount(found: 0, allowed: 1...256)),
    Case("W25-outputs", .outputCount(found: 257, allowed: 1...256)),
    Case("W26-far", .outputLayer(output: 0, found: 4_294_967_295, layerCount: 1)),
    Case("W26-next", .outputLayer(output: 0, found: 1, layerCount: 1)),
    Case("W27-labels", .labelCount(output: 0, found: 65537, allowed: 0...65536)),
    Case("W28-parameters", .headParameterCount(output: 0, found: 257, allowed: 0...256)),
    Case("W29-profile", .profileCount(found: 257, allowed: 0...256)),
    Case(
      "W30-no-numbers",
      .numberCount(.headParameter(output: 0, index: 0), found: 0, allowed: 1...65536)),
    Case("W30-numbers", .numberCount(.profileName(0), found: 65537, allowed: 1...65536)),
    Case("W31-infinite", .numberNotFinite(.profileName(0), index: 0, found: -.infinity)),
    Case("W31-nan", .numberNotFinite(.headParameter(output: 0, index: 1), index: 1, found: .nan)),
    Case("W32-provenance", .provenanceCount(found: 257, allowed: 0...256)),
  ]
}

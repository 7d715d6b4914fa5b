extension WeightFileError: CustomStringConvertible {
  /// One sentence that says what was found and what was required.
  public var description: String {
    switch self {
    case .wrongMagic, .headerTruncated, .unsupportedVersion, .fileTooLarge, .wrongByteCount,
      .wrongChecksum, .reservedByteNotZero, .descriptionTooLong:
      headerDescription
    case .unexpectedSection, .sectionTruncated, .sectionTooLong, .textLength, .textNotUTF8,
      .forbiddenCharacter, .duplicateName:
      sectionDescription
    case .inputCount, .inputShape, .unknownInputContent, .unknownChannelOrder,
      .unknownCropAndScale, .imageChannels, .inputScale, .inputBias, .unusedInput, .shapeCount,
      .fixedShape, .sizeMultiple:
      inputDescription
    case .outputCount, .outputLayer, .labelCount, .headParameterCount, .profileCount, .numberCount,
      .numberNotFinite, .provenanceCount:
      outputDescription
    case .layerCount, .unknownLayerKind, .layerRecordLength, .unknownActivation,
      .unknownLayerOption, .inputIndex, .sourceNotEarlier, .emptyOutput, .outputTooLarge,
      .unusedLayer:
      layerDescription
    case .kernelSize, .stride, .dilation, .padding, .extraPositions, .channelMismatch, .groups,
      .layerNumber, .reductionAxes, .shapeMismatch, .concatenationCount, .sliceOutOfRange,
      .resizingFactor, .rearrangementRank, .permutation, .rearrangedCount:
      operandDescription
    case .tensorCount, .unknownStorage, .tensorRank, .tensorDimension, .tensorIndex,
      .tensorTooLarge, .tensorShape, .unusedTensor, .tensorByteCount, .tensorOffset, .tensorsEnd,
      .gapByteNotZero, .valueNotFinite, .quantizationScale, .quantizedValue:
      tensorDescription
    case .valueListCount, .storageCount, .valueCount, .valueTooLarge: writingDescription
    }
  }

  private var headerDescription: String {
    switch self {
    case .wrongMagic(let found):
      sentence(
        "This is not a weight file: it begins with @, not with @.", text: Self.hex(found),
        other: Self.hex(WeightFormat.magic))
    case .headerTruncated(let byteCount, let required):
      sentence("The weight file has %, fewer than the # of its header.", byteCount, required)
    case .unsupportedVersion(let major, let minor, let supported):
      "The weight file has format version \(major).\(minor); this library reads version "
        + "\(supported)."
    case .fileTooLarge(let byteCount, let limit):
      sentence("The weight file has # bytes; at most # are allowed.", byteCount, limit)
    case .wrongByteCount(let stated, let found):
      sentence(
        "The weight file has % but states @: it was cut or something was appended.", found,
        text: "\(stated)")
    case .wrongChecksum(let stated, let computed):
      sentence(
        "The weight file is damaged: its checksum is @ instead of @.", text: Self.hex(computed),
        other: Self.hex(stated))
    case .reservedByteNotZero(let offset):
      sentence("The byte at offset # of the weight file is reserved and must be 0.", offset)
    case .descriptionTooLong(let byteCount, let limit):
      sentence("The description has %; at most # are possible here.", byteCount, limit)
    default: ""
    }
  }

  private var sectionDescription: String {
    switch self {
    case .unexpectedSection(let found, let required, let offset):
      "At offset \(offset) of the weight file, \(Self.tag(found)) stands where "
        + (required.isEmpty ? "the description must end." : "section \(required) must begin.")
    case .sectionTruncated(let section, let offset, let required, let available):
      sentence(
        "@ needs % at offset # of the weight file, where % are left.", required, offset, available,
        text: section.isEmpty ? "A section" : "Section " + section)
    case .sectionTooLong(let section, let unused):
      sentence("Section @ has % behind its last field.", unused, text: section)
    case .textLength(let field, let byteCount, let allowed):
      sentence(
        "@ has %; # to # are allowed.", byteCount, allowed.lowerBound, allowed.upperBound,
        text: field.description)
    case .textNotUTF8(let field):
      sentence("@ is not UTF-8.", text: field.description)
    case .forbiddenCharacter(let field, let scalar):
      sentence(
        "@ has the character U+@, which is not allowed.", text: field.description,
        other: Self.hex(scalar))
    case .duplicateName(let field, let text):
      sentence("@, \"@\", was used before.", text: field.description, other: text)
    default: ""
    }
  }

  /// The bytes of a tag as text where they are printable ASCII, else in hexadecimal.
  private static func tag(_ bytes: [UInt8]) -> String {
    for byte in bytes where !(0x21...0x7E).contains(byte) { return hex(bytes) }
    return "section \(String(decoding: bytes, as: UTF8.self))"
  }

  private static func hex(_ bytes: [UInt8]) -> String {
    if bytes.isEmpty { return "nothing" }
    var text = ""
    for byte in bytes { text += (text.isEmpty ? "" : " ") + Decimal.hex(UInt64(byte), digits: 2) }
    return text
  }

  private static func hex(_ checksum: UInt64) -> String { Decimal.hex(checksum, digits: 16) }

  private static func hex(_ scalar: UInt32) -> String {
    Decimal.hex(UInt64(scalar), digits: 4, uppercase: true)
  }
}

extension WeightFileError.TextField: CustomStringConvertible {
  /// The beginning of a sentence: "Label 3 of output 0".
  public var description: String {
    switch self {
    case .name: "The network's name"
    case .task: "The network's task"
    case .inputName(let index): sentence("The name of input #", index)
    case .outputName(let index): sentence("The name of output #", index)
    case .headKind(let output):
      sentence("The kind of the head of output #", output)
    case .label(let output, let index):
      sentence("Label # of output #", index, output)
    case .headParameter(let output, let index):
      sentence("The name of list # of output #", index, output)
    case .profileName(let index):
      sentence("The name of list # of the profile", index)
    case .provenanceKey(let index):
      sentence("The key of provenance entry #", index)
    case .provenanceValue(let index):
      sentence("The value of provenance entry #", index)
    }
  }
}

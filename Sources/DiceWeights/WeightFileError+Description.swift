extension WeightFileError: CustomStringConvertible {
  /// One sentence that says what was found and what was required.
  public var description: String {
    switch self {
    case .wrongMagic, .headerTruncated, .unsupportedVersion, .fileTooLarge, .wrongByteCount,
      .wrongChecksum, .reservedByteNotZero, .descriptionTooLong:
      headerDescription
    case .unexpectedSection, .sectionTruncated, .sectionTooLong, .textLength, .textNotUTF8,
      .forbiddenCharacter:
      sectionDescription
    case .unknownChannelOrder, .unknownCropAndScale, .inputSize, .inputScale, .inputBias,
      .labelCount, .duplicateLabel, .thresholdOutOfRange, .provenanceCount:
      contentDescription
    case .layerCount, .unknownLayerKind, .layerRecordLength, .unknownActivation,
      .sourceNotEarlier, .sourceIsDetectionHead, .concatenationCount, .kernelSize, .stride,
      .padding, .activationSlope, .upsamplingFactor:
      layerDescription
    case .channelCount, .channelMismatch, .downsamplingMismatch, .downsamplingOutOfRange,
      .headStride, .headBaseSize, .headClassCount, .noDetectionHead, .unusedLayer:
      graphDescription
    default: tensorDescription
    }
  }

  private var headerDescription: String {
    switch self {
    case .wrongMagic(let found):
      "This is not a weight file: it begins with \(Self.hex(found)), not with "
        + "\(Self.hex(WeightFormat.magic))."
    case .headerTruncated(let byteCount, let required):
      "The weight file has \(Self.bytes(byteCount)), fewer than the \(required) of its header."
    case .unsupportedVersion(let major, let minor, let supported):
      "The weight file has format version \(major).\(minor); this library reads version "
        + "\(supported)."
    case .fileTooLarge(let byteCount, let limit):
      "The weight file has \(byteCount) bytes; at most \(limit) are allowed."
    case .wrongByteCount(let stated, let found):
      "The weight file has \(Self.bytes(found)) but states \(stated): it was cut or something was "
        + "appended."
    case .wrongChecksum(let stated, let computed):
      "The weight file is damaged: its checksum is \(Self.hex(computed)) instead of "
        + "\(Self.hex(stated))."
    case .reservedByteNotZero(let offset):
      "The byte at offset \(offset) of the weight file is reserved and must be 0."
    case .descriptionTooLong(let byteCount, let limit):
      "The description has \(Self.bytes(byteCount)); at most \(limit) are possible here."
    default: ""
    }
  }

  private var sectionDescription: String {
    switch self {
    case .unexpectedSection(let found, let required, let offset):
      "At offset \(offset) of the weight file, \(Self.tag(found)) stands where "
        + (required.isEmpty ? "the description must end." : "section \(required) must begin.")
    case .sectionTruncated(let section, let offset, let required, let available):
      "\(section.isEmpty ? "A section" : "Section \(section)") needs \(Self.bytes(required)) at "
        + "offset \(offset) of the weight file, where \(Self.bytes(available)) are left."
    case .sectionTooLong(let section, let unused):
      "Section \(section) has \(Self.bytes(unused)) behind its last field."
    case .textLength(let field, let byteCount, let allowed):
      "\(field) has \(Self.bytes(byteCount)); \(Self.range(allowed)) are allowed."
    case .textNotUTF8(let field): "\(field) is not UTF-8."
    case .forbiddenCharacter(let field, let scalar):
      "\(field) has the character U+\(Self.hex(scalar)), which is not allowed."
    default: ""
    }
  }

  private var contentDescription: String {
    switch self {
    case .unknownChannelOrder(let code): "The code \(code) is not that of a channel order."
    case .unknownCropAndScale(let code):
      "The code \(code) is not that of a way to crop and scale."
    case .inputSize(let width, let height):
      "The input is \(width) x \(height); width and height must be multiples of "
        + "\(WeightFormat.inputMultiple) in \(Self.range(WeightFormat.inputSizes))."
    case .inputScale(let channel, let found):
      "The scale of input channel \(channel) is \(found); it must be finite and not 0."
    case .inputBias(let channel, let found):
      "The bias of input channel \(channel) is \(found); it must be finite."
    case .labelCount(let found, let allowed):
      "The number of labels is \(found); \(Self.range(allowed)) are allowed."
    case .duplicateLabel(let index, let label):
      "Label \(index), \"\(label)\", is also the label of an earlier class."
    case .thresholdOutOfRange(let threshold, let found):
      "The threshold for \(threshold) is \(found); it must be in 0...1."
    case .provenanceCount(let found, let allowed):
      "The number of provenance entries is \(found); \(Self.range(allowed)) are allowed."
    default: ""
    }
  }

  private var layerDescription: String {
    switch self {
    case .layerCount(let found, let allowed):
      "The number of layers is \(found); \(Self.range(allowed)) are allowed."
    case .unknownLayerKind(let layer, let code):
      "Layer \(layer) has the code \(code), which is not that of a kind of layer."
    case .layerRecordLength(let layer, let found, let required):
      "The record of layer \(layer) has \(Self.bytes(found)); \(required) are required."
    case .unknownActivation(let layer, let code):
      "Layer \(layer) has the activation code \(code), which is not known."
    case .sourceNotEarlier(let layer, let source):
      "Layer \(layer) reads layer \(source), which is not an earlier layer."
    case .sourceIsDetectionHead(let layer, let source):
      "Layer \(layer) reads layer \(source), which is a detection head."
    case .concatenationCount(let layer, let found, let allowed):
      "The number of sources of layer \(layer) is \(found); \(Self.range(allowed)) are allowed."
    case .kernelSize(let layer, let found, let allowed):
      "The window of layer \(layer) has the side \(found); it must be in \(Self.range(allowed))."
    case .stride(let layer, let found):
      "Layer \(layer) has the stride \(found); it must be 1, 2 or 4."
    case .padding(let layer, let found, let kernelSize, let stride):
      "Layer \(layer) has the padding \(found), with which a window of side \(kernelSize) and "
        + "stride \(stride) does not divide the size by exactly \(stride)."
    case .activationSlope(let layer, let found):
      "The slope of layer \(layer) is \(found); it must be in 0...1."
    case .upsamplingFactor(let layer, let found, let allowed):
      "The factor of layer \(layer) is \(found); \(Self.range(allowed)) are allowed."
    default: ""
    }
  }

  private var graphDescription: String {
    switch self {
    case .channelCount(let layer, let found, let allowed):
      "The number of channels of layer \(layer) is \(found); \(Self.range(allowed)) are allowed."
    case .channelMismatch(let layer, let found, let required):
      "The number of channels that layer \(layer) reads is \(found); it must be \(required)."
    case .downsamplingMismatch(let layer, let found, let required):
      "Layer \(layer) reads sources of different size: the input divided by \(found) and by "
        + "\(required)."
    case .downsamplingOutOfRange(let layer, let source, let stride, let factor):
      "Layer \(layer) reads the input divided by \(source) and "
        + (factor > 1 ? "multiplies by \(factor)" : "divides by \(stride)")
        + "; outputs must be the input divided by 1 to \(WeightFormat.inputMultiple)."
    case .headStride(let layer, let found, let required):
      "Detection head \(layer) has the stride \(found); its source is the input "
        + "divided by \(required)."
    case .headBaseSize(let layer, let found):
      "Detection head \(layer) has the base size \(found); it must be finite and more than 0."
    case .headClassCount(let layer, let found, let required):
      "The number of classes of detection head \(layer) is \(found); the number of labels is "
        + "\(required)."
    case .noDetectionHead: "The network has no detection head."
    case .unusedLayer(let layer): "No layer reads the output of layer \(layer)."
    default: ""
    }
  }

  private var tensorDescription: String {
    switch self {
    case .tensorCount(let found, let allowed):
      "The number of tensors is \(found); \(Self.range(allowed)) are allowed."
    case .unknownStorage(let tensor, let code):
      "Tensor \(tensor) has the storage code \(code), which is not known."
    case .tensorRank(let tensor, let found, let allowed):
      "The number of dimensions of tensor \(tensor) is \(found); \(Self.range(allowed)) are "
        + "allowed."
    case .tensorDimension(let tensor, let found, let allowed):
      "Tensor \(tensor) has a dimension of \(found); \(Self.range(allowed)) are allowed."
    case .tensorIndex(let layer, let found, let tensorCount):
      "Layer \(layer) refers to tensor \(found), which is not in 0..<\(tensorCount)."
    case .tensorTooLarge(let tensor, let elementCount, let limit):
      "Tensor \(tensor) needs \(elementCount) values; at most \(limit) are allowed."
    case .tensorShape(let layer, let tensor, let found, let required):
      "Tensor \(tensor) has the shape \(found); layer \(layer) requires \(required)."
    case .unusedTensor(let tensor): "No layer uses tensor \(tensor)."
    case .tensorByteCount(let tensor, let found, let required):
      "Tensor \(tensor) states \(found) bytes; its shape and storage require \(required)."
    case .tensorOffset(let tensor, let found, let required):
      "Tensor \(tensor) states the offset \(found); it must begin at \(required)."
    case .tensorsEnd(let found, let byteCount):
      "The tensors end at offset \(found) of a weight file of \(byteCount) bytes."
    case .gapByteNotZero(let offset):
      "The byte at offset \(offset) of the weight file lies before a tensor and must be 0."
    case .valueNotFinite(let tensor, let element):
      "Value \(element) of tensor \(tensor) is infinite or not a number."
    case .quantizationScale(let tensor, let channel, let found):
      "The scale of channel \(channel) of tensor \(tensor) is \(found); it must be positive and "
        + "127 times it must be finite."
    case .quantizedValue(let tensor, let element):
      "Value \(element) of tensor \(tensor) is -128; int8 values are in -127...127."
    default: writingDescription
    }
  }

  private var writingDescription: String {
    switch self {
    case .valueListCount(let found, let required):
      "The number of lists of values is \(found); the number of tensors is \(required)."
    case .storageCount(let found, let required):
      "The number of storages is \(found); the number of tensors is \(required)."
    case .valueCount(let tensor, let found, let required):
      "The number of values for tensor \(tensor) is \(found); it must be \(required)."
    case .valueTooLarge(let tensor, let element, let found, let storage):
      "Value \(element) of tensor \(tensor) is \(found), too large for \(storage.name)."
    default: ""
    }
  }

  private static func bytes(_ count: Int) -> String { "\(count) byte\(count == 1 ? "" : "s")" }

  private static func range(_ range: ClosedRange<Int>) -> String {
    "\(range.lowerBound) to \(range.upperBound)"
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
  /// The beginning of a sentence: "Label 3".
  public var description: String {
    switch self {
    case .name: "The network's name"
    case .label(let index): "Label \(index)"
    case .provenanceKey(let index): "The key of provenance entry \(index)"
    case .provenanceValue(let index): "The value of provenance entry \(index)"
    }
  }
}

extension WeightFileError.Threshold: CustomStringConvertible {
  /// The threshold's name in words.
  public var description: String {
    switch self {
    case .intersectionOverUnion: "intersection over union"
    case .confidence: "confidence"
    }
  }
}

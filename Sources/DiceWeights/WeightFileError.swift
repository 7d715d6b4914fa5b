/// The rule of the weight format that a file, a description or a list of values breaks.
///
/// Each rule of `Docs/WeightFormat.md` has one case. Where several rules are broken, the one that
/// the reader meets first is reported.
public enum WeightFileError: Error, Hashable, Sendable {
  /// The text that breaks a rule about text.
  public enum TextField: Hashable, Sendable {
    /// The network's name.
    case name
    /// The label with this index.
    case label(Int)
    /// The key of the provenance entry with this index.
    case provenanceKey(Int)
    /// The value of the provenance entry with this index.
    case provenanceValue(Int)
  }

  /// A threshold of the description.
  public enum Threshold: Hashable, Sendable {
    /// ``DefaultThresholds/intersectionOverUnion``
    case intersectionOverUnion
    /// ``DefaultThresholds/confidence``
    case confidence
  }

  // MARK: Header

  /// The file ends within the header.
  case headerTruncated(byteCount: Int, required: Int)
  /// The file does not begin with the magic bytes.
  case wrongMagic(found: [UInt8])
  /// The file has another major version.
  case unsupportedVersion(major: Int, minor: Int, supportedMajor: Int)
  /// The file has more bytes than any weight file may have.
  case fileTooLarge(byteCount: Int, limit: Int)
  /// The header states another length than the file has: it was cut or something was appended.
  case wrongByteCount(stated: UInt64, found: Int)
  /// The bytes are not those that were written.
  case wrongChecksum(stated: UInt64, computed: UInt64)
  /// A byte that must be zero is not.
  case reservedByteNotZero(offset: Int)
  /// The header states more bytes of description than the format or the file allows.
  case descriptionTooLong(byteCount: Int, limit: Int)

  // MARK: Sections and text

  /// Another section stands where the given one must begin.
  case unexpectedSection(found: [UInt8], required: String, offset: Int)
  /// A section or a field reaches over the end of what contains it.
  case sectionTruncated(section: String, offset: Int, required: Int, available: Int)
  /// A section has bytes behind its last field.
  case sectionTooLong(section: String, unused: Int)
  /// A text is too short or too long.
  case textLength(TextField, byteCount: Int, allowed: ClosedRange<Int>)
  /// A text is not UTF-8.
  case textNotUTF8(TextField)
  /// A text has a control character or a mark that changes the direction of writing.
  case forbiddenCharacter(TextField, scalar: UInt32)

  // MARK: Input, labels, thresholds, provenance

  /// The default input's width or height is not a multiple of 32 within the limits.
  case inputSize(width: Int, height: Int)
  /// The colour order's code is not known.
  case unknownChannelOrder(code: UInt8)
  /// The code of the rule for pictures of another shape is not known.
  case unknownCropAndScale(code: UInt8)
  /// A channel's scale is zero, infinite or not a number.
  case inputScale(channel: Int, found: Float)
  /// A channel's bias is infinite or not a number.
  case inputBias(channel: Int, found: Float)
  /// There are no labels, or too many.
  case labelCount(found: Int, allowed: ClosedRange<Int>)
  /// Two classes have the same label.
  case duplicateLabel(index: Int, label: String)
  /// A threshold is outside 0...1 or not a number.
  case thresholdOutOfRange(Threshold, found: Float)
  /// There are too many entries of provenance.
  case provenanceCount(found: Int, allowed: ClosedRange<Int>)

  // MARK: Layers

  /// There are no layers, or too many.
  case layerCount(found: Int, allowed: ClosedRange<Int>)
  /// The code of a layer's kind is not known.
  case unknownLayerKind(layer: Int, code: Int)
  /// A layer's record is not as long as its kind requires.
  case layerRecordLength(layer: Int, found: Int, required: Int)
  /// The code of an activation is not known.
  case unknownActivation(layer: Int, code: UInt8)
  /// A layer reads itself or a layer behind it.
  case sourceNotEarlier(layer: Int, source: Int)
  /// A layer reads a detection head.
  case sourceIsDetectionHead(layer: Int, source: Int)
  /// A concatenation has too few or too many sources.
  case concatenationCount(layer: Int, found: Int, allowed: ClosedRange<Int>)
  /// A kernel's or pooling window's side is outside the limits.
  case kernelSize(layer: Int, found: Int, allowed: ClosedRange<Int>)
  /// A stride is not 1, 2 or 4.
  case stride(layer: Int, found: Int)
  /// The padding does not make the output exactly `stride` times smaller.
  case padding(layer: Int, found: Int, kernelSize: Int, stride: Int)
  /// The slope of a leaky rectifier is outside 0...1 or not a number.
  case activationSlope(layer: Int, found: Float)
  /// An upsampling's factor is outside the limits.
  case upsamplingFactor(layer: Int, found: Int, allowed: ClosedRange<Int>)
  /// An output has no channels, or too many.
  case channelCount(layer: Int, found: Int, allowed: ClosedRange<Int>)
  /// A layer's source has another number of channels than the layer requires.
  case channelMismatch(layer: Int, found: Int, required: Int)
  /// Two sources of a layer differ in width and height.
  case downsamplingMismatch(layer: Int, found: Int, required: Int)
  /// An output would be larger than the input or more than 32 times smaller.
  ///
  /// The source is `source` times smaller than the input; the layer divides by `stride` and
  /// multiplies by `factor`.
  case downsamplingOutOfRange(layer: Int, source: Int, stride: Int, factor: Int)
  /// A detection head's stride is not the downsampling of its source.
  case headStride(layer: Int, found: Int, required: Int)
  /// A detection head's base size is not a finite number above 0.
  case headBaseSize(layer: Int, found: Float)
  /// A detection head has another number of classes than there are labels.
  case headClassCount(layer: Int, found: Int, required: Int)
  /// The network has no detection head.
  case noDetectionHead
  /// No layer reads the output of this layer.
  case unusedLayer(layer: Int)

  // MARK: Tensors

  /// There are no tensors, or too many.
  case tensorCount(found: Int, allowed: ClosedRange<Int>)
  /// The code of a tensor's storage is not known.
  case unknownStorage(tensor: Int, code: UInt8)
  /// A tensor has too few or too many dimensions.
  case tensorRank(tensor: Int, found: Int, allowed: ClosedRange<Int>)
  /// A dimension of a tensor is outside the limits.
  case tensorDimension(tensor: Int, found: Int, allowed: ClosedRange<Int>)
  /// A layer refers to a tensor that is not in the file.
  case tensorIndex(layer: Int, found: Int, tensorCount: Int)
  /// A layer requires a tensor with more values than any tensor may have.
  case tensorTooLarge(tensor: Int, elementCount: Int64, limit: Int)
  /// A tensor has another shape than the layer that uses it requires.
  case tensorShape(layer: Int, tensor: Int, found: [Int], required: [Int])
  /// No layer uses this tensor.
  case unusedTensor(tensor: Int)
  /// A tensor's stated length does not follow from its shape and storage.
  case tensorByteCount(tensor: Int, found: UInt64, required: UInt64)
  /// A tensor does not begin at the first multiple of 64 behind what precedes it.
  case tensorOffset(tensor: Int, found: UInt64, required: UInt64)
  /// The last tensor does not end where the file ends.
  case tensorsEnd(found: Int, byteCount: Int)
  /// A byte between the description and the tensors, or between two tensors, is not zero.
  case gapByteNotZero(offset: Int)
  /// A value is infinite or not a number.
  case valueNotFinite(tensor: Int, element: Int)
  /// The scale of an int8 tensor's channel is negative, or too large for finite values, or not a
  /// number.
  case quantizationScale(tensor: Int, channel: Int, found: Float)
  /// An int8 tensor has the integer -128.
  case quantizedValue(tensor: Int, element: Int)

  // MARK: Writing only

  /// The number of lists of values differs from the number of tensors in the description.
  case valueListCount(found: Int, required: Int)
  /// The number of storages differs from the number of tensors in the description.
  case storageCount(found: Int, required: Int)
  /// A list of values is not as long as its tensor's shape requires.
  case valueCount(tensor: Int, found: Int, required: Int)
  /// A finite value is too large for the storage.
  case valueTooLarge(tensor: Int, element: Int, found: Float, storage: WeightStorage)
}

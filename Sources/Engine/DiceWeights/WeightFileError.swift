/// The rule of the weight format that a file, a description or a list of values breaks.
///
/// Each rule of `Docs/WeightFormat.md` has one case. Where several rules are broken, the one that
/// the reader meets first is reported.
public enum WeightFileError: Error, Hashable, Sendable {
  /// The text, or the list of numbers with a name, that breaks a rule.
  public enum TextField: Hashable, Sendable {
    /// The network's name.
    case name
    /// The network's task.
    case task
    /// The name of the input with this index.
    case inputName(Int)
    /// The name of the output with this index.
    case outputName(Int)
    /// The kind of the head of an output.
    case headKind(output: Int)
    /// The label of a class of an output's head.
    case label(output: Int, index: Int)
    /// The name of a list of numbers of an output's head.
    case headParameter(output: Int, index: Int)
    /// The name of the profile's list of numbers with this index.
    case profileName(Int)
    /// The key of the provenance entry with this index.
    case provenanceKey(Int)
    /// The value of the provenance entry with this index.
    case provenanceValue(Int)
  }

  /// A field of a layer whose code stands for one of a few possibilities.
  public enum LayerOption: Hashable, Sendable {
    /// The axis of a concatenation, a slice or a softmax.
    case axis
    /// The set of axes of a reduction.
    case axes
    /// `Layer.Pooling.Kind`
    case poolingKind
    /// `Layer.Reduction.Kind`
    case reductionKind
    /// `Layer.Elementwise.Operation`
    case operation
    /// `Layer.Resizing.Extent`
    case extent
    /// `Layer.Resizing.Interpolation`
    case interpolation
    /// `Layer.Resizing.Coordinates`
    case coordinates
    /// `Layer.Padding.Mode`
    case paddingMode
    /// What a matrix product transposes.
    case transposition
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

  /// Two texts that must differ are the same, as bytes.
  case duplicateName(TextField, text: String)

  // MARK: Inputs

  /// There are no inputs, or too many.
  case inputCount(found: Int, allowed: ClosedRange<Int>)
  /// The default shape of an input is outside the limits.
  case inputShape(input: Int, found: TensorShape)
  /// The code that says what an input holds is not known.
  case unknownInputContent(input: Int, code: UInt8)
  /// The colour order's code is not known.
  case unknownChannelOrder(input: Int, code: UInt8)
  /// The code of the rule for pictures of another shape is not known.
  case unknownCropAndScale(input: Int, code: UInt8)
  /// An input has another number of channels than its pictures.
  case imageChannels(input: Int, found: Int, required: Int)
  /// A channel's scale is zero, infinite or not a number; or a gray picture has a scale of a channel
  /// that it does not have.
  case inputScale(input: Int, channel: Int, found: Float)
  /// A channel's bias is infinite or not a number; or a gray picture has a bias of a channel that it
  /// does not have.
  case inputBias(input: Int, channel: Int, found: Float)
  /// No layer reads this input.
  case unusedInput(input: Int)

  // MARK: Outputs, profile, provenance

  /// There are no outputs, or too many.
  case outputCount(found: Int, allowed: ClosedRange<Int>)
  /// An output names a layer that the network does not have.
  case outputLayer(output: Int, found: Int, layerCount: Int)
  /// A head has too many labels.
  case labelCount(output: Int, found: Int, allowed: ClosedRange<Int>)
  /// A head has too many lists of numbers.
  case headParameterCount(output: Int, found: Int, allowed: ClosedRange<Int>)
  /// The profile has too many lists of numbers.
  case profileCount(found: Int, allowed: ClosedRange<Int>)
  /// A list has no numbers, or too many.
  case numberCount(TextField, found: Int, allowed: ClosedRange<Int>)
  /// A number of a list is infinite or not a number.
  case numberNotFinite(TextField, index: Int, found: Float)
  /// There are too many entries of provenance.
  case provenanceCount(found: Int, allowed: ClosedRange<Int>)

  // MARK: Layers

  /// There are no layers, or too many.
  case layerCount(found: Int, allowed: ClosedRange<Int>)
  /// The code of a layer's kind is not known.
  case unknownLayerKind(layer: Int, code: Int)
  /// A layer's record is not as long as its fields.
  case layerRecordLength(layer: Int, found: Int, required: Int)
  /// The code of an activation is not known.
  case unknownActivation(layer: Int, code: UInt8)
  /// The code of another choice is not known.
  case unknownLayerOption(layer: Int, LayerOption, code: UInt8)
  /// A layer reads an input that the network does not have.
  case inputIndex(layer: Int, found: Int, inputCount: Int)
  /// A layer reads itself or a layer behind it.
  case sourceNotEarlier(layer: Int, source: Int)
  /// A kernel's or pooling window's side is outside the limits.
  case kernelSize(layer: Int, found: Int, allowed: ClosedRange<Int>)
  /// A stride is outside the limits.
  case stride(layer: Int, found: Int, allowed: ClosedRange<Int>)
  /// A dilation is outside the limits, or a pooling window has one.
  case dilation(layer: Int, found: Int, allowed: ClosedRange<Int>)
  /// A padding is outside the limits: not less than the window, or than the value that is mirrored.
  case padding(layer: Int, found: Int, allowed: ClosedRange<Int>)
  /// A transposed convolution adds rows or columns that are not less than its stride.
  case extraPositions(layer: Int, found: Int, stride: Int)
  /// A layer's source has another number of channels than the layer requires.
  case channelMismatch(layer: Int, found: Int, required: Int)
  /// The groups of a convolution do not divide its channels.
  case groups(layer: Int, found: Int, inputChannels: Int, outputChannels: Int)
  /// A number of a layer or of its activation is not finite, or outside its range.
  case layerNumber(layer: Int, found: Float)
  /// A reduction is over no axis, or one that asks for a place is over several.
  case reductionAxes(layer: Int, found: Int)
  /// Two sources of a layer have shapes that do not fit.
  case shapeMismatch(layer: Int, found: TensorShape, required: TensorShape)
  /// A concatenation has too few or too many sources.
  case concatenationCount(layer: Int, found: Int, allowed: ClosedRange<Int>)
  /// A slice is empty or reaches over the end of its source, or its step is outside the limits.
  case sliceOutOfRange(layer: Int, start: Int, count: Int, step: Int, extent: Int)
  /// A factor of a resizing is outside the limits.
  case resizingFactor(layer: Int, found: Int, allowed: ClosedRange<Int>)
  /// A rearrangement has too few or too many axes.
  case rearrangementRank(layer: Int, found: Int, allowed: ClosedRange<Int>)
  /// A rearrangement's permutation does not have each of its axes once.
  case permutation(layer: Int)
  /// A rearrangement's dimensions or output do not have as many values as its source.
  case rearrangedCount(layer: Int, required: Int)
  /// A layer gives no values: a window that does not fit, or a padding that takes everything.
  case emptyOutput(layer: Int, shape: TensorShape)
  /// A layer gives more values, or a greater extent, than the format allows.
  case outputTooLarge(layer: Int, shape: TensorShape)
  /// Neither a layer nor an output reads this layer.
  case unusedLayer(layer: Int)

  // MARK: Tensors

  /// There are too many tensors.
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

  // MARK: Other sizes of inputs

  /// The number of shapes differs from the number of inputs.
  case shapeCount(found: Int, required: Int)
  /// An input has another shape than the default one in what cannot change.
  case fixedShape(input: Int, found: TensorShape, required: TensorShape)
  /// The rows or columns of an input are no multiple of what the strides of the network require.
  case sizeMultiple(input: Int, found: TensorShape, multiple: Int)

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

extension WeightFileError {
  /// What is wrong with inputs.
  var inputDescription: String {
    switch self {
    case .inputCount(let found, let allowed):
      sentence(
        "The number of inputs is #; # to # are allowed.", found, allowed.lowerBound,
        allowed.upperBound)
    case .inputShape(let input, let found):
      sentence(
        """
        Input # is @; rows and columns must be in # to #, and there must be 1 to # \
        channels and at most # values.
        """, input, WeightFormat.inputSizes.lowerBound, WeightFormat.inputSizes.upperBound,
        WeightFormat.maximumExtent, WeightFormat.maximumElementCount, text: found.description)
    case .unknownInputContent(let input, let code):
      sentence("The code # does not say what input # holds.", Int(code), input)
    case .unknownChannelOrder(let input, let code):
      sentence("The code # of input # is not that of a channel order.", Int(code), input)
    case .unknownCropAndScale(let input, let code):
      sentence("The code # of input # is not that of a way to crop and scale.", Int(code), input)
    case .imageChannels(let input, let found, let required):
      sentence(
        "The number of channels of input # is #; its pictures have #.", input, found, required)
    case .inputScale(let input, let channel, let found):
      sentence(
        """
        The scale of channel # of input # is @; it must be finite and not 0, and 1 for \
        a channel that is not there.
        """, channel, input, text: "\(found)")
    case .inputBias(let input, let channel, let found):
      sentence(
        """
        The bias of channel # of input # is @; it must be finite, and 0 for a channel \
        that is not there.
        """, channel, input, text: "\(found)")
    case .unusedInput(let input):
      sentence("No layer reads input #.", input)
    case .shapeCount(let found, let required):
      sentence("The number of shapes is #; the number of inputs is #.", found, required)
    case .fixedShape(let input, let found, let required):
      "Input \(input) cannot be \(found): "
        + (found.channels == required.channels
          ? "its size is fixed, \(required)." : "it has channels as in \(required).")
    case .sizeMultiple(let input, let found, let multiple):
      sentence(
        "Input # cannot be @: its rows and columns must be multiples of #.", input, multiple,
        text: found.description)
    default: ""
    }
  }

  /// What is wrong with outputs, heads, profile and provenance.
  var outputDescription: String {
    switch self {
    case .outputCount(let found, let allowed):
      sentence(
        "The number of outputs is #; # to # are allowed.", found, allowed.lowerBound,
        allowed.upperBound)
    case .outputLayer(let output, let found, let layerCount):
      sentence("Output # names layer #, which is not in 0..<#.", output, found, layerCount)
    case .labelCount(let output, let found, let allowed):
      sentence(
        "The number of labels of output # is #; # to # are allowed.", output, found,
        allowed.lowerBound, allowed.upperBound)
    case .headParameterCount(let output, let found, let allowed):
      sentence(
        "The number of named lists of output # is #; # to # are allowed.", output, found,
        allowed.lowerBound, allowed.upperBound)
    case .profileCount(let found, let allowed):
      sentence(
        "The number of named lists of the profile is #; # to # are allowed.", found,
        allowed.lowerBound, allowed.upperBound)
    case .numberCount(let field, let found, let allowed):
      sentence(
        "@ stands for # numbers; # to # are allowed.", found, allowed.lowerBound,
        allowed.upperBound, text: field.description)
    case .numberNotFinite(let field, let index, let found):
      sentence(
        "@ stands for numbers of which number # is @; it must be finite.", index,
        text: field.description, other: "\(found)")
    case .provenanceCount(let found, let allowed):
      sentence(
        "The number of provenance entries is #; # to # are allowed.", found, allowed.lowerBound,
        allowed.upperBound)
    default: ""
    }
  }

  /// What is wrong with the list of layers or with a layer's record.
  var layerDescription: String {
    switch self {
    case .layerCount(let found, let allowed):
      sentence(
        "The number of layers is #; # to # are allowed.", found, allowed.lowerBound,
        allowed.upperBound)
    case .unknownLayerKind(let layer, let code):
      sentence("Layer # has the code #, which is not that of a kind of layer.", layer, code)
    case .layerRecordLength(let layer, let found, let required):
      sentence("The record of layer # has %; its fields have #.", layer, found, required)
    case .unknownActivation(let layer, let code):
      sentence("Layer # has the activation code #, which is not known.", layer, Int(code))
    case .unknownLayerOption(let layer, let option, let code):
      sentence(
        "Layer # has the code #, which is not that of @.", layer, Int(code),
        text: option.description)
    case .inputIndex(let layer, let found, let inputCount):
      sentence("Layer # reads input #, which is not in 0..<#.", layer, found, inputCount)
    case .sourceNotEarlier(let layer, let source):
      sentence("Layer # reads layer #, which is not an earlier layer.", layer, source)
    case .emptyOutput(let layer, let shape):
      sentence("Layer # would give @, which has no values.", layer, text: shape.description)
    case .outputTooLarge(let layer, let shape):
      sentence(
        "Layer # would give @; at most # along an axis and # values are allowed.", layer,
        WeightFormat.maximumExtent, WeightFormat.maximumElementCount, text: shape.description)
    case .unusedLayer(let layer):
      sentence("Neither a layer nor an output reads layer #.", layer)
    default: ""
    }
  }

  /// What is wrong with what a layer does with its sources.
  var operandDescription: String {
    switch self {
    case .kernelSize(let layer, let found, let allowed):
      sentence(
        "The window of layer # has the side #; it must be in # to #.", layer, found,
        allowed.lowerBound, allowed.upperBound)
    case .stride(let layer, let found, let allowed):
      sentence(
        "Layer # has the stride #; it must be in # to #.", layer, found, allowed.lowerBound,
        allowed.upperBound)
    case .dilation(let layer, let found, let allowed):
      sentence(
        "Layer # has the dilation #; it must be in # to #.", layer, found, allowed.lowerBound,
        allowed.upperBound)
    case .padding(let layer, let found, let allowed):
      sentence(
        "Layer # has the padding #; it must be in # to #.", layer, found, allowed.lowerBound,
        allowed.upperBound)
    case .extraPositions(let layer, let found, let stride):
      sentence(
        "Layer # adds # rows or columns; it must be fewer than its stride of #.", layer, found,
        stride)
    case .channelMismatch(let layer, let found, let required):
      sentence(
        "The number of channels that layer # reads is #; it must be #.", layer, found, required)
    case .groups(let layer, let found, let inputChannels, let outputChannels):
      sentence(
        "Layer # has # groups, which must divide its # input and # output channels.", layer, found,
        inputChannels, outputChannels)
    case .layerNumber(let layer, let found):
      sentence(
        "Layer # has the number @, which is not finite or not in its range.", layer,
        text: "\(found)")
    case .reductionAxes(let layer, let found):
      sentence(
        "Layer # reduces # axes; it must be one at least, and only one for an index.", layer, found)
    case .shapeMismatch(let layer, let found, let required):
      sentence(
        "Layer # reads @ beside @, which do not fit.", layer, text: found.description,
        other: required.description)
    case .concatenationCount(let layer, let found, let allowed):
      sentence(
        "The number of sources of layer # is #; # to # are allowed.", layer, found,
        allowed.lowerBound, allowed.upperBound)
    case .sliceOutOfRange(let layer, let start, let count, let step, let extent):
      sentence(
        "Layer # takes # positions from # in steps of #, which is not within its source's #.",
        layer, count, start, step, extent)
    case .resizingFactor(let layer, let found, let allowed):
      sentence(
        "The factor of layer # is #; # to # are allowed.", layer, found, allowed.lowerBound,
        allowed.upperBound)
    case .rearrangementRank(let layer, let found, let allowed):
      sentence(
        "The number of axes of layer # is #; # to # are allowed.", layer, found, allowed.lowerBound,
        allowed.upperBound)
    case .permutation(let layer):
      sentence("The permutation of layer # does not have each of its axes once.", layer)
    case .rearrangedCount(let layer, let required):
      sentence("Layer # must see and give the # values that it reads.", layer, required)
    default: ""
    }
  }
}

extension WeightFileError.LayerOption: CustomStringConvertible {
  /// What the code stands for, as in "the code of an axis".
  public var description: String {
    switch self {
    case .axis: "an axis"
    case .axes: "a set of axes"
    case .poolingKind: "a kind of pooling"
    case .reductionKind: "a kind of reduction"
    case .operation: "an elementwise operation"
    case .extent: "a size of a resizing"
    case .interpolation: "an interpolation"
    case .coordinates: "a rule for coordinates"
    case .paddingMode: "a way to pad"
    case .transposition: "what is transposed"
    }
  }
}

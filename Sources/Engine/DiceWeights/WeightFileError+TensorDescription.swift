extension WeightFileError {
  var tensorDescription: String {
    switch self {
    case .tensorCount(let found, let allowed):
      sentence(
        "The number of tensors is #; # to # are allowed.", found, allowed.lowerBound,
        allowed.upperBound)
    case .unknownStorage(let tensor, let code):
      sentence("Tensor # has the storage code #, which is not known.", tensor, Int(code))
    case .tensorRank(let tensor, let found, let allowed):
      sentence(
        "The number of dimensions of tensor # is #; # to # are allowed.", tensor, found,
        allowed.lowerBound, allowed.upperBound)
    case .tensorDimension(let tensor, let found, let allowed):
      sentence(
        "Tensor # has a dimension of #; # to # are allowed.", tensor, found, allowed.lowerBound,
        allowed.upperBound)
    case .tensorIndex(let layer, let found, let tensorCount):
      sentence("Layer # refers to tensor #, which is not in 0..<#.", layer, found, tensorCount)
    case .tensorTooLarge(let tensor, let elementCount, let limit):
      sentence(
        "Tensor # needs @ values; at most # are allowed.", tensor, limit, text: "\(elementCount)")
    case .tensorShape(let layer, let tensor, let found, let required):
      sentence(
        "Tensor # has the shape @; layer # requires @.", tensor, layer, text: "\(found)",
        other: "\(required)")
    case .unusedTensor(let tensor):
      sentence("No layer uses tensor #.", tensor)
    case .tensorByteCount(let tensor, let found, let required):
      sentence(
        "Tensor # states @ bytes; its shape and storage require @.", tensor, text: "\(found)",
        other: "\(required)")
    case .tensorOffset(let tensor, let found, let required):
      sentence(
        "Tensor # states the offset @; it must begin at @.", tensor, text: "\(found)",
        other: "\(required)")
    case .tensorsEnd(let found, let byteCount):
      sentence("The tensors end at offset # of a weight file of # bytes.", found, byteCount)
    case .gapByteNotZero(let offset):
      sentence(
        "The byte at offset # of the weight file lies before a tensor and must be 0.", offset)
    case .valueNotFinite(let tensor, let element):
      sentence("Value # of tensor # is infinite or not a number.", element, tensor)
    case .quantizationScale(let tensor, let channel, let found):
      sentence(
        """
        The scale of channel # of tensor # is @; it must be positive and 127 times it \
        must be finite.
        """, channel, tensor, text: "\(found)")
    case .quantizedValue(let tensor, let element):
      sentence("Value # of tensor # is -128; int8 values are in -127...127.", element, tensor)
    default: ""
    }
  }

  var writingDescription: String {
    switch self {
    case .valueListCount(let found, let required):
      sentence("The number of lists of values is #; the number of tensors is #.", found, required)
    case .storageCount(let found, let required):
      sentence("The number of storages is #; the number of tensors is #.", found, required)
    case .valueCount(let tensor, let found, let required):
      sentence("The number of values for tensor # is #; it must be #.", tensor, found, required)
    case .valueTooLarge(let tensor, let element, let found, let storage):
      sentence(
        "Value # of tensor # is @, too large for @.", element, tensor, text: "\(found)",
        other: storage.name)
    default: ""
    }
  }
}

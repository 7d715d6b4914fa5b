public import DiceWeights

/// Why a weight file of format version 1 cannot be converted.
public enum VersionOneError: Error, Hashable, Sendable {
  /// The file is none of version 1; nil where it is no weight file at all.
  case otherVersion(major: Int?)
  /// The file breaks this rule of version 1, at the layer, tensor or entry with this index.
  case brokenRule(VersionOneRule, index: Int?)
  /// What the file would become breaks a rule of version 2.
  case brokenResult(WeightFileError)
}

/// A rule of version 1 that version 2 does not have in the same words.
///
/// Raw values are the numbers of the rules in the document of version 1.
public enum VersionOneRule: Int, CaseIterable, Hashable, Sendable {
  case header = 2
  case fileSize = 4
  case byteCount = 5
  case checksum = 6
  case reservedBytes = 7
  case descriptionSize = 8
  case sections = 9
  case sectionEnd = 10
  case sectionSurplus = 11
  case textLength = 12
  case textEncoding = 13
  case channelOrder = 14
  case cropAndScale = 15
  case labelCount = 16
  case layerCount = 17
  case layerKind = 18
  case recordLength = 19
  case activation = 20
  case sourceCount = 21
  case tensorCount = 22
  case storage = 23
  case rank = 24
  case dimension = 25
  case provenanceCount = 26
  case labels = 28
  case inputSize = 29
  case threshold = 32
  case earlierSource = 33
  case headAsSource = 34
  case kernelSize = 35
  case stride = 36
  case padding = 37
  case slope = 38
  case factor = 39
  case channelCount = 40
  case matchingChannels = 41
  case matchingSizes = 42
  case downsampling = 43
  case classCount = 44
  case baseSize = 45
  case headStride = 46
  case tensorSize = 48
  case head = 50
  case tensorByteCount = 53
  case tensorOffset = 54
  case lastTensor = 55
  case gaps = 56
}

extension VersionOneError: CustomStringConvertible {
  /// One sentence that says what was found and what was required.
  public var description: String {
    switch self {
    case .otherVersion(nil): "This is not a weight file."
    case .otherVersion(let major?):
      "The weight file has format version \(major); only files of version 1 are converted."
    case .brokenRule(let rule, let index):
      "Rule W\(rule.rawValue < 10 ? "0" : "")\(rule.rawValue) of weight format 1 is broken"
        + (index.map { (index) in " at index \(index)" } ?? "") + ": \(rule.requirement)."
    case .brokenResult(let error): "Converted, the file would not be legal. \(error)"
    }
  }
}

extension VersionOneRule {
  /// What the rule demands.
  var requirement: String {
    switch self {
    case .header: "a file has 64 bytes at least"
    case .fileSize: "a file has at most 256 MiB"
    case .byteCount: "a file is as long as it states"
    case .checksum: "the checksum is that of the file"
    case .reservedBytes: "reserved bytes are zero"
    case .descriptionSize: "a description has at most 4 MiB and lies within the file"
    case .sections: "seven sections stand in order"
    case .sectionEnd: "fields lie within their sections, sections within the description"
    case .sectionSurplus: "a section ends with its last field"
    case .textLength: "names have 1 to 256 bytes, labels and keys 1 to 64, values up to 65536"
    case .textEncoding: "text is UTF-8"
    case .channelOrder: "a channel order is 0 or 1"
    case .cropAndScale: "crop and scale is 0, 1 or 2"
    case .labelCount: "there are 1 to 1024 labels"
    case .layerCount: "there are 1 to 1024 layers"
    case .layerKind: "a layer's kind is 1 to 6"
    case .recordLength: "a layer's record has the bytes of its kind"
    case .activation: "an activation is 0, 1 or 2"
    case .sourceCount: "a concatenation has 2 to 64 sources"
    case .tensorCount: "there are 1 to 4096 tensors"
    case .storage: "a storage is 1 to 4"
    case .rank: "a tensor has 1 to 4 dimensions"
    case .dimension: "a dimension is 1 to 4096"
    case .provenanceCount: "there are at most 256 entries of provenance"
    case .labels: "labels differ"
    case .inputSize: "width and height are multiples of 32 in 32 to 4096"
    case .threshold: "a threshold is in 0 to 1"
    case .earlierSource: "a source is the input or an earlier layer"
    case .headAsSource: "a source is no detection head"
    case .kernelSize: "a kernel has a side of 1 to 7, a pooling window of 1 to 15"
    case .stride: "a stride is 1, 2 or 4"
    case .padding: "a window divides every size by exactly its stride"
    case .slope: "a slope is in 0 to 1"
    case .factor: "an upsampling's factor is 2 to 32"
    case .channelCount: "every output has 1 to 4096 channels"
    case .matchingChannels:
      "sources have the channels that a convolution, a head or an addition requires"
    case .matchingSizes: "sources of a concatenation or an addition have the same size"
    case .downsampling: "an output is the input divided by 1, 2, 4, 8, 16 or 32"
    case .classCount: "a head has as many classes as there are labels"
    case .baseSize: "a base size is finite and more than 0"
    case .headStride: "a head's stride is the downsampling of its source"
    case .tensorSize: "a tensor has at most 268435456 values"
    case .head: "there is a detection head"
    case .tensorByteCount: "the bytes of a tensor follow from its shape and storage"
    case .tensorOffset: "a tensor begins at the first multiple of 64 that is free"
    case .lastTensor: "the last tensor ends where the file ends"
    case .gaps: "bytes between tensors are zero"
    }
  }
}

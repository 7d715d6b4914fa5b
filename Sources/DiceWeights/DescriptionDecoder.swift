/// Reads the sections of a description.
///
/// Checks what the bytes must be; what they mean is checked
/// afterwards, by ``NetworkDescription/validated()``.
struct DescriptionDecoder {
  private let bytes: [UInt8]
  private let end: Int
  private let minorVersion: Int
  private var offset: Int

  /// A tensor as the file states it.
  struct StatedTensor {
    var storage: WeightStorage
    var shape: [Int]
    var offset: UInt64
    var byteCount: UInt64
  }

  /// What the sections hold.
  struct Content {
    var description: NetworkDescription
    var tensors: [StatedTensor]
  }

  /// - Precondition: `range` lies within `bytes`.
  init(_ bytes: [UInt8], _ range: Range<Int>, minorVersion: Int) {
    self.bytes = bytes
    self.minorVersion = minorVersion
    offset = range.lowerBound
    end = range.upperBound
  }

  mutating func decode() throws(WeightFileError) -> Content {
    var section = try begin("NAME")
    let name = try section.text(.name)
    try section.finish()

    section = try begin("INPT")
    let input = try Self.input(&section)
    try section.finish()

    section = try begin("LABL")
    let labels = try Self.labels(&section)
    try section.finish()

    section = try begin("THRS")
    let thresholds = DefaultThresholds(
      intersectionOverUnion: try section.float(), confidence: try section.float())
    try section.finish()

    section = try begin("LAYR")
    let layers = try Self.layers(&section)
    try section.finish()

    section = try begin("TENS")
    let tensors = try Self.tensors(&section)
    try section.finish()

    section = try begin("PROV")
    let provenance = try Self.provenance(&section)
    try section.finish()

    try skipUnknownSections()
    return Content(
      description: NetworkDescription(
        name: name, input: input, layers: layers, labels: labels, thresholds: thresholds,
        provenance: provenance),
      tensors: tensors)
  }

  /// Reads the tag and the length of a section that must come next.
  private mutating func begin(_ tag: StaticString) throws(WeightFileError) -> ByteReader {
    let (found, content) = try next()
    guard Self.tag(tag) == Array(bytes[found]) else {
      throw .unexpectedSection(
        found: Array(bytes[found]), required: tag.description, offset: found.lowerBound)
    }
    return ByteReader(bytes, content, section: tag.description)
  }

  /// A newer minor version may append sections whose tag begins with a lower-case letter.
  private mutating func skipUnknownSections() throws(WeightFileError) {
    while offset < end {
      let (tag, _) = try next()
      let isOptional = (UInt8(ascii: "a")...UInt8(ascii: "z")).contains(bytes[tag.lowerBound])
      guard isOptional, minorVersion > WeightFormat.minorVersion else {
        throw .unexpectedSection(
          found: Array(bytes[tag]), required: "", offset: tag.lowerBound)
      }
    }
  }

  private mutating func next() throws(WeightFileError) -> (tag: Range<Int>, content: Range<Int>) {
    var reader = ByteReader(bytes, offset..<end, section: "")
    let tag = try reader.take(4)
    let content = try reader.take(try reader.uint32())
    offset = reader.offset
    return (tag, content)
  }

  static func tag(_ tag: StaticString) -> [UInt8] { Array(tag.description.utf8) }

  private static func input(_ reader: inout ByteReader) throws(WeightFileError) -> InputRules {
    let width = try reader.uint32()
    let height = try reader.uint32()
    let orderCode = try reader.uint8()
    guard let order = InputRules.ChannelOrder(rawValue: orderCode) else {
      throw .unknownChannelOrder(code: orderCode)
    }
    let scaleCode = try reader.uint8()
    guard let cropAndScale = InputRules.CropAndScale(rawValue: scaleCode) else {
      throw .unknownCropAndScale(code: scaleCode)
    }
    let paddingValue = try reader.uint8()
    try reader.zeros(1)
    var scales = SIMD3<Float>()
    for channel in 0..<3 { scales[channel] = try reader.float() }
    var biases = SIMD3<Float>()
    for channel in 0..<3 { biases[channel] = try reader.float() }
    return InputRules(
      width: width, height: height, channelOrder: order, scales: scales, biases: biases,
      cropAndScale: cropAndScale, paddingValue: paddingValue)
  }

  private static func labels(_ reader: inout ByteReader) throws(WeightFileError) -> [String] {
    let count = try reader.uint32()
    try WeightFileError.check(count, in: WeightFormat.labelCounts) { (found, allowed) in
      .labelCount(found: found, allowed: allowed)
    }
    var labels: [String] = []
    for index in 0..<count { labels.append(try reader.text(.label(index))) }
    return labels
  }

  private static func provenance(
    _ reader: inout ByteReader
  ) throws(WeightFileError) -> [ProvenanceEntry] {
    let count = try reader.uint32()
    try WeightFileError.check(count, in: WeightFormat.provenanceCounts) { (found, allowed) in
      .provenanceCount(found: found, allowed: allowed)
    }
    var entries: [ProvenanceEntry] = []
    for index in 0..<count {
      let key = try reader.text(.provenanceKey(index))
      entries.append(ProvenanceEntry(key: key, value: try reader.text(.provenanceValue(index))))
    }
    return entries
  }

  private static func tensors(_ reader: inout ByteReader) throws(WeightFileError) -> [StatedTensor]
  {
    let count = try reader.uint32()
    try WeightFileError.check(count, in: WeightFormat.tensorCounts) { (found, allowed) in
      .tensorCount(found: found, allowed: allowed)
    }
    var tensors: [StatedTensor] = []
    for index in 0..<count {
      let code = try reader.uint8()
      guard let storage = WeightStorage(rawValue: code) else {
        throw .unknownStorage(tensor: index, code: code)
      }
      let rank = Int(try reader.uint8())
      try WeightFileError.check(rank, in: WeightFormat.tensorRanks) { (found, allowed) in
        .tensorRank(tensor: index, found: found, allowed: allowed)
      }
      try reader.zeros(2)
      var shape: [Int] = []
      for _ in 0..<rank {
        let dimension = try reader.uint32()
        try WeightFileError.check(dimension, in: WeightFormat.channelCounts) {
          (found, allowed) in .tensorDimension(tensor: index, found: found, allowed: allowed)
        }
        shape.append(dimension)
      }
      tensors.append(
        StatedTensor(
          storage: storage, shape: shape, offset: try reader.uint64(),
          byteCount: try reader.uint64()))
    }
    return tensors
  }
}

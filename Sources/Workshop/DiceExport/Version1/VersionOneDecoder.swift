internal import DiceWeights

/// Reads the header and the sections of a file of version 1.
struct VersionOneDecoder {
  private let bytes: [UInt8]
  private let minorVersion: Int
  private let descriptionEnd: Int
  /// What the file becomes.
  private(set) var network = NetworkDescription(name: "", inputs: [], layers: [], outputs: [])
  /// Where the file has its tensors.
  private(set) var tensors: [WeightTensor] = []

  /// Checks the header.
  init(_ bytes: [UInt8], byteCountLimit: Int) throws(VersionOneError) {
    let headerByteCount = 64
    guard !bytes.isEmpty, WeightFormat.magic.starts(with: bytes.prefix(8)) else {
      throw .otherVersion(major: nil)
    }
    guard bytes.count >= headerByteCount else { throw .brokenRule(.header, index: nil) }
    var reader = VersionOneReader(bytes, 8..<headerByteCount)
    let major = try reader.number(2)
    guard major == 1 else { throw .otherVersion(major: major) }
    minorVersion = try reader.number(2)
    guard bytes.count <= byteCountLimit else { throw .brokenRule(.fileSize, index: nil) }
    let descriptionByteCount = try reader.number(4)
    guard try reader.integer(8) == UInt64(bytes.count) else {
      throw .brokenRule(.byteCount, index: nil)
    }
    guard try reader.integer(8) == XXHash64.hash(bytes, zeroed: 24) else {
      throw .brokenRule(.checksum, index: nil)
    }
    try reader.zeros(reader.remaining)
    guard descriptionByteCount <= min(1 << 22, bytes.count - headerByteCount) else {
      throw .brokenRule(.descriptionSize, index: nil)
    }
    descriptionEnd = headerByteCount + descriptionByteCount
    self.bytes = bytes
  }

  /// Reads the sections and sets ``network`` and ``tensors``.
  mutating func decode(task: String) throws(VersionOneError) {
    var reader = VersionOneReader(bytes, 64..<descriptionEnd)
    let name = try Self.section("NAME", &reader) { (part) throws(VersionOneError) in
      try part.text(1...256)
    }
    let input = try Self.section("INPT", &reader, Self.input)
    let labels = try Self.section("LABL", &reader) { (part) throws(VersionOneError) in
      var labels: [String] = []
      var known: Set<[UInt8]> = []
      for index in 0..<(try part.count(1...1024, .labelCount)) {
        let label = try part.text(1...64, index: index)
        guard known.insert(Array(label.utf8)).inserted else {
          throw .brokenRule(.labels, index: index)
        }
        labels.append(label)
      }
      return labels
    }
    let (overlap, confidence) = try Self.section("THRS", &reader) {
      (part) throws(VersionOneError) in
      let thresholds = (try part.float(), try part.float())
      guard thresholds.0 >= 0, thresholds.0 <= 1, thresholds.1 >= 0, thresholds.1 <= 1 else {
        throw .brokenRule(.threshold, index: nil)
      }
      return thresholds
    }
    let layers = try Self.section("LAYR", &reader) { (part) throws(VersionOneError) in
      var layers = VersionOneLayers(classCount: labels.count)
      try layers.read(&part)
      return layers
    }
    let stated = try Self.section("TENS", &reader, Self.tensors)
    let provenance = try Self.section("PROV", &reader) { (part) throws(VersionOneError) in
      var entries: [ProvenanceEntry] = []
      for index in 0..<(try part.count(0...256, .provenanceCount)) {
        let key = try part.text(1...64, index: index)
        entries.append(
          ProvenanceEntry(key: key, value: try part.text(0...65_536, index: index)))
      }
      return entries
    }
    while reader.remaining > 0 {
      let (tag, _) = try reader.section()
      guard (0x61...0x7A).contains(tag[0]), minorVersion > 0 else {
        throw .brokenRule(.sections, index: nil)
      }
    }
    network = NetworkDescription(
      name: name, task: task, inputs: [input], layers: layers.layers,
      outputs: layers.outputs(labels: labels, overlap: overlap, confidence: confidence),
      provenance: provenance)
    tensors = try placed(stated)
  }

  /// Reads a section that must come next, to its end.
  private static func section<Content>(
    _ tag: StaticString, _ reader: inout VersionOneReader,
    _ content: (inout VersionOneReader) throws(VersionOneError) -> Content
  ) throws(VersionOneError) -> Content {
    var (found, part) = try reader.section()
    guard found == Array(tag.description.utf8) else {
      throw .brokenRule(.sections, index: nil)
    }
    let result = try content(&part)
    guard part.remaining == 0 else { throw .brokenRule(.sectionSurplus, index: nil) }
    return result
  }

  private static func input(
    _ part: inout VersionOneReader
  ) throws(VersionOneError) -> NetworkInput {
    let width = try part.number(4)
    let height = try part.number(4)
    for size in [width, height] {
      guard (32...4096).contains(size), size % 32 == 0 else {
        throw .brokenRule(.inputSize, index: nil)
      }
    }
    let order = try part.count(0...1, .channelOrder, byteCount: 1)
    let cropAndScale = try part.count(0...2, .cropAndScale, byteCount: 1)
    let paddingValue = UInt8(try part.number(1))
    try part.zeros(1)
    var scales = SIMD3<Float>()
    for channel in 0..<3 { scales[channel] = try part.float() }
    var biases = SIMD3<Float>()
    for channel in 0..<3 { biases[channel] = try part.float() }
    let rules = ImageRules(
      channelOrder: order == 0 ? .rgb : .bgr, scales: scales, biases: biases,
      cropAndScale: [.centerCrop, .scaleFit, .scaleFill][cropAndScale],
      paddingValue: paddingValue)
    return NetworkInput(
      name: "image", shape: TensorShape(height: height, width: width, channels: 3),
      isResizable: true, content: .image(rules))
  }

  /// A tensor as the file states it.
  private struct StatedTensor {
    var storage: WeightStorage
    var shape: [Int]
    var offset: UInt64
    var byteCount: UInt64
  }

  private static func tensors(
    _ part: inout VersionOneReader
  ) throws(VersionOneError) -> [StatedTensor] {
    var tensors: [StatedTensor] = []
    for index in 0..<(try part.count(1...4096, .tensorCount)) {
      let code = UInt8(try part.number(1))
      guard let storage = WeightStorage(rawValue: code) else {
        throw .brokenRule(.storage, index: index)
      }
      let rank = try part.count(1...4, .rank, byteCount: 1, index: index)
      try part.zeros(2)
      var shape: [Int] = []
      for _ in 0..<rank {
        shape.append(try part.count(1...4096, .dimension, index: index))
      }
      tensors.append(
        StatedTensor(
          storage: storage, shape: shape, offset: try part.integer(8),
          byteCount: try part.integer(8)))
    }
    return tensors
  }

  /// Checks that the tensors lie where they must.
  private func placed(_ stated: [StatedTensor]) throws(VersionOneError) -> [WeightTensor] {
    var tensors: [WeightTensor] = []
    var end = descriptionEnd
    for (index, tensor) in stated.enumerated() {
      guard let byteCount = tensor.storage.byteCount(shape: tensor.shape),
        tensor.byteCount == UInt64(byteCount)
      else { throw .brokenRule(.tensorByteCount, index: index) }
      let offset = (end + 63) / 64 * 64
      guard tensor.offset == UInt64(offset) else { throw .brokenRule(.tensorOffset, index: index) }
      guard offset <= bytes.count, byteCount <= bytes.count - offset else {
        throw .brokenRule(.lastTensor, index: index)
      }
      for gap in end..<offset where bytes[gap] != 0 { throw .brokenRule(.gaps, index: index) }
      end = offset + byteCount
      tensors.append(
        WeightTensor(shape: tensor.shape, storage: tensor.storage, byteRange: offset..<end))
    }
    guard end == bytes.count else { throw .brokenRule(.lastTensor, index: nil) }
    return tensors
  }
}

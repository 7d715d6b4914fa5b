extension WeightFile {
  /// Writes a weight file with one storage for all weights; biases stay float32.
  ///
  /// Biases are a thousandth of a network's values, so their precision costs nothing. To choose the
  /// storage of each tensor, use ``encode(description:tensors:storages:)``.
  ///
  /// - Parameters:
  ///   - description: The network.
  ///   - tensors: The values of each tensor, by tensor index, slowest dimension first.
  ///   - storage: How tensors of two and more dimensions are stored.
  /// - Returns: The bytes of a file that ``init(bytes:byteCountLimit:)`` accepts.
  ///   Equal arguments give equal bytes.
  /// - Throws: The broken rule of the format, or a case of "writing only".
  public static func encode(
    description: NetworkDescription, tensors: [[Float]], storage: WeightStorage
  ) throws(WeightFileError) -> [UInt8] {
    let shapes = try description.validated()
    return try encode(
      description: description, tensors: tensors,
      storages: shapes.tensors.map { (shape) in shape.count > 1 ? storage : .float32 })
  }

  /// Writes a weight file with a storage for each tensor.
  ///
  /// Values are rounded to the nearest that the storage has, ties to even. The scale of an int8
  /// channel is its greatest magnitude divided by 127.
  ///
  /// - Parameters:
  ///   - description: The network.
  ///   - tensors: The values of each tensor, by tensor index, slowest dimension first.
  ///   - storages: How each tensor is stored, by tensor index.
  /// - Returns: The bytes of a file that ``init(bytes:byteCountLimit:)`` accepts.
  ///   Equal arguments give equal bytes.
  /// - Throws: The broken rule of the format, or a case of "writing only".
  /// - Complexity: O(number of bytes).
  public static func encode(
    description: NetworkDescription, tensors: [[Float]], storages: [WeightStorage]
  ) throws(WeightFileError) -> [UInt8] {
    let shapes = try description.validated()
    guard tensors.count == shapes.tensors.count else {
      throw .valueListCount(found: tensors.count, required: shapes.tensors.count)
    }
    guard storages.count == shapes.tensors.count else {
      throw .storageCount(found: storages.count, required: shapes.tensors.count)
    }
    var writer = ByteWriter()
    writer.header()
    writer.description(description, shapes, storages)
    let descriptionByteCount = writer.bytes.count - WeightFormat.headerByteCount
    guard descriptionByteCount <= WeightFormat.maximumDescriptionByteCount else {
      throw .descriptionTooLong(
        byteCount: descriptionByteCount, limit: WeightFormat.maximumDescriptionByteCount)
    }
    writer.replace(
      at: WeightFormat.Offset.descriptionByteCount, with: UInt64(descriptionByteCount), 4)

    var byteCount = writer.bytes.count
    for (index, shape) in shapes.tensors.enumerated() {
      guard tensors[index].count == Int64(NetworkShapes.elementCount(of: shape)) else {
        throw .valueCount(
          tensor: index, found: tensors[index].count,
          required: Int(clamping: NetworkShapes.elementCount(of: shape)))
      }
      let end = WeightFormat.aligned(byteCount).addingReportingOverflow(
        storages[index].byteCount(shape: shape) ?? .max)
      guard !end.overflow, end.partialValue <= WeightFormat.maximumFileByteCount else {
        throw .fileTooLarge(
          byteCount: end.overflow ? .max : end.partialValue,
          limit: WeightFormat.maximumFileByteCount)
      }
      byteCount = end.partialValue
    }
    writer.reserve(byteCount)
    for (index, values) in tensors.enumerated() {
      writer.zeros(WeightFormat.aligned(writer.bytes.count) - writer.bytes.count)
      try writer.values(
        values, shapes.tensors[index], storages[index], tensor: index)
    }
    writer.replace(at: WeightFormat.Offset.byteCount, with: UInt64(writer.bytes.count), 8)
    writer.replace(at: WeightFormat.Offset.checksum, with: XXHash64.hash(writer.bytes), 8)
    return writer.bytes
  }

  /// The same weights with other words about them: recommended thresholds, labels, origin.
  ///
  /// The tensors' bytes stay as they are.
  /// Sections that a later minor version has added are left out.
  ///
  /// - Precondition: `description` has the layers of ``description``.
  /// - Throws: The rule of the format that the description breaks.
  /// - Complexity: O(number of bytes).
  public func with(description: NetworkDescription) throws(WeightFileError) -> WeightFile {
    precondition(
      description.layers == self.description.layers, "the network must be the same")
    let storages = tensors.map { $0.storage }
    // Values of the same shapes and storages lie at the same places.
    var bytes = try Self.encode(
      description: description, tensors: tensors.indices.map(floats), storages: storages)
    let places = try WeightFile(bytes: bytes).tensors
    for (place, tensor) in zip(places, tensors) {
      bytes.replaceSubrange(place.byteRange, with: self.bytes[tensor.byteRange])
    }
    var writer = ByteWriter(bytes)
    writer.replace(at: WeightFormat.Offset.checksum, with: 0, 8)
    writer.replace(at: WeightFormat.Offset.checksum, with: XXHash64.hash(writer.bytes), 8)
    return try WeightFile(bytes: writer.bytes)
  }
}

extension ByteWriter {
  /// Writes the header with its lengths and its checksum still 0.
  fileprivate mutating func header() {
    for byte in WeightFormat.magic { uint8(byte) }
    uint16(UInt16(WeightFormat.majorVersion))
    uint16(UInt16(WeightFormat.minorVersion))
    zeros(WeightFormat.headerByteCount - bytes.count)
  }

  /// Writes all sections of a valid description.
  fileprivate mutating func description(
    _ description: NetworkDescription, _ shapes: NetworkShapes, _ storages: [WeightStorage]
  ) {
    section("NAME") { (writer) in writer.text(description.name) }
    section("INPT") { (writer) in writer.input(description.input) }
    section("LABL") { (writer) in
      writer.uint32(description.labels.count)
      for label in description.labels { writer.text(label) }
    }
    section("THRS") { (writer) in
      writer.float(description.thresholds.intersectionOverUnion)
      writer.float(description.thresholds.confidence)
    }
    section("LAYR") { (writer) in
      writer.uint32(description.layers.count)
      for layer in description.layers { writer.layer(layer) }
    }
    let table = bytes.count + 8
    section("TENS") { (writer) in writer.tensors(shapes.tensors, storages) }
    section("PROV") { (writer) in
      writer.uint32(description.provenance.count)
      for entry in description.provenance {
        writer.text(entry.key)
        writer.text(entry.value)
      }
    }
    placeTensors(shapes.tensors, storages, table: table)
  }

  private mutating func input(_ input: InputRules) {
    uint32(input.width)
    uint32(input.height)
    uint8(input.channelOrder.rawValue)
    uint8(input.cropAndScale.rawValue)
    uint8(input.paddingValue)
    uint8(0)
    for channel in 0..<3 { float(input.scales[channel]) }
    for channel in 0..<3 { float(input.biases[channel]) }
  }

  private mutating func layer(_ layer: Layer) {
    switch layer {
    case .convolution(let layer):
      record(LayerCode.convolution)
      source(layer.input)
      uint32(layer.inputChannels)
      uint32(layer.outputChannels)
      uint8(UInt8(layer.kernelSize))
      uint8(UInt8(layer.stride))
      uint8(UInt8(layer.padding))
      switch layer.activation {
      case .identity:
        uint8(LayerCode.identity)
        float(0)
      case .leakyReLU(let slope):
        uint8(LayerCode.leakyReLU)
        float(slope)
      case .sigmoidWeighted:
        uint8(LayerCode.sigmoidWeighted)
        float(0)
      }
      uint32(layer.weights)
      uint32(layer.bias)
    case .maxPooling(let layer):
      record(LayerCode.maxPooling)
      source(layer.input)
      uint8(UInt8(layer.size))
      uint8(UInt8(layer.stride))
      uint8(UInt8(layer.padding))
      uint8(0)
    case .upsampling(let layer):
      record(LayerCode.upsampling)
      source(layer.input)
      uint32(layer.factor)
    case .concatenation(let layer):
      record(LayerCode.concatenation, sourceCount: layer.inputs.count)
      uint32(layer.inputs.count)
      for input in layer.inputs { source(input) }
    case .addition(let layer):
      record(LayerCode.addition)
      source(layer.first)
      source(layer.second)
    case .detectionHead(let layer):
      record(LayerCode.detectionHead)
      source(layer.input)
      uint32(layer.stride)
      float(layer.baseSize)
      uint32(layer.classCount)
    }
  }

  private mutating func record(_ kind: Int, sourceCount: Int = 0) {
    uint16(UInt16(kind))
    uint16(UInt16((LayerCode.byteCount(kind) ?? 0) + 4 * sourceCount))
  }

  private mutating func source(_ source: Layer.Source) {
    switch source {
    case .input: uint32(0)
    case .layer(let index): uint32(index + 1)
    }
  }

  /// Writes the table of tensors with every offset still 0.
  private mutating func tensors(_ shapes: [[Int]], _ storages: [WeightStorage]) {
    uint32(shapes.count)
    for (shape, storage) in zip(shapes, storages) {
      uint8(storage.rawValue)
      uint8(UInt8(shape.count))
      zeros(2)
      for dimension in shape { uint32(dimension) }
      uint64(0)
      uint64(UInt64(storage.byteCount(shape: shape) ?? 0))
    }
  }

  /// Fills in the offsets, which depend on the length of the whole description.
  private mutating func placeTensors(
    _ shapes: [[Int]], _ storages: [WeightStorage], table: Int
  ) {
    var entry = table + 4
    var end = UInt64(bytes.count)
    let alignment = UInt64(WeightFormat.tensorAlignment)
    for (shape, storage) in zip(shapes, storages) {
      let offset = (end + alignment - 1) / alignment * alignment
      replace(at: entry + 4 + 4 * shape.count, with: offset, 8)
      // At most 4096 tensors of 2^28 values: the sum stays far below 2^64.
      end = offset + UInt64(storage.byteCount(shape: shape) ?? 0)
      entry += 20 + 4 * shape.count
    }
  }
}

internal import DiceNumerics

extension WeightFile {
  /// Writes a weight file with one storage for all weights; biases, other tensors of one dimension,
  /// constants and multipliers of integers stay float32.
  ///
  /// They are a thousandth of a network's values, so their precision costs nothing. To choose the
  /// storage of each tensor, use ``encode(description:tensors:storages:)``.
  ///
  /// - Parameters:
  ///   - description: The network.
  ///   - tensors: The values of each tensor, by tensor index, slowest dimension first.
  ///   - storage: How the weights of convolutions and dense layers are stored.
  /// - Returns: The bytes of a file that ``init(bytes:byteCountLimit:)`` accepts.
  ///   Equal arguments give equal bytes.
  /// - Throws: The broken rule of the format, or a case of "writing only".
  public static func encode(
    description: NetworkDescription, tensors: [[Float]], storage: WeightStorage
  ) throws(WeightFileError) -> [UInt8] {
    let shapes = try description.validated()
    let exact = Set(description.layers.flatMap { (layer) in layer.multiplierTensors })
    return try encode(
      description: description, tensors: tensors,
      // Weights have two or four dimensions, constants three.
      storages: shapes.tensors.enumerated().map { (tensor, shape) in
        shape.count % 2 == 0 && !exact.contains(tensor) ? storage : .float32
      })
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
    var stated: [StatedTensor] = []
    stated.reserveCapacity(storages.count)
    for (index, shape) in shapes.tensors.enumerated() {
      guard tensors[index].count == NetworkShapes.elementCount(of: shape) else {
        throw .valueCount(
          tensor: index, found: tensors[index].count,
          required: Int(clamping: NetworkShapes.elementCount(of: shape)))
      }
      stated.append(StatedTensor(storage: storages[index], shape: shape))
    }
    // Offsets depend on the length of the description but not the other way round.
    var writer = try head(of: description, &stated)
    let byteCount = try place(&stated, from: writer.bytes.count)
    writer = try head(of: description, &stated)
    writer.reserve(byteCount)
    for (index, values) in tensors.enumerated() {
      writer.zeros(WeightFormat.aligned(writer.bytes.count) - writer.bytes.count)
      try writer.values(values, shapes.tensors[index], storages[index], tensor: index)
    }
    return writer.sealed()
  }

  /// The same network and weights with other words about them: name, labels, thresholds, profile,
  /// origin.
  ///
  /// The tensors' bytes stay as they are.
  /// Sections that a later minor version has added are left out.
  ///
  /// - Precondition: `description` has the layers of ``description``, and inputs of the same shapes.
  /// - Throws: The rule of the format that the description breaks.
  /// - Complexity: O(number of bytes).
  public func with(description: NetworkDescription) throws(WeightFileError) -> WeightFile {
    precondition(
      description.layers == self.description.layers
        && description.inputs.map { (input) in input.shape }
          == self.description.inputs.map { (input) in input.shape },
      "the network must be the same")
    return try WeightFile(
      bytes: Self.encode(
        description: description, tensors: tensors, of: bytes))
  }

  /// A weight file whose tensors' bytes are those at some places of other bytes.
  package static func encode(
    description: NetworkDescription, tensors: [WeightTensor], of bytes: [UInt8]
  ) throws(WeightFileError) -> [UInt8] {
    var stated = tensors.map { (tensor) in
      StatedTensor(storage: tensor.storage, shape: tensor.shape)
    }
    _ = try description.validated(stated: stated.map { (tensor) in tensor.shape })
    var writer = try head(of: description, &stated)
    let byteCount = try place(&stated, from: writer.bytes.count)
    writer = try head(of: description, &stated)
    writer.reserve(byteCount)
    for tensor in tensors {
      writer.zeros(WeightFormat.aligned(writer.bytes.count) - writer.bytes.count)
      writer.append(contentsOf: bytes[tensor.byteRange])
    }
    return writer.sealed()
  }

  /// The header, with its length and checksum still 0, and the description.
  private static func head(
    of description: NetworkDescription, _ tensors: inout [StatedTensor]
  ) throws(WeightFileError) -> ByteWriter {
    var writer = ByteWriter(WeightFormat.magic)
    writer.append(UInt64(WeightFormat.majorVersion), 2)
    writer.append(UInt64(WeightFormat.minorVersion), 2)
    writer.zeros(WeightFormat.headerByteCount - writer.bytes.count)
    var description = description
    try writer.description(&description, &tensors)
    let byteCount = writer.bytes.count - WeightFormat.headerByteCount
    guard byteCount <= WeightFormat.maximumDescriptionByteCount else {
      throw .descriptionTooLong(
        byteCount: byteCount, limit: WeightFormat.maximumDescriptionByteCount)
    }
    writer.replace(at: WeightFormat.Offset.descriptionByteCount, with: UInt64(byteCount), 4)
    return writer
  }

  /// Sets the offset and the length of each tensor; returns the bytes of the whole file.
  private static func place(
    _ tensors: inout [StatedTensor], from start: Int
  ) throws(WeightFileError) -> Int {
    var end = start
    for index in tensors.indices {
      let offset = WeightFormat.aligned(end)
      let byteCount = tensors[index].storage.byteCount(shape: tensors[index].shape) ?? .max
      let (sum, overflow) = offset.addingReportingOverflow(byteCount)
      guard !overflow, sum <= WeightFormat.maximumFileByteCount else {
        throw .fileTooLarge(
          byteCount: overflow ? .max : sum, limit: WeightFormat.maximumFileByteCount)
      }
      tensors[index].offset = UInt64(offset)
      tensors[index].byteCount = UInt64(byteCount)
      end = sum
    }
    return end
  }
}

extension ByteWriter {
  /// The bytes with the length and the checksum that they require.
  fileprivate mutating func sealed() -> [UInt8] {
    replace(at: WeightFormat.Offset.byteCount, with: UInt64(bytes.count), 8)
    replace(at: WeightFormat.Offset.checksum, with: XXHash64.hash(bytes), 8)
    return bytes
  }
}

/// Tensors of the file, and of those beside it.
extension ONNXGraphFile {
  /// Reads a message `TensorProto`.
  func readTensor(
    _ reader: ProtobufReader
  ) throws(ReadingFault) -> (String, ConstantTensor, elementType: Int) {
    var tensor = ONNXTensor()
    var external: [String: String] = [:]
    var isExternal = false
    try forEachField(reader) { (reader, field) throws(ReadingFault) in
      switch field.number {
      case 1:
        try wire { () throws(ProtobufError) in try reader.append(field, to: &tensor.shape) }
      case 2: tensor.elementType = try integer(reader, field)
      case 3: tensor.isSegment = true
      case 4:
        try wire { () throws(ProtobufError) in try reader.append(field, to: &tensor.floats) }
      case 5, 7, 11:
        try wire { () throws(ProtobufError) in
          try reader.append(field, to: &tensor.integers)
        }
      case 8: tensor.name = try text(reader, field)
      case 9:
        tensor.raw = try wire { () throws(ProtobufError) in try reader.range(field) }
      case 10:
        try wire { () throws(ProtobufError) in try reader.append(field, to: &tensor.doubles) }
      case 13:
        let pair = try readPair(try message(reader, field))
        external[pair.key] = pair.value
      case 14: isExternal = try integer(reader, field) == 1
      default: break
      }
    }
    var bytes = reader.bytes
    if isExternal || external["location"] != nil {
      (bytes, tensor.raw) = try externalBytes(of: tensor, external)
    }
    do throws(LoweringFault) {
      return (tensor.name, try tensor.constant(bytes), tensor.elementType)
    } catch {
      switch error {
      case .invalid(let rule): throw .model(.invalid(place: tensor.name, rule: rule))
      case .unsupported(let reason):
        throw .model(
          .invalid(place: tensor.name, rule: "It cannot be imported, because \(reason)."))
      }
    }
  }

  /// The file that has a tensor's numbers, and where they lie in it.
  private func externalBytes(
    of tensor: ONNXTensor, _ parts: [String: String]
  ) throws(ReadingFault) -> (bytes: [UInt8], range: Range<Int>) {
    let name = parts["location"] ?? ""
    guard let bytes = externalFiles[name] else {
      throw .model(.externalData(tensor: tensor.name, file: name))
    }
    let offset = parts["offset"].map { Int($0) ?? -1 } ?? 0
    let length = parts["length"].map { Int($0) ?? -1 } ?? max(0, bytes.count - max(0, offset))
    guard offset >= 0, length >= 0, offset <= bytes.count, length <= bytes.count - offset else {
      throw .model(
        .invalid(
          place: tensor.name,
          rule: "Its numbers lie beyond the end of the file that has \(bytes.count) bytes."))
    }
    return (bytes, offset..<offset + length)
  }
}

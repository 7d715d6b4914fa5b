/// The codes and record lengths of the kinds of layers.
enum LayerCode {
  static let convolution = 1
  static let maxPooling = 2
  static let upsampling = 3
  static let concatenation = 4
  static let addition = 5
  static let detectionHead = 6

  static let identity: UInt8 = 0
  static let leakyReLU: UInt8 = 1
  static let sigmoidWeighted: UInt8 = 2

  /// The bytes of a record behind its length; for a concatenation, without its sources.
  static func byteCount(_ kind: Int) -> Int? {
    switch kind {
    case convolution: 28
    case maxPooling: 8
    case upsampling: 8
    case concatenation: 4
    case addition: 8
    case detectionHead: 16
    default: nil
    }
  }
}

extension DescriptionDecoder {
  static func layers(_ reader: inout ByteReader) throws(WeightFileError) -> [Layer] {
    let count = try reader.uint32()
    try WeightFileError.check(count, in: WeightFormat.layerCounts) { (found, allowed) in
      .layerCount(found: found, allowed: allowed)
    }
    var layers: [Layer] = []
    for index in 0..<count { layers.append(try layer(&reader, index)) }
    return layers
  }

  private static func layer(
    _ reader: inout ByteReader, _ index: Int
  ) throws(WeightFileError) -> Layer {
    let kind = try reader.uint16()
    guard let required = LayerCode.byteCount(kind) else {
      throw .unknownLayerKind(layer: index, code: kind)
    }
    let byteCount = try reader.uint16()
    if kind == LayerCode.concatenation {
      return try concatenation(&reader, index, byteCount)
    }
    try checkLength(byteCount, required, index)
    switch kind {
    case LayerCode.convolution: return .convolution(try convolution(&reader, index))
    case LayerCode.maxPooling:
      let input = try source(&reader)
      let layer = Layer.MaxPooling(
        input: input, size: Int(try reader.uint8()), stride: Int(try reader.uint8()),
        padding: Int(try reader.uint8()))
      try reader.zeros(1)
      return .maxPooling(layer)
    case LayerCode.upsampling:
      let input = try source(&reader)
      return .upsampling(Layer.Upsampling(input: input, factor: try reader.uint32()))
    case LayerCode.addition:
      let first = try source(&reader)
      return .addition(Layer.Addition(first, try source(&reader)))
    default:
      let input = try source(&reader)
      let stride = try reader.uint32()
      let baseSize = try reader.float()
      return .detectionHead(
        Layer.DetectionHead(
          input: input, stride: stride, baseSize: baseSize, classCount: try reader.uint32()))
    }
  }

  private static func convolution(
    _ reader: inout ByteReader, _ index: Int
  ) throws(WeightFileError) -> Layer.Convolution {
    let input = try source(&reader)
    let inputChannels = try reader.uint32()
    let outputChannels = try reader.uint32()
    let kernelSize = Int(try reader.uint8())
    let stride = Int(try reader.uint8())
    let padding = Int(try reader.uint8())
    let code = try reader.uint8()
    let activation: Layer.Activation
    switch code {
    case LayerCode.leakyReLU: activation = .leakyReLU(slope: try reader.float())
    case LayerCode.identity, LayerCode.sigmoidWeighted:
      try reader.zeros(4)
      activation = code == LayerCode.identity ? .identity : .sigmoidWeighted
    default: throw .unknownActivation(layer: index, code: code)
    }
    let weights = try reader.uint32()
    return Layer.Convolution(
      input: input, inputChannels: inputChannels, outputChannels: outputChannels,
      kernelSize: kernelSize, stride: stride, padding: padding, activation: activation,
      weights: weights, bias: try reader.uint32())
  }

  private static func concatenation(
    _ reader: inout ByteReader, _ index: Int, _ byteCount: Int
  ) throws(WeightFileError) -> Layer {
    let count = try reader.uint32()
    try WeightFileError.check(count, in: WeightFormat.concatenationCounts) { (found, allowed) in
      .concatenationCount(layer: index, found: found, allowed: allowed)
    }
    try checkLength(byteCount, 4 + 4 * count, index)
    var inputs: [Layer.Source] = []
    for _ in 0..<count { inputs.append(try source(&reader)) }
    return .concatenation(Layer.Concatenation(inputs: inputs))
  }

  private static func checkLength(
    _ found: Int, _ required: Int, _ index: Int
  ) throws(WeightFileError) {
    guard found == required else {
      throw .layerRecordLength(layer: index, found: found, required: required)
    }
  }

  /// A source: 0 is the network's input, `n` is layer `n - 1`.
  private static func source(_ reader: inout ByteReader) throws(WeightFileError) -> Layer.Source {
    let number = try reader.uint32()
    return number == 0 ? .input : .layer(number - 1)
  }
}

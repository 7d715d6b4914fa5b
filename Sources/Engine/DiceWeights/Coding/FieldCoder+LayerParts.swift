/// What the records of several kinds of layers have in common.
///
/// Source: `Docs/WeightFormat.md`, section 5.
extension FieldCoder {
  /// A source: 2 i is input i, 2 i + 1 is layer i.
  mutating func source(_ source: inout Layer.Source) throws(WeightFileError) {
    var number =
      switch source {
      case .input(let index): 2 * index
      case .layer(let index): 2 * index + 1
      }
    try uint32(&number)
    source = number % 2 == 0 ? .input(number / 2) : .layer(number / 2)
  }

  /// A `u8` with the number of sources, and those.
  mutating func sources(
    _ sources: inout [Layer.Source], _ index: Int
  ) throws(WeightFileError) {
    var count = sources.count
    try uint8(&count)
    try WeightFileError.check(count, in: WeightFormat.concatenationCounts) { (found, allowed) in
      .concatenationCount(layer: index, found: found, allowed: allowed)
    }
    for place in 0..<count {
      if place == sources.count { sources.append(.input(0)) }
      try source(&sources[place])
    }
  }

  mutating func option<Option: RawRepresentable>(
    _ option: inout Option, _ name: WeightFileError.LayerOption, _ index: Int
  ) throws(WeightFileError) where Option.RawValue == UInt8 {
    try self.option(&option) { (code) in
      .unknownLayerOption(layer: index, name, code: code)
    }
  }

  mutating func edges(_ edges: inout Layer.Edges) throws(WeightFileError) {
    try uint16(&edges.top)
    try uint16(&edges.left)
    try uint16(&edges.bottom)
    try uint16(&edges.right)
  }

  mutating func window(_ window: inout Layer.Window) throws(WeightFileError) {
    try uint16(&window.height)
    try uint16(&window.width)
    try uint8(&window.strideY)
    try uint8(&window.strideX)
    try uint8(&window.dilationY)
    try uint8(&window.dilationX)
    try edges(&window.padding)
  }

  mutating func shape(_ shape: inout TensorShape) throws(WeightFileError) {
    try uint32(&shape.height)
    try uint32(&shape.width)
    try uint32(&shape.channels)
  }

  /// The axes of a reduction: 1 for the height, 2 for the width, 4 for the channels, added up.
  mutating func axes(_ layer: inout Layer.Reduction, _ index: Int) throws(WeightFileError) {
    var code: UInt8 =
      (layer.overHeight ? 1 : 0) | (layer.overWidth ? 2 : 0) | (layer.overChannels ? 4 : 0)
    try byte(&code)
    guard code < 8 else { throw .unknownLayerOption(layer: index, .axes, code: code) }
    layer.overHeight = code & 1 != 0
    layer.overWidth = code & 2 != 0
    layer.overChannels = code & 4 != 0
  }

  /// What a matrix product transposes: 1 for its first value, 2 for the second, added up.
  mutating func transposition(
    _ layer: inout Layer.MatrixProduct, _ index: Int
  ) throws(WeightFileError) {
    var code: UInt8 = (layer.transposesFirst ? 1 : 0) | (layer.transposesSecond ? 2 : 0)
    try byte(&code)
    guard code < 4 else { throw .unknownLayerOption(layer: index, .transposition, code: code) }
    layer.transposesFirst = code & 1 != 0
    layer.transposesSecond = code & 2 != 0
  }

  mutating func extent(
    _ extent: inout Layer.Resizing.Extent, _ index: Int
  ) throws(WeightFileError) {
    var (code, y, x): (UInt8, Int, Int) =
      switch extent {
      case .factors(let y, let x): (0, y, x)
      case .size(let height, let width): (1, height, width)
      }
    try byte(&code)
    guard code < 2 else { throw .unknownLayerOption(layer: index, .extent, code: code) }
    try uint32(&y)
    try uint32(&x)
    extent = code == 0 ? .factors(y: y, x: x) : .size(height: y, width: x)
  }

  mutating func mode(
    _ mode: inout Layer.Padding.Mode, _ index: Int
  ) throws(WeightFileError) {
    var (code, value): (UInt8, Float) =
      switch mode {
      case .constant(let value): (0, value)
      case .edge: (1, 0)
      case .reflection: (2, 0)
      }
    try byte(&code)
    switch code {
    case 0:
      try float(&value)
      mode = .constant(value)
    case 1: mode = .edge
    case 2: mode = .reflection
    default: throw .unknownLayerOption(layer: index, .paddingMode, code: code)
    }
  }

  /// A `u8` with the number of axes, a `u32` with each extent, a `u8` with each axis of the
  /// permutation, and the shape of the output.
  mutating func rearrangement(
    _ layer: inout Layer.Rearrangement, _ index: Int
  ) throws(WeightFileError) {
    var rank = layer.dimensions.count
    try uint8(&rank)
    try WeightFileError.check(rank, in: WeightFormat.rearrangementRanks) { (found, allowed) in
      .rearrangementRank(layer: index, found: found, allowed: allowed)
    }
    for axis in 0..<rank {
      if axis == layer.dimensions.count { layer.dimensions.append(0) }
      try uint32(&layer.dimensions[axis])
    }
    for axis in 0..<rank {
      if axis == layer.permutation.count { layer.permutation.append(0) }
      try uint8(&layer.permutation[axis])
    }
    try shape(&layer.output)
  }

  /// The code of an activation, then its numbers or the index of its tensor.
  mutating func activation(
    _ activation: inout Layer.Activation, _ index: Int
  ) throws(WeightFileError) {
    var code = activation.code
    try byte(&code)
    if let blank = Layer.Activation(code: code, tensor: 0) {
      var tensor = activation.tensor ?? 0
      try uint32(&tensor)
      activation = blank.withTensor(tensor)
      return
    }
    var numbers =
      code == activation.code
      ? activation.parameters
      : [Float](repeating: 0, count: Layer.Activation.numberCount(ofCode: code))
    for place in numbers.indices { try float(&numbers[place]) }
    guard let known = Layer.Activation(code: code, numbers) else {
      throw .unknownActivation(layer: index, code: code)
    }
    activation = known
  }
}

/// A layer's record: its kind, the bytes of its fields, and those.
///
/// Source: `Docs/WeightFormat.md`, section 5, which has the same order.
extension FieldCoder {
  mutating func layer(_ layer: inout Layer, _ index: Int) throws(WeightFileError) {
    var kind = layer.code
    try uint16(&kind)
    if kind != layer.code {
      guard let blank = Layer(blankOfCode: kind) else {
        throw .unknownLayerKind(layer: index, code: kind)
      }
      layer = blank
    }
    var result = layer
    try record(ofLayer: index) { (coder) throws(WeightFileError) in
      try coder.fields(&result, index)
    }
    layer = result
  }

  private mutating func fields(_ layer: inout Layer, _ index: Int) throws(WeightFileError) {
    switch layer {
    case .convolution(var fields):
      try source(&fields.input)
      try uint32(&fields.inputChannels)
      try uint32(&fields.outputChannels)
      try window(&fields.window)
      try uint32(&fields.groups)
      try activation(&fields.activation, index)
      try uint32(&fields.weights)
      try uint32(&fields.bias)
      layer = .convolution(fields)
    case .transposedConvolution(var fields):
      try source(&fields.input)
      try uint32(&fields.inputChannels)
      try uint32(&fields.outputChannels)
      try window(&fields.window)
      try uint8(&fields.extraRows)
      try uint8(&fields.extraColumns)
      try uint32(&fields.groups)
      try activation(&fields.activation, index)
      try uint32(&fields.weights)
      try uint32(&fields.bias)
      layer = .transposedConvolution(fields)
    case .dense(var fields):
      try source(&fields.input)
      try uint32(&fields.outputChannels)
      try activation(&fields.activation, index)
      try uint32(&fields.weights)
      try uint32(&fields.bias)
      layer = .dense(fields)
    case .pooling(var fields):
      try source(&fields.input)
      try option(&fields.kind, .poolingKind, index)
      try window(&fields.window)
      layer = .pooling(fields)
    case .reduction(var fields):
      try source(&fields.input)
      try option(&fields.kind, .reductionKind, index)
      try axes(&fields, index)
      layer = .reduction(fields)
    case .elementwise(var fields):
      try option(&fields.operation, .operation, index)
      try source(&fields.first)
      try source(&fields.second)
      if fields.operation == .requantizedSum {
        #if arch(wasm32)
          throw .unknownLayerOption(
            layer: index, .operation, code: Layer.Elementwise.Operation.requantizedSum.rawValue)
        #else
          try uint32(&fields.multipliers)
        #endif
      }
      try activation(&fields.activation, index)
      layer = .elementwise(fields)
    case .concatenation(var fields):
      try option(&fields.axis, .axis, index)
      try sources(&fields.inputs, index)
      layer = .concatenation(fields)
    case .slice(var fields):
      try source(&fields.input)
      try option(&fields.axis, .axis, index)
      try uint32(&fields.start)
      try uint32(&fields.count)
      try uint32(&fields.step)
      layer = .slice(fields)
    case .resizing(var fields):
      try source(&fields.input)
      try extent(&fields.extent, index)
      try option(&fields.interpolation, .interpolation, index)
      try option(&fields.coordinates, .coordinates, index)
      layer = .resizing(fields)
    case .padding(var fields):
      try source(&fields.input)
      try edges(&fields.edges)
      try uint16(&fields.channelsBefore)
      try uint16(&fields.channelsAfter)
      try mode(&fields.mode, index)
      layer = .padding(fields)
    case .rearrangement(var fields):
      try source(&fields.input)
      try rearrangement(&fields, index)
      layer = .rearrangement(fields)
    case .activation(var fields):
      try source(&fields.input)
      try activation(&fields.function, index)
      layer = .activation(fields)
    case .softmax(var fields):
      try source(&fields.input)
      try option(&fields.axis, .axis, index)
      layer = .softmax(fields)
    case .batchNormalization(var fields):
      try source(&fields.input)
      try uint32(&fields.scale)
      try uint32(&fields.shift)
      try uint32(&fields.mean)
      try uint32(&fields.variance)
      try float(&fields.epsilon)
      layer = .batchNormalization(fields)
    case .constant(var fields):
      try uint32(&fields.tensor)
      try shape(&fields.shape)
      layer = .constant(fields)
    case .matrixProduct(var fields):
      try source(&fields.first)
      try source(&fields.second)
      try transposition(&fields, index)
      layer = .matrixProduct(fields)
    case .ranking(var fields):
      try source(&fields.input)
      try uint32(&fields.count)
      layer = .ranking(fields)
    case .selection(var fields):
      try source(&fields.input)
      try source(&fields.places)
      layer = .selection(fields)
    }
  }
}

extension Layer {
  /// The code of the layer's kind.
  var code: Int {
    switch self {
    case .convolution: 1
    case .transposedConvolution: 2
    case .dense: 3
    case .pooling: 4
    case .reduction: 5
    case .elementwise: 6
    case .concatenation: 7
    case .slice: 8
    case .resizing: 9
    case .padding: 10
    case .rearrangement: 11
    case .activation: 12
    case .softmax: 13
    case .batchNormalization: 14
    case .constant: 15
    case .matrixProduct: 16
    case .ranking: 17
    case .selection: 18
    }
  }

  /// A layer of the kind with a code, whose fields a reader sets; nil where there is no such kind.
  fileprivate init?(blankOfCode code: Int) {
    let input = Source.input(0)
    let window = Window(size: 0)
    let shape = TensorShape(height: 0, width: 0, channels: 0)
    switch code {
    case 1:
      self = .convolution(
        Convolution(
          input: input, inputChannels: 0, outputChannels: 0, window: window, weights: 0, bias: 0))
    case 2:
      self = .transposedConvolution(
        TransposedConvolution(
          input: input, inputChannels: 0, outputChannels: 0, window: window, weights: 0, bias: 0))
    case 3: self = .dense(Dense(input: input, outputChannels: 0, weights: 0, bias: 0))
    case 4: self = .pooling(Pooling(input: input, kind: .maximum, window: window))
    case 5: self = .reduction(Reduction(input: input, kind: .maximum))
    case 6: self = .elementwise(Elementwise(.addition, input, input))
    case 7: self = .concatenation(Concatenation(inputs: []))
    case 8: self = .slice(Slice(input: input, axis: .channels, start: 0, count: 0))
    case 9: self = .resizing(.repeating(input, factor: 0))
    case 10: self = .padding(Padding(input: input, edges: Edges()))
    case 11:
      self = .rearrangement(
        Rearrangement(input: input, dimensions: [], permutation: [], output: shape))
    case 12: self = .activation(Pointwise(input: input, function: .identity))
    case 13: self = .softmax(Softmax(input: input))
    case 14:
      self = .batchNormalization(
        BatchNormalization(input: input, scale: 0, shift: 0, mean: 0, variance: 0, epsilon: 0))
    case 15: self = .constant(Constant(tensor: 0, shape: shape))
    case 16: self = .matrixProduct(MatrixProduct(input, input))
    case 17: self = .ranking(Ranking(input: input, count: 0))
    case 18: self = .selection(Selection(input: input, places: input))
    default: return nil
    }
  }
}

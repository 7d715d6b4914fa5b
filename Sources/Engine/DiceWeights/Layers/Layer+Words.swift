extension Layer {
  /// The layer's kind in words: "max pooling".
  package var kindInWords: String {
    switch self {
    case .convolution(let layer):
      layer.isDepthwise ? "depthwise convolution" : "convolution"
    case .transposedConvolution: "transposed convolution"
    case .dense: "dense"
    case .pooling(let layer): layer.kind == .maximum ? "max pooling" : "average pooling"
    case .reduction(let layer):
      switch layer.kind {
      case .maximum: "maximum"
      case .mean: "mean"
      case .sum: "sum"
      case .indexOfMaximum: "index of maximum"
      }
    case .elementwise(let layer):
      switch layer.operation {
      case .addition: "addition"
      case .subtraction: "subtraction"
      case .multiplication: "multiplication"
      case .division: "division"
      case .maximum: "greater of two"
      case .minimum: "smaller of two"
      case .requantizedSum: "requantized sum"
      }
    case .concatenation: "concatenation"
    case .slice: "slice"
    case .resizing: "resizing"
    case .padding: "padding"
    case .rearrangement: "rearrangement"
    case .activation: "activation"
    case .softmax: "softmax"
    case .batchNormalization: "batch normalization"
    case .constant: "constant"
    case .matrixProduct: "matrix product"
    case .ranking: "ranking"
    case .selection: "selection"
    }
  }

  /// What else defines the layer, in words: "3x3 stride 2, leaky ReLU 0.1"; may be empty.
  package var detailsInWords: String {
    var words: [String] = []
    switch self {
    case .convolution(let layer):
      words.append(layer.window.inWords)
      if layer.groups > 1, !layer.isDepthwise { words.append("\(layer.groups) groups") }
      words += layer.activation.inWords
    case .transposedConvolution(let layer):
      words.append(layer.window.inWords)
      if layer.extraRows > 0 || layer.extraColumns > 0 {
        words.append("larger by \(layer.extraRows) x \(layer.extraColumns)")
      }
      if layer.groups > 1 { words.append("\(layer.groups) groups") }
      words += layer.activation.inWords
    case .dense(let layer): words += layer.activation.inWords
    case .pooling(let layer):
      words.append(layer.window.inWords)
      if layer.kind == .averageWithPadding { words.append("padding counts") }
    case .reduction(let layer):
      if layer.overHeight { words.append("rows") }
      if layer.overWidth { words.append("columns") }
      if layer.overChannels { words.append("channels") }
    case .elementwise(let layer): words += layer.activation.inWords
    case .concatenation(let layer): words.append(layer.axis.inWords)
    case .slice(let layer):
      words.append(
        "\(layer.axis.inWords) \(layer.start) to \(layer.start + (layer.count - 1) * layer.step)"
          + (layer.step > 1 && layer.count > 1 ? " in steps of \(layer.step)" : ""))
    case .resizing(let layer):
      switch layer.extent {
      case .factors(let y, let x): words.append(y == x ? "\(y) times" : "\(y) by \(x) times")
      case .size(let height, let width): words.append("to \(height) x \(width)")
      }
      words.append(layer.interpolation == .bilinear ? "bilinear" : "nearest")
    case .padding(let layer):
      words += layer.edges.inWords
      if layer.channelsBefore > 0 || layer.channelsAfter > 0 {
        words.append("channels \(layer.channelsBefore) \(layer.channelsAfter)")
      }
      switch layer.mode {
      case .constant(let value): words.append("with \(Decimal.short(value))")
      case .edge: words.append("with the nearest")
      case .reflection: words.append("mirrored")
      }
    case .rearrangement(let layer):
      if layer.isReshape {
        words.append("reshape")
      } else {
        words.append("as \(Self.inWords(layer.dimensions))")
        words.append("axes \(Self.inWords(layer.permutation))")
      }
    case .activation(let layer): words += layer.function.inWords
    case .softmax(let layer): words.append(layer.axis.inWords)
    case .batchNormalization(let layer): words.append("epsilon \(Decimal.short(layer.epsilon))")
    case .constant, .selection: break
    case .ranking(let layer): words.append("the greatest \(layer.count)")
    case .matrixProduct(let layer):
      if layer.transposesFirst { words.append("first transposed") }
      if layer.transposesSecond { words.append("second transposed") }
    }
    return words.joined(separator: ", ")
  }

  private static func inWords(_ numbers: [Int]) -> String {
    numbers.map { (number) in "\(number)" }.joined(separator: " ")
  }
}

extension Layer.Rearrangement {
  /// Whether the numbers keep their order.
  fileprivate var isReshape: Bool {
    permutation.elementsEqual(0..<permutation.count)
  }
}

extension Layer.Axis {
  fileprivate var inWords: String {
    switch self {
    case .height: "rows"
    case .width: "columns"
    case .channels: "channels"
    }
  }
}

extension Layer.Window {
  fileprivate var inWords: String {
    var words = "\(height)x\(width)"
    if strideY > 1 || strideX > 1 {
      words += " stride \(strideY)" + (strideX == strideY ? "" : "x\(strideX)")
    }
    if dilationY > 1 || dilationX > 1 {
      words += " dilation \(dilationY)" + (dilationX == dilationY ? "" : "x\(dilationX)")
    }
    return words
  }
}

extension Layer.Edges {
  /// The rows and columns that are not 0, edge by edge.
  fileprivate var inWords: [String] {
    var words: [String] = []
    if top > 0 { words.append("top \(top)") }
    if left > 0 { words.append("left \(left)") }
    if bottom > 0 { words.append("bottom \(bottom)") }
    if right > 0 { words.append("right \(right)") }
    return words
  }
}

extension Layer.Activation {
  /// The function's usual name and its numbers; nothing for the identity.
  fileprivate var inWords: [String] {
    if self == .relu { return ["ReLU"] }
    if self == .relu6 { return ["ReLU6"] }
    let name: String
    switch self {
    case .identity: return []
    case .leakyReLU: name = "leaky ReLU"
    case .parametricReLU: name = "parametric ReLU"
    case .clamp: name = "clamp"
    case .sigmoid: name = "sigmoid"
    case .hardSigmoid: name = "hard sigmoid"
    case .silu: name = "SiLU"
    case .hardSwish: name = "hard swish"
    case .tanh: name = "tanh"
    case .elu: name = "ELU"
    case .gelu: name = "GELU"
    case .softplus: name = "softplus"
    case .linear: name = "linear"
    case .exponential: name = "exponential"
    case .logarithm: name = "logarithm"
    case .squareRoot: name = "square root"
    case .reciprocal: name = "reciprocal"
    case .absolute: name = "absolute"
    case .power: name = "power"
    case .floor: name = "floor"
    case .errorFunction: name = "error function"
    case .requantization(_, let isOnce): name = "requantization" + (isOnce ? ", rounded once" : "")
    case .table: name = "table"
    }
    return [parameters.reduce(name) { (words, number) in words + " \(Decimal.short(number))" }]
  }
}

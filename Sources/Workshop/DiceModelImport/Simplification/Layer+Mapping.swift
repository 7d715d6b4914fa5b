internal import DiceWeights

extension Layer {
  /// The same layer with other sources and tensors.
  func mapping(
    sources source: (Source) -> Source, tensors tensor: (Int) -> Int
  ) -> Layer {
    func mapped(_ activation: Activation) -> Activation {
      activation.tensor.map { (known) in activation.withTensor(tensor(known)) } ?? activation
    }
    switch self {
    case .convolution(var layer):
      layer.input = source(layer.input)
      layer.weights = tensor(layer.weights)
      layer.bias = tensor(layer.bias)
      layer.activation = mapped(layer.activation)
      return .convolution(layer)
    case .transposedConvolution(var layer):
      layer.input = source(layer.input)
      layer.weights = tensor(layer.weights)
      layer.bias = tensor(layer.bias)
      layer.activation = mapped(layer.activation)
      return .transposedConvolution(layer)
    case .dense(var layer):
      layer.input = source(layer.input)
      layer.weights = tensor(layer.weights)
      layer.bias = tensor(layer.bias)
      layer.activation = mapped(layer.activation)
      return .dense(layer)
    case .elementwise(var layer):
      layer.first = source(layer.first)
      layer.second = source(layer.second)
      if let multipliers = layer.tensor { layer.multipliers = tensor(multipliers) }
      layer.activation = mapped(layer.activation)
      return .elementwise(layer)
    case .activation(var layer):
      layer.input = source(layer.input)
      layer.function = mapped(layer.function)
      return .activation(layer)
    case .batchNormalization(var layer):
      layer.input = source(layer.input)
      layer.scale = tensor(layer.scale)
      layer.shift = tensor(layer.shift)
      layer.mean = tensor(layer.mean)
      layer.variance = tensor(layer.variance)
      return .batchNormalization(layer)
    case .constant(var layer):
      layer.tensor = tensor(layer.tensor)
      return .constant(layer)
    case .concatenation(var layer):
      layer.inputs = layer.inputs.map(source)
      return .concatenation(layer)
    case .pooling(var layer):
      layer.input = source(layer.input)
      return .pooling(layer)
    case .reduction(var layer):
      layer.input = source(layer.input)
      return .reduction(layer)
    case .slice(var layer):
      layer.input = source(layer.input)
      return .slice(layer)
    case .resizing(var layer):
      layer.input = source(layer.input)
      return .resizing(layer)
    case .padding(var layer):
      layer.input = source(layer.input)
      return .padding(layer)
    case .rearrangement(var layer):
      layer.input = source(layer.input)
      return .rearrangement(layer)
    case .softmax(var layer):
      layer.input = source(layer.input)
      return .softmax(layer)
    case .matrixProduct(var layer):
      layer.first = source(layer.first)
      layer.second = source(layer.second)
      return .matrixProduct(layer)
    case .ranking(var layer):
      layer.input = source(layer.input)
      return .ranking(layer)
    case .selection(var layer):
      layer.input = source(layer.input)
      layer.places = source(layer.places)
      return .selection(layer)
    }
  }

  /// The activation that is part of the layer; nil for layers that have none.
  var ownActivation: Activation? {
    get {
      switch self {
      case .convolution(let layer): layer.activation
      case .transposedConvolution(let layer): layer.activation
      case .dense(let layer): layer.activation
      case .elementwise(let layer): layer.activation
      default: nil
      }
    }
    set {
      guard let newValue else { return }
      switch self {
      case .convolution(var layer):
        layer.activation = newValue
        self = .convolution(layer)
      case .transposedConvolution(var layer):
        layer.activation = newValue
        self = .transposedConvolution(layer)
      case .dense(var layer):
        layer.activation = newValue
        self = .dense(layer)
      case .elementwise(var layer):
        layer.activation = newValue
        self = .elementwise(layer)
      default: break
      }
    }
  }

  /// The tensors of weights and biases of a layer that is a weighted sum; nil for others.
  var sumTensors: (weights: Int, bias: Int)? {
    get {
      switch self {
      case .convolution(let layer): (layer.weights, layer.bias)
      case .transposedConvolution(let layer): (layer.weights, layer.bias)
      case .dense(let layer): (layer.weights, layer.bias)
      default: nil
      }
    }
    set {
      guard let newValue else { return }
      switch self {
      case .convolution(var layer):
        (layer.weights, layer.bias) = newValue
        self = .convolution(layer)
      case .transposedConvolution(var layer):
        (layer.weights, layer.bias) = newValue
        self = .transposedConvolution(layer)
      case .dense(var layer):
        (layer.weights, layer.bias) = newValue
        self = .dense(layer)
      default: break
      }
    }
  }
}

extension Layer.Activation {
  /// The range that the function limits numbers to, where it does nothing else.
  var limits: (lower: Float, upper: Float)? {
    switch self {
    case .leakyReLU(slope: 0): (0, .greatestFiniteMagnitude)
    case .clamp(let lower, let upper): (lower, upper)
    default: nil
    }
  }

  /// A function that limits numbers to a range.
  static func limiting(to lower: Float, _ upper: Float) -> Layer.Activation {
    lower == 0 && upper == .greatestFiniteMagnitude ? .relu : .clamp(lower: lower, upper: upper)
  }
}

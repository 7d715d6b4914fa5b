public import DiceDetectorHeads
public import DiceWeights

/// A model of another format as a network of the weight format.
public struct ImportedModel: Sendable {
  /// The network: inputs, layers, outputs and where they come from.
  public var description: NetworkDescription
  /// The numbers of each tensor, by tensor index.
  public var tensors: [[Float]]
  /// The inputs as the model has them, in the order of the network's.
  public let inputs: [ModelTensor]
  /// The outputs as the model has them, in the order of the network's.
  public internal(set) var outputs: [ModelTensor]
  /// What became of the model's operations.
  public var report: ImportReport

  /// The weight file.
  ///
  /// - Parameter storage: How weights of convolutions and dense layers are stored.
  /// - Throws: The broken rule of the weight format.
  public func weightFile(storage: WeightStorage = .float32) throws(WeightFileError) -> [UInt8] {
    try WeightFile.encode(description: description, tensors: tensors, storage: storage)
  }
}

/// What became of a model's operations.
public struct ImportReport: Hashable, Sendable {
  /// The file's format with what it says of its version: "ONNX, operator set 11".
  public var format: String
  /// How many operations the model has.
  public var operationCount: Int
  /// How many layers the network has.
  public var layerCount = 0
  /// How many operations on known numbers were carried out beforehand.
  public var foldedConstantCount = 0
  /// How many normalisations, scalings and biases became part of a convolution.
  public var foldedAffineCount = 0
  /// How many activations became part of the layer before them.
  public var fusedActivationCount = 0
  /// How many paddings became part of the layer behind them.
  public var fusedPaddingCount = 0
  /// How many layers were dropped since no output needs them.
  public var droppedLayerCount = 0
  /// What a user of the network should know: sentences.
  public var notes: [String] = []

  init(format: String, operationCount: Int) {
    self.format = format
    self.operationCount = operationCount
  }
}

/// What an importer cannot know from the file alone.
public struct ImportOptions: Hashable, Sendable {
  /// The network's name; nil takes the model's own.
  public var name: String?
  /// The shapes of inputs whose model leaves some of them open, by the input's name.
  public var inputShapes: [String: [Int]]
  /// The numbers of inputs of Core ML, ONNX and TensorFlow Lite models that are always the same, by the
  /// input's name: one for all its positions, or one for each in row-major order.
  ///
  /// The network has no such input, and what follows from it is computed beforehand. What a model chooses by
  /// that input (a sampling rate, say) is chosen.
  public var inputValues: [String: [Double]]
  /// The bytes of the files that an ONNX model keeps weights in, by the names that it gives them:
  /// those of ``ModelImportError/externalData(tensor:file:)``.
  public var externalFiles: [String: [UInt8]]
  /// Whether floating-point inputs of layers whose weights are integers are rounded to 8 bits, as LiteRT does
  /// while it runs a TensorFlow Lite model that is quantized so.
  ///
  /// Answers are then nearer to LiteRT's, and a little less exact. A network has five small layers more
  /// for each such input.
  public var roundsInputs: Bool

  /// Groups the options.
  public init(
    name: String? = nil, inputShapes: [String: [Int]] = [:], inputValues: [String: [Double]] = [:],
    externalFiles: [String: [UInt8]] = [:], roundsInputs: Bool = false
  ) {
    self.name = name
    self.inputShapes = inputShapes
    self.inputValues = inputValues
    self.externalFiles = externalFiles
    self.roundsInputs = roundsInputs
  }
}

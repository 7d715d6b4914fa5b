/// What a person wants to know about a weight file, as values: ``WeightFile/summary()`` prints it.
public struct WeightFileOverview: Hashable, Sendable {
  /// The tensors that share one storage.
  public struct StorageUse: Hashable, Sendable {
    /// How the tensors are stored.
    public let storage: WeightStorage
    /// The number of tensors.
    public let tensorCount: Int
    /// Their values together.
    public let parameterCount: Int64
    /// Their bytes together, without the gaps between tensors.
    public let byteCount: Int
  }

  /// One layer at the default input.
  public struct LayerRow: Hashable, Sendable {
    /// The layer's index.
    public let index: Int
    /// The kind in words: "max pooling".
    public let kind: String
    /// What the layer reads, in order.
    public let sources: [Layer.Source]
    /// Columns of the output; for a detection head, of its grid.
    public let width: Int
    /// Rows of the output; for a detection head, of its grid.
    public let height: Int
    /// Channels of the output; for a detection head, of its source.
    public let channels: Int
    /// What else defines the layer, in words: "3x3 stride 2, leaky 0.1"; may be
    /// empty.
    public let details: String
    /// How the layer's weights are stored; nil where it has none.
    public let storage: WeightStorage?
    /// The layer's weights and biases together.
    public let parameterCount: Int64
    /// The layer's multiplications with an addition.
    public let multiplyAddCount: Int64
  }

  /// The network's name.
  public let name: String
  /// The version that the file states: "1.0".
  public let formatVersion: String
  /// The bytes of the file.
  public let byteCount: Int
  /// The file's checksum (XXH64).
  public let checksum: UInt64
  /// How a picture becomes the network's input, and the default size.
  public let input: InputRules
  /// The name of each class, by class index.
  public let labels: [String]
  /// The thresholds that the network's author recommends.
  public let thresholds: DefaultThresholds
  /// The origin of the weights.
  public let provenance: [ProvenanceEntry]
  /// The layers, by index.
  public let layers: [LayerRow]
  /// The storages in use, in the order of their codes.
  public let storages: [StorageUse]
  /// The values of all tensors; a tensor that several layers share counts once.
  public let parameterCount: Int64
  /// The multiplications with an addition for one default input.
  public let multiplyAddCount: Int64
}

extension WeightFile {
  /// What a person wants to know about the file, as values.
  ///
  /// - Complexity: O(number of layers and tensors).
  public var overview: WeightFileOverview {
    let input = description.input
    return WeightFileOverview(
      name: description.name,
      formatVersion: "\(WeightFormat.majorVersion).\(minorVersion)",
      byteCount: bytes.count,
      checksum: checksum,
      input: input,
      labels: description.labels,
      thresholds: description.thresholds,
      provenance: description.provenance,
      layers: description.layers.indices.map { (index) in layerRow(index) },
      storages: storageUses,
      parameterCount: parameterCount,
      multiplyAddCount: multiplyAddCount(width: input.width, height: input.height))
  }

  private var storageUses: [WeightFileOverview.StorageUse] {
    var uses: [WeightFileOverview.StorageUse] = []
    for storage in WeightStorage.allCases {
      var tensorCount = 0
      var parameterCount: Int64 = 0
      var byteCount = 0
      for tensor in tensors where tensor.storage == storage {
        tensorCount += 1
        parameterCount += Int64(tensor.elementCount)
        byteCount += tensor.byteRange.count
      }
      guard tensorCount > 0 else { continue }
      uses.append(
        WeightFileOverview.StorageUse(
          storage: storage, tensorCount: tensorCount, parameterCount: parameterCount,
          byteCount: byteCount))
    }
    return uses
  }

  private func layerRow(_ index: Int) -> WeightFileOverview.LayerRow {
    let layer = description.layers[index]
    let shape = shapes.layers[index]
    let input = description.input
    var storage: WeightStorage?
    if case .convolution(let layer) = layer { storage = tensors[layer.weights].storage }
    return WeightFileOverview.LayerRow(
      index: index,
      kind: layer.kindInWords,
      sources: layer.sources,
      width: input.width / shape.downsampling,
      height: input.height / shape.downsampling,
      channels: shape.channels,
      details: layer.detailsInWords,
      storage: storage,
      parameterCount: shapes.parameterCount(ofLayer: index),
      multiplyAddCount: shapes.multiplyAddCount(
        ofLayer: index, width: input.width, height: input.height))
  }
}

extension Layer {
  fileprivate var kindInWords: String {
    switch self {
    case .convolution: "convolution"
    case .maxPooling: "max pooling"
    case .upsampling: "upsampling"
    case .concatenation: "concatenation"
    case .addition: "addition"
    case .detectionHead: "detection head"
    }
  }

  fileprivate var detailsInWords: String {
    switch self {
    case .convolution(let layer):
      Self.window(layer.kernelSize, layer.stride) + layer.activation.inWords
    case .maxPooling(let layer): Self.window(layer.size, layer.stride)
    case .upsampling(let layer): "\(layer.factor) times"
    case .concatenation, .addition: ""
    case .detectionHead(let layer):
      "stride \(layer.stride), base size \(Decimal.short(layer.baseSize)), "
        + "\(layer.classCount) class\(layer.classCount == 1 ? "" : "es")"
    }
  }

  private static func window(_ size: Int, _ stride: Int) -> String {
    "\(size)x\(size)" + (stride > 1 ? " stride \(stride)" : "")
  }
}

extension Layer.Activation {
  fileprivate var inWords: String {
    switch self {
    case .identity: ""
    case .leakyReLU(let slope): slope == 0 ? ", rectified" : ", leaky \(Decimal.short(slope))"
    case .sigmoidWeighted: ", sigmoid weighted"
    }
  }
}

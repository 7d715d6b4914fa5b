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

  /// One layer, for inputs of the default shapes.
  public struct LayerRow: Hashable, Sendable {
    /// The layer's index.
    public let index: Int
    /// The kind in words: "max pooling".
    public let kind: String
    /// What the layer reads, in order.
    public let sources: [Layer.Source]
    /// The shape of the output.
    public let shape: TensorShape
    /// What else defines the layer, in words: "3x3 stride 2, leaky ReLU 0.1"; may be empty.
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
  /// What the network is for; may be empty.
  public let task: String
  /// The version that the file states: "2.0".
  public let formatVersion: String
  /// The bytes of the file.
  public let byteCount: Int
  /// The file's checksum (XXH64).
  public let checksum: UInt64
  /// What the network is given.
  public let inputs: [NetworkInput]
  /// What the rows and columns of resizable inputs are multiples of.
  public let sizeMultiple: Int
  /// What the network gives.
  public let outputs: [NetworkOutput]
  /// Constants of the program around the network.
  public let profile: [NamedValues]
  /// The origin of the weights.
  public let provenance: [ProvenanceEntry]
  /// The layers, by index.
  public let layers: [LayerRow]
  /// The storages in use, in the order of their codes.
  public let storages: [StorageUse]
  /// The values of all tensors; a tensor that several layers share counts once.
  public let parameterCount: Int64
  /// The multiplications with an addition for inputs of the default shapes.
  public let multiplyAddCount: Int64
}

extension WeightFile {
  /// What a person wants to know about the file, as values.
  ///
  /// - Complexity: O(number of layers and tensors).
  public var overview: WeightFileOverview {
    WeightFileOverview(
      name: description.name,
      task: description.task,
      formatVersion: "\(WeightFormat.majorVersion).\(minorVersion)",
      byteCount: bytes.count,
      checksum: checksum,
      inputs: description.inputs,
      sizeMultiple: shapes.sizeMultiple,
      outputs: description.outputs,
      profile: description.profile,
      provenance: description.provenance,
      layers: description.layers.indices.map { (index) in layerRow(index) },
      storages: storageUses,
      parameterCount: parameterCount,
      multiplyAddCount: multiplyAddCount)
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
    let input = layer.sources.first.map { (source) in shapes.shape(of: source) } ?? shape
    return WeightFileOverview.LayerRow(
      index: index,
      kind: layer.kindInWords,
      sources: layer.sources,
      shape: shape,
      details: layer.detailsInWords,
      storage: layer.weightTensors(input: input, output: shape).first.map { (use) in
        tensors[use.tensor].storage
      },
      parameterCount: shapes.parameterCount(ofLayer: index),
      multiplyAddCount: shapes.multiplyAddCount(ofLayer: index))
  }
}

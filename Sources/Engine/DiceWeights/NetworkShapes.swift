/// What follows from a valid description for given sizes of the inputs: the shapes of all values and
/// of all tensors.
public struct NetworkShapes: Hashable, Sendable {
  /// The shape of each input, by input index.
  public let inputs: [TensorShape]
  /// The shape of each layer's output, by layer index.
  public let layers: [TensorShape]
  /// The shape of each tensor, by tensor index.
  public let tensors: [[Int]]
  /// How many rows and columns of the first input make one of each layer's output, by layer index;
  /// 0 where that is no whole number.
  public let downsamplings: [Int]
  /// The width and height of a resizable input are multiples of this: the greatest of all
  /// downsamplings, as strides make them.
  public let sizeMultiple: Int
  /// The parameters and multiply-adds of each layer, by layer index.
  let costs: [LayerCost]

  /// The values of all tensors together; a tensor that several layers share counts once.
  public var parameterCount: Int64 {
    var count: Int64 = 0
    for shape in tensors { count += NetworkShapes.elementCount(of: shape) }
    return count
  }

  /// The multiplications with an addition that all layers together do for one input.
  ///
  /// Convolutions and dense layers count, those on their padding included; other layers, biases and
  /// activations count nothing. At most `Int64.max`.
  public var multiplyAddCount: Int64 {
    var count: Int64 = 0
    for cost in costs {
      // One layer does at most 2^56.
      let (sum, overflow) = count.addingReportingOverflow(cost.multiplyAddCount)
      count = overflow ? .max : sum
    }
    return count
  }

  /// The multiplications with an addition that one layer does for one input.
  ///
  /// - Precondition: `layer` is an index of ``layers``.
  public func multiplyAddCount(ofLayer layer: Int) -> Int64 { costs[layer].multiplyAddCount }

  /// The weights and biases of one layer.
  ///
  /// - Precondition: `layer` is an index of ``layers``.
  public func parameterCount(ofLayer layer: Int) -> Int64 { costs[layer].parameterCount }

  /// The shape of a value that a layer reads.
  ///
  /// - Precondition: the source belongs to the description.
  public func shape(of source: Layer.Source) -> TensorShape {
    switch source {
    case .input(let index): return inputs[index]
    case .layer(let index): return layers[index]
    }
  }

  static func elementCount(of shape: [Int]) -> Int64 {
    var count: Int64 = 1
    for dimension in shape { count *= Int64(dimension) }
    return count
  }
}

/// What one layer costs.
struct LayerCost: Hashable, Sendable {
  /// Weights and biases.
  var parameterCount: Int64
  /// Multiply-adds.
  var multiplyAddCount: Int64
}

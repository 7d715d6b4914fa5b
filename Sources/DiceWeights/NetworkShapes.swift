/// The shape of a layer's output, for every input size at once.
public struct LayerShape: Hashable, Sendable {
  /// The channels of the output; for a detection head, of its source.
  public let channels: Int
  /// How many times smaller than the network's input the output is in width and height: 1, 2, 4, 8,
  /// 16 or 32.
  public let downsampling: Int

  init(channels: Int, downsampling: Int) {
    self.channels = channels
    self.downsampling = downsampling
  }
}

/// What follows from a valid description: the shapes of all outputs and of all tensors.
public struct NetworkShapes: Hashable, Sendable {
  /// The shape of each layer's output, by layer index.
  public let layers: [LayerShape]
  /// The shape of each tensor, by tensor index.
  public let tensors: [[Int]]
  /// The parameters and multiply-adds for each output pixel of each layer, by layer index.
  let costs: [LayerCost]

  /// The values of all tensors together; a tensor that several layers share counts once.
  public var parameterCount: Int64 {
    var count: Int64 = 0
    for shape in tensors { count += NetworkShapes.elementCount(of: shape) }
    return count
  }

  /// The multiplications with an addition that all convolutions together do for one input.
  ///
  /// A convolution counts `KH * KW * I * O` for each output pixel, those on its padding included.
  /// Other layers, biases and activations count nothing.
  ///
  /// - Precondition: `width` and `height` are positive multiples of 32, at most 4096.
  /// - Complexity: O(number of layers).
  public func multiplyAddCount(width: Int, height: Int) -> Int64 {
    var count: Int64 = 0
    for layer in layers.indices {
      count += multiplyAddCount(ofLayer: layer, width: width, height: height)
    }
    return count
  }

  /// The multiplications with an addition that one layer does for one input; 0 unless it is a
  /// convolution.
  ///
  /// - Precondition: `layer` is an index of ``layers``; `width` and `height` are positive multiples
  ///   of 32, at most 4096.
  public func multiplyAddCount(ofLayer layer: Int, width: Int, height: Int) -> Int64 {
    for size in [width, height] {
      precondition(
        WeightFormat.inputSizes.contains(size) && size % WeightFormat.inputMultiple == 0,
        "an input's width and height are multiples of 32 in 32...4096")
    }
    let downsampling = layers[layer].downsampling
    return costs[layer].multiplyAddsPerPixel * Int64(width / downsampling)
      * Int64(height / downsampling)
  }

  /// The weights and biases of one layer; 0 unless it is a convolution.
  ///
  /// - Precondition: `layer` is an index of ``layers``.
  public func parameterCount(ofLayer layer: Int) -> Int64 { costs[layer].parameterCount }

  static func elementCount(of shape: [Int]) -> Int64 {
    var count: Int64 = 1
    for dimension in shape { count *= Int64(dimension) }
    return count
  }
}

/// What one layer costs, whatever the size of the input.
struct LayerCost: Hashable, Sendable {
  /// Weights and biases; 0 unless the layer is a convolution.
  var parameterCount: Int64
  /// Multiply-adds for one pixel of the output; 0 unless the layer is a convolution.
  var multiplyAddsPerPixel: Int64
}

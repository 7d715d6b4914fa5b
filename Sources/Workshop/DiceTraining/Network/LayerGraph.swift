internal import DiceWeights

/// Which layers of a description read which, and what follows from that for training.
struct LayerGraph {
  private let layers: [Layer]
  private let shapes: NetworkShapes
  /// For each layer those that read it.
  private let readers: [[Int]]
  private let isOutput: [Bool]
  /// Whether nothing but pass-through layers lies between a layer and an output.
  private let feedsOutput: [Bool]

  init(_ description: NetworkDescription, shapes: NetworkShapes) {
    layers = description.layers
    self.shapes = shapes
    var readers = [[Int]](repeating: [], count: layers.count)
    for (index, layer) in layers.enumerated() {
      for case .layer(let source) in layer.sources { readers[source].append(index) }
    }
    self.readers = readers
    var isOutput = [Bool](repeating: false, count: layers.count)
    for output in description.outputs { isOutput[output.layer] = true }
    self.isOutput = isOutput
    var feedsOutput = isOutput
    for index in layers.indices.reversed() where !feedsOutput[index] {
      feedsOutput[index] = readers[index].contains {
        Self.passesThrough(description.layers[$0]) && feedsOutput[$0]
      }
    }
    self.feedsOutput = feedsOutput
  }

  private static func passesThrough(_ layer: Layer) -> Bool {
    switch layer {
    case .activation, .softmax, .rearrangement: true
    default: false
    }
  }

  /// Whether a convolution or dense layer begins with small weights, because an output follows from
  /// it.
  func isInFrontOfOutput(_ index: Int) -> Bool { feedsOutput[index] }

  /// Whether a convolution or dense layer is normalised unless the caller says otherwise.
  func isNormalized(_ index: Int) -> Bool {
    let shape = shapes.layers[index]
    let hasOnePixel = shape.height == 1 && shape.width == 1
    let hasOwn = readers[index].contains { reader in
      if case .batchNormalization = layers[reader] { true } else { false }
    }
    return !feedsOutput[index] && !hasOnePixel && !hasOwn
  }

  /// Whether a layer's value is read by other layers.
  func isRead(_ index: Int) -> Bool { !readers[index].isEmpty }

  /// Whether an input is read by convolutions over all of its channels alone: these do with pixels of
  /// few floats.
  func isReadByConvolutionsAlone(input: Int) -> Bool {
    layers.allSatisfy { layer in
      guard layer.sources.contains(.input(input)) else { return true }
      guard case .convolution(let convolution) = layer else { return false }
      return !convolution.isDepthwise
    }
  }
}

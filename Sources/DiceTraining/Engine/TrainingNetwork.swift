internal import DiceKernelTemplates
internal import DiceKernels
internal import DiceNetwork
internal import DiceParallel
internal import DiceWeights

/// A network that learns: the layers of a description with batch normalisation after every
/// convolution that does not feed a detection head.
final class TrainingNetwork {
  let description: NetworkDescription
  let store = ParameterStore()
  /// One block for each convolution, by layer index.
  let blocks: [Int: ConvolutionBlock]

  private let kernels: Kernels
  private let pool: WorkerPool

  /// - Parameter matrixKernels: what convolutions are computed with in place of `kernels`, where given.
  init(
    _ description: NetworkDescription, seed: UInt64, kernels: Kernels,
    matrixKernels: MatrixKernels? = nil, pool: WorkerPool
  ) throws(TrainingError) {
    self.description = description
    self.kernels = kernels
    self.pool = pool
    var feedsHead: Set<Int> = []
    for case .detectionHead(let head) in description.layers {
      guard case .layer(let index) = head.input, index < description.layers.count,
        case .convolution = description.layers[index]
      else { throw .headWithoutConvolution }
      feedsHead.insert(index)
    }
    guard !feedsHead.isEmpty else { throw .noDetectionHead }
    var blocks: [Int: ConvolutionBlock] = [:]
    for (index, layer) in description.layers.enumerated() {
      guard case .convolution(let convolution) = layer else { continue }
      let slope: Float
      switch convolution.activation {
      case .identity: slope = 1
      case .leakyReLU(let value): slope = value
      case .sigmoidWeighted: throw .unsupportedActivation(layer: index)
      }
      guard !feedsHead.contains(index) || slope == 1 else {
        throw .unsupportedActivation(layer: index)
      }
      blocks[index] = ConvolutionBlock(
        convolution, isNormalized: !feedsHead.contains(index), slope: slope, store: store,
        matrixKernels: matrixKernels)
    }
    self.blocks = blocks
    store.allocate()
    var random = TrainingRandom(seed, 0x57E1_6875)
    for index in blocks.keys.sorted() { blocks[index]?.initialize(using: &random) }
    for case .detectionHead(let head) in description.layers {
      guard case .layer(let index) = head.input, let block = blocks[index] else { continue }
      // Objectness starts at 0.01, so that the many empty cells do not swamp the first steps.
      store.values[block.shiftRange.lowerBound + 4] = -4.6
    }
    store.averaged.write(store.values.floats(0..<store.count), at: 0)
  }

  /// The blocks in the order of the layers.
  var orderedBlocks: [ConvolutionBlock] { blocks.keys.sorted().compactMap { blocks[$0] } }

  /// The widest border that a convolution needs around its input or its output's gradient.
  private var border: Int { blocks.values.map(\.reach).max() ?? 0 }

  // MARK: Maps

  /// All maps for one batch shape.
  final class Workspace {
    let input: FeatureMap
    /// By layer; a head has none.
    fileprivate(set) var outputs: [FeatureMap?]
    fileprivate(set) var gradients: [FeatureMap?]
    /// What a normalised convolution computes before the normalisation, by layer.
    fileprivate(set) var sums: [FeatureMap?]

    fileprivate init(input: FeatureMap, layerCount: Int) {
      self.input = input
      outputs = Array(repeating: nil, count: layerCount)
      gradients = outputs
      sums = outputs
    }
  }

  /// Maps for `pictureCount` pictures of `height` by `width` pixels, multiples of 32.
  func makeWorkspace(pictureCount: Int, height: Int, width: Int) -> Workspace {
    precondition(height.isMultiple(of: 32) && width.isMultiple(of: 32), "sizes are multiples of 32")
    let workspace = Workspace(
      input: FeatureMap(
        pictureCount: pictureCount, height: height, width: width, channelCount: 3, border: border,
        pixelStep: 4),
      layerCount: description.layers.count)
    for (index, layer) in description.layers.enumerated() {
      func map(_ source: Layer.Source) -> FeatureMap { self.map(source, workspace) }
      func make(like map: FeatureMap, channels: Int, times: Int = 1, over: Int = 1) -> FeatureMap {
        FeatureMap(
          pictureCount: pictureCount, height: map.height * times / over,
          width: map.width * times / over, channelCount: channels, border: border)
      }
      let output: FeatureMap
      switch layer {
      case .convolution(let layer):
        output = make(like: map(layer.input), channels: layer.outputChannels, over: layer.stride)
        if blocks[index]?.isNormalized == true {
          workspace.sums[index] = make(like: output, channels: layer.outputChannels)
        }
      case .maxPooling(let layer):
        let input = map(layer.input)
        output = make(like: input, channels: input.channelCount, over: layer.stride)
      case .upsampling(let layer):
        let input = map(layer.input)
        output = make(like: input, channels: input.channelCount, times: layer.factor)
      case .concatenation(let layer):
        let inputs = layer.inputs.map(map)
        output = make(like: inputs[0], channels: inputs.reduce(0) { $0 + $1.channelCount })
      case .addition(let layer):
        let input = map(layer.first)
        output = make(like: input, channels: input.channelCount)
      case .detectionHead: continue
      }
      workspace.outputs[index] = output
      workspace.gradients[index] = make(like: output, channels: output.channelCount)
    }
    return workspace
  }

  private func map(_ source: Layer.Source, _ workspace: Workspace) -> FeatureMap {
    switch source {
    case .input: workspace.input
    case .layer(let index): workspace.outputs[index]!
    }
  }

  /// A head with its raw predictions and the place for their gradient.
  struct Head {
    let layer: Layer.DetectionHead
    let output: FeatureMap
    let gradient: FeatureMap
  }

  func heads(of workspace: Workspace) -> [Head] {
    description.layers.compactMap { layer in
      guard case .detectionHead(let head) = layer, case .layer(let index) = head.input,
        let output = workspace.outputs[index], let gradient = workspace.gradients[index]
      else { return nil }
      return Head(layer: head, output: output, gradient: gradient)
    }
  }

  // MARK: Passes

  /// Fits the blocks' scratch to a workspace; to be called whenever the workspace changes.
  func prepare(_ workspace: Workspace) {
    var sharedCount = 0
    for (index, block) in blocks {
      let isFirst = block.layer.input == .input
      let count = block.prepare(
        input: map(block.layer.input, workspace), output: workspace.outputs[index]!,
        inputGradient: isFirst ? nil : gradient(block.layer.input, workspace))
      sharedCount = max(sharedCount, count)
    }
    let scratch = ScratchMemory(floatCount: sharedCount, threadCount: pool.threadCount)
    for block in blocks.values { block.share(scratch) }
  }

  /// From the input map to the heads' raw predictions, with the statistics of the batch.
  ///
  /// - Parameter isCalibrating: sets each normalised block's scale and shift so that its output is
  ///   that of the convolution with its bias.
  func forward(_ workspace: Workspace, isCalibrating: Bool = false) {
    for (index, layer) in description.layers.enumerated() {
      guard let output = workspace.outputs[index] else { continue }
      switch layer {
      case .convolution(let layer):
        blocks[index]?.forward(
          input: map(layer.input, workspace), sum: workspace.sums[index] ?? output, output: output,
          isCalibrating: isCalibrating, kernels: kernels, pool: pool)
      case .maxPooling(let layer):
        let input = map(layer.input, workspace)
        pool.run(count: output.pictureCount) { picture in
          maxPool(layer, input: input, output: output, picture: picture)
        }
      case .upsampling(let layer):
        let input = map(layer.input, workspace)
        pool.run(count: output.pictureCount) { picture in
          upsample(factor: layer.factor, input: input, output: output, picture: picture)
        }
      case .concatenation(let layer):
        let inputs = layer.inputs.map { map($0, workspace) }
        pool.run(count: output.pictureCount) { picture in
          concatenate(inputs, output: output, picture: picture)
        }
      case .addition(let layer):
        let (first, second) = (map(layer.first, workspace), map(layer.second, workspace))
        pool.run(count: output.pictureCount) { picture in
          copyValues(of: first, to: output, picture: picture, adds: false)
          copyValues(of: second, to: output, picture: picture, adds: true)
        }
      case .detectionHead: break
      }
    }
  }

  private func gradient(_ source: Layer.Source, _ workspace: Workspace) -> FeatureMap? {
    switch source {
    case .input: nil
    case .layer(let index): workspace.gradients[index]
    }
  }

  /// From the gradients of the heads' predictions to those of all parameters.
  func backward(_ workspace: Workspace) {
    // Whether a layer's gradient has been written in this pass; later parts are added.
    var isWritten = [Bool](repeating: false, count: description.layers.count)
    for case .detectionHead(let head) in description.layers {
      if case .layer(let index) = head.input { isWritten[index] = true }
    }
    for (index, layer) in description.layers.enumerated().reversed() {
      guard isWritten[index], let output = workspace.outputs[index],
        let gradient = workspace.gradients[index]
      else { continue }
      /// The gradient map of a source, and whether to add to it.
      func target(_ source: Layer.Source) -> (map: FeatureMap, adds: Bool)? {
        guard case .layer(let source) = source, let map = workspace.gradients[source] else {
          return nil
        }
        defer { isWritten[source] = true }
        return (map, isWritten[source])
      }
      switch layer {
      case .convolution(let layer):
        let target = target(layer.input)
        blocks[index]?.backward(
          input: map(layer.input, workspace), sum: workspace.sums[index] ?? output,
          output: output, gradient: gradient, inputGradient: target?.map,
          accumulates: target?.adds ?? false, kernels: kernels, pool: pool)
      case .maxPooling(let layer):
        guard let target = target(layer.input) else { continue }
        let input = map(layer.input, workspace)
        pool.run(count: output.pictureCount) { picture in
          if !target.adds { target.map.clear(picture) }
          unpool(
            layer, input: input, output: output, gradient: gradient, inputGradient: target.map,
            picture: picture)
        }
      case .upsampling(let layer):
        guard let target = target(layer.input) else { continue }
        pool.run(count: output.pictureCount) { picture in
          if !target.adds { target.map.clear(picture) }
          sumSquares(
            factor: layer.factor, gradient: gradient, inputGradient: target.map, picture: picture)
        }
      case .concatenation(let layer):
        var offset = 0
        for source in layer.inputs {
          let channels = map(source, workspace).channelCount
          if let target = target(source) {
            let start = offset
            pool.run(count: output.pictureCount) { picture in
              copyChannels(
                of: gradient, from: start, to: target.map, at: 0, count: channels,
                picture: picture, adds: target.adds)
            }
          }
          offset += channels
        }
      case .addition(let layer):
        for source in layer.inputs {
          guard let target = target(source) else { continue }
          pool.run(count: output.pictureCount) { picture in
            copyValues(of: gradient, to: target.map, picture: picture, adds: target.adds)
          }
        }
      case .detectionHead: break
      }
    }
  }
}

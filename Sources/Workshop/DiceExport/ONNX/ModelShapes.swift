internal import DiceWeights

/// The rows, columns and channels of all values of a model.
struct ModelShapes {
  /// The extents of a value.
  struct Shape: Hashable {
    var height: ModelExtent
    var width: ModelExtent
    var channels: Int

    init(height: ModelExtent, width: ModelExtent, channels: Int) {
      self.height = height
      self.width = width
      self.channels = channels
    }

    init(_ shape: TensorShape) {
      self.init(
        height: .number(shape.height), width: .number(shape.width), channels: shape.channels)
    }

    /// Whether there is one pixel, or one channel: then rows, columns and channels have one order.
    var isOneList: Bool { channels == 1 || height == .number(1) && width == .number(1) }

    /// The shape, where no size is open.
    var numbers: TensorShape? {
      guard case .number(let height) = height, case .number(let width) = width else { return nil }
      return TensorShape(height: height, width: width, channels: channels)
    }
  }

  /// The shape of each input, by input index.
  let inputs: [Shape]
  /// The shape of each layer's output, by layer index.
  private(set) var layers: [Shape] = []

  private let sizeMultiple: Int

  /// Shapes that are numbers.
  init(_ shapes: NetworkShapes) {
    inputs = shapes.inputs.map { (shape) in Shape(shape) }
    layers = shapes.layers.map { (shape) in Shape(shape) }
    sizeMultiple = shapes.sizeMultiple
  }

  /// Shapes where the rows and columns of resizable inputs are open.
  init(openSizesOf file: WeightFile) {
    sizeMultiple = file.shapes.sizeMultiple
    inputs = file.description.inputs.enumerated().map { (index, input) in
      guard input.isResizable else { return Shape(input.shape) }
      return Shape(
        height: .share(ModelExtent.Share(input: index, axis: .height)),
        width: .share(ModelExtent.Share(input: index, axis: .width)),
        channels: input.shape.channels)
    }
    for (index, layer) in file.description.layers.enumerated() {
      layers.append(shape(of: layer, channels: file.shapes.layers[index].channels))
    }
  }

  subscript(source: Layer.Source) -> Shape {
    switch source {
    case .input(let index): inputs[index]
    case .layer(let index): layers[index]
    }
  }

  private func shape(of layer: Layer, channels: Int) -> Shape {
    var shape =
      layer.sources.first.map { (source) in self[source] }
      ?? Shape(TensorShape(height: 1, width: 1, channels: channels))
    shape.channels = channels
    switch layer {
    case .convolution(let layer): shape = windowed(shape, layer.window)
    case .pooling(let layer): shape = windowed(shape, layer.window)
    case .transposedConvolution(let layer): shape = enlarged(shape, layer)
    case .dense: shape = Shape(TensorShape(height: 1, width: 1, channels: channels))
    case .reduction(let layer):
      if layer.overHeight { shape.height = .number(1) }
      if layer.overWidth { shape.width = .number(1) }
    case .elementwise(let layer):
      let second = self[layer.second]
      shape.height = shape.height.combined(with: second.height)
      shape.width = shape.width.combined(with: second.width)
    case .concatenation(let layer):
      for source in layer.inputs.dropFirst() {
        shape = joined(shape, self[source], along: layer.axis)
      }
    case .slice(let layer):
      switch layer.axis {
      case .height: shape.height = .number(layer.count)
      case .width: shape.width = .number(layer.count)
      case .channels: break
      }
    case .resizing(let layer):
      switch layer.extent {
      case .factors(let y, let x):
        shape.height = shape.height.enlarged(stride: y, surplus: 0, sizeMultiple: sizeMultiple)
        shape.width = shape.width.enlarged(stride: x, surplus: 0, sizeMultiple: sizeMultiple)
      case .size(let height, let width):
        shape.height = .number(height)
        shape.width = .number(width)
      }
    case .padding(let layer):
      let edges = layer.edges
      shape.height = shape.height.enlarged(
        stride: 1, surplus: edges.top + edges.bottom, sizeMultiple: sizeMultiple)
      shape.width = shape.width.enlarged(
        stride: 1, surplus: edges.left + edges.right, sizeMultiple: sizeMultiple)
    case .rearrangement(let layer): shape = Shape(layer.output)
    case .constant(let layer): shape = Shape(layer.shape)
    case .matrixProduct(let layer):
      shape.height = Self.same(shape.height, self[layer.second].height)
      if layer.transposesFirst { shape.width = .number(self[layer.first].channels) }
    case .ranking(let layer): shape.width = .number(layer.count)
    case .selection(let layer):
      shape.height = Self.same(shape.height, self[layer.places].height)
      shape.width = self[layer.places].width
    case .activation, .softmax, .batchNormalization: break
    }
    return shape
  }

  private func windowed(_ shape: Shape, _ window: Layer.Window) -> Shape {
    let padding = window.padding
    return Shape(
      height: shape.height.windowed(
        span: window.spanY, stride: window.strideY, padding: padding.top + padding.bottom,
        sizeMultiple: sizeMultiple),
      width: shape.width.windowed(
        span: window.spanX, stride: window.strideX, padding: padding.left + padding.right,
        sizeMultiple: sizeMultiple),
      channels: shape.channels)
  }

  private func enlarged(_ shape: Shape, _ layer: Layer.TransposedConvolution) -> Shape {
    // The output's size for no rows and columns at all is what does not grow with them.
    let surplus = layer.outputSize(height: 0, width: 0)
    return Shape(
      height: shape.height.enlarged(
        stride: layer.window.strideY, surplus: surplus.height, sizeMultiple: sizeMultiple),
      width: shape.width.enlarged(
        stride: layer.window.strideX, surplus: surplus.width, sizeMultiple: sizeMultiple),
      channels: shape.channels)
  }

  private func joined(_ first: Shape, _ second: Shape, along axis: Layer.Axis) -> Shape {
    var shape = first
    shape.height =
      axis == .height
      ? first.height.joined(with: second.height, sizeMultiple: sizeMultiple)
      : Self.same(first.height, second.height)
    shape.width =
      axis == .width
      ? first.width.joined(with: second.width, sizeMultiple: sizeMultiple)
      : Self.same(first.width, second.width)
    return shape
  }

  /// Two extents that are the same in every run: the one that says more.
  private static func same(_ first: ModelExtent, _ second: ModelExtent) -> ModelExtent {
    if case .number = first { return first }
    if case .number = second { return second }
    return first == .unknown ? second : first
  }
}

internal import DiceWeights

// What operations take from the layers of a description.

extension ValueShape {
  init(_ shape: TensorShape) {
    self.init(height: shape.height, width: shape.width, channelCount: shape.channels)
  }
}

extension ConvolutionGeometry {
  init(_ window: Layer.Window) {
    self.init(
      kernelHeight: window.height, kernelWidth: window.width, strideY: window.strideY,
      strideX: window.strideX, dilationY: window.dilationY, dilationX: window.dilationX,
      top: window.padding.top, left: window.padding.left)
  }
}

extension Layer.Activation {
  /// About how much of a value below zero is left, for the deviation of random weights in front.
  var slopeBelowZero: Float {
    switch self {
    case .identity, .linear, .absolute: 1
    case .leakyReLU(let slope): slope
    case .parametricReLU: ParametricRectifierOperation.initialSlope
    default: 0
    }
  }
}

extension PoolingOperation.Kind {
  init(_ kind: Layer.Pooling.Kind) {
    switch kind {
    case .maximum: self = .maximum
    case .average: self = .average
    case .averageWithPadding: self = .averageWithPadding
    }
  }
}

extension ReductionOperation.Kind {
  /// Nil for what has no derivative.
  init?(_ kind: Layer.Reduction.Kind) {
    switch kind {
    case .maximum: self = .maximum
    case .mean: self = .mean
    case .sum: self = .sum
    case .indexOfMaximum: return nil
    }
  }
}

extension ElementwiseOperation.Kind {
  /// Nil for what has no derivative.
  init?(_ operation: Layer.Elementwise.Operation) {
    switch operation {
    case .addition: self = .addition
    case .subtraction: self = .subtraction
    case .multiplication: self = .multiplication
    case .division: self = .division
    case .maximum: self = .maximum
    case .minimum: self = .minimum
    case .requantizedSum: return nil
    }
  }
}

extension SoftmaxOperation.Axis {
  init(_ axis: Layer.Axis) {
    switch axis {
    case .height: self = .rows
    case .width: self = .columns
    case .channels: self = .channels
    }
  }
}

extension GatherOperation.Positions {
  /// Those of a slice.
  init(_ layer: Layer.Slice, of shape: ValueShape) {
    self.init(all: shape)
    let positions = (0..<layer.count).map { layer.start + $0 * layer.step }
    switch layer.axis {
    case .height: rows = positions
    case .width: columns = positions
    case .channels: channels = positions
    }
  }

  /// Those of a padding.
  init(_ layer: Layer.Padding, of shape: ValueShape) {
    self.init(all: shape)
    func padded(_ count: Int, _ before: Int, _ after: Int) -> [Int] {
      (-before..<count + after).map { position in
        switch layer.mode {
        case .constant: return position >= 0 && position < count ? position : -1
        case .edge: return min(max(position, 0), count - 1)
        case .reflection:
          if position < 0 { return -position }
          return position < count ? position : 2 * (count - 1) - position
        }
      }
    }
    rows = padded(shape.height, layer.edges.top, layer.edges.bottom)
    columns = padded(shape.width, layer.edges.left, layer.edges.right)
    channels = padded(shape.channelCount, layer.channelsBefore, layer.channelsAfter)
  }
}

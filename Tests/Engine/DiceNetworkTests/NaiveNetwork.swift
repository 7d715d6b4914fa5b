import DiceWeights
import Foundation

/// A network computed the plain way.
///
/// Arrays `[H, W, C]` without gaps, borders or shared memory, in `Double`. Shares no code with the
/// library.
struct NaiveNetwork {
  let description: NetworkDescription
  let tensors: [[Float]]

  /// The outputs of all layers.
  func run(_ inputs: [Map]) -> [Map] {
    var maps: [Map] = []
    func map(_ source: Layer.Source) -> Map {
      switch source {
      case .input(let index): inputs[index]
      case .layer(let index): maps[index]
      }
    }
    for layer in description.layers {
      maps.append(value(of: layer, layer.sources.map { (source) in map(source) }))
    }
    return maps
  }

  private func tensor(_ index: Int) -> [Double] { tensors[index].map { (value) in Double(value) } }

  private func value(of layer: Layer, _ sources: [Map]) -> Map {
    switch layer {
    case .convolution(let layer): activated(convolve(sources[0], layer), layer.activation)
    case .transposedConvolution(let layer):
      activated(convolve(sources[0], layer), layer.activation)
    case .dense(let layer): activated(dense(sources[0], layer), layer.activation)
    case .pooling(let layer): pool(sources[0], layer)
    case .reduction(let layer): reduce(sources[0], layer)
    case .elementwise(let layer):
      activated(combine(sources[0], sources[1], layer.operation), layer.activation)
    case .concatenation(let layer): sources[0].joined(with: sources.dropFirst(), layer.axis)
    case .slice(let layer): slice(sources[0], layer)
    case .resizing(let layer): resize(sources[0], layer)
    case .padding(let layer): pad(sources[0], layer)
    case .rearrangement(let layer): rearrange(sources[0], layer)
    case .activation(let layer): activated(sources[0], layer.function)
    case .softmax(let layer): softmax(sources[0], layer.axis)
    case .matrixProduct(let layer): multiply(sources[0], sources[1], layer)
    case .ranking(let layer): rank(sources[0], layer)
    case .selection: select(sources[0], sources[1])
    case .batchNormalization(let layer): normalize(sources[0], layer)
    case .constant(let layer):
      Map(layer.shape.height, layer.shape.width, layer.shape.channels, tensor(layer.tensor))
    }
  }
}

// MARK: - Sums

extension NaiveNetwork {
  private func convolve(_ source: Map, _ layer: Layer.Convolution) -> Map {
    let window = layer.window
    let height = window.padding.top + source.height + window.padding.bottom
    let width = window.padding.left + source.width + window.padding.right
    let spanY = (window.height - 1) * window.dilationY + 1
    let spanX = (window.width - 1) * window.dilationX + 1
    let weights = tensor(layer.weights)
    let bias = tensor(layer.bias)
    let inputs = layer.inputChannels / layer.groups
    let outputs = layer.outputChannels / layer.groups
    return Map(
      (height - spanY) / window.strideY + 1, (width - spanX) / window.strideX + 1,
      layer.outputChannels
    ) { (y, x, o) in
      var sum = bias[o]
      for ky in 0..<window.height {
        for kx in 0..<window.width {
          let v = y * window.strideY + ky * window.dilationY - window.padding.top
          let u = x * window.strideX + kx * window.dilationX - window.padding.left
          guard source.contains(v, u) else { continue }
          for i in 0..<inputs {
            let weight = weights[
              ((ky * window.width + kx) * inputs + i) * layer.outputChannels + o]
            sum += weight * source[v, u, o / outputs * inputs + i]
          }
        }
      }
      return sum
    }
  }

  private func convolve(_ source: Map, _ layer: Layer.TransposedConvolution) -> Map {
    let window = layer.window
    let bias = tensor(layer.bias)
    let weights = tensor(layer.weights)
    let inputs = layer.inputChannels / layer.groups
    let outputs = layer.outputChannels / layer.groups
    let spanY = (window.height - 1) * window.dilationY + 1
    let spanX = (window.width - 1) * window.dilationX + 1
    var out = Map(
      (source.height - 1) * window.strideY + spanY - window.padding.top - window.padding.bottom
        + layer.extraRows,
      (source.width - 1) * window.strideX + spanX - window.padding.left - window.padding.right
        + layer.extraColumns, layer.outputChannels
    ) { (_, _, o) in bias[o] }
    for y in 0..<source.height {
      for x in 0..<source.width {
        for ky in 0..<window.height {
          for kx in 0..<window.width {
            let v = y * window.strideY + ky * window.dilationY - window.padding.top
            let u = x * window.strideX + kx * window.dilationX - window.padding.left
            guard out.contains(v, u) else { continue }
            for o in 0..<layer.outputChannels {
              for i in 0..<inputs {
                out[v, u, o] +=
                  weights[((ky * window.width + kx) * inputs + i) * layer.outputChannels + o]
                  * source[y, x, o / outputs * inputs + i]
              }
            }
          }
        }
      }
    }
    return out
  }

  private func dense(_ source: Map, _ layer: Layer.Dense) -> Map {
    let weights = tensor(layer.weights)
    let bias = tensor(layer.bias)
    return Map(1, 1, layer.outputChannels) { (_, _, o) in
      source.values.enumerated().reduce(bias[o]) { (sum, value) in
        sum + value.element * weights[value.offset * layer.outputChannels + o]
      }
    }
  }

  private func multiply(_ first: Map, _ second: Map, _ layer: Layer.MatrixProduct) -> Map {
    let terms = layer.transposesFirst ? first.width : first.channels
    return Map(
      first.height, layer.transposesFirst ? first.channels : first.width,
      layer.transposesSecond ? second.width : second.channels
    ) { (y, x, c) in
      (0..<terms).reduce(0.0) { (sum, j) in
        sum + (layer.transposesFirst ? first[y, j, x] : first[y, x, j])
          * (layer.transposesSecond ? second[y, c, j] : second[y, j, c])
      }
    }
  }

  private func rank(_ source: Map, _ layer: Layer.Ranking) -> Map {
    Map(source.height, layer.count, source.channels) { (y, k, c) in
      let order = (0..<source.width).sorted { (first, second) in
        (source[y, second, c], first) < (source[y, first, c], second)
      }
      return Double(order[k])
    }
  }

  private func select(_ source: Map, _ places: Map) -> Map {
    Map(source.height, places.width, source.channels) { (y, x, c) in
      let place = places[y, x, places.channels == 1 ? 0 : c]
      return source[y, min(max(Int(place.rounded(.down)), 0), source.width - 1), c]
    }
  }

  private func normalize(_ source: Map, _ layer: Layer.BatchNormalization) -> Map {
    let (scale, shift) = (tensor(layer.scale), tensor(layer.shift))
    let (mean, variance) = (tensor(layer.mean), tensor(layer.variance))
    return Map(source.height, source.width, source.channels) { (y, x, c) in
      (source[y, x, c] - mean[c]) / (variance[c] + Double(layer.epsilon)).squareRoot() * scale[c]
        + shift[c]
    }
  }
}

// MARK: - Windows and axes

extension NaiveNetwork {
  private func pool(_ source: Map, _ layer: Layer.Pooling) -> Map {
    let window = layer.window
    let height = window.padding.top + source.height + window.padding.bottom
    let width = window.padding.left + source.width + window.padding.right
    return Map(
      (height - window.height) / window.strideY + 1, (width - window.width) / window.strideX + 1,
      source.channels
    ) { (y, x, c) in
      var found: [Double] = []
      for ky in 0..<window.height {
        for kx in 0..<window.width {
          let v = y * window.strideY + ky - window.padding.top
          let u = x * window.strideX + kx - window.padding.left
          if source.contains(v, u) { found.append(source[v, u, c]) }
        }
      }
      switch layer.kind {
      case .maximum: return found.max()!
      case .average: return found.reduce(0, +) / Double(found.count)
      case .averageWithPadding:
        return found.reduce(0, +) / Double(window.height * window.width)
      }
    }
  }

  private func reduce(_ source: Map, _ layer: Layer.Reduction) -> Map {
    Map(
      layer.overHeight ? 1 : source.height, layer.overWidth ? 1 : source.width,
      layer.overChannels ? 1 : source.channels
    ) { (y, x, c) in
      var found: [Double] = []
      for v in layer.overHeight ? 0..<source.height : y..<y + 1 {
        for u in layer.overWidth ? 0..<source.width : x..<x + 1 {
          for k in layer.overChannels ? 0..<source.channels : c..<c + 1 {
            found.append(source[v, u, k])
          }
        }
      }
      switch layer.kind {
      case .maximum: return found.max()!
      case .mean: return found.reduce(0, +) / Double(found.count)
      case .sum: return found.reduce(0, +)
      case .indexOfMaximum: return Double(found.firstIndex(of: found.max()!)!)
      }
    }
  }

  private func softmax(_ source: Map, _ axis: Layer.Axis) -> Map {
    Map(source.height, source.width, source.channels) { (y, x, c) in
      var sum = 0.0
      switch axis {
      case .height: for v in 0..<source.height { sum += exp(source[v, x, c] - source[y, x, c]) }
      case .width: for u in 0..<source.width { sum += exp(source[y, u, c] - source[y, x, c]) }
      case .channels: for k in 0..<source.channels { sum += exp(source[y, x, k] - source[y, x, c]) }
      }
      return 1 / sum
    }
  }

  private func combine(
    _ first: Map, _ second: Map, _ operation: Layer.Elementwise.Operation
  ) -> Map {
    Map(
      max(first.height, second.height), max(first.width, second.width),
      max(first.channels, second.channels)
    ) { (y, x, c) in
      let a = first.repeated(y, x, c)
      let b = second.repeated(y, x, c)
      switch operation {
      case .addition: return a + b
      case .subtraction: return a - b
      case .multiplication: return a * b
      case .division: return a / b
      case .maximum: return max(a, b)
      case .minimum: return min(a, b)
      case .requantizedSum: return .nan
      }
    }
  }
}

// MARK: - Places

extension NaiveNetwork {
  private func slice(_ source: Map, _ layer: Layer.Slice) -> Map {
    func place(_ axis: Layer.Axis, _ position: Int) -> Int {
      axis == layer.axis ? layer.start + position * layer.step : position
    }
    return Map(
      layer.axis == .height ? layer.count : source.height,
      layer.axis == .width ? layer.count : source.width,
      layer.axis == .channels ? layer.count : source.channels
    ) { (y, x, c) in source[place(.height, y), place(.width, x), place(.channels, c)] }
  }

  private func pad(_ source: Map, _ layer: Layer.Padding) -> Map {
    func place(_ position: Int, _ extent: Int) -> Int {
      switch layer.mode {
      case .constant: return position
      case .edge: return min(max(position, 0), extent - 1)
      case .reflection:
        let folded = abs(position)
        return folded < extent ? folded : 2 * (extent - 1) - folded
      }
    }
    return Map(
      layer.edges.top + source.height + layer.edges.bottom,
      layer.edges.left + source.width + layer.edges.right,
      layer.channelsBefore + source.channels + layer.channelsAfter
    ) { (y, x, c) in
      let v = place(y - layer.edges.top, source.height)
      let u = place(x - layer.edges.left, source.width)
      let k = place(c - layer.channelsBefore, source.channels)
      if source.contains(v, u), k >= 0, k < source.channels { return source[v, u, k] }
      guard case .constant(let value) = layer.mode else { return .nan }
      return Double(value)
    }
  }

  private func resize(_ source: Map, _ layer: Layer.Resizing) -> Map {
    func place(_ position: Int, _ n: Int, _ m: Int) -> Double {
      switch layer.coordinates {
      case .halfPixel: (Double(position) + 0.5) * Double(n) / Double(m) - 0.5
      case .alignCorners: m == 1 ? 0 : Double(position * (n - 1)) / Double(m - 1)
      case .asymmetric: Double(position * n) / Double(m)
      }
    }
    func nearest(_ place: Double, _ n: Int) -> Int {
      let rounded =
        switch layer.interpolation {
        case .nearestFloor, .bilinear: floor(place)
        case .nearestPreferringFloor: ceil(place - 0.5)
        case .nearestPreferringCeiling: floor(place + 0.5)
        case .nearestCeiling: ceil(place)
        }
      return min(max(Int(rounded), 0), n - 1)
    }
    let height: Int
    let width: Int
    switch layer.extent {
    case .factors(let y, let x): (height, width) = (source.height * y, source.width * x)
    case .size(let y, let x): (height, width) = (y, x)
    }
    return Map(height, width, source.channels) { (y, x, c) in
      let v = place(y, source.height, height)
      let u = place(x, source.width, width)
      guard layer.interpolation == .bilinear else {
        return source[nearest(v, source.height), nearest(u, source.width), c]
      }
      var sum = 0.0
      let inside = (
        min(max(v, 0), Double(source.height - 1)), min(max(u, 0), Double(source.width - 1))
      )
      for row in 0..<source.height {
        for column in 0..<source.width {
          sum +=
            max(0, 1 - abs(inside.0 - Double(row))) * max(0, 1 - abs(inside.1 - Double(column)))
            * source[row, column, c]
        }
      }
      return sum
    }
  }

  private func rearrange(_ source: Map, _ layer: Layer.Rearrangement) -> Map {
    let rank = layer.dimensions.count
    let permuted = layer.permutation.map { (axis) in layer.dimensions[axis] }
    var values: [Double] = []
    for index in source.values.indices {
      var rest = index
      var digits = [Int](repeating: 0, count: rank)
      for axis in (0..<rank).reversed() {
        digits[layer.permutation[axis]] = rest % permuted[axis]
        rest /= permuted[axis]
      }
      var place = 0
      for axis in 0..<rank { place = place * layer.dimensions[axis] + digits[axis] }
      values.append(source.values[place])
    }
    return Map(layer.output.height, layer.output.width, layer.output.channels, values)
  }
}

// MARK: - Functions

extension NaiveNetwork {
  private func activated(_ source: Map, _ activation: Layer.Activation) -> Map {
    var slopes: [Double] = []
    if case .parametricReLU(let tensor) = activation { slopes = self.tensor(tensor) }
    return Map(source.height, source.width, source.channels) { (y, x, c) in
      let value = source[y, x, c]
      if case .parametricReLU = activation { return value < 0 ? value * slopes[c] : value }
      return NaiveNetwork.value(of: activation, value)
    }
  }

  static func value(of activation: Layer.Activation, _ x: Double) -> Double {
    switch activation {
    case .identity, .parametricReLU, .requantization, .table: x
    case .leakyReLU(let slope): x < 0 ? x * Double(slope) : x
    case .clamp(let lower, let upper): min(max(x, Double(lower)), Double(upper))
    case .sigmoid: 1 / (1 + exp(-x))
    case .hardSigmoid(let scale, let offset):
      min(max(Double(scale) * x + Double(offset), 0), 1)
    case .silu: x / (1 + exp(-x))
    case .hardSwish: x * min(max(x + 3, 0), 6) / 6
    case .tanh: tanh(x)
    case .elu(let alpha): x < 0 ? Double(alpha) * expm1(x) : x
    case .gelu: 0.5 * x * (1 + tanh(0.79788456 * (x + 0.044715 * x * x * x)))
    case .softplus: x > 40 ? x : log1p(exp(x))
    case .linear(let scale, let offset): Double(scale) * x + Double(offset)
    case .exponential: exp(x)
    case .logarithm(let lower): log(max(x, Double(lower)))
    case .squareRoot: max(x, 0).squareRoot()
    case .reciprocal: 1 / x
    case .absolute: abs(x)
    case .power(let exponent): pow(max(x, 0), Double(exponent))
    case .floor: floor(x)
    case .errorFunction: erf(x)
    }
  }
}

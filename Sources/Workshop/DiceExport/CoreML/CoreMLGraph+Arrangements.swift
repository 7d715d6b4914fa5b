internal import DiceWeights

/// Slices, padding, resizing and rearrangements.
extension CoreMLGraph {
  mutating func add(_ layer: Layer.Slice, _ output: String) {
    let shape = shape(layer.input)
    let axis = Self.axis(layer.axis)
    var begins = [0, 0, 0, 0]
    var ends = [1, shape.channels, shape.height, shape.width]
    var steps = [1, 1, 1, 1]
    begins[axis] = layer.start
    ends[axis] = layer.start + (layer.count - 1) * layer.step + 1
    steps[axis] = layer.step
    let bounds = (begins, ends, steps)
    self.layer(995, [name(layer.input)], output) { (slice) in
      slice.packed(1, bounds.0)
      slice.packed(2, [0, 0, 0, 0])
      slice.packed(3, bounds.1)
      slice.packed(4, [0, 0, 0, 0])
      slice.packed(5, bounds.2)
      slice.packed(6, [0, 0, 0, 0])
    }
  }

  /// Appends a padding with a number: two amounts for each axis.
  mutating func pad(_ input: String, _ output: String, _ amounts: [Int], value: Float) {
    layer(1155, [input], output) { (layer) in
      layer.float(1, value)
      layer.packed(2, amounts)
    }
  }

  mutating func add(_ layer: Layer.Padding, _ output: String) {
    let edges = layer.edges
    let input = name(layer.input)
    let isReflection: Bool
    switch layer.mode {
    case .constant(let value):
      pad(
        input, output,
        [
          0, 0, layer.channelsBefore, layer.channelsAfter, edges.top, edges.bottom, edges.left,
          edges.right,
        ], value: value)
      return
    case .edge: isReflection = false
    case .reflection: isReflection = true
    }
    let padsChannels = layer.channelsBefore + layer.channelsAfter > 0
    let maps = padsChannels ? part() : output
    self.layer(200, [input], maps) { (padding) in
      padding.message(isReflection ? 2 : 3) { _ in }
      padding.message(10) { (amounts) in amounts.borders(edges) }
    }
    guard padsChannels else { return }
    let count = shape(layer.input).channels
    let indices = (-layer.channelsBefore..<count + layer.channelsAfter).map { (place) in
      if !isReflection { return min(max(place, 0), count - 1) }
      return place < 0 ? -place : place < count ? place : 2 * (count - 1) - place
    }
    gather(maps, axis: 1, indices, output)
  }

  mutating func add(_ layer: Layer.Resizing, _ index: Int) {
    let (from, to) = (shape(layer.input), file.shapes.layers[index])
    let input = name(layer.input)
    let output = name(index)
    guard layer.interpolation == .bilinear else {
      if layer.interpolation == .nearestFloor, layer.coordinates == .asymmetric,
        case .factors(let y, let x) = layer.extent
      {
        self.layer(210, [input], output) { (upsample) in upsample.packed(1, [y, x]) }
        return
      }
      let rows = part()
      gather(input, axis: 2, Self.places(layer, from.height, to.height), rows)
      gather(rows, axis: 3, Self.places(layer, from.width, to.width), output)
      return
    }
    switch layer.coordinates {
    case .alignCorners, .asymmetric:
      let mode = layer.coordinates == .alignCorners ? 0 : 2
      self.layer(211, [input], output) { (resizing) in
        resizing.packed(1, [to.height, to.width])
        resizing.message(2) { (sampling) in sampling.integer(1, mode) }
      }
    case .halfPixel:
      // Factors that give the size when they are rounded down.
      let factors = [
        Self.factor(from.height, to.height), Self.factor(from.width, to.width),
      ]
      self.layer(210, [input], output) { (upsample) in
        upsample.integer(5, 1)
        upsample.integer(6, 2)
        upsample.packed(7, factors)
      }
    }
  }

  private static func factor(_ from: Int, _ to: Int) -> Float {
    var factor = Float(to) / Float(from)
    while Int(Double(from) * Double(factor)) < to { factor = factor.nextUp }
    return factor
  }

  /// The position of the source that each of an axis takes.
  private static func places(_ layer: Layer.Resizing, _ from: Int, _ to: Int) -> [Int] {
    (0..<to).map { (place) in
      let (y, n, m) = (Double(place), Double(from), Double(to))
      let position: Double
      switch layer.coordinates {
      case .halfPixel: position = (y + 0.5) * n / m - 0.5
      case .alignCorners: position = to == 1 ? 0 : y * (n - 1) / (m - 1)
      case .asymmetric: position = y * n / m
      }
      let rounded: Double
      switch layer.interpolation {
      case .nearestFloor, .bilinear: rounded = position.rounded(.down)
      case .nearestPreferringFloor: rounded = (position - 0.5).rounded(.up)
      case .nearestPreferringCeiling: rounded = (position + 0.5).rounded(.down)
      case .nearestCeiling: rounded = position.rounded(.up)
      }
      return min(max(Int(rounded), 0), from - 1)
    }
  }

  mutating func add(_ layer: Layer.Rearrangement, _ index: Int) throws(CoreMLExportError) {
    let rank = layer.dimensions.count
    guard rank <= Self.rankLimit else {
      throw .rearrangementRank(layer: index, rank: rank, limit: Self.rankLimit)
    }
    let parts = (0..<4).map { _ in part() }
    transpose(name(layer.input), [0, 2, 3, 1], parts[0])
    reshape(parts[0], layer.dimensions, parts[1])
    transpose(parts[1], layer.permutation, parts[2])
    let target = layer.output
    reshape(parts[2], [1, target.height, target.width, target.channels], parts[3])
    transpose(parts[3], [0, 3, 1, 2], name(index))
  }

  /// A product of `[1, H, M, K]` and `[1, H, K, N]`: channels go behind the columns first, and back.
  mutating func add(_ layer: Layer.MatrixProduct, _ output: String) {
    let parts = (0..<3).map { _ in part() }
    transpose(name(layer.first), layer.transposesFirst ? [0, 2, 1, 3] : [0, 2, 3, 1], parts[0])
    transpose(name(layer.second), layer.transposesSecond ? [0, 2, 1, 3] : [0, 2, 3, 1], parts[1])
    self.layer(1045, [parts[0], parts[1]], parts[2])
    transpose(parts[2], [0, 3, 1, 2], output)
  }

  /// Columns that places name: as many places as there are channels, whole and within the columns.
  mutating func add(_ layer: Layer.Selection, _ output: String) {
    let (source, places) = (shape(layer.input), shape(layer.places))
    let parts = (0..<3).map { _ in part() }
    activate(.floor, name(layer.places), parts[0], channels: places.channels)
    activate(
      .clamp(lower: 0, upper: Float(source.width - 1)), parts[0], parts[1],
      channels: places.channels)
    if places.channels < source.channels {
      let repeated = [1, source.channels, places.height, places.width]
      self.layer(1105, [parts[1]], parts[2]) { (layer) in layer.packed(1, repeated) }
    }
    self.layer(
      952, [name(layer.input), places.channels < source.channels ? parts[2] : parts[1]], output
    ) { (layer) in layer.integer(1, Self.axis(.width)) }
  }

  private mutating func transpose(_ input: String, _ axes: [Int], _ output: String) {
    layer(985, [input], output) { (layer) in layer.packed(1, axes) }
  }

  private mutating func reshape(_ input: String, _ shape: [Int], _ output: String) {
    layer(1140, [input], output) { (layer) in layer.packed(1, shape) }
  }
}

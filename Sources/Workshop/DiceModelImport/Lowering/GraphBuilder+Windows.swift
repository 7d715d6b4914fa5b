internal import DiceDetectorHeads
internal import DiceWeights

/// Layers with windows and weights.
extension GraphBuilder {
  /// A convolution of maps, with a padding of zeros.
  ///
  /// - Parameters:
  ///   - weights: `[KH, KW, I / G, O]`.
  ///   - bias: `[O]`; nil for none.
  mutating func convolution(
    _ value: ComputedValue, _ axes: MapAxes, weights: [Float], bias: [Float]?,
    outputChannels: Int, window: Layer.Window, groups: Int
  ) throws(LoweringFault) -> ComputedValue {
    if value.hasPictures(axes) {
      if window == Layer.Window(size: 1), groups == 1 {
        return try pointConvolution(
          value, channels: axes.channels, weights: weights, bias: bias,
          outputCount: outputChannels)
      }
      return try forEachPicture(value, axes) { (builder, picture) throws(LoweringFault) in
        try builder.convolution(
          picture, axes, weights: weights, bias: bias, outputChannels: outputChannels,
          window: window, groups: groups)
      }
    }
    var value = try arranged(value, axes.places)
    var window = window
    let inputChannels = value.arrangement.tensorShape.channels
    try Self.checkWeights(
      weights, bias, window, inputChannels, outputChannels, groups)
    if Self.isWide(window) {
      return try wideConvolution(
        value, axes, weights: weights, bias: bias, outputChannels: outputChannels,
        window: window, groups: groups)
    }
    try Self.checkLimits(window, WeightFormat.kernelSizes)
    if Self.exceeds(window) {
      value = try padded(value, axes, window.padding, .constant(0))
      window.padding = Layer.Edges()
    }
    let shape = value.arrangement.tensorShape
    let size = window.outputSize(height: shape.height, width: shape.width)
    guard size.height > 0, size.width > 0 else {
      throw .invalid("A kernel is larger than its padded input, \(shape).")
    }
    let layer = Layer.Convolution(
      input: value.source, inputChannels: inputChannels, outputChannels: outputChannels,
      window: window, groups: groups, weights: try tensor(weights),
      bias: try tensor(bias ?? [Float](repeating: 0, count: outputChannels)))
    return try append(
      .convolution(layer),
      map(axes, rank: value.shape.count, size.height, size.width, outputChannels))
  }

  /// A transposed convolution of maps.
  ///
  /// - Parameters:
  ///   - weights: `[KH, KW, I / G, O]`.
  ///   - window: Its padding is what is taken from the output; less than nothing is added to it.
  ///   - extraRows: Rows that the output has more below, fewer than the stride.
  ///   - extraColumns: Columns that the output has more at the right, fewer than the stride.
  mutating func transposedConvolution(
    _ value: ComputedValue, _ axes: MapAxes, weights: [Float], bias: [Float]?,
    outputChannels: Int, window: Layer.Window, groups: Int, extraRows: Int, extraColumns: Int
  ) throws(LoweringFault) -> ComputedValue {
    if value.hasPictures(axes) {
      return try forEachPicture(value, axes) { (builder, picture) throws(LoweringFault) in
        try builder.transposedConvolution(
          picture, axes, weights: weights, bias: bias, outputChannels: outputChannels,
          window: window, groups: groups, extraRows: extraRows, extraColumns: extraColumns)
      }
    }
    let value = try arranged(value, axes.places)
    let shape = value.arrangement.tensorShape
    try Self.checkWeights(
      weights, bias, window, shape.channels, outputChannels, groups)
    try Self.checkLimits(window, WeightFormat.kernelSizes)
    guard !Self.exceeds(window) else {
      throw .unsupported("its padding is as large as its kernel")
    }
    guard extraRows < window.strideY, extraColumns < window.strideX, extraRows >= 0,
      extraColumns >= 0
    else { throw .unsupported("its output padding is not less than its stride") }
    let layer = Layer.TransposedConvolution(
      input: value.source, inputChannels: shape.channels, outputChannels: outputChannels,
      window: window, extraRows: extraRows, extraColumns: extraColumns, groups: groups,
      weights: try tensor(weights),
      bias: try tensor(bias ?? [Float](repeating: 0, count: outputChannels)))
    let size = layer.outputSize(height: shape.height, width: shape.width)
    guard size.height > 0, size.width > 0 else {
      throw .invalid("A transposed convolution takes away all of its output.")
    }
    return try append(
      .transposedConvolution(layer),
      map(axes, rank: value.shape.count, size.height, size.width, outputChannels))
  }

  /// Sums over the last axis, weighted for each output: a product with a constant matrix.
  ///
  /// - Parameter weights: `[K, N]` for a tensor whose last axis has the extent `K`.
  mutating func dense(
    _ value: ComputedValue, weights: [Float], bias: [Float]?, outputCount: Int
  ) throws(LoweringFault) -> ComputedValue {
    let shape = value.shape
    let rank = shape.count
    guard rank > 0, weights.count == shape[rank - 1] * outputCount else {
      throw .invalid("A product with \(weights.count) weights does not fit the shape \(shape).")
    }
    let bias = try tensor(
      bias ?? [Float](repeating: 0, count: outputCount), shape: [outputCount])
    var places = Places(rows: Array(0..<rank - 1), channels: [rank - 1])
    if shape.dropLast().allSatisfy({ $0 == 1 }) {
      let weights = try tensor(weights, shape: [shape[rank - 1], outputCount])
      let value = try arranged(value, places)
      return try append(
        .dense(
          Layer.Dense(
            input: value.source, outputChannels: outputCount, weights: weights, bias: bias)),
        Arrangement(shape: shape.dropLast() + [outputCount], places))
    }
    // What lies in rows and columns stays there, where the last axis is in channels already.
    let own = value.arrangement
    if own.places[2] == own.axes[rank - 1], let whole = own.wholeAxes { places = whole }
    let value = try arranged(value, places)
    let layer = Layer.Convolution(
      input: value.source, inputChannels: shape[rank - 1], outputChannels: outputCount,
      window: Layer.Window(size: 1),
      weights: try tensor(weights, shape: [1, 1, shape[rank - 1], outputCount]), bias: bias)
    if places.channels.isEmpty { places.channels = [rank - 1] }
    return try append(
      .convolution(layer), Arrangement(shape: shape.dropLast() + [outputCount], places))
  }

  /// The greatest or the mean number of each window.
  mutating func pooled(
    _ value: ComputedValue, _ axes: MapAxes, _ kind: Layer.Pooling.Kind, window: Layer.Window
  ) throws(LoweringFault) -> ComputedValue {
    if value.hasPictures(axes) {
      return try forEachPicture(value, axes) { (builder, picture) throws(LoweringFault) in
        try builder.pooled(picture, axes, kind, window: window)
      }
    }
    let value = try arranged(value, axes.places)
    guard window.dilationY == 1, window.dilationX == 1 else {
      throw .unsupported("its window is dilated")
    }
    let shape = value.arrangement.tensorShape
    var window = window
    if window.padding == Layer.Edges() {
      // A window of the whole map has no next one.
      if window.height == shape.height { window.strideY = 1 }
      if window.width == shape.width { window.strideX = 1 }
    }
    try Self.checkLimits(window, WeightFormat.poolingSizes)
    guard !Self.exceeds(window) else {
      throw .unsupported("its padding is as large as its window")
    }
    let size = window.outputSize(height: shape.height, width: shape.width)
    guard size.height > 0, size.width > 0 else {
      throw .invalid("A window is larger than its padded input, \(shape).")
    }
    return try append(
      .pooling(Layer.Pooling(input: value.source, kind: kind, window: window)),
      map(axes, rank: value.shape.count, size.height, size.width, shape.channels))
  }

  // MARK: Padding and resizing

  /// Rows and columns added around maps.
  mutating func padded(
    _ value: ComputedValue, _ axes: MapAxes, _ edges: Layer.Edges, _ mode: Layer.Padding.Mode
  ) throws(LoweringFault) -> ComputedValue {
    var before = [Int](repeating: 0, count: value.shape.count)
    var after = before
    (before[axes.rows], after[axes.rows]) = (edges.top, edges.bottom)
    if let columns = axes.columns {
      (before[columns], after[columns]) = (edges.left, edges.right)
    }
    return try padded(value, before: before, after: after, mode)
  }

  /// Positions added at both ends of any axes.
  mutating func padded(
    _ value: ComputedValue, before: [Int], after: [Int], _ mode: Layer.Padding.Mode
  ) throws(LoweringFault) -> ComputedValue {
    var shape = value.shape
    let rank = shape.count
    let axes = shape.indices.filter { before[$0] != 0 || after[$0] != 0 }
    if axes.isEmpty { return value }
    for axis in axes {
      guard before[axis] >= 0, after[axis] >= 0 else {
        throw .unsupported("it takes positions away")
      }
      guard before[axis] <= WeightFormat.paddings.upperBound,
        after[axis] <= WeightFormat.paddings.upperBound
      else { throw .unsupported("it adds more than \(WeightFormat.paddings.upperBound) positions") }
      if mode == .reflection, max(before[axis], after[axis]) >= shape[axis] {
        throw .invalid("A reflection of \(shape[axis]) positions cannot fill a longer padding.")
      }
    }
    let (value, places) = try separated(value, axes)
    func added(_ place: [Int]) -> (before: Int, after: Int) {
      let axis = place.first { axes.contains($0) }
      return axis.map { (before[$0], after[$0]) } ?? (0, 0)
    }
    let (rows, columns, channels) = (
      added(places.rows), added(places.columns), added(places.channels)
    )
    for axis in 0..<rank { shape[axis] += before[axis] + after[axis] }
    return try append(
      .padding(
        Layer.Padding(
          input: value.source,
          edges: Layer.Edges(
            top: rows.before, left: columns.before, bottom: rows.after, right: columns.after),
          channelsBefore: channels.before, channelsAfter: channels.after, mode: mode)),
      Arrangement(shape: shape, places))
  }

  /// Another number of rows and columns.
  mutating func resized(
    _ value: ComputedValue, _ axes: MapAxes, height: Int, width: Int,
    _ interpolation: Layer.Resizing.Interpolation, _ coordinates: Layer.Resizing.Coordinates
  ) throws(LoweringFault) -> ComputedValue {
    if value.hasPictures(axes) {
      return try forEachPicture(value, axes) { (builder, picture) throws(LoweringFault) in
        try builder.resized(
          picture, axes, height: height, width: width, interpolation, coordinates)
      }
    }
    let value = try arranged(value, axes.places)
    let shape = value.arrangement.tensorShape
    guard height > 0, width > 0 else { throw .invalid("A size of \(height) x \(width).") }
    if height == shape.height, width == shape.width { return value }
    let factors = (y: height / shape.height, x: width / shape.width)
    let isMultiple =
      height % shape.height == 0 && width % shape.width == 0
      && max(factors.y, factors.x) <= WeightFormat.resizingFactors.upperBound
    return try append(
      .resizing(
        Layer.Resizing(
          input: value.source,
          extent: isMultiple
            ? .factors(y: factors.y, x: factors.x) : .size(height: height, width: width),
          interpolation: interpolation, coordinates: coordinates)),
      map(axes, rank: value.shape.count, height, width, shape.channels))
  }

  // MARK: Shared

  /// Maps of a size, with the model's order of axes.
  private func map(
    _ axes: MapAxes, rank: Int, _ height: Int, _ width: Int, _ channels: Int
  ) -> Arrangement {
    var shape = [Int](repeating: 1, count: rank)
    shape[axes.rows] = height
    if let columns = axes.columns { shape[columns] = width }
    shape[axes.channels] = channels
    return Arrangement(shape: shape, axes.places)
  }

  /// Whether a padding is larger than the format's windows have.
  private static func exceeds(_ window: Layer.Window) -> Bool {
    let padding = window.padding
    return max(padding.top, padding.bottom) >= window.spanY
      || max(padding.left, padding.right) >= window.spanX
  }

  private static func checkLimits(
    _ window: Layer.Window, _ sizes: ClosedRange<Int>
  ) throws(LoweringFault) {
    guard sizes.contains(window.height), sizes.contains(window.width) else {
      throw .unsupported("its window of \(window.height) x \(window.width) is too large")
    }
    guard WeightFormat.strides.contains(window.strideY),
      WeightFormat.strides.contains(window.strideX),
      WeightFormat.dilations.contains(window.dilationY),
      WeightFormat.dilations.contains(window.dilationX)
    else { throw .unsupported("a stride or dilation is not in 1...64") }
    let edges = window.padding
    for edge in [edges.top, edges.left, edges.bottom, edges.right] {
      guard edge >= 0 else { throw .unsupported("its padding is negative") }
      guard edge <= WeightFormat.paddings.upperBound else {
        throw .unsupported("its padding is too large")
      }
    }
  }

  private static func checkWeights(
    _ weights: [Float], _ bias: [Float]?, _ window: Layer.Window, _ inputChannels: Int,
    _ outputChannels: Int, _ groups: Int
  ) throws(LoweringFault) {
    guard groups > 0, outputChannels > 0, inputChannels % groups == 0,
      outputChannels % groups == 0
    else {
      throw .invalid(
        "\(groups) groups do not divide \(inputChannels) and \(outputChannels) channels.")
    }
    let required = window.height * window.width * (inputChannels / groups) * outputChannels
    guard weights.count == required, bias == nil || bias?.count == outputChannels else {
      throw .invalid(
        "A convolution of \(inputChannels) to \(outputChannels) channels has \(weights.count) weights "
          + "and \(bias?.count ?? 0) biases.")
    }
  }
}

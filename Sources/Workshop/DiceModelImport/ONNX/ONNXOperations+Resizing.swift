internal import DiceWeights

/// Tensors resized along some axes.
extension ONNXOperations {
  static func resized(
    _ builder: inout GraphBuilder, _ call: ONNXCall
  ) throws(LoweringFault) -> Value {
    let parts = try ResizingParts(call)
    let shape = parts.shape
    let input = try call.input(0)
    let changed = shape.indices.filter { !parts.keeps($0) }
    if changed.isEmpty { return input }
    if let rule = parts.formatRule(changed) {
      return .computed(try resized(&builder, builder.computed(input), parts, changed, rule))
    }
    var value = try builder.computed(input)
    for axis in changed {
      let (count, target) = (shape[axis], parts.target[axis])
      guard count * target <= ConstantArithmetic.countLimit else {
        throw .unsupported("it resizes \(count) positions to \(target) in a rare mode")
      }
      value = try builder.multiplied(
        value, axis: axis, weights: parts.weights(axis), outputCount: target)
    }
    return .computed(value)
  }

  /// A resizing that the format has.
  private static func resized(
    _ builder: inout GraphBuilder, _ value: ComputedValue, _ parts: ResizingParts, _ changed: [Int],
    _ rule: ResizingParts.FormatRule
  ) throws(LoweringFault) -> ComputedValue {
    let rank = parts.shape.count
    let map: MapAxes
    if changed.allSatisfy({ $0 >= 2 }), rank == 3 || rank == 4, parts.shape[0] == 1 {
      map = .channelsFirst(rank: rank)
    } else {
      let unused = (0..<rank).filter { !changed.contains($0) }
      let others = unused.filter { parts.shape[$0] != 1 }
      map = MapAxes(
        rows: changed[0], columns: changed.count > 1 ? changed[1] : nil,
        channels: others.first ?? unused[0])
    }
    return try builder.resized(
      value, map, height: parts.target[map.rows],
      width: map.columns.map { parts.target[$0] } ?? 1, rule.interpolation, rule.coordinates)
  }
}

/// What a Resize says of each axis.
private struct ResizingParts {
  /// The parts of a resizing of the format.
  struct FormatRule {
    var interpolation: Layer.Resizing.Interpolation
    var coordinates: Layer.Resizing.Coordinates
  }

  enum Mode { case nearest, linear, cubic }

  let shape: [Int]
  /// The extents of the result.
  var target: [Int]
  /// How many times as many positions there are, as it is stated or follows from the extents.
  var scales: [Float]
  /// The part of each axis that is taken, from 0 to 1.
  var regions: [(start: Float, end: Float)]
  let mode: Mode
  let coordinates: String
  let nearest: String
  let cubicFactor: Float
  let excludesOutside: Bool
  let smooths: Bool

  init(_ call: ONNXCall) throws(LoweringFault) {
    shape = try call.shape(0)
    let rank = shape.count
    let isOld = call.node.operation == "Upsample" || call.operatorSet < 11
    var axes = Array(0..<rank)
    if let stated = call.node.attributes["axes"]?.integers {
      axes = try call.axes(stated, rank: rank)
    }
    var stated = call.node.attributes["scales"]?.floats ?? []
    if let tensor = try call.constant(isOld ? 1 : 2, "scales") { stated = tensor.floats }
    target = shape
    scales = [Float](repeating: 1, count: rank)
    if !isOld, let sizes = try call.integers(3, "sizes"), !sizes.isEmpty {
      let policy = call.text("keep_aspect_ratio_policy", default: "stretch")
      try Self.setSizes(&target, &scales, sizes, axes, policy)
    } else {
      guard stated.count == axes.count, !stated.isEmpty else {
        throw .invalid("Its scales are \(stated), for \(axes.count) axes.")
      }
      for (axis, scale) in zip(axes, stated) {
        let size = (Double(shape[axis]) * Double(scale)).rounded(.down)
        guard scale > 0, size >= 1, size <= Double(WeightFormat.maximumExtent) else {
          throw .invalid("It resizes \(shape[axis]) positions by \(scale).")
        }
        target[axis] = Int(size)
        scales[axis] = scale
      }
    }
    let modeText = call.text("mode", default: "nearest")
    switch modeText {
    case "nearest": mode = .nearest
    case "linear", "bilinear": mode = .linear
    case "cubic": mode = .cubic
    default: throw .unsupported("its mode is \(modeText)")
    }
    coordinates =
      isOld ? "asymmetric" : call.text("coordinate_transformation_mode", default: "half_pixel")
    nearest = isOld ? "floor" : call.text("nearest_mode", default: "round_prefer_floor")
    cubicFactor = call.float("cubic_coeff_a", default: -0.75)
    excludesOutside = call.integer("exclude_outside", default: 0) != 0
    smooths = call.integer("antialias", default: 0) != 0 && mode != .nearest
    regions = [(Float, Float)](repeating: (0, 1), count: rank)
    switch coordinates {
    case "half_pixel", "half_pixel_symmetric", "pytorch_half_pixel", "align_corners", "asymmetric":
      break
    case "tf_half_pixel_for_nn" where mode == .nearest: break
    case "tf_crop_and_resize":
      guard call.float("extrapolation_value", default: 0) == 0 else {
        throw .unsupported("there are other numbers than 0 beyond its region")
      }
      guard let region = try call.constant(1, "region")?.floats, region.count == 2 * axes.count,
        region.allSatisfy({ abs($0) <= 65_536 })
      else { throw .invalid("It lacks its region.") }
      for (place, axis) in axes.enumerated() {
        regions[axis] = (region[place], region[place + axes.count])
      }
    default: throw .unsupported("its coordinate_transformation_mode is \(coordinates)")
    }
  }

  private static func setSizes(
    _ target: inout [Int], _ scales: inout [Float], _ sizes: [Int], _ axes: [Int],
    _ policy: String
  ) throws(LoweringFault) {
    guard sizes.count == axes.count,
      sizes.allSatisfy({ (1...WeightFormat.maximumExtent).contains($0) }),
      axes.allSatisfy({ [target] (axis) in target[axis] > 0 })
    else { throw .invalid("Its sizes are \(sizes).") }
    for (axis, size) in zip(axes, sizes) {
      scales[axis] = Float(size) / Float(target[axis])
    }
    let ratios = axes.map { [scales] (axis) in scales[axis] }
    let common: Float?
    switch policy {
    case "stretch": common = nil
    case "not_larger": common = ratios.min()
    case "not_smaller": common = ratios.max()
    default: throw .invalid("Its keep_aspect_ratio_policy is \(policy).")
    }
    for (axis, size) in zip(axes, sizes) {
      guard let common else {
        target[axis] = size
        continue
      }
      let extent = (common * Float(target[axis])).rounded(.toNearestOrAwayFromZero)
      guard extent >= 1, extent <= Float(WeightFormat.maximumExtent) else {
        throw .invalid("It resizes \(target[axis]) positions by \(common).")
      }
      scales[axis] = common
      target[axis] = Int(extent)
    }
  }

  /// Whether an axis stays as it is.
  func keeps(_ axis: Int) -> Bool {
    shape[axis] == target[axis] && scales[axis] == 1 && regions[axis].start == 0
      && regions[axis].end == 1
  }

  /// The format's own resizing that does the same; nil where there is none.
  func formatRule(_ changed: [Int]) -> FormatRule? {
    let rank = shape.count
    let others = (0..<rank).filter { !changed.contains($0) && shape[$0] != 1 }
    guard changed.count <= 2, others.count <= 1, changed.count < rank,
      changed.allSatisfy({ shape[$0] != target[$0] })
    else { return nil }
    if smooths, changed.contains(where: { target[$0] < shape[$0] }) { return nil }
    let rule: Layer.Resizing.Coordinates
    switch coordinates {
    case "half_pixel": rule = .halfPixel
    case "pytorch_half_pixel":
      guard changed.allSatisfy({ target[$0] > 1 }) else { return nil }
      rule = .halfPixel
    case "align_corners": rule = .alignCorners
    case "asymmetric": rule = .asymmetric
    default: return nil
    }
    // The format's scale is the ratio of the sizes.
    for axis in changed where rule != .alignCorners {
      let ratio = Float(target[axis]) / Float(shape[axis])
      if abs(scales[axis] - ratio) > 1e-6 * ratio { return nil }
    }
    switch (mode, nearest) {
    case (.cubic, _): return nil
    case (.linear, _): return FormatRule(interpolation: .bilinear, coordinates: rule)
    case (.nearest, "floor"):
      return FormatRule(interpolation: .nearestFloor, coordinates: rule)
    case (.nearest, "ceil"):
      return FormatRule(interpolation: .nearestCeiling, coordinates: rule)
    case (.nearest, "round_prefer_ceil"):
      return FormatRule(interpolation: .nearestPreferringCeiling, coordinates: rule)
    case (.nearest, _):
      return FormatRule(interpolation: .nearestPreferringFloor, coordinates: rule)
    }
  }

  // MARK: Weights

  /// Where a position of the result lies among those of the operand.
  private func origin(_ index: Int, _ axis: Int) -> Float {
    let (count, target) = (Float(shape[axis]), Float(self.target[axis]))
    let (scale, place) = (scales[axis], Float(index))
    switch coordinates {
    case "align_corners": return target == 1 ? 0 : place * (count - 1) / (target - 1)
    case "asymmetric": return place / scale
    case "pytorch_half_pixel": return target > 1 ? (place + 0.5) / scale - 0.5 : 0
    case "tf_half_pixel_for_nn": return (place + 0.5) / scale
    case "half_pixel_symmetric":
      let adjustment = target / (scale * count)
      return count / 2 * (1 - adjustment) + (place + 0.5) / scale - 0.5
    case "tf_crop_and_resize":
      let (start, end) = regions[axis]
      if target == 1 { return 0.5 * (start + end) * (count - 1) }
      return start * (count - 1) + place * (end - start) * (count - 1) / (target - 1)
    default: return (place + 0.5) / scale - 0.5
    }
  }

  /// What each position of the operand contributes to each of the result: `[count, target]`.
  func weights(_ axis: Int) -> [Float] {
    let (count, target) = (shape[axis], self.target[axis])
    var weights = [Float](repeating: 0, count: count * target)
    for index in 0..<target {
      let place = origin(index, axis)
      if coordinates == "tf_crop_and_resize", place < 0 || place > Float(count - 1) { continue }
      var shares = mode == .nearest ? [(nearestPosition(place), 1)] : taps(place, axis)
      if excludesOutside, mode == .cubic || smooths {
        shares.removeAll { (position, _) in !(0..<count).contains(position) }
      }
      let sum = shares.reduce(0) { (sum, share) in sum + share.1 }
      for (position, share) in shares where sum != 0 {
        weights[min(max(position, 0), count - 1) * target + index] += Float(share / sum)
      }
    }
    return weights
  }

  private func nearestPosition(_ place: Float) -> Int {
    let found: Float
    switch nearest {
    case "floor": found = place.rounded(.down)
    case "ceil": found = place.rounded(.up)
    case "round_prefer_ceil": found = (place + 0.5).rounded(.down)
    default: found = (place - 0.5).rounded(.up)
    }
    return Int(min(max(found, -1), Float(WeightFormat.maximumExtent)))
  }

  /// The positions around a place and their shares.
  private func taps(_ place: Float, _ axis: Int) -> [(Int, Double)] {
    let width = mode == .linear ? 1.0 : 2.0
    let factor = smooths ? max(1, 1 / Double(scales[axis])) : 1
    let limit = Double(shape[axis] - 1)
    var place = Double(place)
    if mode == .linear, !smooths { place = min(max(place, 0), limit) }
    let first = Int((place - width * factor).rounded(.down))
    let last = Int((place + width * factor).rounded(.up))
    var taps: [(Int, Double)] = []
    for position in first...last {
      let share = kernel((Double(position) - place) / factor)
      if share != 0 { taps.append((position, share)) }
    }
    return taps
  }

  private func kernel(_ distance: Double) -> Double {
    let x = abs(distance)
    if mode == .linear { return max(0, 1 - x) }
    let a = Double(cubicFactor)
    if x <= 1 { return ((a + 2) * x - (a + 3)) * x * x + 1 }
    return x < 2 ? ((a * x - 5 * a) * x + 8 * a) * x - 4 * a : 0
  }
}

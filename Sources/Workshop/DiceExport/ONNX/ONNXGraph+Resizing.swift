internal import DiceWeights

extension ONNXGraph {
  /// - Throws: `nearestOfOpenSize`.
  mutating func add(_ layer: Layer.Resizing, at index: Int) throws(ONNXExportError) {
    let (input, output) = (names[layer.input], output(index))
    // The second operand, a region of interest, is left out.
    var operands = [input, ""]
    switch layer.extent {
    case .factors(let y, let x): operands.append(scales(y: y, x: x, at: index))
    case .size(let height, let width):
      let shape = shapes[layer.input]
      if layer.interpolation == .bilinear {
        operands += ["", integers([1, shape.channels, height, width], "size", of: index)]
      } else {
        guard let shape = shape.numbers else { throw .nearestOfOpenSize(layer: index) }
        guard height % shape.height == 0, width % shape.width == 0 else {
          addNearest(layer, from: shape, height: height, width: width, at: index)
          return
        }
        operands.append(scales(y: height / shape.height, x: width / shape.width, at: index))
      }
    }
    node("Resize", operands, output) { (node) in
      node.text("coordinate_transformation_mode", layer.coordinates.attribute)
      if let rounding = layer.interpolation.rounding {
        node.text("mode", "nearest")
        node.text("nearest_mode", rounding)
      } else {
        node.text("mode", "linear")
      }
    }
  }

  private mutating func scales(y: Int, x: Int, at index: Int) -> String {
    let name = names.part("scales", ofLayer: index)
    initializers.add(numbers: [1, 1, Float(y), Float(x)], name: name)
    return name
  }

  /// Nearest neighbours along rows and columns that are not multiples of the input's, by their
  /// positions.
  ///
  /// Engines compute the places of `Resize` in single precision, and so may miss a position where a
  /// place is whole or a half: ONNX Runtime 1.32 does for some sizes up to 40, never where one is a
  /// multiple.
  private mutating func addNearest(
    _ layer: Layer.Resizing, from shape: TensorShape, height: Int, width: Int, at index: Int
  ) {
    let rows = NearestPositions(layer, from: shape.height, to: height).positions
    let columns = NearestPositions(layer, from: shape.width, to: width).positions
    let between = names.part("between", ofLayer: index)
    let rowList = integers(rows, "rows", of: index)
    let columnList = integers(columns, "columns", of: index)
    node("Gather", [names[layer.input], rowList], between) { (node) in node.integer("axis", 2) }
    node("Gather", [between, columnList], output(index)) { (node) in node.integer("axis", 3) }
  }
}

/// The input position of each output position of a nearest resizing, along one axis.
struct NearestPositions {
  /// The input positions, by output position.
  let positions: [Int]

  init(_ layer: Layer.Resizing, from inputExtent: Int, to outputExtent: Int) {
    // Places as fractions, so that whole ones and halves are met exactly.
    let (n, m) = (inputExtent, outputExtent)
    positions = (0..<m).map { (y) in
      let (numerator, denominator) =
        switch layer.coordinates {
        case .halfPixel: ((2 * y + 1) * n - m, 2 * m)
        case .alignCorners: m == 1 ? (0, 1) : (y * (n - 1), m - 1)
        case .asymmetric: (y * n, m)
        }
      let nearest =
        switch layer.interpolation {
        case .nearestFloor, .bilinear: Self.floor(numerator, denominator)
        case .nearestPreferringFloor:
          -Self.floor(denominator - 2 * numerator, 2 * denominator)
        case .nearestPreferringCeiling:
          Self.floor(2 * numerator + denominator, 2 * denominator)
        case .nearestCeiling: -Self.floor(-numerator, denominator)
        }
      return min(max(nearest, 0), n - 1)
    }
  }

  /// The greatest whole number that is not above a fraction; the denominator is positive.
  private static func floor(_ numerator: Int, _ denominator: Int) -> Int {
    let quotient = numerator / denominator
    return numerator % denominator < 0 ? quotient - 1 : quotient
  }
}

extension Layer.Resizing.Coordinates {
  /// The value of `coordinate_transformation_mode`.
  fileprivate var attribute: String {
    switch self {
    case .halfPixel: "half_pixel"
    case .alignCorners: "align_corners"
    case .asymmetric: "asymmetric"
    }
  }
}

extension Layer.Resizing.Interpolation {
  /// The value of `nearest_mode`, or nil for bilinear.
  fileprivate var rounding: String? {
    switch self {
    case .nearestFloor: "floor"
    case .nearestPreferringFloor: "round_prefer_floor"
    case .nearestPreferringCeiling: "round_prefer_ceil"
    case .nearestCeiling: "ceil"
    case .bilinear: nil
    }
  }
}

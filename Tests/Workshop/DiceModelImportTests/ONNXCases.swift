import Testing

/// One operation of ONNX with the numbers that ONNX Runtime 1.32 gives for it.
struct ONNXCase: Sendable, CustomTestStringConvertible {
  enum Constant: Sendable {
    case floats([Int], [Float])
    case integers([Int], [Int])
  }

  enum Attribute: Sendable {
    case integer(Int)
    case float(Float)
    case text(String)
    case integers([Int])
  }

  var operation: String
  var inputShape: [Int]
  var input: [Float]
  var constants: [Constant?]
  var attributes: [String: Attribute]
  var operatorSet: Int
  var shape: [Int]
  var right: [Float]

  var testDescription: String { "\(operation) \(attributes)" }

  init(
    _ operation: String, _ inputShape: [Int], _ input: [Float], constants: [Constant?] = [],
    attributes: [String: Attribute] = [:], operatorSet: Int = 18, shape: [Int], _ right: [Float]
  ) {
    self.operation = operation
    self.inputShape = inputShape
    self.input = input
    self.constants = constants
    self.attributes = attributes
    self.operatorSet = operatorSet
    self.shape = shape
    self.right = right
  }

  /// A model of the operation alone.
  var model: [UInt8] {
    var names = ["x"]
    var tensors: [[UInt8]] = []
    for (index, constant) in constants.enumerated() {
      let name = constant == nil ? "" : "c\(index)"
      names.append(name)
      switch constant {
      case .floats(let shape, let numbers):
        tensors.append(ONNXFile.constant(name, shape, numbers))
      case .integers(let shape, let numbers):
        tensors.append(ONNXFile.constant(name, type: 7, shape, numbers))
      case nil: break
      }
    }
    let encoded = attributes.map { (name, attribute) in
      switch attribute {
      case .integer(let number): ONNXFile.attribute(name, number)
      case .float(let number): ONNXFile.attribute(name, number)
      case .text(let text): ONNXFile.attribute(name, text)
      case .integers(let numbers): ONNXFile.attribute(name, numbers)
      }
    }
    return ONNXFile.model(
      operatorSet: operatorSet,
      nodes: [ONNXFile.node(operation, names, ["y"], attributes: encoded)], constants: tensors,
      inputs: [("x", inputShape)], outputs: ["y"])
  }

  static let all: [ONNXCase] = [
    ONNXCase(
      "Sin", [1, 4], [-1.5, -0.5, 0.25, 2],
      shape: [1, 4], [-0.997495, -0.479426, 0.247404, 0.909297]),
    ONNXCase(
      "Cos", [1, 4], [-1.5, -0.5, 0.25, 2],
      shape: [1, 4], [0.070737, 0.877583, 0.968912, -0.416147]),
    ONNXCase(
      "Tan", [1, 4], [-1.5, -0.5, 0.25, 2],
      shape: [1, 4], [-14.10142, -0.546302, 0.255342, -2.18504]),
    ONNXCase(
      "Atan", [1, 4], [-1.5, -0.5, 0.25, 2],
      shape: [1, 4], [-0.982794, -0.463648, 0.244979, 1.107149]),
    ONNXCase(
      "Sinh", [1, 4], [-1.5, -0.5, 0.25, 2],
      shape: [1, 4], [-2.129279, -0.521095, 0.252612, 3.62686]),
    ONNXCase(
      "Cosh", [1, 4], [-1.5, -0.5, 0.25, 2],
      shape: [1, 4], [2.35241, 1.127626, 1.031413, 3.762196]),
    ONNXCase(
      "Asinh", [1, 4], [-1.5, -0.5, 0.25, 2],
      shape: [1, 4], [-1.194763, -0.481212, 0.247466, 1.443635]),
    ONNXCase(
      "Round", [1, 4], [-1.5, -0.5, 0.25, 2],
      shape: [1, 4], [-2, -0, 0, 2]),
    ONNXCase(
      "Sign", [1, 4], [-1.5, -0.5, 0.25, 2],
      shape: [1, 4], [-1, -1, 1, 1]),
    ONNXCase(
      "Selu", [1, 4], [-1.5, -0.5, 0.25, 2],
      shape: [1, 4], [-1.365814, -0.691758, 0.262675, 2.101402]),
    ONNXCase(
      "Celu", [1, 4], [-1.5, -0.5, 0.25, 2],
      shape: [1, 4], [-0.77687, -0.393469, 0.25, 2]),
    ONNXCase(
      "ThresholdedRelu", [1, 4], [-1.5, -0.5, 0.25, 2],
      shape: [1, 4], [0, 0, 0, 2]),
    ONNXCase(
      "Asin", [1, 4], [-0.75, -0.25, 0, 0.5],
      shape: [1, 4], [-0.848062, -0.25268, 0, 0.523599]),
    ONNXCase(
      "Acos", [1, 4], [-0.75, -0.25, 0, 0.5],
      shape: [1, 4], [2.418859, 1.823477, 1.570796, 1.047198]),
    ONNXCase(
      "Atanh", [1, 4], [-0.75, -0.25, 0, 0.5],
      shape: [1, 4], [-0.972955, -0.255413, 0, 0.549306]),
    ONNXCase(
      "Acosh", [1, 3], [1, 1.5, 4],
      shape: [1, 3], [0, 0.962424, 2.063437]),
    ONNXCase(
      "Round", [1, 6], [0.5, 1.5, 2.5, -0.5, -1.5, 2.4],
      shape: [1, 6], [0, 2, 2, -0, -2, 2]),
    ONNXCase(
      "Shrink", [1, 4], [-1.5, -0.5, 0.25, 2],
      attributes: ["bias": .float(0.25), "lambd": .float(0.5)],
      shape: [1, 4], [-1.25, 0, 0, 1.75]),
    ONNXCase(
      "Hardmax", [2, 3], [-1.5, -0.5, 0.25, 2, 0.75, -2],
      shape: [2, 3], [0, 0, 1, 1, 0, 0]),
    ONNXCase(
      "Pow", [1, 4], [-1.5, -0.5, 0.25, 2],
      constants: [.floats([], [3])],
      shape: [1, 4], [-3.375, -0.125, 0.015625, 8]),
    ONNXCase(
      "Pow", [1, 4], [-1.5, -0.5, 0.25, 2],
      constants: [.floats([], [0])],
      shape: [1, 4], [1, 1, 1, 1]),
    ONNXCase(
      "Pow", [1, 4], [-1.5, -0.5, 0.25, 2],
      constants: [.floats([], [-2])],
      shape: [1, 4], [0.444444, 4, 16, 0.25]),
    ONNXCase(
      "ReduceLogSumExp", [2, 3], [-1.5, -0.5, 0.25, 2, 0.75, -2],
      constants: [.integers([1], [1])],
      attributes: ["keepdims": .integer(0)],
      shape: [2], [0.748433, 2.266065]),
    ONNXCase(
      "ReduceProd", [2, 3], [-1.5, -0.5, 0.25, 2, 0.75, -2],
      constants: [.integers([1], [1])],
      attributes: ["keepdims": .integer(0)],
      shape: [2], [0.1875, -3]),
    ONNXCase(
      "ReduceL1", [2, 3], [-1.5, -0.5, 0.25, 2, 0.75, -2],
      constants: [.integers([1], [1])],
      attributes: ["keepdims": .integer(0)],
      shape: [2], [2.25, 4.75]),
    ONNXCase(
      "ReduceMin", [2, 3], [-1.5, -0.5, 0.25, 2, 0.75, -2],
      constants: [.integers([1], [1])],
      attributes: ["keepdims": .integer(0)],
      shape: [2], [-1.5, -2]),
    ONNXCase(
      "ReduceLogSum", [2, 2], [1, 2, 3, 4],
      constants: [.integers([1], [1])],
      shape: [2, 1], [1.098612, 1.94591]),
    ONNXCase(
      "ReduceSum", [2, 2], [-1.5, -0.5, 0.25, 2],
      attributes: ["noop_with_empty_axes": .integer(1)],
      shape: [2, 2], [-1.5, -0.5, 0.25, 2]),
    ONNXCase(
      "ArgMin", [2, 3], [-1.5, -0.5, 0.25, 2, 0.75, -2],
      attributes: ["axis": .integer(1)],
      shape: [2, 1], [0, 2]),
    ONNXCase(
      "ArgMax", [1, 4], [1, 3, 3, 2],
      attributes: ["axis": .integer(1), "select_last_index": .integer(1), "keepdims": .integer(0)],
      shape: [1], [2]),
    ONNXCase(
      "Greater", [1, 4], [-1.5, -0.5, 0.25, 2],
      constants: [.floats([], [0.25])],
      shape: [1, 4], [0, 0, 0, 1]),
    ONNXCase(
      "GreaterOrEqual", [1, 4], [-1.5, -0.5, 0.25, 2],
      constants: [.floats([], [0.25])],
      shape: [1, 4], [0, 0, 1, 1]),
    ONNXCase(
      "Equal", [1, 4], [-1.5, -0.5, 0.25, 2],
      constants: [.floats([], [0.25])],
      shape: [1, 4], [0, 0, 1, 0]),
    ONNXCase(
      "Mod", [1, 4], [-1.5, -0.5, 0.25, 2],
      constants: [.floats([], [0.75])],
      attributes: ["fmod": .integer(1)],
      shape: [1, 4], [-0, -0.5, 0.25, 0.5]),
    ONNXCase(
      "GroupNormalization", [1, 4, 3], [-1.5, -0.5, 0.25, 2, 0.75, -2, 1, 0.5, 3, -0.25, 1.5, -1],
      constants: [.floats([4], [1, 2, 1, 2]), .floats([4], [0, 1, 2, 3])],
      attributes: ["num_groups": .integer(2)], operatorSet: 21,
      shape: [1, 4, 3],
      [
        -0.9866, -0.24665, 0.308312, 4.206449, 2.356575, -1.713149, 2.162995, 1.771807, 3.727745,
        1.370051, 4.108365, 0.196489,
      ]),
    ONNXCase(
      "LpNormalization", [2, 3], [-1.5, -0.5, 0.25, 2, 0.75, -2],
      attributes: ["axis": .integer(1)],
      shape: [2, 3], [-0.937043, -0.312348, 0.156174, 0.683486, 0.256307, -0.683486]),
    ONNXCase(
      "LpNormalization", [2, 3], [-1.5, -0.5, 0.25, 2, 0.75, -2],
      attributes: ["axis": .integer(0), "p": .integer(1)],
      shape: [2, 3], [-0.428571, -0.4, 0.111111, 0.571429, 0.6, -0.888889]),
    ONNXCase(
      "MeanVarianceNormalization", [1, 2, 2, 3],
      [-1.5, -0.5, 0.25, 2, 0.75, -2, 1, 0.5, 3, -0.25, 1.5, -1],
      shape: [1, 2, 2, 3],
      [
        -0.986602, -0.246651, 0.308313, 1.603229, 0.678289, -1.356578, 0.162995, -0.228193, 1.72775,
        -0.814977, 0.554184, -1.40176,
      ]),
    ONNXCase(
      "LRN", [1, 4, 1, 3], [-1.5, -0.5, 0.25, 2, 0.75, -2, 1, 0.5, 3, -0.25, 1.5, -1],
      attributes: [
        "size": .integer(3), "alpha": .float(0.5), "beta": .float(0.75), "bias": .float(1.0),
      ],
      shape: [1, 4, 1, 3],
      [
        -0.878219, -0.454573, 0.169638, 1.104032, 0.663676, -0.840444, 0.632009, 0.366984, 1.21608,
        -0.221225, 1.155156, -0.479207,
      ]),
    ONNXCase(
      "LogSoftmax", [2, 3], [-1.5, -0.5, 0.25, 2, 0.75, -2],
      attributes: ["axis": .integer(1)],
      shape: [2, 3], [-2.248433, -1.248433, -0.498433, -0.266065, -1.516065, -4.266066]),
    ONNXCase(
      "GatherElements", [2, 3], [-1.5, -0.5, 0.25, 2, 0.75, -2],
      constants: [.integers([2, 2], [2, 0, -1, 1])],
      attributes: ["axis": .integer(1)],
      shape: [2, 2], [0.25, -1.5, -2, 0.75]),
    ONNXCase(
      "GatherND", [2, 3], [-1.5, -0.5, 0.25, 2, 0.75, -2],
      constants: [.integers([2, 2], [1, 0, 0, 2])],
      shape: [2], [2, 0.25]),
    ONNXCase(
      "ScatterND", [4], [-1.5, -0.5, 0.25, 2],
      constants: [.integers([2, 1], [1, 3]), .floats([2], [9, 8])],
      shape: [4], [-1.5, 9, 0.25, 8]),
    ONNXCase(
      "ScatterND", [2, 2], [-1.5, -0.5, 0.25, 2],
      constants: [.integers([2, 1], [1, 1]), .floats([2, 2], [1, 2, 3, 4])],
      attributes: ["reduction": .text("add")],
      shape: [2, 2], [-1.5, -0.5, 4.25, 8]),
    ONNXCase(
      "ScatterElements", [2, 3], [-1.5, -0.5, 0.25, 2, 0.75, -2],
      constants: [.integers([1, 3], [1, 0, 2]), .floats([1, 3], [7, 8, 9])],
      attributes: ["axis": .integer(1)],
      shape: [2, 3], [8, 7, 9, 2, 0.75, -2]),
    ONNXCase(
      "CumSum", [1, 4], [-1.5, -0.5, 0.25, 2],
      constants: [.integers([], [1])],
      shape: [1, 4], [-1.5, -2, -1.75, 0.25]),
    ONNXCase(
      "CumSum", [1, 4], [-1.5, -0.5, 0.25, 2],
      constants: [.integers([], [1])],
      attributes: ["exclusive": .integer(1), "reverse": .integer(1)],
      shape: [1, 4], [1.75, 2.25, 2, 0]),
    ONNXCase(
      "Trilu", [3, 3], [-1.5, -0.5, 0.25, 2, 0.75, -2, 1, 0.5, 3],
      constants: [.integers([], [1])],
      shape: [3, 3], [0, -0.5, 0.25, 0, 0, -2, 0, 0, 0]),
    ONNXCase(
      "Trilu", [3, 3], [-1.5, -0.5, 0.25, 2, 0.75, -2, 1, 0.5, 3],
      attributes: ["upper": .integer(0)],
      shape: [3, 3], [-1.5, 0, 0, 2, 0.75, 0, 1, 0.5, 3]),
    ONNXCase(
      "Compress", [2, 3], [-1.5, -0.5, 0.25, 2, 0.75, -2],
      constants: [.integers([3], [1, 0, 1])],
      attributes: ["axis": .integer(1)],
      shape: [2, 2], [-1.5, 0.25, 2, -2]),
    ONNXCase(
      "ReverseSequence", [4, 2], [-1.5, -0.5, 0.25, 2, 0.75, -2, 1, 0.5],
      constants: [.integers([2], [2, 3])],
      shape: [4, 2], [0.25, -2, -1.5, 2, 0.75, -0.5, 1, 0.5]),
    ONNXCase(
      "Resize", [1, 1, 2, 3], [-1.5, -0.5, 0.25, 2, 0.75, -2],
      constants: [nil, nil, .integers([4], [1, 1, 3, 5])],
      attributes: ["mode": .text("cubic")],
      shape: [1, 1, 3, 5],
      [
        -1.918571, -1.415913, -0.608507, 0.122492, 0.54648, 0.262, 0.2735, 0.125, -0.496, -0.971,
        2.442571, 1.962913, 0.858507, -1.114493, -2.488481,
      ]),
    ONNXCase(
      "Resize", [1, 1, 3, 4], [-1.5, -0.5, 0.25, 2, 0.75, -2, 1, 0.5, 3, -0.25, 1.5, -1],
      constants: [nil, nil, .integers([4], [1, 1, 2, 2])],
      attributes: ["mode": .text("linear"), "antialias": .integer(1)],
      shape: [1, 1, 2, 2], [-0.6875, 0.8125, 0.979167, 0.145833]),
    ONNXCase(
      "Resize", [1, 1, 3, 4], [-1.5, -0.5, 0.25, 2, 0.75, -2, 1, 0.5, 3, -0.25, 1.5, -1],
      constants: [nil, .floats([4], [1, 1, 0.6, 0.6])],
      attributes: ["mode": .text("linear"), "coordinate_transformation_mode": .text("half_pixel")],
      shape: [1, 1, 1, 2], [-0.833333, 0.5]),
    ONNXCase(
      "Resize", [1, 1, 3, 4], [-1.5, -0.5, 0.25, 2, 0.75, -2, 1, 0.5, 3, -0.25, 1.5, -1],
      constants: [nil, .floats([4], [1, 1, 0.6, 0.6])],
      attributes: [
        "mode": .text("nearest"), "coordinate_transformation_mode": .text("asymmetric"),
        "nearest_mode": .text("floor"),
      ],
      shape: [1, 1, 1, 2], [-1.5, -0.5]),
    ONNXCase(
      "Resize", [1, 1, 2, 2], [1, 2, 3, 5],
      constants: [nil, .floats([4], [1, 1, 0.5, 0.5])],
      attributes: [
        "mode": .text("linear"), "coordinate_transformation_mode": .text("pytorch_half_pixel"),
      ],
      shape: [1, 1, 1, 1], [1]),
    ONNXCase(
      "Resize", [1, 1, 3, 4], [-1.5, -0.5, 0.25, 2, 0.75, -2, 1, 0.5, 3, -0.25, 1.5, -1],
      constants: [
        .floats([8], [0, 0, 0.25, 0, 1, 1, 0.75, 1.5]), nil, .integers([4], [1, 1, 2, 3]),
      ],
      attributes: [
        "mode": .text("linear"), "coordinate_transformation_mode": .text("tf_crop_and_resize"),
      ],
      shape: [1, 1, 2, 3], [-0.375, 0.78125, 0, 1.875, 0.875, 0]),
    ONNXCase(
      "Resize", [1, 1, 2, 6], [-1.5, -0.5, 0.25, 2, 0.75, -2, 1, 0.5, 3, -0.25, 1.5, -1],
      constants: [nil, nil, .integers([4], [1, 1, 3, 5])],
      attributes: ["mode": .text("nearest"), "keep_aspect_ratio_policy": .text("not_larger")],
      shape: [1, 1, 2, 5], [-1.5, -0.5, 0.25, 0.75, -2, 1, 0.5, 3, 1.5, -1]),
    ONNXCase(
      "Einsum", [2, 3], [-1.5, -0.5, 0.25, 2, 0.75, -2],
      constants: [.floats([3, 2], [1, 2, 3, 4, 5, 6])],
      attributes: ["equation": .text("ij,jk->ki")], operatorSet: 17,
      shape: [2, 2], [-1.75, -5.75, -3.5, -5]),
    ONNXCase(
      "Einsum", [1, 2, 3], [-1.5, -0.5, 0.25, 2, 0.75, -2],
      constants: [.floats([1, 2, 3], [1, 2, 3, 4, 5, 6])],
      attributes: ["equation": .text("bij,bkj->bik")], operatorSet: 17,
      shape: [1, 2, 2], [-1.75, -7, -2.5, -0.25]),
    ONNXCase(
      "Einsum", [2, 2, 3], [-1.5, -0.5, 0.25, 2, 0.75, -2, 1, 0.5, 3, -0.25, 1.5, -1],
      constants: [.floats([3], [1, 2, 3])],
      attributes: ["equation": .text("...c,c->...")], operatorSet: 17,
      shape: [2, 2], [-1.75, -2.5, 11, -0.25]),
    ONNXCase(
      "Einsum", [2, 3], [-1.5, -0.5, 0.25, 2, 0.75, -2],
      attributes: ["equation": .text("ij->j")], operatorSet: 17,
      shape: [3], [0.5, 0.25, -1.75]),
    ONNXCase(
      "BatchNormalization", [1, 2, 3], [-1.5, -0.5, 0.25, 2, 0.75, -2],
      constants: [
        .floats([2], [1, 2]), .floats([2], [0, 1]), .floats([2], [0.5, 0]), .floats([2], [1, 4]),
      ],
      shape: [1, 2, 3], [-1.99999, -0.999995, -0.249999, 2.999998, 1.749999, -0.999998]),
    ONNXCase(
      "SpaceToDepth", [1, 1, 2, 4], [-1.5, -0.5, 0.25, 2, 0.75, -2, 1, 0.5],
      attributes: ["blocksize": .integer(2)],
      shape: [1, 4, 1, 2], [-1.5, 0.25, -0.5, 2, 0.75, 1, -2, 0.5]),
    ONNXCase(
      "PRelu", [2, 3], [-1.5, -0.5, 0.25, 2, 0.75, -2],
      constants: [.floats([2, 3], [0.5, 0.25, 2, 1, 0, -1])],
      shape: [2, 3], [-0.75, -0.125, 0.25, 2, 0.75, 2]),
    ONNXCase(
      "Attention", [1, 3, 8],
      [
        0.75, 1.25, -2, 1.25, -0.25, 0, 0.5, -1, 2, -2, -1, -0.5, 0.25, -0.5, -1.5, -2, -2, -2,
        -1.5, 2, -1.25, 0.75, 1, -1.25,
      ],
      constants: [
        .floats([1, 2, 4], [-1, -0.25, -1, 2, -1.25, 1.75, 1.25, 1.5]),
        .floats([1, 2, 4], [-1.75, -0.5, 0.5, 0, 0.75, 0.75, 0.75, -1.75]),
      ], attributes: ["q_num_heads": .integer(2), "kv_num_heads": .integer(1)], operatorSet: 23,
      shape: [1, 3, 8],
      [
        -1.257934, -0.2539673, 0.5492066, -0.3444458, -0.001863942, 0.3740681, 0.6748136, -1.223695,
        -1.656683, -0.4533414, 0.5093317, -0.06532205, -1.36992, -0.3099597, 0.5380081, -0.2660564,
        -1.70219, -0.476095, 0.504781, -0.03346707, 0.5310904, 0.6405452, 0.7281091, -1.596763,
      ]),
    ONNXCase(
      "Attention", [1, 2, 3, 2],
      [2, 0.25, 1.75, -1, -0.5, 1.5, -1.25, -1.75, -0.5, 0.75, -1.5, 1.5],
      constants: [
        .floats(
          [1, 2, 3, 2], [-0.75, -1.25, 0.25, 1.75, 1.75, 1.5, -0.75, -2, 1.25, 1, 1.25, -2]),
        .floats(
          [1, 2, 3, 2], [-2, 0, -0.75, -0.25, 1.75, -1.25, 0, -0.75, -0.75, 1.25, -1.5, -0.75]),
        .floats([3, 3], [-1.5, -1.5, -1, 0.75, 0.25, -0.25, -1.5, 1.25, 1.25]),
      ], attributes: ["is_causal": .integer(1), "scale": .float(0.5)], operatorSet: 23,
      shape: [1, 2, 3, 2],
      [
        -2, 0, -1.693644, -0.06127125, 0.1455978, -0.6096094, 0, -0.75, -0.398407, 0.3124188,
        -0.7996668, 1.011189,
      ]),
    ONNXCase(
      "Attention", [1, 1, 2, 2], [-1, -1.75, -0.75, -1.5],
      constants: [
        .floats([1, 1, 2, 2], [1.25, 0, 0, -1]), .floats([1, 1, 2, 2], [0, 2, -1, 1.25]), nil,
        .floats([1, 1, 1, 2], [-2, -0.75]), .floats([1, 1, 1, 2], [1.75, 1.5]),
      ], attributes: ["is_causal": .integer(1), "softcap": .float(1.5)], operatorSet: 23,
      shape: [1, 1, 2, 2], [1.570269, 1.551352, 0.56553, 1.446055]),
    ONNXCase(
      "RotaryEmbedding", [1, 2, 8],
      [-1.75, 1.5, 1.5, -0.25, -0.5, 2, 2, 0.75, -0.5, -1.25, 1.75, -1, 0.25, 0.75, -1, -0.75],
      constants: [
        .floats([3, 1], [1, -1.25, 0.75]), .floats([3, 1], [2, 0.75, 0.5]),
        .integers([1, 2], [2, 0]),
      ], attributes: ["num_heads": .integer(2), "rotary_embedding_dim": .integer(2)],
      operatorSet: 23, shape: [1, 2, 8],
      [
        -2.0625, 0.25, 1.5, -0.25, -1.375, 1.25, 2, 0.75, 2, -2.25, 1.75, -1, -1.25, 1.25, -1,
        -0.75,
      ]),
    ONNXCase(
      "RotaryEmbedding", [1, 2, 2, 4],
      [-0.25, 2, -1.25, -0.5, 0.5, 0.75, -1.75, -1.5, 0.75, 1.5, 0.5, 1.75, -0.5, -0.75, 1.25, -2],
      constants: [
        .floats([1, 2, 2], [-1.25, -1.25, -0.5, -1.5]), .floats([1, 2, 2], [1.25, 1.5, -0.5, -2]),
      ], attributes: ["interleaved": .integer(1)], operatorSet: 23, shape: [1, 2, 2, 4],
      [
        -2.1875, -2.8125, 2.3125, -1.25, 0.125, -0.625, -0.375, 5.75, -2.8125, -0.9375, -3.25,
        -1.4375, -0.125, 0.625, -5.875, 0.5,
      ]),
  ]
}

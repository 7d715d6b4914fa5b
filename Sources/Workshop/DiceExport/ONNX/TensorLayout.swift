/// How the numbers of a file's tensor lie in a model.
enum TensorLayout: Hashable {
  /// As in the file.
  case plain
  /// Weights of a convolution: `[KH, KW, I / G, O]` becomes `[O, I / G, KH, KW]`.
  case convolution
  /// Weights of a transposed convolution: `[KH, KW, I / G, O]` becomes `[I, O / G, KH, KW]`.
  case transposedConvolution(groups: Int)
  /// A number for each channel: `[C]` becomes `[C, 1, 1]`.
  case channels
  /// A value: `[H, W, C]` becomes `[1, C, H, W]`.
  case value

  /// What makes the name of a tensor that has several layouts unique.
  var suffix: String {
    switch self {
    case .plain, .convolution: ""
    case .transposedConvolution(let groups): ".transposed\(groups)"
    case .channels: ".channels"
    case .value: ".value"
    }
  }

  /// The dimensions in the model.
  func shape(of shape: [Int]) -> [Int] {
    switch self {
    case .plain: shape
    case .convolution: [shape[3], shape[2], shape[0], shape[1]]
    case .transposedConvolution(let groups):
      [shape[2] * groups, shape[3] / groups, shape[0], shape[1]]
    case .channels: [shape[0], 1, 1]
    case .value: [1, shape[2], shape[0], shape[1]]
    }
  }

  /// The order of the numbers: extents, slowest first, and how far apart in the file's tensor
  /// neighbours along each are; nil for the file's order.
  func order(of shape: [Int]) -> [(count: Int, step: Int)]? {
    switch self {
    case .plain, .channels: return nil
    case .convolution:
      let (inputs, outputs) = (shape[2], shape[3])
      return [
        (outputs, 1), (inputs, outputs), (shape[0], shape[1] * inputs * outputs),
        (shape[1], inputs * outputs),
      ]
    case .transposedConvolution(let groups):
      let (inputs, outputs) = (shape[2], shape[3])
      return [
        (groups, outputs / groups), (inputs, outputs), (outputs / groups, 1),
        (shape[0], shape[1] * inputs * outputs), (shape[1], inputs * outputs),
      ]
    case .value:
      return [(shape[2], 1), (shape[0], shape[1] * shape[2]), (shape[1], shape[2])]
    }
  }
}

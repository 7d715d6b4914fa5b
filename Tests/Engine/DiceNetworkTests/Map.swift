import DiceNetwork
import DiceWeights

/// Numbers `[H, W, C]` in `Double`.
struct Map {
  let height: Int
  let width: Int
  let channels: Int
  private(set) var values: [Double]

  init(_ height: Int, _ width: Int, _ channels: Int, _ values: [Double]) {
    precondition(values.count == height * width * channels, "as many values as the shape says")
    self.height = height
    self.width = width
    self.channels = channels
    self.values = values
  }

  /// Every number from its row, column and channel.
  init(_ height: Int, _ width: Int, _ channels: Int, _ value: (Int, Int, Int) -> Double) {
    var values: [Double] = []
    values.reserveCapacity(height * width * channels)
    for y in 0..<height {
      for x in 0..<width { for c in 0..<channels { values.append(value(y, x, c)) } }
    }
    self.init(height, width, channels, values)
  }

  /// The values of an input.
  init(_ shape: TensorShape, _ values: [Float]) {
    self.init(
      shape.height, shape.width, shape.channels, values.map { (value) in Double(value) })
  }

  subscript(y: Int, x: Int, c: Int) -> Double {
    get { values[(y * width + x) * channels + c] }
    set { values[(y * width + x) * channels + c] = newValue }
  }

  func contains(_ y: Int, _ x: Int) -> Bool { y >= 0 && y < height && x >= 0 && x < width }

  /// A number where extents of 1 are repeated.
  func repeated(_ y: Int, _ x: Int, _ c: Int) -> Double {
    self[height == 1 ? 0 : y, width == 1 ? 0 : x, channels == 1 ? 0 : c]
  }

  /// Side by side with others along an axis.
  func joined(with others: ArraySlice<Map>, _ axis: Layer.Axis) -> Map {
    others.reduce(self) { (first, second) in
      switch axis {
      case .height:
        return Map(first.height + second.height, first.width, first.channels) { (y, x, c) in
          y < first.height ? first[y, x, c] : second[y - first.height, x, c]
        }
      case .width:
        return Map(first.height, first.width + second.width, first.channels) { (y, x, c) in
          x < first.width ? first[y, x, c] : second[y, x - first.width, c]
        }
      case .channels:
        return Map(first.height, first.width, first.channels + second.channels) { (y, x, c) in
          c < first.channels ? first[y, x, c] : second[y, x, c - first.channels]
        }
      }
    }
  }

  /// Whether a feature map has the same shape.
  func hasShape(of map: FeatureMap) -> Bool {
    map.height == height && map.width == width && map.channelCount == channels
  }
}

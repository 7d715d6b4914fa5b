internal import DiceGeometry

/// What the four numbers of a box are.
public struct BoxFormat: Hashable, Sendable {
  /// Their order.
  public enum Order: Int, CaseIterable, Hashable, Sendable {
    /// x and y of the centre, width, height.
    case centerSize = 0
    /// Left, top, right, bottom.
    case leftTopRightBottom = 1
    /// Top, left, bottom, right.
    case topLeftBottomRight = 2
    /// y and x of the centre, height, width.
    case centerSizeRowsFirst = 3
    /// Left, top, width, height.
    case leftTopSize = 4
  }

  /// What they count.
  public enum Unit: Int, CaseIterable, Hashable, Sendable {
    /// Pixels of the network's input.
    case pixels = 0
    /// Shares of the input's width and height.
    case shares = 1
  }

  /// Their order.
  public var order: Order
  /// What they count.
  public var unit: Unit

  /// Groups the two.
  public init(order: Order = .centerSize, unit: Unit = .pixels) {
    self.order = order
    self.unit = unit
  }

  /// The box of four numbers, in pixels of an input; not finite where a number is not.
  func boundingBox(_ numbers: SIMD4<Double>, _ size: HeadInputSize) -> BoundingBox {
    let box: BoundingBox
    switch order {
    case .centerSize:
      box = BoundingBox(
        midX: numbers[0], midY: numbers[1], width: numbers[2], height: numbers[3])
    case .leftTopRightBottom:
      box = BoundingBox(
        minX: numbers[0], minY: numbers[1], maxX: numbers[2], maxY: numbers[3])
    case .topLeftBottomRight:
      box = BoundingBox(
        minX: numbers[1], minY: numbers[0], maxX: numbers[3], maxY: numbers[2])
    case .centerSizeRowsFirst:
      box = BoundingBox(
        midX: numbers[1], midY: numbers[0], width: numbers[3], height: numbers[2])
    case .leftTopSize:
      box = BoundingBox(x: numbers[0], y: numbers[1], width: numbers[2], height: numbers[3])
    }
    return unit == .pixels
      ? box : box.scaled(x: Double(size.width), y: Double(size.height))
  }

  /// The box of four numbers of a list.
  func boundingBox(_ numbers: [Float], at start: Int, _ size: HeadInputSize) -> BoundingBox {
    boundingBox(Self.four(numbers, at: start), size)
  }

  /// Four numbers of a list.
  static func four(_ numbers: [Float], at start: Int) -> SIMD4<Double> {
    SIMD4(
      Double(numbers[start]), Double(numbers[start + 1]), Double(numbers[start + 2]),
      Double(numbers[start + 3]))
  }
}

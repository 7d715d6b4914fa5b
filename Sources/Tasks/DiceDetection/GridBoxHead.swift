public import DiceGeometry
internal import DiceKernels

/// A head that proposes one box for each cell of a grid over the network's input.
///
/// It has `5 + classCount` channels: tx, ty, tw, th, the objectness logit, and a logit for each
/// class.
public struct GridBoxHead: Hashable, Sendable {
  /// Pixels of the network's input from one cell to the next.
  public var stride: Int
  /// The side of a box whose tw and th are 0, in pixels of the network's input; more than 0.
  public var baseSize: Float
  /// The number of classes.
  public var classCount: Int

  /// Groups the parts of a head.
  public init(stride: Int, baseSize: Float, classCount: Int) {
    self.stride = stride
    self.baseSize = baseSize
    self.classCount = classCount
  }

  /// The channels of a cell: `5 + classCount`.
  public var channelCount: Int { 5 + classCount }

  /// The channel of the objectness logit.
  public static let objectnessChannel = 4
  /// The channel of the first class's logit.
  public static let firstClassChannel = 5

  /// The box that a cell's first four channels stand for, in pixels of the network's input.
  ///
  /// - `centerX = (column + 2 * sigmoid(tx) − 0.5) * stride`, `centerY` likewise with `row` and
  ///   `ty`
  /// - `width = baseSize * exp(clamp(tw, −4...4))`, `height` likewise with `th`
  ///
  /// A box whose channels hold a NaN is not finite.
  public func boundingBox(
    column: Int, row: Int, tx: Float, ty: Float, tw: Float, th: Float
  ) -> BoundingBox {
    let step = Double(stride)
    let x = Double(ReferenceKernels.sigmoid(tx))
    let y = Double(ReferenceKernels.sigmoid(ty))
    return BoundingBox(
      midX: (Double(column) + 2 * x - 0.5) * step,
      midY: (Double(row) + 2 * y - 0.5) * step,
      width: Double(baseSize) * Double(Self.factor(tw)),
      height: Double(baseSize) * Double(Self.factor(th)))
  }

  /// How likely a cell holds an object, from its objectness logit: `sigmoid(logit)`, 0...1.
  public static func objectness(_ logit: Float) -> Float { ReferenceKernels.sigmoid(logit) }

  /// `exp(clamp(t, −4...4))`, NaN for NaN.
  private static func factor(_ t: Float) -> Float {
    ReferenceKernels.exponential(t < -4 ? -4 : t > 4 ? 4 : t)
  }
}

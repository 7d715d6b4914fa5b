public import DiceGeometry

/// Where a die stands on a field of play.
public struct FieldPlace: Hashable, Sendable {
  /// The middle of what the die stands on, in pixels of the latest frame (``DieStance``).
  public var foot: PixelPoint
  /// Whether the die stands outside the field.
  ///
  /// The border is a tenth of a die wide: a die that was inside is outside only beyond it, and the other way
  /// round.
  public var isOutside: Bool
  /// Whether the die lies still inside the field and does not seem to lie flat; ``RollTracker/field`` tells
  /// how this is known.
  public var isCocked: Bool
  /// Where it stands in centimetres: x along the side from the field's first corner to the second one, y
  /// along the side from the first corner to the fourth one.
  ///
  /// Nil where the field has no size, and beyond the horizon of its plane.
  public var centimeters: SIMD2<Double>?
  /// Where it stands as the player sees it, in shares of the field: x from their left, 0, to their right, 1,
  /// and y from their own side, 0, to the far one, 1; less or more beside the field.
  ///
  /// Nil beyond the horizon of the field's plane.
  public var fromPlayer: SIMD2<Double>?

  /// A place of your own, for previews and tests.
  public init(
    foot: PixelPoint, isOutside: Bool = false, isCocked: Bool = false,
    centimeters: SIMD2<Double>? = nil, fromPlayer: SIMD2<Double>? = nil
  ) {
    self.foot = foot
    self.isOutside = isOutside
    self.isCocked = isCocked
    self.centimeters = centimeters
    self.fromPlayer = fromPlayer
  }
}

#if !hasFeature(Embedded)
  extension FieldPlace: Codable {}
#endif

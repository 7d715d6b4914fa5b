public import DiceGeometry

/// A digit in a picture.
public struct PictureDigit: Hashable, Sendable {
  /// The digit, 0...9.
  public let value: Int
  /// How likely it is, 0...1.
  public let confidence: Float
  /// How likely each digit is, by digit; what is left to 1 is that there is none.
  public let probabilities: [Float]
  /// The box of its ink in pixels, from the upper left.
  public let box: BoundingBox

  /// The other digits, the most likely first.
  public var alternatives: [(value: Int, confidence: Float)] {
    probabilities.indices.filter { $0 != value }
      .map { (value: $0, confidence: probabilities[$0]) }
      .sorted { ($1.confidence, $0.value) < ($0.confidence, $1.value) }
  }
}

/// A number in a picture: digits that stand side by side.
public struct PictureNumber: Hashable, Sendable {
  /// The digits from left to right; one at least.
  public let digits: [PictureDigit]
  /// The box of the minus sign in front of the digits; nil without one.
  public let minusBox: BoundingBox?
  /// How likely all digits are right together, 0...1.
  public let confidence: Float

  /// The digits as text, with a minus sign where there is one: "-24".
  public var text: String {
    (minusBox == nil ? "" : "-") + digits.map { "\($0.value)" }.joined()
  }

  /// The number; nil where it has more than 18 digits.
  public var number: Int? { digits.count <= 18 ? Int(text) : nil }

  /// The box around all of it, in pixels, from the upper left.
  public var box: BoundingBox {
    var (left, top) = (digits[0].box.x, digits[0].box.y)
    var (right, bottom) = (left, top)
    for box in digits.map({ $0.box }) + (minusBox.map { [$0] } ?? []) {
      left = min(left, box.x)
      top = min(top, box.y)
      right = max(right, box.x + box.width)
      bottom = max(bottom, box.y + box.height)
    }
    return BoundingBox(x: left, y: top, width: right - left, height: bottom - top)
  }
}

internal import DiceWeights

/// The rows or columns of a value in a model.
enum ModelExtent: Hashable {
  /// As many as that.
  case number(Int)
  /// A share of an input's rows or columns, whose number is open.
  case share(Share)
  /// A number that follows from open ones in another way.
  case unknown

  /// `numerator / denominator` of the rows or columns of an input: a whole number for every size that
  /// the network takes.
  struct Share: Hashable {
    /// The index of the input.
    var input: Int
    /// Rows or columns.
    var axis: Layer.Axis
    var numerator = 1
    var denominator = 1
  }

  /// The rows or columns that a window gives: ordinary convolution, pooling.
  func windowed(
    span: Int, stride: Int, padding: Int, sizeMultiple: Int
  ) -> ModelExtent {
    switch self {
    case .number(let extent): return .number((extent + padding - span) / stride + 1)
    case .share(let share):
      let surplus = padding - span
      guard surplus <= -1, surplus >= -stride else { return .unknown }
      return Self.share(share, times: 1, over: stride, sizeMultiple: sizeMultiple)
    case .unknown: return .unknown
    }
  }

  /// `stride * extent + surplus`: transposed convolution, padding.
  func enlarged(stride: Int, surplus: Int, sizeMultiple: Int) -> ModelExtent {
    switch self {
    case .number(let extent): return .number(stride * extent + surplus)
    case .share(let share) where surplus == 0:
      return Self.share(share, times: stride, over: 1, sizeMultiple: sizeMultiple)
    default: return .unknown
    }
  }

  /// What an extent and another one along the same axis give together, number by number.
  func combined(with other: ModelExtent) -> ModelExtent {
    switch (self, other) {
    case (.number(1), _): return other
    case (_, .number(1)): return self
    // The open one can only be as many, or 1.
    case (.number, _): return self
    case (_, .number): return other
    default: return self == other ? self : .unknown
    }
  }

  /// Both one after the other.
  func joined(with other: ModelExtent, sizeMultiple: Int) -> ModelExtent {
    switch (self, other) {
    case (.number(let first), .number(let second)): return .number(first + second)
    case (.share(let first), .share(let second))
    where first.input == second.input && first.axis == second.axis:
      let (left, right) = (
        first.numerator.multipliedReportingOverflow(by: second.denominator),
        second.numerator.multipliedReportingOverflow(by: first.denominator)
      )
      let sum = left.partialValue.addingReportingOverflow(right.partialValue)
      guard !left.overflow, !right.overflow, !sum.overflow else { return .unknown }
      return Self.share(
        Share(input: first.input, axis: first.axis), times: sum.partialValue,
        over: first.denominator, second.denominator, sizeMultiple: sizeMultiple)
    default: return .unknown
    }
  }

  /// A share of a share; `unknown` where that is not a whole number for every multiple of
  /// `sizeMultiple`.
  private static func share(
    _ share: Share, times factor: Int, over divisors: Int..., sizeMultiple: Int
  ) -> ModelExtent {
    var (numerator, denominator) = (share.numerator, share.denominator)
    let product = numerator.multipliedReportingOverflow(by: factor)
    guard !product.overflow else { return .unknown }
    numerator = product.partialValue
    for divisor in divisors {
      let product = denominator.multipliedReportingOverflow(by: divisor)
      guard !product.overflow else { return .unknown }
      denominator = product.partialValue
    }
    let common = greatestDivisor(numerator, denominator)
    numerator /= common
    denominator /= common
    // The two have no common divisor: the denominator must divide the side.
    guard sizeMultiple % denominator == 0 else { return .unknown }
    return .share(
      Share(
        input: share.input, axis: share.axis, numerator: numerator, denominator: denominator))
  }

  private static func greatestDivisor(_ first: Int, _ second: Int) -> Int {
    var (first, second) = (first, second)
    while second != 0 { (first, second) = (second, first % second) }
    return first
  }
}

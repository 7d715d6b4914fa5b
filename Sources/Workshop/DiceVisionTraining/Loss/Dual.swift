internal import DiceTraining

/// A number with its derivatives by four variables: forward-mode differentiation.
///
/// A box has four raw predictions, so the loss of a box is written once, as a formula, and its
/// gradient follows without a second formula that could be wrong.
struct Dual {
  var value: Float
  var derivatives: SIMD4<Float>

  init(_ value: Float, _ derivatives: SIMD4<Float> = .zero) {
    self.value = value
    self.derivatives = derivatives
  }

  /// The variable with the given index, 0...3.
  static func variable(_ value: Float, _ index: Int) -> Dual {
    var derivatives = SIMD4<Float>.zero
    derivatives[index] = 1
    return Dual(value, derivatives)
  }

  static func + (a: Dual, b: Dual) -> Dual {
    Dual(a.value + b.value, a.derivatives + b.derivatives)
  }

  static func - (a: Dual, b: Dual) -> Dual {
    Dual(a.value - b.value, a.derivatives - b.derivatives)
  }

  static func * (a: Dual, b: Dual) -> Dual {
    Dual(a.value * b.value, a.derivatives * b.value + b.derivatives * a.value)
  }

  static func / (a: Dual, b: Dual) -> Dual {
    let quotient = a.value / b.value
    return Dual(quotient, (a.derivatives - b.derivatives * quotient) / b.value)
  }

  static func smaller(_ a: Dual, _ b: Dual) -> Dual { b.value < a.value ? b : a }

  static func greater(_ a: Dual, _ b: Dual) -> Dual { b.value > a.value ? b : a }

  static func exponential(_ a: Dual) -> Dual {
    let value = DiceTraining.exponential(a.value)
    return Dual(value, a.derivatives * value)
  }

  static func sigmoid(_ a: Dual) -> Dual {
    let value = logistic(a.value)
    return Dual(value, a.derivatives * (value * (1 - value)))
  }

  /// The value limited to a range; outside it the derivatives are 0.
  static func clamp(_ a: Dual, _ low: Float, _ high: Float) -> Dual {
    a.value < low ? Dual(low) : a.value > high ? Dual(high) : a
  }
}

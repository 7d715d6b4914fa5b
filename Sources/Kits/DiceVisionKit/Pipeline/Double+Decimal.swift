extension Double {
  /// The decimal number that a stored number of single precision stands for: 0.45 for the `Float`
  /// nearest to it.
  ///
  /// The multiple of 1e-6 that rounds to the number, or the number itself where there is none.
  package init(decimalOf value: Float) {
    let decimal = (Double(value) * 1e6).rounded() / 1e6
    self = Float(decimal) == value ? decimal : Double(value)
  }
}

internal import DiceNumerics

/// The chi-square distribution, central and not, and the normal one.
enum ChiSquare {
  /// How likely a chi-square variable exceeds `x`.
  static func tail(_ x: Double, degreesOfFreedom: Int) -> Double {
    upperIncompleteGamma(Double(degreesOfFreedom) / 2, max(0, x) / 2)
  }

  /// How likely a noncentral chi-square variable exceeds `x`: `Σ Poisson(j; λ / 2) Q(k / 2 + j, x / 2)`.
  ///
  /// Terms are added until the weights left over are below 1e-15. 1 for λ above 5000, where no critical
  /// value of up to 99 degrees of freedom is anywhere near.
  ///
  /// Source: N. L. Johnson, S. Kotz and N. Balakrishnan, *Continuous Univariate Distributions*, 2, 29.4.
  static func tail(_ x: Double, degreesOfFreedom: Int, noncentrality: Double) -> Double {
    guard noncentrality > 0 else { return tail(x, degreesOfFreedom: degreesOfFreedom) }
    guard noncentrality <= 5000 else { return 1 }
    let half = noncentrality / 2
    let logHalf = naturalLogarithm(half)
    var left = 1.0
    var sum = 0.0
    let halfX = max(x / 2, 1e-300)
    let logX = naturalLogarithm(halfX)
    var a = Double(degreesOfFreedom) / 2
    var tail = upperIncompleteGamma(a, halfX)
    var j = 0.0
    // Weights grow up to j = λ / 2, and fall off beyond.
    while left > 1e-15, j < 10_000 {
      let weight = exponential(j * logHalf - half - logGamma(j + 1))
      sum += weight * tail
      left -= weight
      j += 1
      // Q(a + 1, x) = Q(a, x) + x^a e^−x / Γ(a + 1)
      tail = min(1, tail + exponential(a * logX - halfX - logGamma(a + 1)))
      a += 1
    }
    return min(1, sum + max(0, left))
  }

  /// The value that a chi-square variable exceeds with a probability, to 1e-12 of it.
  static func criticalValue(_ probability: Double, degreesOfFreedom: Int) -> Double {
    root { tail($0, degreesOfFreedom: degreesOfFreedom) < probability }
  }

  /// How far from 0 a normal variable lies with a probability, on either side: 1.96 for 0.05.
  static func normalQuantile(tails probability: Double) -> Double {
    root { normalTails($0) < probability }
  }

  /// Where a condition that holds from some positive number on begins to hold.
  static func root(_ holds: (Double) -> Bool) -> Double {
    var high = 1.0
    while !holds(high), high < 1e15 { high *= 2 }
    var low = 0.0
    for _ in 0..<200 {
      let middle = (low + high) / 2
      if high - low <= 1e-14 * high || middle == low || middle == high { break }
      if holds(middle) { high = middle } else { low = middle }
    }
    return high
  }
}

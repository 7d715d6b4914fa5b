internal import DiceSystem

// The functions of the C library that training needs; losses and samples are made with them, so that
// the same run gives the same weights.

/// The sigmoid: `1 / (1 + e^-x)`.
package func logistic(_ x: Float) -> Float { 1 / (1 + expf(-x)) }

/// `ln(1 + e^x)`, without overflow.
package func softplus(_ x: Float) -> Float { max(x, 0) + log1pf(expf(-abs(x))) }

/// The natural logarithm.
package func naturalLogarithm(_ x: Float) -> Float { logf(x) }

/// The exponential function.
package func exponential(_ x: Float) -> Float { expf(x) }

/// The cosine.
package func cosine(_ x: Float) -> Float { cosf(x) }

/// The sine.
package func sine(_ x: Float) -> Float { sinf(x) }

/// `base` to the power of `exponent`.
package func power(_ base: Float, _ exponent: Float) -> Float { powf(base, exponent) }

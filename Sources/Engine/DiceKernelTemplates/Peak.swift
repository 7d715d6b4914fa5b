/// Multiply-adds on registers alone: what a core can do at most.
///
/// Twelve sums, `sum = b + sum * a` in each round; nothing is read or written in between. Twelve
/// are enough to hide the latency of a fused multiply-add on two ports, and fit 16 registers.
///
/// - Parameters:
///   - values: 32 floats: `a` for 16 lanes, then `b`. The total of the sums goes to the first ones.
///   - rounds: How often each sum is worked on.
/// - Returns: How many multiply-adds of single numbers were done.
@_alwaysEmitIntoClient @inline(__always)
public func multiplyAddInRegisters<Vector: FloatLanes, Arithmetic: MultiplyAdd>(
  _: Vector.Type, _: Arithmetic.Type, _ values: Address, rounds: Int
) -> Int {
  let a = values.vector(at: 0, as: Vector.self)
  let b = values.vector(at: channelBlock, as: Vector.self)
  // Different from each other, or the compiler would keep one sum for all.
  var sum0 = b
  var sum1 = Vector(repeating: 1)
  var sum2 = Vector(repeating: 2)
  var sum3 = Vector(repeating: 3)
  var sum4 = Vector(repeating: 4)
  var sum5 = Vector(repeating: 5)
  var sum6 = Vector(repeating: 6)
  var sum7 = Vector(repeating: 7)
  var sum8 = Vector(repeating: 8)
  var sum9 = Vector(repeating: 9)
  var sum10 = Vector(repeating: 10)
  var sum11 = Vector(repeating: 11)
  var round = 0
  while round < rounds {
    sum0 = Arithmetic.apply(b, sum0, a)
    sum1 = Arithmetic.apply(b, sum1, a)
    sum2 = Arithmetic.apply(b, sum2, a)
    sum3 = Arithmetic.apply(b, sum3, a)
    sum4 = Arithmetic.apply(b, sum4, a)
    sum5 = Arithmetic.apply(b, sum5, a)
    sum6 = Arithmetic.apply(b, sum6, a)
    sum7 = Arithmetic.apply(b, sum7, a)
    sum8 = Arithmetic.apply(b, sum8, a)
    sum9 = Arithmetic.apply(b, sum9, a)
    sum10 = Arithmetic.apply(b, sum10, a)
    sum11 = Arithmetic.apply(b, sum11, a)
    round &+= 1
  }
  let first = ((sum0 + sum1) + (sum2 + sum3)) + (sum4 + sum5)
  let second = ((sum6 + sum7) + (sum8 + sum9)) + (sum10 + sum11)
  values.store(first + second, at: 0)
  return 12 * Vector.scalarCount * rounds
}

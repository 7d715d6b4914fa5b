internal import DiceKernelTemplates
internal import DiceParallel

/// Adam with decoupled weight decay, and the exponential moving average of the values.
///
/// `m = β₁ m + (1 - β₁) g`, `v = β₂ v + (1 - β₂) g²`,
/// `w = w - rate (m / (1 - β₁ᵗ) / (√(v / (1 - β₂ᵗ)) + ε) + decay w)`, `average = d average + (1 - d) w`
///
/// Source: Loshchilov and Hutter, Decoupled Weight Decay Regularization, 2019.
struct Adam {
  var firstDecay: Float = 0.9
  var secondDecay: Float = 0.999
  var epsilon: Float = 1e-7
  var weightDecay: Float
  /// The longest gradient that is taken as it is; longer ones are shortened to this.
  var maximumGradientNorm: Float

  /// One step; `step` counts from 1.
  func update(
    _ store: ParameterStore, step: Int, learningRate: Float, averageDecay: Float, pool: WorkerPool
  ) {
    let norm = gradientNorm(store)
    let factor = norm > maximumGradientNorm ? maximumGradientNorm / norm : 1
    let firstCorrection = 1 / (1 - power(firstDecay, step))
    let secondCorrection = 1 / (1 - power(secondDecay, step))
    pool.run(count: store.slots.count) { index in
      let slot = store.slots[index]
      let decay = slot.decays ? weightDecay * learningRate : 0
      for offset in stride(from: slot.range.lowerBound, to: slot.range.upperBound, by: 16) {
        typealias Vector = SIMD16<Float>
        let g = store.gradient.address.vector(at: offset, as: Vector.self) * factor
        var m = store.firstMoment.address.vector(at: offset, as: Vector.self)
        var v = store.secondMoment.address.vector(at: offset, as: Vector.self)
        var w = store.values.address.vector(at: offset, as: Vector.self)
        var average = store.averaged.address.vector(at: offset, as: Vector.self)
        m = m * firstDecay + g * (1 - firstDecay)
        v = v * secondDecay + g * g * (1 - secondDecay)
        let root = (v * secondCorrection).squareRoot() + epsilon
        w -= m * (firstCorrection * learningRate) / root + w * decay
        average = average * averageDecay + w * (1 - averageDecay)
        store.firstMoment.address.store(m, at: offset)
        store.secondMoment.address.store(v, at: offset)
        store.values.address.store(w, at: offset)
        store.averaged.address.store(average, at: offset)
      }
    }
  }

  /// The length of the gradient over all parameters.
  private func gradientNorm(_ store: ParameterStore) -> Float {
    var total = 0.0
    for slot in store.slots {
      var sum = SIMD16<Float>(repeating: 0)
      for offset in stride(from: slot.range.lowerBound, to: slot.range.upperBound, by: 16) {
        let g = store.gradient.address.vector(at: offset, as: SIMD16<Float>.self)
        sum += g * g
      }
      total += Double(sum.sum())
    }
    return Float(total.squareRoot())
  }

  private func power(_ base: Float, _ exponent: Int) -> Float {
    var result = 1.0
    var factor = Double(base)
    var rest = exponent
    while rest > 0 {
      if rest & 1 == 1 { result *= factor }
      factor *= factor
      rest >>= 1
    }
    return Float(result)
  }
}

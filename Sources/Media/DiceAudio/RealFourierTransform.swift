internal import DiceNumerics

/// The power spectrum of real samples: `P[k] = |Σ_n x[n] e^(−2πi n k / N)|²` for k in 0...N / 2.
///
/// One complex transform of N / 2 numbers, radix 2. Nothing is allocated after the beginning.
public struct RealFourierTransform: Sendable {
  /// How many samples a block has: N, a power of two.
  public let count: Int

  private let half: Int
  private let cosines: [Float]
  private let sines: [Float]
  private let reversed: [Int]
  private var real: [Float]
  private var imaginary: [Float]

  /// - Precondition: the number is a power of two, 4...65,536.
  public init(count: Int) {
    precondition(
      count >= 4 && count <= 65_536 && count & (count - 1) == 0, "a power of two, 4 to 65,536")
    self.count = count
    half = count / 2
    let angles = (0..<half).map { sineAndCosine(turns: Double($0) / Double(count)) }
    cosines = angles.map { Float($0.cosine) }
    sines = angles.map { Float($0.sine) }
    let bits = half.trailingZeroBitCount
    reversed = (0..<half).map { (index) in
      (0..<bits).reduce(0) { $0 << 1 | (index >> $1 & 1) }
    }
    real = [Float](repeating: 0, count: half)
    imaginary = real
  }

  /// Writes the power spectrum of the first `count` samples.
  ///
  /// - Parameters:
  ///   - samples: `count` samples.
  ///   - power: `count / 2 + 1` numbers, which are overwritten.
  /// - Precondition: both have these sizes.
  public mutating func powerSpectrum(of samples: [Float], into power: inout [Float]) {
    precondition(samples.count == count && power.count == half + 1, "N samples, N / 2 + 1 powers")
    for index in 0..<half {
      let place = reversed[index]
      real[place] = samples[2 * index]
      imaginary[place] = samples[2 * index + 1]
    }
    var span = 1
    while span < half {
      let step = half / span
      for start in stride(from: 0, to: half, by: 2 * span) {
        for offset in 0..<span {
          let (first, second) = (start + offset, start + offset + span)
          let (c, s) = (cosines[offset * step], sines[offset * step])
          let x = real[second] * c + imaginary[second] * s
          let y = imaginary[second] * c - real[second] * s
          real[second] = real[first] - x
          imaginary[second] = imaginary[first] - y
          real[first] += x
          imaginary[first] += y
        }
      }
      span *= 2
    }
    let sum = real[0] + imaginary[0]
    let difference = real[0] - imaginary[0]
    power[0] = sum * sum
    power[half] = difference * difference
    for k in 1..<half {
      let m = half - k
      // Even samples' spectrum, and odd samples', from the two halves.
      let (er, ei) = ((real[k] + real[m]) / 2, (imaginary[k] - imaginary[m]) / 2)
      let (or, oi) = ((imaginary[k] + imaginary[m]) / 2, (real[m] - real[k]) / 2)
      let x = er + or * cosines[k] + oi * sines[k]
      let y = ei + oi * cosines[k] - or * sines[k]
      power[k] = x * x + y * y
    }
  }
}

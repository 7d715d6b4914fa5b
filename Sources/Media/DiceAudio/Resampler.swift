internal import DiceNumerics

/// Another number of samples a second, block by block.
///
/// With the rates' ratio `L / M` in lowest terms and `H = 10 max(L, M)`
///
///     y[i] = Σ_k x[k] h[i M - k L + H],   h[n] = L s[n] / Σ s,
///     s[n] = sinc((n - H) / max(L, M)) I0(5 √(1 - ((n - H) / H)²)) / I0(5),   0 <= n <= 2 H
///
/// where samples before the first and after the last are 0. There are `⌈count L / M⌉` of them: what
/// SciPy's `resample_poly` gives, to rounding. Each sample depends on no more than 10 of the slower
/// rate's on either side.
///
/// Blocks of any size give the same samples, bit by bit, as all in one. After the first block nothing is
/// allocated for blocks that are not longer.
public struct Resampler: Sendable {
  /// The rates between which samples are brought.
  public static let sampleRates = 1_000...768_000

  /// Samples a second that go in.
  public let inputRate: Int
  /// Samples a second that come out.
  public let outputRate: Int

  private let up: Int
  private let down: Int
  private let half: Int
  /// The numbers for each phase, a multiple of 8, for samples in ascending order.
  private let tapCount: Int
  private let taps: [Float]
  /// Samples that are still needed; the first is number `firstIndex`.
  private var pending: [Float]
  private var firstIndex: Int
  private var inputCount = 0
  private var outputCount = 0

  /// A resampler.
  ///
  /// - Precondition: both rates are in ``sampleRates``.
  /// - Complexity: O(greater rate) numbers, over their greatest common divisor.
  public init(from inputRate: Int, to outputRate: Int) {
    precondition(
      Self.sampleRates.contains(inputRate) && Self.sampleRates.contains(outputRate),
      "rates that can be resampled")
    self.inputRate = inputRate
    self.outputRate = outputRate
    var (divisor, rest) = (inputRate, outputRate)
    while rest > 0 { (divisor, rest) = (rest, divisor % rest) }
    (up, down) = (outputRate / divisor, inputRate / divisor)
    half = up == down ? 0 : 10 * max(up, down)
    let needed = 2 * half / up + 1
    tapCount = (needed + 7) / 8 * 8
    taps = Self.taps(up: up, down: down, half: half, needed: needed, tapCount: tapCount)
    firstIndex = -(tapCount - 1)
    pending = [Float](repeating: 0, count: tapCount - 1)
  }

  /// Takes samples and appends those that follow from them.
  public mutating func append(_ samples: [Float], to output: inout [Float]) {
    pending.append(contentsOf: samples)
    inputCount += samples.count
    // The last input that output i needs is ⌊(i M + H) / L⌋.
    while (outputCount * down + half) / up < inputCount { emit(into: &output) }
    let needed = (outputCount * down + half) / up - (tapCount - 1)
    if needed > firstIndex {
      pending.removeFirst(min(needed - firstIndex, pending.count))
      firstIndex = needed
    }
  }

  /// Appends the samples that are left, after the last block, and begins anew.
  public mutating func finish(into output: inout [Float]) {
    let total = (inputCount * up + down - 1) / down
    if outputCount < total {
      let last = ((total - 1) * down + half) / up
      pending.append(contentsOf: repeatElement(0, count: max(0, last + 1 - inputCount)))
    }
    while outputCount < total { emit(into: &output) }
    firstIndex = -(tapCount - 1)
    pending.removeAll(keepingCapacity: true)
    pending.append(contentsOf: repeatElement(0, count: tapCount - 1))
    (inputCount, outputCount) = (0, 0)
  }

  /// All samples at another rate.
  ///
  /// - Precondition: both rates are in ``sampleRates``.
  public static func resample(_ samples: [Float], from input: Int, to output: Int) -> [Float] {
    if input == output { return samples }
    var resampler = Resampler(from: input, to: output)
    var result: [Float] = []
    resampler.append(samples, to: &result)
    resampler.finish(into: &result)
    return result
  }

  private mutating func emit(into output: inout [Float]) {
    let center = outputCount * down + half
    let (last, phase) = center.quotientAndRemainder(dividingBy: up)
    let start = last - (tapCount - 1) - firstIndex
    let row = phase * tapCount
    var sums = SIMD8<Float>(repeating: 0)
    unsafe pending.withUnsafeBufferPointer { (pending) in
      unsafe taps.withUnsafeBufferPointer { (taps) in
        precondition(start >= 0 && start + tapCount <= pending.count, "samples that are kept")
        for index in stride(from: 0, to: tapCount, by: 8) {
          var (x, h) = (SIMD8<Float>(), SIMD8<Float>())
          for lane in 0..<8 {
            unsafe x[lane] = pending[start + index + lane]
            unsafe h[lane] = taps[row + index + lane]
          }
          sums += x * h
        }
      }
    }
    output.append(sums.sum())
    outputCount += 1
  }

  private static func taps(
    up: Int, down: Int, half: Int, needed: Int, tapCount: Int
  ) -> [Float] {
    var taps = [Float](repeating: 0, count: up * tapCount)
    if half == 0 {
      taps[tapCount - 1] = 1
      return taps
    }
    let width = Double(max(up, down))
    let scale = besselI0(5)
    var values = [Double](repeating: 0, count: 2 * half + 1)
    var sum = 0.0
    for n in values.indices {
      let offset = Double(n - half)
      let share = offset / Double(half)
      let turns = offset / width / 2
      let sinc =
        n == half ? 1 : sineAndCosine(turns: turns).sine / (2 * .pi * turns)
      values[n] = sinc * besselI0(5 * max(0, 1 - share * share).squareRoot()) / scale
      sum += values[n]
    }
    for phase in 0..<up {
      for tap in 0..<needed where phase + tap * up <= 2 * half {
        taps[phase * tapCount + tapCount - 1 - tap] =
          Float(values[phase + tap * up] * Double(up) / sum)
      }
    }
    return taps
  }

  /// The modified Bessel function of the first kind and order 0, of a number of 0...5.
  private static func besselI0(_ x: Double) -> Double {
    var (sum, term) = (1.0, 1.0)
    for k in 1...40 {
      term *= (x / 2 / Double(k)) * (x / 2 / Double(k))
      sum += term
    }
    return sum
  }
}

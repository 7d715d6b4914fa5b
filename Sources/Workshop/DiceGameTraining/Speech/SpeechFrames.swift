internal import DiceAudio
internal import DiceGameKit
internal import DiceTraining

/// The bands of a whole sound, of several frames at once: what `SpeechFeatures.extractor` gives, and the
/// same as other mouths would have said it.
///
/// A warp above 1 lets bands listen higher up, so that a voice sounds as from a longer mouth; below 1 as
/// from a shorter one.
struct SpeechFrames: Sendable {
  private typealias Lanes = SIMD8<Float>

  /// A band's weights from a place of the spectrum on.
  private struct Band {
    var start: Int
    var weights: [Float]
  }

  private static let count = 256
  private static let half = 128

  private let bands: [Band]
  private let window: [Float]
  private let cosines: [Float]
  private let sines: [Float]
  private let reversed: [Int]

  /// - Parameter warp: by what frequencies are multiplied, 0.5...1.5; none goes beyond 3,990 Hz.
  init(warp: Float = 1) {
    let filters = MelFilterBank(
      bandCount: SpeechFeatures.bandCount, transformCount: Self.count,
      sampleRate: SpeechFeatures.sampleRate,
      frequencies: Double(80 * warp)...min(3_990, Double(3_600 * warp)))
    bands = (0..<SpeechFeatures.bandCount).map { (band) in
      let weights = filters.weights(ofBand: band)
      let start = weights.firstIndex { $0 > 0 } ?? 0
      let end = (weights.lastIndex { $0 > 0 } ?? start) + 1
      return Band(start: start, weights: Array(weights[start..<end]))
    }
    window = (0..<SpeechFeatures.frameCount).map {
      0.5 - 0.5 * cosine(2 * .pi * Float($0) / Float(SpeechFeatures.frameCount))
    }
    cosines = (0..<Self.half).map { cosine(2 * .pi * Float($0) / Float(Self.count)) }
    sines = (0..<Self.half).map { sine(2 * .pi * Float($0) / Float(Self.count)) }
    let bits = Self.half.trailingZeroBitCount
    reversed = (0..<Self.half).map { (index) in
      (0..<bits).reduce(0) { $0 << 1 | (index >> $1 & 1) }
    }
  }

  /// The frames of a sound, the first from its first sample on.
  ///
  /// - Parameters:
  ///   - sound: samples at `SpeechFeatures.sampleRate`.
  ///   - hop: from one frame to the next; other than `SpeechFeatures.hopCount`, speech is faster or slower.
  ///   - frameCount: the frames; what is missing at the end of the sound is silence.
  func frames(of sound: [Float], hop: Int, frameCount: Int) -> [Float] {
    let bandCount = bands.count
    var result = [Float](repeating: 0, count: frameCount * bandCount)
    var real = [Lanes](repeating: .zero, count: Self.half)
    var imaginary = real
    var power = [Lanes](repeating: .zero, count: Self.half + 1)
    let laneCount = Lanes.scalarCount
    for first in stride(from: 0, to: frameCount, by: laneCount) {
      for index in 0..<Self.half {
        var (even, odd) = (Lanes.zero, Lanes.zero)
        let n = 2 * index
        if n < window.count {
          for lane in 0..<laneCount {
            let place = (first + lane) * hop + n
            guard place + 1 < sound.count else { break }
            even[lane] = sound[place]
            odd[lane] = sound[place + 1]
          }
          even *= window[n]
          odd *= window[n + 1]
        }
        real[reversed[index]] = even
        imaginary[reversed[index]] = odd
      }
      transform(&real, &imaginary)
      spectrum(real, imaginary, &power)
      for (band, filter) in bands.enumerated() {
        var sum = Lanes.zero
        for (index, weight) in filter.weights.enumerated() {
          sum += power[filter.start + index] * weight
        }
        for lane in 0..<min(laneCount, frameCount - first) {
          result[(first + lane) * bandCount + band] = naturalLogarithm(sum[lane] + 1e-10)
        }
      }
    }
    return result
  }

  /// A complex transform, radix 2, of numbers in reversed order.
  private func transform(_ real: inout [Lanes], _ imaginary: inout [Lanes]) {
    var span = 1
    while span < Self.half {
      let step = Self.half / span
      for start in stride(from: 0, to: Self.half, by: 2 * span) {
        for offset in 0..<span {
          let (first, second) = (start + offset, start + offset + span)
          let (c, s) = (cosines[offset * step], sines[offset * step])
          let (r, i) = (real[second], imaginary[second])
          let x = r * c + i * s
          let y = i * c - r * s
          real[second] = real[first] - x
          imaginary[second] = imaginary[first] - y
          real[first] += x
          imaginary[first] += y
        }
      }
      span *= 2
    }
  }

  /// The power spectrum of real samples, from the transform of half as many complex ones.
  private func spectrum(_ real: [Lanes], _ imaginary: [Lanes], _ power: inout [Lanes]) {
    let half = Self.half
    let (sum, difference) = (real[0] + imaginary[0], real[0] - imaginary[0])
    power[0] = sum * sum
    power[half] = difference * difference
    for k in 1..<half {
      let m = half - k
      let (er, ei) = ((real[k] + real[m]) * 0.5, (imaginary[k] - imaginary[m]) * 0.5)
      let (or, oi) = ((imaginary[k] + imaginary[m]) * 0.5, (real[m] - real[k]) * 0.5)
      let x = er + or * cosines[k] + oi * sines[k]
      let y = ei + oi * cosines[k] - or * sines[k]
      power[k] = x * x + y * y
    }
  }
}

import DiceAudio
import TestSupport
import Testing

@Suite struct FeatureTests {
  /// The greatest difference of two lists of one length.
  private func difference(_ a: [Float], _ b: [Float]) -> Float {
    expectEqual(a.count, b.count)
    return zip(a, b).reduce(0) { max($0, abs($1.0 - $1.1)) }
  }

  @Test(arguments: [
    (8_000, 16_000), (11_025, 16_000), (44_100, 16_000), (48_000, 16_000), (16_000, 8_000),
  ])
  func resamplesAsSciPyDoes(rates: (Int, Int)) throws {
    let sound = GoldenAudio.signal(700)
    let expected = try GoldenAudio.samples("resampled-\(rates.0)-\(rates.1)")
    let whole = Resampler.resample(sound, from: rates.0, to: rates.1)
    // Some 60 products of numbers below 1 are added up in another order.
    #expect(difference(whole, expected) < 2e-6)
    for size in [1, 7, 64, 699] {
      var resampler = Resampler(from: rates.0, to: rates.1)
      var parts: [Float] = []
      for _ in 0..<2 {
        parts.removeAll()
        for start in stride(from: 0, to: sound.count, by: size) {
          resampler.append(Array(sound[start..<min(start + size, sound.count)]), to: &parts)
        }
        resampler.finish(into: &parts)
        expectEqual(parts, whole)
      }
    }
  }

  @Test func theSameRateChangesNothing() {
    let sound = GoldenAudio.signal(50)
    var resampler = Resampler(from: 16_000, to: 16_000)
    var result: [Float] = []
    resampler.append(sound, to: &result)
    resampler.finish(into: &result)
    expectEqual(result, sound)
    expectEqual(Resampler.resample([], from: 44_100, to: 16_000), [])
  }

  @Test func spectraFollowTheDefinition() {
    for count in [4, 8, 64] {
      var transform = RealFourierTransform(count: count)
      let sound = GoldenAudio.signal(count)
      var power = [Float](repeating: .nan, count: count / 2 + 1)
      transform.powerSpectrum(of: sound, into: &power)
      for k in power.indices {
        // A phase that grows step by step, in double precision.
        let turn = 2 * Double.pi * Double(k) / Double(count)
        var (real, imaginary) = (0.0, 0.0)
        for (n, x) in sound.enumerated() {
          let (sine, cosine) = Self.sineAndCosine(turn * Double(n))
          real += Double(x) * cosine
          imaginary -= Double(x) * sine
        }
        let expected = real * real + imaginary * imaginary
        #expect(abs(Double(power[k]) - expected) < 1e-5 * (1 + expected))
      }
    }
  }

  /// By their series, after the angle has been brought to -π...π.
  private static func sineAndCosine(_ angle: Double) -> (Double, Double) {
    let x = angle.remainder(dividingBy: 2 * .pi)
    var (sine, cosine, term) = (0.0, 0.0, 1.0)
    for n in 0..<40 {
      let sign: Double = n % 4 < 2 ? 1 : -1
      if n % 2 == 0 { cosine += sign * term } else { sine += sign * term }
      term *= x / Double(n + 1)
    }
    return (sine, cosine)
  }

  @Test func featuresAreThoseOfSciPyAndNumPy() throws {
    let sound = GoldenAudio.signal(700)
    let expected = try GoldenAudio.samples("features")
    var features = LogMelFeatures()
    var whole: [Float] = []
    features.append(sound, to: &whole)
    expectEqual(whole.count, 2 * 40)
    #expect(difference(whole, expected) < 1e-3)
    features.reset()
    var parts: [Float] = []
    for sample in sound { features.append([sample], to: &parts) }
    expectEqual(parts, whole)
  }

  @Test func hopsMayBeLongerThanFrames() {
    var configuration = LogMelFeatures.Configuration()
    configuration.hopCount = 900
    let sound = GoldenAudio.signal(4_000)
    var whole: [Float] = []
    var features = LogMelFeatures(configuration)
    features.append(sound, to: &whole)
    expectEqual(whole.count, 5 * 40)
    features.reset()
    var parts: [Float] = []
    for start in stride(from: 0, to: 4_000, by: 50) {
      features.append(Array(sound[start..<start + 50]), to: &parts)
    }
    expectEqual(parts, whole)
  }
}

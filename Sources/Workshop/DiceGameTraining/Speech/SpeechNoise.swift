internal import DiceGameKit
internal import DiceTraining

/// Noise between white and brown, with a hum at times, that may swell.
struct SpeechNoise: Sendable {
  /// Its greatest sample by that of the sound, nearly.
  private let level: Float
  /// How much of a sample stays in the next one: 0 for white noise.
  private let color: Float
  /// The hum, as a share of the level; 0 for none.
  private let hum: Float
  private let humStep: Float
  /// By how much it swells, 0...1.
  private let swell: Float
  private let swellStep: Float

  /// Noise of a random kind.
  ///
  /// - Parameter decibels: how far it lies below the greatest sample of the sound.
  init(decibels: ClosedRange<Float>, using random: inout TrainingRandom) {
    level = exponential(
      -random.between(decibels.lowerBound, decibels.upperBound) * 0.1151293)
    color = random.chance(0.4) ? 0 : random.between(0, 0.98)
    hum = random.chance(0.15) ? random.between(0.1, 1) : 0
    humStep = random.between(50, 400) / Float(SpeechFeatures.sampleRate)
    swell = random.chance(0.3) ? random.between(0.3, 1) : 0
    swellStep = random.between(0.3, 4) / Float(SpeechFeatures.sampleRate) * 2 * .pi
  }

  /// Adds it to a part of a sound.
  func add(
    to sound: inout [Float], in range: Range<Int>, using random: inout TrainingRandom
  ) {
    let loudest = sound[range].reduce(Float(0)) { max($0, abs($1)) }
    let level = max(loudest, 0.01) * level
    let scale = level * (1 - color * color).squareRoot()
    let hum = hum * level
    var state: Float = 0
    var phase: Float = 0
    var gain: Float = 1
    for index in range {
      if index & 63 == 0, swell > 0 {
        gain = 1 - swell * 0.5 * (1 + sine(Float(index) * swellStep))
      }
      // The sum of four uniform numbers is nearly normal.
      let bits = random.next()
      let sum =
        Int(bits & 0xFFFF) + Int(bits >> 16 & 0xFFFF) + Int(bits >> 32 & 0xFFFF) + Int(bits >> 48)
      state = state * color + (Float(sum) - 131_070) / 37_837
      var value = state * scale * gain
      if hum > 0 {
        phase += humStep
        if phase > 0.5 { phase -= 1 }
        // A parabola is nearly a sine.
        value += hum * (8 * phase - 16 * phase * abs(phase))
      }
      sound[index] += value
    }
  }
}

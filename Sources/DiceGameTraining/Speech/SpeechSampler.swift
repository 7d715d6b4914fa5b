internal import DiceAudio
internal import DiceGameKit
internal import DiceTraining

/// Makes samples of speech: recordings of one voice cut together, faster and slower, in a room, with
/// noise, through a line.
struct SpeechSampler: Sendable {
  /// Recordings that count together, and how often they are drawn.
  private struct Family {
    var weight: Float
    var voices: [[Int]]
  }

  private let recordings: [SpeechCorpus.Recording]
  private let families: [Family]
  private let weightSum: Float

  init(_ corpus: SpeechCorpus) {
    recordings = corpus.recordings
    var voices: [String: [Int]] = [:]
    for (index, recording) in recordings.enumerated() {
      voices[recording.voice, default: []].append(index)
    }
    var families: [String: Family] = [:]
    for (voice, indices) in voices.sorted(by: { $0.key < $1.key }) {
      let (name, weight) = Self.family(voice)
      families[name, default: Family(weight: weight, voices: [])].voices.append(indices)
    }
    self.families = families.sorted { $0.key < $1.key }.map(\.value)
    weightSum = self.families.reduce(0) { $0 + $1.weight }
  }

  /// Engines that build voices by rule have many of them, which all sound alike: they count as one.
  private static func family(_ voice: String) -> (name: String, weight: Float) {
    let parts = voice.split(separator: "-")
    switch parts.first {
    case "espeak": return ("espeak", 3)
    case "flite", "festival": return (parts.prefix(2).joined(separator: "-"), 0.5)
    default: return (parts.prefix(2).joined(separator: "-"), 1)
    }
  }

  private static let sampleCount =
    SpeechFeatures.frameCount + (SpeechTask.frameCount - 1) * SpeechFeatures.hopCount

  /// The frames of a sample, ready for the network, and the classes of its words.
  func sample(using random: inout TrainingRandom) -> (frames: [Float], words: [Int]) {
    var sound = [Float](repeating: 0, count: Self.sampleCount)
    var words: [Int] = []
    if !random.chance(0.03) { speak(into: &sound, &words, using: &random) }
    if random.chance(0.35) { Self.echo(&sound, using: &random) }
    if random.chance(0.15) { murmur(into: &sound, using: &random) }
    if random.chance(0.85) { Self.addNoise(to: &sound, using: &random) }
    var extractor = SpeechFeatures.extractor
    var frames: [Float] = []
    frames.reserveCapacity(SpeechTask.frameCount * SpeechFeatures.bandCount)
    extractor.append(sound, to: &frames)
    if random.chance(0.6) { Self.filter(&frames, using: &random) }
    SpeechFeatures.normalize(&frames)
    Self.mask(&frames, using: &random)
    return (frames, words)
  }

  // MARK: Words

  private func voice(using random: inout TrainingRandom) -> [Int] {
    var place = random.unit() * weightSum
    for family in families {
      place -= family.weight
      if place < 0 { return family.voices[random.index(family.voices.count)] }
    }
    return families[0].voices[0]
  }

  private func speak(
    into sound: inout [Float], _ words: inout [Int], using random: inout TrainingRandom
  ) {
    let indices = voice(using: &random)
    let isOne = random.chance(0.45)
    // Children speak higher; tempo and pitch change together.
    let tempo = random.chance(0.2) ? random.between(1.1, 1.4) : random.between(0.84, 1.16)
    var place = random.index(isOne ? sound.count / 2 : sound.count / 8)
    let loudness = random.between(0.2, 1)
    repeat {
      let recording = recordings[indices[random.index(indices.count)]]
      var (said, samples) = (recording.classes, recording.samples)
      // Backwards, a word is none; those that stay what they are when reversed are left out.
      let nine = SpeechClass.index(of: .nine)
      if random.chance(0.06), !said.contains(nine) {
        samples.reverse()
        said = said.isEmpty ? [] : [SpeechClass.other]
      }
      let speed = tempo * random.between(0.96, 1.04)
      let count = Int(Float(samples.count) / speed)
      guard place + count < sound.count - 400 else { break }
      Self.add(
        samples, to: &sound, at: place, count: count, speed: speed,
        loudness: loudness * random.between(0.6, 1.2))
      words += said
      let gap = random.chance(0.35) ? random.between(-300, 500) : random.between(0, 3_600)
      place = max(0, place + count + Int(gap))
    } while !isOne
  }

  /// Adds samples at another speed, through a cubic between four of them (Catmull and Rom).
  private static func add(
    _ samples: [Int16], to sound: inout [Float], at place: Int, count: Int, speed: Float,
    loudness: Float
  ) {
    let scale = loudness / 32_768
    let last = samples.count - 1
    for index in 0..<count {
      let position = Float(index) * speed
      let whole = Int(position)
      guard whole <= last else { break }
      let t = position - Float(whole)
      let a = Float(samples[max(0, whole - 1)])
      let b = Float(samples[whole])
      let c = Float(samples[min(last, whole + 1)])
      let d = Float(samples[min(last, whole + 2)])
      let value =
        b + 0.5 * t * (c - a + t * (2 * a - 5 * b + 4 * c - d + t * (3 * (b - c) + d - a)))
      sound[place + index] += value * scale
    }
  }

  // MARK: Surroundings

  /// A room: some dozen echoes that fade.
  private static func echo(_ sound: inout [Float], using random: inout TrainingRandom) {
    let fade = random.between(250, 1_600)
    let strength = random.between(0.1, 0.45)
    let dry = sound
    for _ in 0..<16 {
      let delay = 20 + Int(random.unit() * random.unit() * 2.5 * fade)
      let gain = strength * exponential(-Float(delay) / fade) * (random.chance(0.5) ? 1 : -1)
      guard delay < sound.count else { continue }
      for index in delay..<sound.count { sound[index] += gain * dry[index - delay] }
    }
  }

  /// Somebody else, far away.
  private func murmur(into sound: inout [Float], using random: inout TrainingRandom) {
    let loudest = sound.reduce(Float(0)) { max($0, abs($1)) }
    for _ in 0..<3 {
      let indices = voice(using: &random)
      let recording = recordings[indices[random.index(indices.count)]]
      let place = random.index(sound.count)
      let count = min(recording.samples.count, sound.count - place)
      Self.add(
        recording.samples, to: &sound, at: place, count: count, speed: 1,
        loudness: max(loudest, 0.01) * random.between(0.005, 0.06))
    }
  }

  private static func addNoise(to sound: inout [Float], using random: inout TrainingRandom) {
    var energy: Float = 0
    for sample in sound { energy = max(energy, abs(sample)) }
    // Relative to the greatest sample: some 8 to 60 dB below.
    let level = max(energy, 0.01) * exponential(-random.between(0.9, 6.9)) * 0.8
    // Between white and brown, and how much it swells.
    let color = random.chance(0.4) ? 0 : random.between(0, 0.98)
    let scale = level * (1 - color * color).squareRoot()
    let hum = random.chance(0.15) ? random.between(0.1, 1) * level : 0
    let humStep = random.between(50, 400) / Float(SpeechFeatures.sampleRate)
    var state: Float = 0
    var phase: Float = 0
    let swell = random.chance(0.3) ? random.between(0.3, 1) : 0
    let swellStep = random.between(0.3, 4) / Float(SpeechFeatures.sampleRate) * 2 * .pi
    var gain: Float = 1
    for index in sound.indices {
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

  /// A microphone and a line: a smooth curve over the bands, and at times no low ones.
  private static func filter(_ frames: inout [Float], using random: inout TrainingRandom) {
    let bandCount = SpeechFeatures.bandCount
    let (tilt, wave) = (random.between(-2, 2), random.between(0, 1.2))
    let (waves, phase) = (random.between(0.5, 2.5), random.between(0, 2 * .pi))
    let cut = random.chance(0.25) ? Float(random.index(8)) : -8
    let top = random.chance(0.15) ? Float(bandCount - random.index(6)) : Float(bandCount + 8)
    let curve = (0..<bandCount).map { (band) -> Float in
      let x = Float(band) / Float(bandCount - 1)
      let low = max(0, cut - Float(band)) + max(0, Float(band) - top)
      return tilt * (x - 0.5) + wave * cosine(2 * .pi * waves * x + phase) - 1.5 * low
    }
    for index in frames.indices { frames[index] += curve[index % bandCount] }
  }

  /// Leaves out some bands and moments.
  private static func mask(_ frames: inout [Float], using random: inout TrainingRandom) {
    let bandCount = SpeechFeatures.bandCount
    let frameCount = frames.count / bandCount
    if random.chance(0.5) {
      let (start, count) = (random.index(bandCount - 6), random.index(7))
      for frame in 0..<frameCount {
        for band in start..<start + count { frames[frame * bandCount + band] = 0 }
      }
    }
    if random.chance(0.3) {
      let (start, count) = (random.index(frameCount - 8), random.index(7))
      for index in start * bandCount..<(start + count) * bandCount { frames[index] = 0 }
    }
  }
}

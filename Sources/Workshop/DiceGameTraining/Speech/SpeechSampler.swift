internal import DiceAudio
internal import DiceGameKit
internal import DiceTraining

/// Makes samples of speech: recordings of one voice cut together, faster and slower, in a room, with
/// noise, through a line.
struct SpeechSampler: Sendable {
  private let recordings: [SpeechCorpus.Recording]
  private let voices: SpeechVoices
  /// Bands for shorter and longer mouths.
  private let frames: [SpeechFrames]

  /// The warps of mouths, from short to long ones.
  private static let warps: [Float] = (0..<15).map { 0.82 + 0.02 * Float($0) }

  init(_ corpus: SpeechCorpus) {
    recordings = corpus.recordings
    voices = SpeechVoices(corpus.recordings)
    frames = Self.warps.map { SpeechFrames(warp: $0) }
  }

  /// How a sample's voice is changed.
  private struct Manner {
    /// Pitch, mouth and tempo together.
    var speed: Float
    /// From frame to frame: tempo alone.
    var hop: Int
    /// The index of the mouth.
    var warp: Int

    init(using random: inout TrainingRandom) {
      let count = warps.count
      if random.chance(0.3) {
        // Children speak higher, though not that much faster.
        speed = random.between(1.15, 1.5)
        hop = 84 + random.index(34)
        warp = count / 3 + random.index(count - count / 3)
      } else {
        speed = random.between(0.84, 1.16)
        hop = 92 + random.index(50)
        warp = random.index(count)
      }
    }
  }

  /// What is said in a sample.
  struct Speech: Hashable, Sendable {
    /// The classes of the words.
    var words: [Int] = []
    /// The classes of the sounds; nil where nobody knows those of a word.
    var sounds: [Int]? = []

    static func += (_ speech: inout Speech, _ next: Speech) {
      speech.words += next.words
      if let sounds = next.sounds { speech.sounds? += sounds } else { speech.sounds = nil }
    }
  }

  /// The frames of a sample, ready for the network, and what is said.
  ///
  /// - Parameter hardness: how much is done to the sound, 0...1.
  func sample(
    hardness: Float = 1, using random: inout TrainingRandom
  ) -> (frames: [Float], speech: Speech) {
    let manner = Manner(using: &random)
    let count = SpeechFeatures.frameCount + (SpeechTask.frameCount - 1) * manner.hop
    var sound = [Float](repeating: 0, count: count)
    var speech = Speech()
    let isSpeech = !random.chance(0.05)
    if isSpeech { speak(into: &sound, &speech, manner.speed, using: &random) }
    if random.chance(0.3 * hardness) { Self.echo(&sound, using: &random) }
    if random.chance(0.1 * hardness) { murmur(into: &sound, using: &random) }
    if random.chance(isSpeech ? 0.06 : 0.6) { Self.knock(into: &sound, using: &random) }
    if random.chance(isSpeech ? 0.4 + 0.35 * hardness : 0.95) {
      SpeechNoise(decibels: 14...62, using: &random)
        .add(to: &sound, in: sound.indices, using: &random)
    }
    var bands = frames[manner.warp].frames(
      of: sound, hop: manner.hop, frameCount: SpeechTask.frameCount)
    if random.chance(0.6) { Self.filter(&bands, using: &random) }
    SpeechFeatures.normalize(&bands)
    if random.chance(hardness) { Self.mask(&bands, using: &random) }
    return (bands, speech)
  }

  // MARK: Words

  /// Kinds of what is said in a sample.
  private enum Kind {
    case oneRecording
    case digits
    case tensAndUnit
    case anything
  }

  private func speak(
    into sound: inout [Float], _ speech: inout Speech, _ tempo: Float,
    using random: inout TrainingRandom
  ) {
    let voice = voices.voice(using: &random)
    let draw = random.unit()
    let kind: Kind =
      draw < 0.55 ? .oneRecording : draw < 0.78 ? .digits : draw < 0.88 ? .tensAndUnit : .anything
    let isOne = kind == .oneRecording
    var place = random.index(isOne ? sound.count / 2 : sound.count / 10)
    let loudness = random.between(0.2, 1)
    let isTight = random.chance(0.4)
    // Recordings that were cut out bring their own noise, which lasts as long as they do.
    let isCutOut = random.chance(0.45)
    let noise = SpeechNoise(decibels: 14...45, using: &random)
    let most = kind == .digits ? 2 + random.index(5) : kind == .tensAndUnit ? 2 : 6
    for number in 0..<(isOne ? 1 : most) {
      guard let index = recording(of: voice, kind, number, using: &random) else { break }
      var samples = recordings[index].samples
      var said = Speech(words: recordings[index].classes, sounds: recordings[index].sounds)
      disturb(&samples, &said, of: voice, using: &random)
      if random.chance(0.4) { Self.trim(&samples, using: &random) }
      let speed = tempo * random.between(0.96, 1.04)
      let count = Int(Float(samples.count) / speed)
      guard place + count < sound.count - 400 else { break }
      Self.add(
        samples, to: &sound, at: place, count: count, speed: speed,
        loudness: loudness * random.between(0.6, 1.2))
      if isCutOut { noise.add(to: &sound, in: place..<place + count, using: &random) }
      speech += said
      let gap = isTight ? random.between(-400, 400) : random.between(0, 3_000)
      place = max(0, place + count + Int(gap))
    }
  }

  /// The recording of a kind that is said next.
  private func recording(
    of voice: SpeechVoices.Voice, _ kind: Kind, _ number: Int, using random: inout TrainingRandom
  ) -> Int? {
    let all = 1..<SpeechClass.count
    let digits = 1..<11
    typealias Voice = SpeechVoices.Voice
    var found: Int?
    switch kind {
    case .oneRecording:
      let draw = random.unit()
      if draw < 0.45 {
        found = voice.word(in: all, using: &random)
      } else if draw < 0.78 {
        found = Voice.one(of: voice.several, using: &random)
      } else {
        found = Voice.one(of: voice.other, using: &random)
      }
      found = found ?? voice.word(in: all, using: &random)
    case .digits:
      let oh = SpeechClass.index(of: .oh)
      found = voice.word(
        in: random.chance(0.06) && !voice.single[oh].isEmpty ? oh..<oh + 1 : digits, using: &random)
    case .tensAndUnit:
      let tens = SpeechClass.index(of: .twenty)..<SpeechClass.index(of: .ninety) + 1
      found =
        number == 0
        ? voice.word(in: tens, using: &random) ?? voice.word(in: digits, using: &random)
        : voice.word(in: digits.dropFirst(), using: &random)
    case .anything: break
    }
    return found ?? Voice.one(of: voice.all, using: &random)
  }

  /// At times a word becomes one that is none: backwards, or with another one's end.
  private func disturb(
    _ samples: inout [Int16], _ said: inout Speech, of voice: SpeechVoices.Voice,
    using random: inout TrainingRandom
  ) {
    let draw = random.unit()
    // Those that stay what they are when reversed are left out.
    let same = [SpokenWord.nine, .oh, .a, .eleven].map { SpeechClass.index(of: $0) }
    if draw < 0.04, !said.words.contains(where: { same.contains($0) }) {
      samples.reverse()
      said = Speech(words: said.words.map { _ in SpeechClass.other }, sounds: nil)
    } else if draw < 0.08, said.words.count == 1, (1..<11).contains(said.words[0]),
      let other = voice.word(in: 1..<11, using: &random)
    {
      let end = recordings[other].classes[0]
      // "fo-ive" would be five, "si-ven" seven, "ni-un" one; a word with its own end is itself.
      let alike: [Set<Int>] = [[5, 6], [7, 8], [2, 10], [6, 10], [3, 4], [1, 4]]
      guard end != said.words[0], !alike.contains([end, said.words[0]]) else { return }
      let tail = recordings[other].samples
      samples.removeLast(samples.count - samples.count * 11 / 20)
      samples += tail.dropFirst(tail.count * 9 / 20)
      said = Speech(words: [SpeechClass.other], sounds: nil)
    }
  }

  /// Cuts off what is quiet before and behind a word, but for a random rest.
  private static func trim(_ samples: inout [Int16], using random: inout TrainingRandom) {
    let loudest = samples.reduce(0) { max($0, abs(Int($1))) }
    let least = Int(Float(loudest) * random.between(0.02, 0.15))
    guard let first = samples.firstIndex(where: { abs(Int($0)) > least }),
      let last = samples.lastIndex(where: { abs(Int($0)) > least }), last - first > 800
    else { return }
    let start = max(0, first - random.index(160))
    let end = min(samples.count, last + random.index(400) + 1)
    samples = Array(samples[start..<end])
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
      let indices = voices.voice(using: &random).all
      let recording = recordings[indices[random.index(indices.count)]]
      let place = random.index(sound.count)
      let count = min(recording.samples.count, sound.count - place)
      Self.add(
        recording.samples, to: &sound, at: place, count: count, speed: 1,
        loudness: max(loudest, 0.01) * random.between(0.005, 0.06))
    }
  }

  /// Something knocks or rings: noises that begin at once and fade.
  private static func knock(into sound: inout [Float], using random: inout TrainingRandom) {
    let loudest = sound.reduce(Float(0)) { max($0, abs($1)) }
    for _ in 0...random.index(4) {
      var gain = max(loudest * random.between(0.05, 0.5), 0.01)
      let fade = exponential(-1 / random.between(30, 1_500))
      let tone = random.chance(0.5) ? random.between(0.02, 0.4) : 0
      var phase: Float = 0
      for index in random.index(sound.count)..<sound.count {
        gain *= fade
        if gain < 1e-4 { break }
        phase += tone
        if phase > 0.5 { phase -= 1 }
        let ring = 8 * phase - 16 * phase * abs(phase)
        sound[index] += gain * (tone > 0 ? ring : random.between(-1, 1))
      }
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
    for _ in 0..<random.index(3) {
      let (start, count) = (random.index(bandCount - 6), random.index(7))
      for frame in 0..<frameCount {
        for band in start..<start + count { frames[frame * bandCount + band] = 0 }
      }
    }
    for _ in 0..<random.index(3) {
      let (start, count) = (random.index(frameCount - 6), random.index(6))
      for index in start * bandCount..<(start + count) * bandCount { frames[index] = 0 }
    }
  }
}

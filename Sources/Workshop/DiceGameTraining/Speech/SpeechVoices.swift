internal import DiceGameKit
internal import DiceTraining

/// Recordings by who speaks and what is said, so that rare voices and words are drawn often enough.
struct SpeechVoices: Sendable {
  /// What one voice says.
  struct Voice: Hashable, Sendable {
    /// All recordings.
    var all: [Int] = []
    /// Recordings of one number's word, by class.
    var single: [[Int]] = []
    /// Recordings of several words of numbers.
    var several: [Int] = []
    /// Recordings with other words.
    var other: [Int] = []
  }

  private struct Family: Sendable {
    var weight: Float
    var voices: [Voice]
  }

  private let families: [Family]
  private let weightSum: Float

  init(_ recordings: [SpeechCorpus.Recording]) {
    var voices: [String: Voice] = [:]
    for (index, recording) in recordings.enumerated() {
      var voice = voices[recording.voice] ?? Voice()
      if voice.single.isEmpty { voice.single = Array(repeating: [], count: SpeechClass.count) }
      voice.all.append(index)
      let classes = recording.classes
      if classes.contains(SpeechClass.other) {
        voice.other.append(index)
      } else if classes.count == 1 {
        voice.single[classes[0]].append(index)
      } else if classes.count > 1 {
        voice.several.append(index)
      }
      voices[recording.voice] = voice
    }
    var families: [String: Family] = [:]
    for (name, voice) in voices.sorted(by: { $0.key < $1.key }) {
      let (family, weight) = Self.family(name)
      families[family, default: Family(weight: weight, voices: [])].voices.append(voice)
    }
    self.families = families.sorted { $0.key < $1.key }.map(\.value)
    weightSum = self.families.reduce(0) { $0 + $1.weight }
  }

  /// The family of a voice and how often it is drawn.
  ///
  /// Engines that build voices by rule have many, which all sound alike: they count as few, and so
  /// do mixtures and accents of the same voices. People count most, but those who say no numbers at all.
  private static func family(_ voice: String) -> (name: String, weight: Float) {
    let parts = voice.split(separator: "-")
    let name = parts.prefix(2).joined(separator: "-")
    switch parts.first {
    case "espeak": return ("espeak", 1.8)
    case "flite", "festival": return (name, 0.45)
    case "hibari", "kokoro": return (name, 0.35)
    case "rhvoice": return (name, 0.5)
    case "asterisk" where parts.dropFirst().first == "foreign": return (name, 0.4)
    case "tuxpaint", "klettres", "ktuberling", "qabcs", "hedgewars": return (String(parts[0]), 1)
    case "fsdd": return (name, 1.2)
    default: return (name, 0.9)
    }
  }

  /// A voice by chance.
  func voice(using random: inout TrainingRandom) -> Voice {
    var place = random.unit() * weightSum
    for family in families {
      place -= family.weight
      if place < 0 { return family.voices[random.index(family.voices.count)] }
    }
    return families[0].voices[0]
  }
}

extension SpeechVoices.Voice {
  /// A recording of one word of those that the range of classes has, each word as likely; nil for none.
  func word(in range: Range<Int>, using random: inout TrainingRandom) -> Int? {
    let known = range.filter { !single[$0].isEmpty }
    guard !known.isEmpty else { return nil }
    let choices = single[known[random.index(known.count)]]
    return choices[random.index(choices.count)]
  }

  /// A recording of a list; nil for none.
  static func one(of list: [Int], using random: inout TrainingRandom) -> Int? {
    list.isEmpty ? nil : list[random.index(list.count)]
  }
}

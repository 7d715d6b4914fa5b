/// The sounds that words are made of, as classes of the network of spoken numbers: nothing, and the 39
/// phonemes of ARPABET.
///
/// An "R" that no vowel follows is left out, since half of those who speak English do.
package enum SpokenSound {
  /// Between sounds, and the rest of a sound that has been told.
  package static let blank = 0
  /// Their names in a weight file.
  package static let labels = [
    "-", "AA", "AE", "AH", "AO", "AW", "AY", "B", "CH", "D", "DH", "EH", "ER", "EY", "F", "G", "HH",
    "IH", "IY", "JH", "K", "L", "M", "N", "NG", "OW", "OY", "P", "R", "S", "SH", "T", "TH", "UH",
    "UW", "V", "W", "Y", "Z", "ZH",
  ]
  /// How many classes there are.
  package static let count = labels.count

  /// The class of a phoneme; nil for other names.
  package static func index(of name: String) -> Int? { index(of: name.utf8) }

  private static func index(of name: some Sequence<UInt8>) -> Int? {
    labels.indices.dropFirst().first { labels[$0].utf8.elementsEqual(name) }
  }

  /// The classes of a word's sounds.
  package static func sounds(of word: SpokenWord) -> [Int] { wordSounds[word.rawValue] }

  private static let wordSounds: [[Int]] = [
    "Z IH R OW", "W AH N", "T UW", "TH R IY", "F AO", "F AY V", "S IH K S", "S EH V AH N", "EY T",
    "N AY N", "T EH N", "IH L EH V AH N", "T W EH L V", "TH ER T IY N", "F AO T IY N",
    "F IH F T IY N", "S IH K S T IY N", "S EH V AH N T IY N", "EY T IY N", "N AY N T IY N",
    "T W EH N T IY", "TH ER T IY", "F AO T IY", "F IH F T IY", "S IH K S T IY", "S EH V AH N T IY",
    "EY T IY", "N AY N T IY", "HH AH N D R AH D", "OW", "AE N D", "AH",
  ].map { $0.utf8.split(separator: UInt8(ascii: " ")).compactMap { index(of: $0) } }
}

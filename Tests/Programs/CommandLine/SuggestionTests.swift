import Testing

@testable import DiceCommandLine

@Suite struct SuggestionTests {
  @Test func distancesCountEditsAndSwapsOfNeighbours() {
    let cases: [(String, String, Int)] = [
      ("", "", 0), ("", "abc", 3), ("abc", "", 3), ("abc", "abc", 0), ("abc", "abd", 1),
      ("abc", "ab", 1), ("abc", "xabc", 1), ("abc", "acb", 1), ("kitten", "sitting", 3),
      // The optimal string alignment distance, which does not edit a swapped pair again.
      ("ca", "abc", 3),
    ]
    for (one, other, distance) in cases {
      #expect(Suggestion.editDistance(Array(one.utf8), Array(other.utf8)) == distance)
      #expect(Suggestion.editDistance(Array(other.utf8), Array(one.utf8)) == distance)
    }
  }

  @Test func theNearestWordIsFound() {
    let commands = ["detect", "inspect", "evaluate", "train", "bundle", "help"]
    let cases: [(String, String?)] = [
      ("detcet", "detect"), ("detekt", "detect"), ("Detect", "detect"), ("eval", "evaluate"),
      ("trian", "train"), ("--train", "train"), ("inspct", "inspect"), ("bundel", "bundle"),
      ("hepl", "help"), ("", nil), ("-", nil), ("xyz", nil), ("de", nil), ("roll.jpg", nil),
    ]
    for (written, meant) in cases {
      #expect(Suggestion.nearest(to: written, among: commands) == meant, "\(written)")
    }
  }

  @Test func ofEquallyNearWordsTheFirstIsTaken() {
    #expect(Suggestion.nearest(to: "bat", among: ["cat", "rat"]) == "cat")
    #expect(Suggestion.nearest(to: "bat", among: []) == nil)
  }

  @Test func longTextsAreNotCompared() {
    let long = String(repeating: "detect", count: 100_000)
    #expect(Suggestion.nearest(to: long, among: ["detect"]) == nil)
  }
}

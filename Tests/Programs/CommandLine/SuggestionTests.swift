import TestSupport
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
      expectEqual(Suggestion.editDistance(Array(one.utf8), Array(other.utf8)), distance)
      expectEqual(Suggestion.editDistance(Array(other.utf8), Array(one.utf8)), distance)
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
      expectEqual(Suggestion.nearest(to: written, among: commands), meant, "\(written)")
    }
  }

  @Test func ofEquallyNearWordsTheFirstIsTaken() {
    expectEqual(Suggestion.nearest(to: "bat", among: ["cat", "rat"]), "cat")
    expectEqual(Suggestion.nearest(to: "bat", among: []), nil)
  }

  @Test func longTextsAreNotCompared() {
    let long = String(repeating: "detect", count: 100_000)
    expectEqual(Suggestion.nearest(to: long, among: ["detect"]), nil)
  }
}

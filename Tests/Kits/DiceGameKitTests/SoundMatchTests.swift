import Foundation
import TestSupport
import Testing

@testable import DiceGameKit

@Suite struct SoundMatchTests {
  @Test func everyWordHasSounds() {
    for word in SpokenWord.allCases {
      let sounds = SpokenSound.sounds(of: word)
      #expect(!sounds.isEmpty)
      #expect(sounds.allSatisfy { $0 > SpokenSound.blank && $0 < SpokenSound.count })
    }
    let eighteen = SpokenSound.sounds(of: .eighteen).map { SpokenSound.labels[$0] }
    expectEqual(eighteen, ["EY", "T", "IY", "N"])
    expectEqual(Set(SpokenSound.labels).count, 40)
    for name in SpokenSound.labels.dropFirst() {
      expectEqual(SpokenSound.index(of: name).map { SpokenSound.labels[$0] }, name)
    }
    for name in ["-", "", "ey", "EY1"] { expectEqual(SpokenSound.index(of: name), nil) }
  }

  /// Probabilities of a few steps in which these sounds alone are possible, nothing among them.
  private func probabilities(_ names: [String], stepCount: Int) throws -> [Float] {
    var generator = SeededGenerator(seed: UInt64(31 * names.count + stepCount))
    let classes =
      try [SpokenSound.blank] + names.map { try #require(SpokenSound.index(of: $0)) }
    return (0..<stepCount).flatMap { _ -> [Float] in
      var row = [Float](repeating: 0, count: SpokenSound.count)
      let shares = classes.map { _ in Float.random(in: 0.05...1, using: &generator) }
      for (index, share) in zip(classes, shares) { row[index] = share / shares.reduce(0, +) }
      return row
    }
  }

  /// All paths in time, one by one.
  private func evidence(of sounds: [Int], in probabilities: [Float]) -> Double {
    let stepCount = probabilities.count / SpokenSound.count
    func row(_ step: Int) -> ArraySlice<Float> {
      probabilities[step * SpokenSound.count..<(step + 1) * SpokenSound.count]
    }
    var sum = 0.0
    func follow(_ step: Int, _ path: [Int], _ probability: Double) {
      if step == stepCount {
        var said: [Int] = []
        for (index, label) in path.enumerated()
        where label != SpokenSound.blank && (index == 0 || path[index - 1] != label) {
          said.append(label)
        }
        if said == sounds { sum += probability }
        return
      }
      for (label, share) in row(step).enumerated() where share > 0 {
        follow(step + 1, path + [label], probability * Double(share) / Double(row(step).max()!))
      }
    }
    follow(0, [], 1)
    return sum > 0 ? log(sum) : -.infinity
  }

  @Test func evidenceIsTheSumOverAllPaths() throws {
    for word in [SpokenWord.oh, .eight, .two, .four] {
      let sounds = SpokenSound.sounds(of: word)
      for stepCount in 1...6 {
        let values = try probabilities(sounds.map { SpokenSound.labels[$0] }, stepCount: stepCount)
        let match = SoundMatch(probabilities: values).evidence(of: [word])
        let truth = evidence(of: sounds, in: values)
        #expect(abs(Double(match) - max(truth, -20)) < 1e-3, "\(word), \(stepCount)")
      }
    }
    // The same sound twice needs a step between.
    let twice = try probabilities(["OW"], stepCount: 5)
    let ow = try #require(SpokenSound.index(of: "OW"))
    #expect(
      abs(
        Double(SoundMatch(probabilities: twice).evidence(of: [.oh, .oh]))
          - evidence(of: [ow, ow], in: twice)) < 1e-3)
  }

  @Test func soundsDecideBetweenNumbers() throws {
    // "T UW", as it is heard without doubt.
    var values: [Float] = []
    for name in ["-", "T", "UW", "UW", "-"] {
      var row = [Float](repeating: 0.001, count: SpokenSound.count)
      row[SpokenSound.index(of: name) ?? SpokenSound.blank] = 0.961
      values += row
    }
    let match = SoundMatch(probabilities: values)
    #expect(match.evidence(of: [.two]) > -0.5)
    #expect(match.evidence(of: [.three]) < -5)
    let findings = [
      NumberSearch.Finding(value: 3, words: [.three], probability: 0.5),
      NumberSearch.Finding(value: 2, words: [.two], probability: 0.4),
    ]
    let weighed = match.weighed(findings)
    expectEqual(weighed.map(\.value), [2, 3])
    #expect(weighed[0].probability > 0.75 && weighed[1].probability < 0.05)
    #expect(weighed.reduce(0) { $0 + $1.probability } <= 1)
    expectEqual(match.weighed([]), [])
  }

  @Test func whatCannotBeIsLeastLikely() {
    expectEqual(SoundMatch(probabilities: []).evidence(of: [.two]), SoundMatch.leastEvidence)
    var silence = [Float](repeating: 0, count: 3 * SpokenSound.count)
    for step in 0..<3 { silence[step * SpokenSound.count] = 1 }
    let match = SoundMatch(probabilities: silence)
    expectEqual(match.evidence(of: [.oh]), SoundMatch.leastEvidence)
    // Too few steps for the sounds.
    expectEqual(match.evidence(of: [.seventeen]), SoundMatch.leastEvidence)
    let none = SoundMatch(probabilities: [Float](repeating: 0, count: 2 * SpokenSound.count))
    expectEqual(none.evidence(of: [.oh]), SoundMatch.leastEvidence)
    let finding = NumberSearch.Finding(value: 0, words: [.oh], probability: 1)
    #expect(match.weighed([finding]).allSatisfy { $0.probability.isFinite && $0.probability <= 1 })
  }
}

import TestSupport
import Testing

@testable import DiceScenes

@Suite struct NumeralStyleTests {
  private let style = NumeralStyle(
    halfHeight: 0.5, narrowness: 0.6, halfLine: 0.08, quarterTurns: 0, hasFoot: false,
    hasFlatThree: false)
  private let side = 64

  /// Which cells of a face are painted, from its lower left corner.
  private func paint(_ style: NumeralStyle, _ value: Int) -> [Bool] {
    (0..<side * side).map { index in
      style.covers(
        Vector2(
          (Float(index % side) + 0.5) / Float(side) * 2 - 1,
          (Float(index / side) + 0.5) / Float(side) * 2 - 1), value: value)
    }
  }

  /// The same face turned counterclockwise by a quarter.
  private func turned(_ face: [Bool]) -> [Bool] {
    (0..<side * side).map { index in
      let (x, y) = (index % side, index / side)
      return face[(side - 1 - x) * side + y]
    }
  }

  private func difference(_ a: [Bool], _ b: [Bool]) -> Int {
    zip(a, b).reduce(0) { $0 + ($1.0 == $1.1 ? 0 : 1) }
  }

  @Test func eachValueShowsAnotherFaceHoweverItIsTurned() {
    for hasFlatThree in [false, true] {
      var style = style
      style.hasFlatThree = hasFlatThree
      let faces = (1...6).map { paint(style, $0) }
      for (index, face) in faces.enumerated() {
        let inkCount = face.count { $0 }
        #expect(inkCount > 150 && inkCount < side * side / 4, "value \(index + 1)")
        for other in 0..<index {
          var copy = faces[other]
          for _ in 0..<4 {
            #expect(difference(face, copy) > inkCount / 3, "\(index + 1) and \(other + 1)")
            copy = turned(copy)
          }
        }
      }
    }
  }

  @Test func theSixHasABarThatTellsItFromANine() {
    let six = paint(style, 6)
    // A row of paint below a row without any, as nowhere above the numeral.
    let rows = (0..<side).map { row in six[row * side..<(row + 1) * side].count { $0 } }
    let painted = rows.indices.filter { rows[$0] > 0 }
    let lowest = painted[0]
    let gap = (lowest..<side).first { rows[$0] == 0 } ?? side
    #expect(gap < painted[painted.count - 1], "the bar is apart from the numeral")
    #expect(rows[lowest + 1] > side / 4, "the bar is as wide as the numeral")
    let upsideDown = turned(turned(six))
    #expect(difference(six, upsideDown) > six.count { $0 } / 3)
    for value in 1...5 {
      let rows = (0..<side).map { row in
        paint(style, value)[row * side..<(row + 1) * side].contains(true)
      }
      let painted = rows.indices.filter { rows[$0] }
      #expect(rows[painted[0]...painted[painted.count - 1]].allSatisfy { $0 }, "value \(value)")
    }
  }

  @Test func numeralsAreTurnedByQuartersOfTheirOwn() {
    for value in 1...6 {
      var expected = paint(style, value)
      for quarters in 0..<4 {
        var style = style
        style.quarterTurns = UInt16(quarters) << UInt16(2 * value)
        expectEqual(paint(style, value), expected, "\(value) turned \(quarters) times")
        let other = value % 6 + 1
        expectEqual(paint(style, other), paint(self.style, other))
        expected = turned(expected)
      }
    }
  }

  @Test func nothingButTheFacesDependsOnTheChoice() {
    for options in [SceneOptions.fixture, .training] {
      expectEqual(options.faces, .pips)
      var changed = 0
      for seed in 0..<12 {
        var numbered = options
        numbered.faces = .numerals
        let plain = DiceScene.random(seed: UInt64(seed), options: options)
        let scene = DiceScene.random(seed: UInt64(seed), options: numbered)
        #expect(plain.appearances.allSatisfy { $0.pips.numerals == nil })
        #expect(scene.appearances.allSatisfy { $0.pips.numerals != nil })
        let expected = SceneRenderer.render(plain, width: 64, height: 64)
        let found = SceneRenderer.render(scene, width: 64, height: 64)
        // How well a value can be read depends on what shows it.
        let bare = [expected, found].map {
          $0.dice.map { die in
            var die = die
            die.legibility = nil
            return die
          }
        }
        expectEqual(bare[0], bare[1], "seed \(seed)")
        if found.image != expected.image { changed += 1 }
      }
      #expect(changed >= 10, "\(changed) of 12 pictures show the difference")
    }
  }
}

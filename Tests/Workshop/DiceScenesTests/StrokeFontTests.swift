import TestSupport
import Testing

@testable import DiceScenes

@Suite struct StrokeFontTests {
  /// Which of 12 by 18 points of a glyph's box have ink.
  private func picture(_ glyph: Int) -> [Bool] {
    var points: [Bool] = []
    for row in 0..<18 {
      for column in 0..<12 {
        let c = Vector2((Float(column) - 5.5) / 18, (Float(row) - 8.5) / 18)
        points.append(
          StrokeFont.shared.ink(c, glyph: glyph, halfLine: 0.05, softness: 0.02) > 0.5)
      }
    }
    return points
  }

  @Test func everyGlyphHasInkAndOnlyTwoPairsAreAlike() {
    var pictures: Set<[Bool]> = []
    for glyph in 0..<StrokeFont.count {
      let picture = picture(glyph)
      #expect(picture.contains(true) && picture.contains(false))
      pictures.insert(picture)
    }
    // A capital O is a zero, a small l a capital I.
    expectEqual(pictures.count, StrokeFont.count - 2)
  }

  @Test func theFormsOfADigitDifferAndAreCountedThrough() {
    var pictures: Set<[Bool]> = []
    var count = 0
    for digit in 0...9 {
      var forms = [digit]
      while case let form = StrokeFont.form(forms.count, of: digit), form != digit {
        forms.append(form)
      }
      #expect(forms.count > 2 && Set(forms).count == forms.count)
      expectEqual(StrokeFont.form(2 * forms.count + 1, of: digit), forms[1])
      for form in forms {
        pictures.insert(picture(form))
        let extent = StrokeFont.shared.extent(of: form)
        #expect(extent.lowerBound >= 0 && extent.upperBound <= StrokeFont.width)
      }
      count += forms.count
    }
    expectEqual(pictures.count, count)
  }

  @Test func charactersHaveGlyphs() {
    for digit in 0...9 { expectEqual(StrokeFont.glyph(UInt8(48 + digit)), digit) }
    for character in Array("AZaz+?".utf8) { #expect(StrokeFont.glyph(character) != nil) }
    #expect(StrokeFont.glyph(32) == nil && StrokeFont.glyph(200) == nil)
  }

  @Test func whatIsFarOrUnknownHasNoInk() {
    expectEqual(StrokeFont.shared.ink(Vector2(3, 0), glyph: 0, halfLine: 0.1, softness: 0.1), 0)
    expectEqual(StrokeFont.shared.distance(.zero, glyph: -1), 1)
    expectEqual(StrokeFont.shared.distance(.zero, glyph: 4000), 1)
  }
}

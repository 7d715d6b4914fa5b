import DiceFiles
import Testing

@Suite struct NumberTextTests {
  @Test func decimalsAreFixed() {
    #expect(NumberText.fixed(0, decimals: 0) == "0")
    #expect(NumberText.fixed(12.345, decimals: 1) == "12.3")
    #expect(NumberText.fixed(0.05, decimals: 1) == "0.1")
    #expect(NumberText.fixed(-0.04, decimals: 1) == "0.0")
    #expect(NumberText.fixed(-2.5, decimals: 0) == "-3")
    #expect(NumberText.fixed(3.007, decimals: 2) == "3.01")
    #expect(NumberText.fixed(.nan, decimals: 1) == "nan")
    #expect(NumberText.fixed(1e300, decimals: 1) == "1e+300")
  }

  @Test func wholeNumbersAreGrouped() {
    let cases = [
      (0, "0"), (999, "999"), (1000, "1,000"), (-1_234_567, "-1,234,567"),
      (Int.max, "9,223,372,036,854,775,807"), (Int.min, "-9,223,372,036,854,775,808"),
    ]
    for (value, text) in cases { #expect(NumberText.grouped(value) == text) }
  }

  @Test func durationsAreSaidAsPeopleDo() {
    let cases = [
      (0.0, "0 s"), (59.4, "59 s"), (59.6, "1 min 00 s"), (125, "2 min 05 s"),
      (3600, "1 h 00 min"), (11_220, "3 h 07 min"), (.infinity, "?"), (.nan, "?"), (-1, "?"),
    ]
    for (seconds, text) in cases { #expect(NumberText.duration(seconds: seconds) == text) }
  }

  @Test func checksumsHaveAllDigits() {
    #expect(NumberText.hexadecimal(0xA1) == "00000000000000a1")
    #expect(NumberText.hexadecimal(.max) == "ffffffffffffffff")
  }

  @Test func wordsAreListed() {
    #expect(NumberText.alternatives(["a"]) == "a")
    #expect(NumberText.alternatives(["a", "b"]) == "a or b")
    #expect(NumberText.alternatives(["a", "b", "c"]) == "a, b or c")
    #expect(NumberText.alternatives([]) == "")
  }

  @Test func roundedNumbersAreShortInJSON() {
    #expect(NumberText.rounded(0.97891234, decimals: 4) == 0.9789)
    #expect(NumberText.rounded(-1.005, decimals: 2) == -1.0)
    #expect(NumberText.rounded(1e308, decimals: 4) == 1e308)
  }

  @Test func hostileTextIsMadeHarmless() {
    #expect(printable("a\u{1B}[31mb\u{9B}") == "a\u{FFFD}[31mb\u{FFFD}")
    #expect(printable("abcdef", limit: 3) == "abc…")
  }
}

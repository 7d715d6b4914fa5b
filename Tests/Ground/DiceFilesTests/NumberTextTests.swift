import DiceFiles
import TestSupport
import Testing

@Suite struct NumberTextTests {
  @Test func decimalsAreFixed() {
    expectEqual(NumberText.fixed(0, decimals: 0), "0")
    expectEqual(NumberText.fixed(12.345, decimals: 1), "12.3")
    expectEqual(NumberText.fixed(0.05, decimals: 1), "0.1")
    expectEqual(NumberText.fixed(-0.04, decimals: 1), "0.0")
    expectEqual(NumberText.fixed(-2.5, decimals: 0), "-3")
    expectEqual(NumberText.fixed(3.007, decimals: 2), "3.01")
    expectEqual(NumberText.fixed(.nan, decimals: 1), "nan")
    expectEqual(NumberText.fixed(1e300, decimals: 1), "1e+300")
  }

  @Test func wholeNumbersAreGrouped() {
    let cases = [
      (0, "0"), (999, "999"), (1000, "1,000"), (-1_234_567, "-1,234,567"),
      (Int.max, "9,223,372,036,854,775,807"), (Int.min, "-9,223,372,036,854,775,808"),
    ]
    for (value, text) in cases { expectEqual(NumberText.grouped(value), text) }
  }

  @Test func durationsAreSaidAsPeopleDo() {
    let cases = [
      (0.0, "0 s"), (59.4, "59 s"), (59.6, "1 min 00 s"), (125, "2 min 05 s"),
      (3600, "1 h 00 min"), (11_220, "3 h 07 min"), (.infinity, "?"), (.nan, "?"), (-1, "?"),
    ]
    for (seconds, text) in cases { expectEqual(NumberText.duration(seconds: seconds), text) }
  }

  @Test func checksumsHaveAllDigits() {
    expectEqual(NumberText.hexadecimal(0xA1), "00000000000000a1")
    expectEqual(NumberText.hexadecimal(.max), "ffffffffffffffff")
  }

  @Test func wordsAreListed() {
    expectEqual(NumberText.alternatives(["a"]), "a")
    expectEqual(NumberText.alternatives(["a", "b"]), "a or b")
    expectEqual(NumberText.alternatives(["a", "b", "c"]), "a, b or c")
    expectEqual(NumberText.alternatives([]), "")
  }

  @Test func roundedNumbersAreShortInJSON() {
    expectEqual(NumberText.rounded(0.97891234, decimals: 4), 0.9789)
    expectEqual(NumberText.rounded(-1.005, decimals: 2), -1.0)
    expectEqual(NumberText.rounded(1e308, decimals: 4), 1e308)
  }

  @Test func hostileTextIsMadeHarmless() {
    expectEqual(printable("a\u{1B}[31mb\u{9B}"), "a\u{FFFD}[31mb\u{FFFD}")
    expectEqual(printable("abcdef", limit: 3), "abc…")
  }
}

import TestSupport
import DiceFiles
import Testing

struct JSONNumberTests {
  static let numbers: [(String, Double)] = [
    ("0", 0), ("-1", -1), ("10", 10), ("1.5", 1.5), ("1e2", 100), ("1E2", 100), ("1e+2", 100),
    ("1e-2", 0.01), ("1.25e0", 1.25), ("0e5", 0), ("0.0e-400", 0), ("0e999999999999999999", 0),
    ("0.1", 0.1), ("264.8", 264.8), ("1e22", 1e22), ("1e23", 1e23), ("9007199254740993", 0x1p53),
    ("9007199254740993.0000000001", 9_007_199_254_740_994),
    ("1.7976931348623157e308", .greatestFiniteMagnitude),
    ("1.7976931348623158e308", .greatestFiniteMagnitude), ("5e-324", .leastNonzeroMagnitude),
    ("3e-324", .leastNonzeroMagnitude),
    ("2e-324", 0), ("1e-400", 0), ("1e-999999999999999999999", 0),
    ("2.2250738585072014e-308", 0x1p-1022),
    ("2.2250738585072011e-308", Double(bitPattern: 0x000F_FFFF_FFFF_FFFF)),
    ("18446744073709551615", 0x1p64), ("18446744073709551616", 0x1p64),
    ("123456789012345678901234567890", 123_456_789_012_345_677_877_719_597_056),
    ("0.000000000000000000000000000001", 1e-30),
    ("8.98846567431157854072637e307", 8.98846567431157854072637e307),
    // Half way between two neighbours, and just above it, decided by a digit far away.
    ("1.00000000000000011102230246251565404236316680908203125", 1),
    ("1.00000000000000011102230246251565404236316680908203124", 1),
    ("1.00000000000000011102230246251565404236316680908203126", 1.0000000000000002),
  ]

  @Test(arguments: numbers)
  func readsTheNearestDouble(_ text: String, _ expected: Double) throws {
    let value = try parse(text).number
    expectEqual(value?.bitPattern, expected.bitPattern)
    try expectEqual(parse("[\(text)]"), .array([.number(expected)]))
    if expected != 0, !text.hasPrefix("-") {
      try expectEqual(parse("-\(text)").number, -expected)
    }
  }

  @Test(arguments: ["-0", "-0.0", "-0e5", "-0E-400", "-1e-400"])
  func keepsTheSignOfZero(_ text: String) throws {
    let value = try #require(try parse(text).number)
    expectEqual(value, 0)
    expectEqual(value.sign, .minus)
  }

  /// Both ways of converting agree with the standard library on random numbers.
  @Test func agreesWithTheStandardLibrary() throws {
    var generator = SeededGenerator(seed: 1)
    for _ in 0..<20_000 {
      let digits =
        UInt64.random(in: 0...UInt64.max, using: &generator)
        >> UInt64.random(
          in: 0...63, using: &generator)
      let exponent = Int.random(in: -40...40, using: &generator)
      for text in ["\(digits)e\(exponent)", "\(digits)", "0.\(digits)", "\(digits).\(digits)"] {
        try expectEqual(parse(text).number, Double(text), "\(text)")
      }
    }
  }

  @Test func roundTripsEveryKindOfDouble() throws {
    var generator = SeededGenerator(seed: 2)
    var count = 0
    for _ in 0..<20_000 {
      let value = Double(bitPattern: UInt64.random(in: 0...UInt64.max, using: &generator))
      if !value.isFinite { continue }
      let again = try JSONReader.parse(JSONWriter.write(.number(value))).number
      expectEqual(again?.bitPattern, value.bitPattern)
      count += 1
    }
    #expect(count > 15_000)
  }

  @Test func readsVeryLongNumbers() throws {
    let zeros = String(repeating: "0", count: 200_000)
    try expectEqual(parse("0.\(zeros)1").number, 0)
    try expectEqual(parse("0.\(zeros)1e200001").number, 1)
    try expectEqual(parse("1\(zeros)e-200000").number, 1)
    try expectEqual(parse("1.\(zeros)1").number, 1)
    expectEqual(brokenRule("1\(zeros)"), .numberOutOfRange)
    expectEqual(brokenRule("1e\(zeros)400"), .numberOutOfRange)
  }

  @Test func givesIntegersOnlyWhereTheyAreCertain() throws {
    try expectEqual(parse("42").integer, 42)
    try expectEqual(parse("-42.0").integer, -42)
    try expectEqual(parse("4.2").integer, nil)
    try expectEqual(parse("9007199254740991").integer, 9_007_199_254_740_991)
    try expectEqual(parse("9007199254740993").integer, nil)
    try expectEqual(parse("\"1\"").integer, nil)
  }
}

import DiceFiles
import TestSupport
import Testing

/// The value of a text, or the error.
func parse(_ text: String, limits: JSONLimits = JSONLimits()) throws(JSONError) -> JSONValue {
  try JSONReader.parse([UInt8](text.utf8), limits: limits)
}

/// The rule that a text breaks; nil where it breaks none.
func brokenRule(_ bytes: [UInt8], limits: JSONLimits = JSONLimits()) -> JSONError.Rule? {
  do throws(JSONError) {
    _ = try JSONReader.parse(bytes, limits: limits)
    return nil
  } catch {
    return error.rule
  }
}

func brokenRule(_ text: String, limits: JSONLimits = JSONLimits()) -> JSONError.Rule? {
  brokenRule([UInt8](text.utf8), limits: limits)
}

struct JSONReaderTests {
  static let values: [(String, JSONValue)] = [
    ("null", JSONValue.null), ("true", .bool(true)), (" \t\r\n false \n", .bool(false)),
    ("0", 0), ("\"\"", ""), ("[]", []), ("{}", [:]), ("[ ]", []), ("{ }", [:]),
    ("[1]", [1]), ("[1,2]", [1, 2]), ("[ 1 , 2 ]", [1, 2]), ("[[],[[]]]", [[], [[]]]),
    ("{\"a\":1}", ["a": 1]), ("{ \"a\" : 1 , \"b\" : {} }", ["a": 1, "b": [:]]),
    ("{\"\":null}", ["": nil]), ("[null,true,\"x\"]", [nil, true, "x"]),
    ("{\"b\":1,\"a\":[{\"c\":[]}]}", ["b": 1, "a": [["c": []]]]), ("\u{FEFF}[]", []),
  ]

  @Test(arguments: values)
  func readsValues(_ text: String, _ expected: JSONValue) throws {
    try expectEqual(parse(text), expected)
  }

  static let strings: [(String, String)] = [
    (#""a\"b\\c\/d\b\f\n\r\t""#, "a\"b\\c/d\u{8}\u{C}\n\r\t"),
    (#""\u0041\u00e9\u20AC\u0000""#, "Aé€\0"), (#""\uD83C\uDFB2""#, "🎲"),
    (#""\uDBFF\uDFFF\ud800\udc00""#, "\u{10FFFF}\u{10000}"),
    ("\"é€🎲\u{7F}\u{2028}\"", "é€🎲\u{7F}\u{2028}"), (#""é\né""#, "é\né"),
    (#""a long string that is not small""#, "a long string that is not small"),
  ]

  @Test(arguments: strings)
  func readsStrings(_ text: String, _ expected: String) throws {
    let value = try parse(text)
    expectEqual(value.string.map { [UInt8]($0.utf8) }, [UInt8](expected.utf8))
    let key = try parse("{\(text):1}").object?.members.first?.key
    expectEqual(key.map { [UInt8]($0.utf8) }, [UInt8](expected.utf8))
  }

  @Test(arguments: RefusedText.all)
  func refuses(_ text: String, _ rule: JSONError.Rule) {
    expectEqual(brokenRule(text), rule)
  }

  @Test(
    arguments: [
      [0x80], [0xBF], [0xC0, 0x80], [0xC1, 0xBF], [0xC2, 0x41], [0xE0, 0x80, 0x80],
      [0xE0, 0x9F, 0xBF], [0xED, 0xA0, 0x80], [0xED, 0xBF, 0xBF], [0xE2, 0x82, 0x41],
      [0xF0, 0x80, 0x80, 0x80], [0xF0, 0x8F, 0xBF, 0xBF], [0xF4, 0x90, 0x80, 0x80],
      [0xF5, 0x80, 0x80, 0x80], [0xFF], [0xFE], [0xE2, 0x82], [0xF0, 0x9F, 0x8E],
    ] as [[UInt8]])
  func refusesInvalidUTF8(_ bytes: [UInt8]) {
    expectEqual(brokenRule([0x22] + bytes + [0x22]), .invalidUTF8)
    expectEqual(brokenRule([0x22, 0x5C, 0x6E] + bytes + [0x22]), .invalidUTF8)
    expectEqual(brokenRule(Array("{\"".utf8) + bytes + Array("\":1}".utf8)), .invalidUTF8)
    #expect(brokenRule(bytes) != nil)
    #expect(brokenRule([0x5B, 0x31] + bytes) != nil)
  }

  @Test func namesAnEncodingThatIsNotUTF8() {
    let text = "{\"a\": 1}"
    let wide = text.utf16.flatMap { (unit) in [UInt8(truncatingIfNeeded: unit), UInt8(unit >> 8)] }
    expectEqual(brokenRule(wide), .wideEncoding("UTF-16"))
    expectEqual(brokenRule([0xFF, 0xFE] + wide), .wideEncoding("UTF-16"))
    expectEqual(brokenRule([0] + wide.dropLast()), .wideEncoding("UTF-16"))
    expectEqual(brokenRule([0xFE, 0xFF, 0] + wide.dropLast()), .wideEncoding("UTF-16"))
    let wider = text.utf8.flatMap { (byte) -> [UInt8] in [byte, 0, 0, 0] }
    expectEqual(brokenRule(wider), .wideEncoding("UTF-32"))
    expectEqual(brokenRule([0, 0, 0] + wider.dropLast(3)), .wideEncoding("UTF-32"))
    #expect(brokenRule([0, 0, 0, 0]) != .wideEncoding("UTF-32"))
  }

  /// Every character of two bytes, and the first and last of each block of longer ones.
  @Test func readsEveryBlockOfCharacters() throws {
    var text = ""
    for value in UInt32(0x20)...0x10FFFF
    where value < 0x1000 || value % 256 == 0 || value % 256 == 255 {
      guard let scalar = Unicode.Scalar(value), scalar != "\"", scalar != "\\" else { continue }
      text.unicodeScalars.append(scalar)
    }
    let value = try parse("\"\(text)\"")
    expectEqual(value.string.map { $0.utf8.elementsEqual(text.utf8) }, true)
  }

  @Test func keepsCanonicallyEqualKeysApart() throws {
    let value = try parse("{\"\u{E9}\":1,\"e\u{301}\":2}")
    expectEqual(value["\u{E9}"], 1)
    expectEqual(value["e\u{301}"], 2)
    expectEqual(value["e"], nil)
  }

  @Test func findsDuplicatesAmongManyKeys() throws {
    let keys = (0..<1000).map { "\"key\($0)\":\($0)" }
    let value = try parse("{\(keys.joined(separator: ","))}")
    expectEqual(value["key999"], 999)
    let text = "{\(keys.joined(separator: ",")),\"key7\":1,\"key5\":1}"
    let bytes = [UInt8](text.utf8)
    #expect(throws: JSONError.self) { try JSONReader.parse(bytes) }
    expectEqual(brokenRule(text), .duplicateKey("key7"))
  }

  @Test func keepsObjectsApartFromTheirContents() throws {
    // Members wait on one stack; inner objects must not take or leave any.
    let value = try parse(#"{"a":{"b":{"c":1},"d":[{"e":2},{"f":3}]},"g":{},"h":4}"#)
    expectEqual(value.object?.members.map { $0.key }, ["a", "g", "h"])
    expectEqual(value["a"]?["d"], [["e": 2], ["f": 3]])
    expectEqual(value["a"]?["b"]?["c"]?.integer, 1)
  }

  static let places: [(text: String, line: Int, column: Int, offset: Int)] = [
    ("[1,\n 2,\n  x]", 3, 3, 10), ("x", 1, 1, 0), ("[\r\nx", 2, 1, 3), ("[\rx", 2, 1, 2),
    ("[\n\rx", 3, 1, 3), ("{\"é🎲\":x}", 1, 7, 10), ("[", 1, 2, 1), ("[\n", 2, 1, 2),
    ("\u{FEFF}x", 1, 1, 3), ("[\"a\u{1}", 1, 4, 3), (#"["\ud800"]"#, 1, 3, 2), ("[01", 1, 3, 2),
    ("[1e400]", 1, 2, 1), (#"{"a":1,"# + "\n" + #""a":2}"#, 2, 1, 8), ("nul ", 1, 1, 0),
  ]

  @Test(arguments: places)
  func saysWhere(_ text: String, _ line: Int, _ column: Int, _ offset: Int) throws {
    do throws(JSONError) {
      _ = try parse(text)
      Issue.record("\(text) was read")
    } catch {
      expectEqual(error.line, line)
      expectEqual(error.column, column)
      expectEqual(error.byteOffset, offset)
      #expect("\(error)".hasPrefix("Line \(line), column \(column): "))
    }
  }
}

struct JSONLimitsTests {
  @Test func boundsDepth() throws {
    func nested(_ depth: Int) -> String {
      String(repeating: "[", count: depth) + String(repeating: "]", count: depth)
    }
    expectEqual(brokenRule(nested(128)), nil)
    expectEqual(brokenRule(nested(129)), .tooDeep(limit: 128))
    expectEqual(brokenRule("{\"a\":[1]}", limits: JSONLimits(depth: 2)), nil)
    expectEqual(brokenRule("{\"a\":[[]]}", limits: JSONLimits(depth: 2)), .tooDeep(limit: 2))
    expectEqual(brokenRule("[]", limits: JSONLimits(depth: 0)), .tooDeep(limit: 0))
    expectEqual(brokenRule("1", limits: JSONLimits(depth: 0)), nil)
    let greatest = JSONLimits(depth: .max)
    expectEqual(brokenRule(nested(512), limits: greatest), nil)
    expectEqual(brokenRule(nested(100_000), limits: greatest), .tooDeep(limit: 512))
    expectEqual(brokenRule(String(repeating: "{\"\":", count: 100_000)), .tooDeep(limit: 128))
    // Deep values are compared, hashed and written without trouble.
    let value = try parse(nested(512), limits: greatest)
    expectEqual(value, value)
    expectEqual(JSONWriter.write(value).count, 1024)
    expectEqual(Set([value]).count, 1)
  }

  @Test func boundsValues() throws {
    let limits = JSONLimits(valueCount: 4)
    expectEqual(brokenRule("[1,2,3]", limits: limits), nil)
    expectEqual(brokenRule("[1,2,3,4]", limits: limits), .tooManyValues(limit: 4))
    expectEqual(brokenRule("{\"a\":{\"b\":[]}}", limits: limits), nil)
    expectEqual(brokenRule("[[],[],[],[]]", limits: limits), .tooManyValues(limit: 4))
  }

  @Test func boundsBytes() throws {
    let limits = JSONLimits(byteCount: 3)
    expectEqual(brokenRule("[1]", limits: limits), nil)
    expectEqual(brokenRule("[12]", limits: limits), .tooLarge(found: 4, limit: 3))
  }
}

struct JSONRobustnessTests {
  /// A text with every construct.
  static let sample =
    #"{"a":[1,-2.5e+3,0.1,1E-7],"b\n\u00e9\uD83C\uDFB2":{"c":null,"d":true,"e":false},"é🎲":""} "#

  @Test func everyTruncationIsRefused() {
    let bytes = [UInt8](Self.sample.utf8)
    expectEqual(brokenRule(bytes), nil)
    // Without the space at the end the text is whole.
    for count in 0..<(bytes.count - 1) {
      expectEqual(brokenRule(Array(bytes[..<count])), .unexpectedEnd, "\(count) bytes")
    }
  }

  @Test func everyChangedByteIsReadOrRefused() {
    let bytes = [UInt8](Self.sample.utf8)
    var refused = 0
    var read = 0
    for index in bytes.indices {
      for value in UInt8.min...UInt8.max where value != bytes[index] {
        var changed = bytes
        changed[index] = value
        do throws(JSONError) {
          let value = try JSONReader.parse(changed)
          // What is read can be written and read again.
          let again = try JSONReader.parse(JSONWriter.write(value))
          expectEqual(again, value)
          read += 1
        } catch {
          #expect((0...changed.count).contains(error.byteOffset))
          refused += 1
        }
      }
    }
    #expect(read > 1000)
    #expect(refused > 10_000)
  }

  @Test func randomBytesAreRefusedOrRead() {
    var state: UInt64 = 7
    let alphabet = [UInt8]("{}[]\",:\\u0123456789eE+-.truefalsn \n\u{E9}".utf8)
    for _ in 0..<3000 {
      var bytes: [UInt8] = []
      for _ in 0..<24 {
        state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
        bytes.append(alphabet[Int(state >> 33) % alphabet.count])
      }
      if let rule = brokenRule(bytes) { #expect(!"\(rule)".isEmpty) }
    }
  }
}

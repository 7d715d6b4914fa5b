import DiceFiles
import Foundation
import TestSupport
import Testing

struct JSONWriterTests {
  func text(_ value: JSONValue, _ layout: JSONWriter.Layout = .compact) -> String {
    String(decoding: JSONWriter.write(value, layout: layout), as: UTF8.self)
  }

  static let numbers: [(Double, String)] = [
    (0.0, "0"), (-0.0, "-0"), (1, "1"), (-17, "-17"), (0.1, "0.1"), (264.8, "264.8"),
    (9_007_199_254_740_991, "9007199254740991"), (1e15, "1000000000000000"), (1e16, "1e+16"),
    (1e-5, "1e-05"), (.leastNonzeroMagnitude, "5e-324"), (1.0 / 3, "0.3333333333333333"),
    (.nan, "null"),
    (.infinity, "null"), (-.infinity, "null"),
  ]

  @Test(arguments: numbers)
  func writesNumbersShort(_ value: Double, _ expected: String) {
    expectEqual(text(.number(value)), expected)
  }

  @Test func escapesWhatMustBe() {
    #expect(
      text("a\"b\\c/d\u{8}\u{C}\n\r\t\u{0}\u{1F}\u{7F}é🎲")
        == #""a\"b\\c/d\b\f\n\r\t\u0000\u001f\u007fé🎲""#)
    #expect(text(["\n": 1]) == #"{"\n":1}"#)
  }

  @Test func writesCompactly() {
    #expect(
      text(["b": [1, nil, true], "a": [:], "c": [[]]]) == #"{"b":[1,null,true],"a":{},"c":[[]]}"#)
  }

  @Test func writesForPeople() {
    let value: JSONValue = ["b": [1, 2], "a": [:], "c": [], "d": [["e": [false]], []]]
    #expect(
      text(value, .pretty) == """
        {
          "b": [1, 2],
          "a": {},
          "c": [],
          "d": [
            {
              "e": [false]
            },
            []
          ]
        }

        """)
    #expect(text(1, .pretty) == "1\n")
  }

  @Test func readsBackBothLayouts() throws {
    let value: JSONValue = [
      "name": "Würfel 🎲", "values": [1, -2.5, 1e300, 0.1], "nested": [["a": nil], [[]], [:]],
    ]
    for layout in [JSONWriter.Layout.compact, .pretty] {
      #expect(try JSONReader.parse(JSONWriter.write(value, layout: layout)) == value)
    }
  }

  /// Foundation's reader, an independent one, understands what is written.
  @Test func anotherReaderUnderstandsIt() throws {
    let value: JSONValue = [
      "é\u{1}\"": [0.1, -0.0, 1e-7, 123456789], "b": ["\u{7F}\\", true, nil],
    ]
    let object = try JSONSerialization.jsonObject(
      with: Data(JSONWriter.write(value, layout: .pretty)))
    let dictionary = try #require(object as? [String: Any])
    expectEqual(dictionary["é\u{1}\""] as? [Double], [0.1, 0, 1e-7, 123456789])
    let mixed = try #require(dictionary["b"] as? [Any])
    expectEqual(mixed[0] as? String, "\u{7F}\\")
    expectEqual(mixed[1] as? Bool, true)
    #expect(mixed[2] is NSNull)
  }
}

struct JSONValueTests {
  @Test func looksUpAndSetsMembers() {
    var object = JSONObject()
    object["a"] = 1
    object["b"] = 2
    object["a"] = 3
    expectEqual(object.members.map { $0.key }, ["a", "b"])
    expectEqual(object["a"], 3)
    object["a"] = Optional<JSONValue>.none
    expectEqual(object["a"], nil)
    expectEqual(object.members.count, 1)
    object["missing"] = Optional<JSONValue>.none
    expectEqual(object.members.count, 1)
  }

  @Test func givesPartsOfTheRightKindOnly() {
    let value: JSONValue = ["a": [true, "x", 2, nil]]
    expectEqual(value.object?.members.count, 1)
    expectEqual(value["a"]?.array?.map { $0.kind }, [.bool, .string, .number, .null])
    #expect(value.array == nil && value.string == nil && value.number == nil && value.bool == nil)
    expectEqual(value["b"], nil)
    expectEqual(value["a"]?["b"], nil)
    expectEqual(value["a"]?.array?[0].bool, true)
    expectEqual(value["a"]?.array?[0].object, nil)
  }
}

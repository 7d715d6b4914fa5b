import DiceGeometry
import TestSupport
import Testing

@testable import DiceEvaluation

struct YOLOAnnotationsTests {
  let place = AnnotationError.Place(imageIndex: 2, fileName: "a.jpg")

  func read(_ text: String, names: [String] = ["1", "2"]) throws(AnnotationError)
    -> [AnnotatedObject]
  {
    var rules = AnnotationRules(AnnotationLimits(objectCount: 3))
    return try YOLOAnnotations.objects(
      [UInt8](text.utf8), names: names, width: 200, height: 100, place, &rules)
  }

  func error(_ text: String) -> AnnotationError? {
    do throws(AnnotationError) {
      _ = try read(text)
      return nil
    } catch {
      return error
    }
  }

  @Test func readsCentreBoxesAsSharesOfThePicture() throws {
    try expectEqual(
      read("1 0.5 0.25 0.25 0.5\r\n\n  0\t.5 .5 1 1  \n"),
      [
        AnnotatedObject(
          label: "2", boundingBox: BoundingBox(x: 75, y: 0, width: 50, height: 50)),
        AnnotatedObject(
          label: "1", boundingBox: BoundingBox(x: 0, y: 0, width: 200, height: 100)),
      ])
    try expectEqual(read(""), [])
    try expectEqual(read(" \n\r\n"), [])
  }

  @Test func anOutlineBecomesTheBoxAroundIt() throws {
    try expectEqual(
      read("0 0.25 0.5 0.5 0.25 0.75 0.75"),
      [
        AnnotatedObject(
          label: "1", boundingBox: BoundingBox(x: 50, y: 25, width: 100, height: 50))
      ])
  }

  @Test func namesTheLineThatBreaksARule() {
    var object = place
    object.objectIndex = 0
    let cases: [(String, YOLOError)] = [
      ("0 0.5 0.5 0.5", .fieldCount(found: 4)), ("0 0.5 0.5 0.5 0.5 0.9", .fieldCount(found: 6)),
      ("0", .fieldCount(found: 1)), ("a 0.5 0.5 0.5 0.5", .notANumber(found: "a")),
      ("0 0.5 nan 0.5 0.5", .notANumber(found: "nan")),
      ("0.5 0.5 0.5 0.5 0.5", .notANumber(found: "0.5")),
      ("2 0.5 0.5 0.5 0.5", .unknownClass(found: 2, count: 2)),
      ("-1 0.5 0.5 0.5 0.5", .unknownClass(found: -1, count: 2)),
      ("0 120 0.5 0.5 0.5", .notAShare(found: 120)), ("0 0.5 -1 0.5 0.5", .notAShare(found: -1)),
    ]
    for (line, expected) in cases {
      expectEqual(error("\n\(line)\n"), .yolo(object, line: 2, expected))
      #expect("\(AnnotationError.yolo(object, line: 2, expected))".hasSuffix("."))
    }
    expectEqual(
      error("0 0.5 0.5 0 0.5"), .sizeNotPositive(object, key: "width", found: 0))
    let lines = String(repeating: "0 0.5 0.5 0.5 0.5\n", count: 4)
    expectEqual(error(lines), .tooManyObjects(limit: 3))
  }

  @Test func readsListsOfClassNames() throws {
    func names(_ text: String, limit: Int = 10) throws(AnnotationError) -> [String] {
      try YOLOAnnotations.classNames([UInt8](text.utf8), limit: limit)
    }
    try expectEqual(names("one\r\n two \n\n\n"), ["one", "two"])
    try expectEqual(names("\u{FEFF}1"), ["1"])
    #expect(throws: AnnotationError.invalidYAML(YAMLError(rule: .missingNames, line: 1))) {
      try names("\n")
    }
    #expect(throws: AnnotationError.invalidYAML(YAMLError(rule: .emptyName, line: 2))) {
      try names("a\n\nb")
    }
    #expect(throws: AnnotationError.tooManyLabels(found: 2, limit: 1)) {
      try names("a\nb", limit: 1)
    }
  }
}

struct YAMLReaderTests {
  func dataset(_ text: String) throws(YAMLError) -> DatasetDescription {
    try YAMLReader.dataset([UInt8](text.utf8), labelLimit: 8)
  }

  func error(_ text: String) -> YAMLError? {
    do throws(YAMLError) {
      _ = try dataset(text)
      return nil
    } catch {
      return error
    }
  }

  @Test(arguments: [
    "names: [a, 'b c', \"d\"]", "names: ['a',\n  'b c', # two\n\n 'd',]",
    "names: ['a',\n'b c',\n'd'\n]\nnc: 3", "names:\n- a\n- b c\n- 'd'\nnc: 3",
    "names:\n  # which\n  - a\n\n  - b c   # second\n  - \"d\"\n",
    "names:\n  0: a\n  1: b c\n  2: d\n", "names:\n  2: d\n  1: \"b c\"\n  0: a",
    "names: {0: a, 1: b c, 2: d}", "---\nnc: 3 # as many\nnames: [a, b c, d]\r\n",
    "\u{FEFF}names: [a, b c, d]",
    "download: |\n  import os\n  x: [\nroboflow:\n  license: CC BY 4.0\nlist:\n- 1\nnames: [a, b c, d]",
  ])
  func readsListsAndMapsOfNames(_ text: String) throws {
    try expectEqual(dataset(text).names, ["a", "b c", "d"])
  }

  @Test func readsWherePicturesLie() throws {
    let found = try dataset(
      """
      # Dice
      path: ../datasets/dice  # moved
      train: ../train/images
      val: [a/images, "b c/images"]
      test:
      nc: 2
      names: ['it''s', "say \\"\\\\\\""]
      """)
    expectEqual(
      found,
      DatasetDescription(
        names: ["it's", "say \"\\\""], path: "../datasets/dice",
        folders: ["train": ["../train/images"], "val": ["a/images", "b c/images"], "test": []]))
  }

  static let refusals: [(text: String, rule: YAMLError.Rule, line: Int)] = [
    ("", .missingNames, 1), ("nc: 3", .missingNames, 1), ("names: []", .missingNames, 1),
    ("names:\n", .missingNames, 1), ("names: ['']", .emptyName, 1),
    ("names: a", .unsupportedValue(key: "names"), 1),
    ("names: &x [a]", .unsupportedValue(key: "names"), 1),
    ("names: *x", .unsupportedValue(key: "names"), 1),
    ("names: !!seq [a]", .unsupportedValue(key: "names"), 1),
    ("names: |\n  a", .unsupportedValue(key: "names"), 1),
    ("names: [[a]]", .unsupportedValue(key: "names"), 1),
    ("names: [a b: c]", .unsupportedValue(key: "names"), 1),
    ("names: [a] b", .unsupportedValue(key: "names"), 1),
    ("names:\n  - a\n    - b", .unsupportedValue(key: "names"), 3),
    ("names:\n  - a: b", .unsupportedValue(key: "names"), 2),
    ("names:\n  0:\n    a: b", .unsupportedValue(key: "names"), 2),
    ("names:\n  - a\n  1: b", .unsupportedValue(key: "names"), 3),
    ("names: [a", .unterminated(key: "names"), 1), ("names: ['a]", .unterminated(key: "names"), 1),
    ("names: [\"\\n\"]", .unsupportedValue(key: "names"), 1),
    ("names:\n  0: a\n  2: b", .wrongNumber(found: "2"), 1),
    ("names:\n  0: a\n  0: b", .wrongNumber(found: "0"), 1),
    ("names:\n  a: 0", .wrongNumber(found: "a"), 1),
    ("nc: 2\nnames: [a]", .wrongCount(found: "2", count: 1), 1),
    ("names: [a]\nnames: [b]", .repeatedKey("names"), 2),
    ("names: [a]\n  b", .notAKey, 2), ("names: [a]\nb", .notAKey, 2),
    ("names: [a]\n---\nb: c", .notAKey, 2), ("\tnames: [a]", .controlCharacter, 1),
    ("names: [a\u{1}]", .controlCharacter, 1),
    ("names: [a, b, c, d, e, f, g, h, i]", .tooManyEntries(limit: 8), 1),
    ("names: [a]\ntrain: {a: b}", .unsupportedValue(key: "train"), 2),
  ]

  @Test(arguments: refusals)
  func refusesTheRestOfYAML(text: String, rule: YAMLError.Rule, line: Int) {
    expectEqual(error(text), YAMLError(rule: rule, line: line))
    #expect("\(YAMLError(rule: rule, line: line))".hasSuffix("."))
  }

  @Test func boundsBytesAndKnowsItsOwn() {
    let bytes = [UInt8](repeating: 0x23, count: YAMLReader.byteLimit + 1)
    #expect(throws: YAMLError.self) { try YAMLReader.dataset(bytes, labelLimit: 8) }
    #expect(YAMLReader.isDataset([UInt8]("train: a\nnames: [a]".utf8)))
    #expect(!YAMLReader.isDataset([UInt8]("{\nnames: [a]}".utf8)))
    #expect(!YAMLReader.isDataset([UInt8]("surnames: [a]".utf8)))
  }
}

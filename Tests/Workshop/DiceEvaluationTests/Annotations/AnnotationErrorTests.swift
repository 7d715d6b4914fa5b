import DiceFiles
import DiceGeometry
import DiceEvaluation
import TestSupport
import Testing

struct AnnotationErrorTests {
  typealias Place = AnnotationError.Place

  func error(
    _ text: String, limits: AnnotationLimits = AnnotationLimits()
  ) -> AnnotationError? {
    do throws(AnnotationError) {
      _ = try AnnotationFile.parse([UInt8](text.utf8), limits: limits)
      return nil
    } catch {
      return error
    }
  }

  /// A file whose second object of the second picture has these coordinates.
  func file(coordinates: String) -> String {
    let good = #"{"label":"1","coordinates":{"x":5,"y":5,"width":2,"height":2}}"#
    return """
      [{"image":"a","annotations":[\(good)]},
       {"image":"b","annotations":[\(good),{"label":"2","coordinates":\(coordinates)}]}]
      """
  }

  let place = Place(imageIndex: 1, fileName: "b", objectIndex: 1)

  @Test func namesPictureAndObjectOfABadBox() {
    func numbers(_ x: String, _ y: String, _ width: String, _ height: String) -> String {
      file(coordinates: #"{"x":\#(x),"y":\#(y),"width":\#(width),"height":\#(height)}"#)
    }
    expectEqual(error(numbers("5", "5", "2", "2")), nil)
    expectEqual(error(numbers("-50", "5", "2", "2")), nil)
    for size in [0, -0.0, -3, -1e-300] {
      expectEqual(
        error(numbers("5", "5", "\(size)", "2")), .sizeNotPositive(place, key: "width", found: size)
      )
      expectEqual(
        error(numbers("5", "5", "2", "\(size)")),
        .sizeNotPositive(place, key: "height", found: size))
    }
    for center in [1e6, -1e6, 1e308] {
      expectEqual(
        error(numbers("\(center)", "5", "2", "2")),
        .coordinateOutOfRange(place, key: "x", found: center, limit: 1e6))
      expectEqual(
        error(numbers("5", "\(center)", "2", "2")),
        .coordinateOutOfRange(place, key: "y", found: center, limit: 1e6))
    }
    expectEqual(
      error(numbers("5", "5", "1e308", "2")),
      .coordinateOutOfRange(place, key: "x", found: 5, limit: 1e6))
    expectEqual(
      error(numbers("5", "\"5\"", "2", "2")),
      .wrongKind(place, key: "y", found: .string, needed: .number))
    expectEqual(
      error(numbers("5", "5", "null", "2")),
      .wrongKind(place, key: "width", found: .null, needed: .number))
    let text = "\(AnnotationError.sizeNotPositive(place, key: "width", found: -3))"
    for part in ["1 (\"b\")", "object 1", "\"width\"", "-3.0"] { #expect(text.contains(part)) }
  }

  @Test(arguments: ["x", "y", "width", "height"])
  func wantsEveryNumber(_ missing: String) {
    let rest = ["x", "y", "width", "height"].filter { $0 != missing }.map { "\"\($0)\":1" }
    let text = file(coordinates: "{\(rest.joined(separator: ","))}")
    expectEqual(error(text), .missingKey(place, key: missing))
  }

  @Test func namesWhatIsOfTheWrongKind() {
    let first = Place(imageIndex: 0)
    let named = Place(imageIndex: 0, fileName: "a")
    let object = Place(imageIndex: 0, fileName: "a", objectIndex: 0)
    expectEqual(error("{}"), .notAnArray(found: .object))
    expectEqual(error("null"), .notAnArray(found: .null))
    expectEqual(error("[1]"), .wrongKind(first, key: "", found: .number, needed: .object))
    expectEqual(error("[{}]"), .missingKey(first, key: "image"))
    #expect(
      error(#"[{"image":1}]"#) == .wrongKind(first, key: "image", found: .number, needed: .string))
    #expect(
      error(#"[{"imagefilename":[]}]"#)
        == .wrongKind(first, key: "imagefilename", found: .array, needed: .string))
    #expect(error(#"[{"image":"a"}]"#) == .missingKey(named, key: "annotations"))
    #expect(
      error(#"[{"image":"a","annotations":{}}]"#)
        == .wrongKind(named, key: "annotations", found: .object, needed: .array))
    #expect(
      error(#"[{"image":"a","annotation":null}]"#)
        == .wrongKind(named, key: "annotation", found: .null, needed: .array))
    #expect(
      error(#"[{"image":"a","annotations":[0]}]"#)
        == .wrongKind(object, key: "", found: .number, needed: .object))
    #expect(error(#"[{"image":"a","annotations":[{}]}]"#) == .missingKey(object, key: "label"))
    #expect(
      error(#"[{"image":"a","annotations":[{"label":6}]}]"#)
        == .wrongKind(object, key: "label", found: .number, needed: .string))
    #expect(error(#"[{"image":"a","annotations":[{"label":""}]}]"#) == .emptyLabel(object))
    #expect(
      error(#"[{"image":"a","annotations":[{"label":"6"}]}]"#)
        == .missingKey(object, key: "coordinates"))
    #expect(
      error(#"[{"image":"a","annotations":[{"label":"6","coordinates":[]}]}]"#)
        == .wrongKind(object, key: "coordinates", found: .array, needed: .object))
  }

  static let names: [(String, AnnotationError.FileNameRule)] = [
    ("", .empty), ("/etc/passwd", .absolute), ("/", .absolute), ("..", .leavesFolder),
    ("../a.jpg", .leavesFolder), ("a/../../b.jpg", .leavesFolder), ("a/..", .leavesFolder),
    ("a//b", .emptyComponent), ("a/", .emptyComponent), ("./a", .emptyComponent),
    (".", .emptyComponent), ("a\\b", .backslash), ("C:\\a", .backslash), ("..\\a", .backslash),
    ("a\0.jpg", .controlCharacter), ("a\n.jpg", .controlCharacter), ("\u{7F}", .controlCharacter),
    (String(repeating: "a", count: 1025), .tooLong),
  ]

  @Test(arguments: names)
  func refusesHostileFileNames(_ name: String, _ rule: AnnotationError.FileNameRule) throws {
    let place = Place(imageIndex: 0, fileName: name)
    let entry: JSONValue = [["image": .string(name), "annotations": []]]
    #expect(throws: AnnotationError.unsafeFileName(place, rule)) {
      try AnnotationFile.parse(JSONWriter.write(entry))
    }
    #expect(throws: AnnotationError.unsafeFileName(place, rule)) {
      try AnnotationFile.encode([AnnotatedImage(fileName: name, objects: [])])
    }
    let text = "\(AnnotationError.unsafeFileName(place, rule))"
    #expect(!text.unicodeScalars.contains { $0.value < 0x20 })
    #expect(text.count < 200)
  }

  @Test(arguments: [
    "a", "..a", "a..", "...", "a/b/c.jpg", "a b.jpg", ".hidden",
    String(repeating: "a", count: 1024),
  ])
  func takesHarmlessFileNames(_ name: String) throws {
    let image = AnnotatedImage(fileName: name, objects: [])
    try expectEqual(AnnotationFile.parse(try AnnotationFile.encode([image])), [image])
  }

  @Test func refusesASecondEntryForAPicture() throws {
    let images = ["a", "b", "c", "b", "a"].map { AnnotatedImage(fileName: $0, objects: []) }
    let expected = AnnotationError.repeatedImage(
      Place(imageIndex: 3, fileName: "b"), firstEntry: 1)
    #expect(throws: expected) { try AnnotationFile.encode(images) }
    #expect(
      error(
        """
        [{"image":"a","annotations":[]},{"image":"b","annotations":[]},
        {"image":"c","annotations":[]},{"image":"b","annotations":[]},{"image":"a","annotations":[]}]
        """) == expected)
    // Names that differ in their bytes are two files.
    let accents = ["\u{E9}", "e\u{301}"].map { AnnotatedImage(fileName: $0, objects: []) }
    let again = try AnnotationFile.parse(try AnnotationFile.encode(accents))
    expectEqual(again.map { Array($0.fileName.utf8) }, accents.map { Array($0.fileName.utf8) })
  }

  @Test func refusesToWriteWhatCannotBeRead() {
    func error(_ label: String, _ box: BoundingBox) -> AnnotationError? {
      let object = AnnotatedObject(label: label, boundingBox: box)
      do throws(AnnotationError) {
        _ = try AnnotationFile.encode([AnnotatedImage(fileName: "a", objects: [object])])
        return nil
      } catch {
        return error
      }
    }
    let place = Place(imageIndex: 0, fileName: "a", objectIndex: 0)
    let good = BoundingBox(x: 1, y: 1, width: 1, height: 1)
    expectEqual(error("1", good), nil)
    expectEqual(error("", good), .emptyLabel(place))
    for size in [0, -1, .infinity, -.infinity, .nan] as [Double] {
      guard
        case .sizeNotPositive(place, "width", _)? = error(
          "1", BoundingBox(x: 1, y: 1, width: size, height: 1))
      else {
        Issue.record("width \(size)")
        continue
      }
    }
    for edge in [.nan, .infinity, -.infinity, 1e6, -1_000_001] as [Double] {
      guard
        case .coordinateOutOfRange(place, "y", _, 1e6)? = error(
          "1", BoundingBox(x: 1, y: edge, width: 1, height: 1))
      else {
        Issue.record("y \(edge)")
        continue
      }
    }
  }

  @Test func boundsPicturesObjectsAndText() {
    let text = file(coordinates: #"{"x":1,"y":1,"width":1,"height":1}"#)
    expectEqual(error(text, limits: AnnotationLimits(imageCount: 2, objectCount: 3)), nil)
    expectEqual(
      error(text, limits: AnnotationLimits(imageCount: 1)), .tooManyImages(found: 2, limit: 1))
    expectEqual(error(text, limits: AnnotationLimits(objectCount: 2)), .tooManyObjects(limit: 2))
    let byteCount = text.utf8.count
    let small = AnnotationLimits(text: JSONLimits(byteCount: byteCount - 1))
    guard case .invalidJSON(let inner)? = error(text, limits: small) else {
      Issue.record("no error")
      return
    }
    expectEqual(inner.rule, .tooLarge(found: byteCount, limit: byteCount - 1))
  }

  @Test func passesOnWhereTheTextIsBroken() {
    guard case .invalidJSON(let inner)? = error("[\n  {\"image\" \"a\"}]") else {
      Issue.record("no error")
      return
    }
    expectEqual(inner.line, 2)
    expectEqual(inner.column, 12)
    #expect("\(AnnotationError.invalidJSON(inner))".contains("Line 2, column 12"))
  }
}

struct AnnotationRobustnessTests {
  @Test func everyTruncationIsRefused() throws {
    let bytes = try Fixtures.bytes("annotations/two-photos.json")
    let end = try #require(bytes.lastIndex(of: UInt8(ascii: "]")))
    for count in 0...end {
      #expect(throws: AnnotationError.self, "\(count) bytes") {
        try AnnotationFile.parse(Array(bytes[..<count]))
      }
    }
  }

  @Test func everyChangedByteIsRefusedOrGivesSoundBoxes() throws {
    var read = 0
    var refused = 0
    for name in ["two-photos", "other-spelling"] {
      let bytes = try Fixtures.bytes("annotations/\(name).json")
      for index in bytes.indices {
        let values = (0..<8).map { bytes[index] ^ 1 << $0 } + [0, 0x22, 0x2D, 0x30, 0x39, 0xFF]
        for value in values where value != bytes[index] {
          var changed = bytes
          changed[index] = value
          do throws(AnnotationError) {
            let images = try AnnotationFile.parse(changed)
            for object in images.flatMap({ $0.objects }) {
              #expect(object.boundingBox.isProper && !object.boundingBox.isEmpty)
            }
            read += 1
          } catch {
            #expect("\(error)".hasSuffix("."))
            refused += 1
          }
        }
      }
    }
    #expect(read > 100)
    #expect(refused > 2000)
  }

  @Test func everyDamageIsRefusedOrGivesSoundBoxes() throws {
    let text =
      #"[{"image":"a/ü.png","annotations":[{"label":"6","coordinates":"#
      + #"{"x":1.5,"y":2e1,"width":4,"height":30}}]}]"#
    var read = 0
    var refused = 0
    let count = Mutations.forEach(of: Array(text.utf8), header: [0..<text.utf8.count]) { changed in
      do throws(AnnotationError) {
        for object in try AnnotationFile.parse(changed).flatMap({ $0.objects })
        where !object.boundingBox.isProper || object.boundingBox.isEmpty {
          Issue.record("\(object.boundingBox)")
        }
        read += 1
      } catch {
        if !"\(error)".hasSuffix(".") { Issue.record("\(error)") }
        refused += 1
      }
    }
    #expect(read + refused == count && read > 100 && refused > 20_000)
  }

  /// A million objects are the limit, counted before any of them is looked at.
  @Test func refusesMoreThanAMillionObjects() {
    let numbers = String(repeating: "0,", count: 1_000_000)
    let bytes = [UInt8](#"[{"image":"a","annotations":[\#(numbers)0]}]"#.utf8)
    #expect(throws: AnnotationError.tooManyObjects(limit: 1_000_000)) {
      try AnnotationFile.parse(bytes)
    }
    let depth = 100_000
    let deep = [UInt8](repeating: UInt8(ascii: "["), count: depth)
    guard
      case .invalidJSON(let error)? = #expect(
        throws: AnnotationError.self, performing: { try AnnotationFile.parse(deep) })
    else { return }
    expectEqual(error.rule, .tooDeep(limit: 128))
  }

  /// Twenty thousand boxes are read; a million empty entries are refused by number, not by time.
  @Test func readsLargeFilesAndBoundsLargerOnes() throws {
    let object = #"{"label":"6","coordinates":{"x":100.25,"y":99.5,"width":40.1,"height":41}}"#
    let list = repeatElement(object, count: 100).joined(separator: ",")
    let entries = (0..<200).map { #"{"image":"\#($0).jpg","annotations":[\#(list)]}"# }
    let bytes = [UInt8]("[\(entries.joined(separator: ","))]".utf8)
    let images = try AnnotationFile.parse(bytes)
    expectEqual(images.count, 200)
    expectEqual(images.reduce(0) { $0 + $1.objects.count }, 20_000)
    #expect(throws: AnnotationError.tooManyObjects(limit: 19_999)) {
      try AnnotationFile.parse(bytes, limits: AnnotationLimits(objectCount: 19_999))
    }
    let many = [UInt8]("[\(String(repeating: "{},", count: 1_000_000)){}]".utf8)
    let limits = AnnotationLimits(text: JSONLimits(valueCount: 10_000))
    guard
      case .invalidJSON(let error)? = #expect(
        throws: AnnotationError.self,
        performing: { try AnnotationFile.parse(many, limits: limits) })
    else { return }
    expectEqual(error.rule, .tooManyValues(limit: 10_000))
  }
}

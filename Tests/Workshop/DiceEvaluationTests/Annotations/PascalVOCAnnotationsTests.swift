import DiceGeometry
import TestSupport
import Testing

@testable import DiceEvaluation

struct PascalVOCAnnotationsTests {
  func error(_ text: String) -> AnnotationError? {
    do throws(AnnotationError) {
      _ = try AnnotationFile.parse([UInt8](text.utf8))
      return nil
    } catch {
      return error
    }
  }

  static let example = """
    <?xml version="1.0" encoding="UTF-8"?>
    <!-- drawn by hand -->
    <annotation verified='yes'>
      <folder>dice</folder>
      <filename>a &amp; b.jpg</filename>
      <path>/home/someone/a.jpg</path>
      <source><database>Unknown</database></source>
      <size><width>640</width><height>480</height><depth>3</depth></size>
      <segmented>0</segmented>
      <object>
        <name> dice-5 </name><pose>Unspecified</pose><difficult>1</difficult>
        <bndbox><xmin>10</xmin><xmax>40.5</xmax><ymin>20</ymin><ymax>60</ymax></bndbox>
        <part><name>pip</name><bndbox><xmin>1</xmin><ymin>1</ymin><xmax>2</xmax><ymax>2</ymax></bndbox></part>
      </object>
    </annotation>

    """

  @Test func readsAPictureAndItsBoxes() throws {
    try expectEqual(
      AnnotationFile.parse([UInt8](Self.example.utf8)),
      [
        AnnotatedImage(
          fileName: "a & b.jpg",
          objects: [
            AnnotatedObject(
              label: "dice-5", boundingBox: BoundingBox(x: 10, y: 20, width: 30.5, height: 40))
          ], width: 640, height: 480)
      ])
  }

  @Test func namesTheLineThatBreaksARule() {
    func with(_ old: String, _ new: String) -> AnnotationError? {
      error(Self.example.replacingFirst(old, new))
    }
    expectEqual(
      with("<ymax>60</ymax>", ""),
      .pascalVOC(.missingElement(line: 12, parent: "bndbox", name: "ymax")))
    expectEqual(
      with("<ymax>60", "<ymax>60px"), .pascalVOC(.notANumber(line: 12, name: "ymax", found: "60px"))
    )
    expectEqual(
      with("<folder>dice</folder>", "<filename>x</filename>"),
      .pascalVOC(.repeatedElement(line: 5, name: "filename")))
    expectEqual(
      with("<width>640", "<width>-1"),
      .pascalVOC(.sizeOutOfRange(line: 8, name: "width", found: "-1")))
    expectEqual(with("<width>640", "<width>0"), nil)
    expectEqual(
      error("<annotations/>"), .pascalVOC(.wrongRoot(line: 1, found: "annotations")))
    let place = AnnotationError.Place(imageIndex: 0, fileName: "a & b.jpg", objectIndex: 0)
    expectEqual(with(" dice-5 ", " "), .emptyLabel(place))
    expectEqual(
      with("<ymax>60", "<ymax>20"), .sizeNotPositive(place, key: "height", found: 0))
    expectEqual(
      with("a &amp; b.jpg", "../a"),
      .unsafeFileName(
        AnnotationError.Place(imageIndex: 0, fileName: "../a"), .leavesFolder))
  }

  // MARK: - XML

  static let documents: [(text: String, rule: XMLError.Rule)] = [
    ("<!DOCTYPE annotation [<!ENTITY a \"b\">]><annotation/>", .documentType),
    ("<annotation>&a;</annotation>", .unknownReference("a")),
    ("<annotation>&#0;</annotation>", .unknownReference("#0")),
    ("<annotation>&#xD800;</annotation>", .unknownReference("#xD800")),
    ("<annotation>&#+65;</annotation>", .unknownReference("#+65")),
    ("<annotation>&amp</annotation>", .unknownReference("amp</annotat")),
    ("<annotation><a></b></annotation>", .mismatchedEnd(found: "b", open: "a")),
    ("<annotation>", .unexpectedEnd), ("<annotation", .unexpectedEnd),
    ("<annotation/><annotation/>", .contentOutsideRoot), ("<annotation/>x", .contentOutsideRoot),
    ("</annotation>", .contentOutsideRoot), ("<!-- a", .unexpectedEnd),
    ("<annotation a=b/>", .unexpected(found: UInt8(ascii: "b"), needed: "a quoted value")),
    ("<annotation a='<'/>", .unexpected(found: UInt8(ascii: "<"), needed: "&lt;")),
    ("<annotation a='1'b='2'/>", .unexpected(found: UInt8(ascii: "b"), needed: "a space, / or >")),
    ("<1/>", .unexpected(found: UInt8(ascii: "1"), needed: "a name")),
    ("<annotation>\u{1}</annotation>", .controlCharacter(1)),
    ("<?xml version='1.0' encoding='utf-16'?><annotation/>", .unsupportedEncoding("utf-16")),
  ]

  @Test(arguments: documents)
  func refusesWhatIsNotReadOfXML(text: String, rule: XMLError.Rule) {
    expectEqual(error(text), .invalidXML(XMLError(rule: rule, line: 1)))
    #expect("\(XMLError(rule: rule, line: 1))".hasSuffix("."))
  }

  @Test func readsTextWithReferencesAndSections() throws {
    let text =
      "\u{FEFF}<?xml version=\"1.0\"?>\n<a b = '1' c=\"&lt;\">x&lt;&#233;&#x1F3B2;<![CDATA[<&]]>"
      + "<b/><!-- - --><?do it?>y</a >\n<!---->"
    let root = try XMLReader.parse([UInt8](text.utf8))
    #expect(root.name == "a" && root.text == "x<é🎲<&y" && root.line == 2)
    expectEqual(root.children, [XMLElement(name: "b", text: "", children: [], line: 2)])
  }

  @Test func boundsDepthElementsAndBytes() {
    func rule(_ text: String, _ limits: XMLLimits) -> XMLError.Rule? {
      do throws(XMLError) {
        _ = try XMLReader.parse([UInt8](text.utf8), limits: limits)
        return nil
      } catch {
        return error.rule
      }
    }
    let nested = String(repeating: "<a>", count: 3) + String(repeating: "</a>", count: 3)
    expectEqual(rule(nested, XMLLimits(depth: 3)), nil)
    expectEqual(rule(nested, XMLLimits(depth: 2)), .tooDeep(limit: 2))
    expectEqual(rule(nested, XMLLimits(elementCount: 2)), .tooManyElements(limit: 2))
    expectEqual(rule(nested, XMLLimits(byteCount: 20)), .tooLarge(found: 21, limit: 20))
    // Deeper than a stack would be.
    let deep = String(repeating: "<a>", count: 1_000_000)
    expectEqual(rule(deep, XMLLimits()), .tooDeep(limit: 32))
    #expect(throws: XMLError(rule: .invalidUTF8, line: 1)) {
      try XMLReader.parse([0x3C, 0x61, 0xFF, 0x2F, 0x3E])
    }
  }

  @Test func everyTruncationIsRefused() {
    let bytes = [UInt8](Self.example.utf8)
    for count in 0..<bytes.count - 2 {
      #expect(throws: AnnotationError.self) { try AnnotationFile.parse(Array(bytes[..<count])) }
    }
  }

  @Test func everyDamageIsRefusedOrGivesSoundBoxes() {
    let bytes = [UInt8](Self.example.utf8)
    var read = 0
    var refused = 0
    _ = Mutations.forEach(of: bytes, header: [200..<320]) { changed in
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
    #expect(read > 100 && refused > 300)
  }
}

extension String {
  /// The text with another one in the place of the first occurrence of a part.
  fileprivate func replacingFirst(_ old: String, _ new: String) -> String {
    guard let range = firstRange(of: old) else { return self }
    return replacingCharacters(in: range, new)
  }

  private func replacingCharacters(in range: Range<Index>, _ new: String) -> String {
    String(self[..<range.lowerBound]) + new + self[range.upperBound...]
  }
}

import DiceEvaluation
import DiceFiles
import DiceGeometry
import TestSupport
import Testing

struct COCOAnnotationsTests {
  func error(_ text: String) -> AnnotationError? {
    do throws(AnnotationError) {
      _ = try AnnotationFile.parse([UInt8](text.utf8))
      return nil
    } catch {
      return error
    }
  }

  /// A file with one picture, one category and the given annotations.
  func file(
    images: String = #"{"id":7,"file_name":"a.jpg","width":640,"height":480}"#,
    categories: String = #"{"id":3,"name":"dice-5"}"#, annotations: String
  ) -> String {
    #"{"info":{"year":2026},"images":[\#(images)],"categories":[\#(categories)],"#
      + #""annotations":[\#(annotations)]}"#
  }

  func annotation(_ members: String) -> String {
    file(annotations: "{\(members)}")
  }

  @Test func readsPicturesBoxesAndNames() throws {
    let text = file(
      images: #"{"id":9,"file_name":"b/b.png"},"#
        + #"{"id":0,"file_name":"a.jpg","width":640,"height":null}"#,
      categories: #"{"id":0,"name":"dice","supercategory":"none"},{"id":5,"name":"five"}"#,
      annotations: #"{"id":1,"image_id":0,"category_id":5,"bbox":[10,20.5,30,40],"area":1200},"#
        + #"{"id":2,"image_id":0,"category_id":5,"bbox":[0,0,4,4],"iscrowd":1}"#)
    let images = try AnnotationFile.parse([UInt8](text.utf8))
    expectEqual(
      images,
      [
        AnnotatedImage(fileName: "b/b.png", objects: []),
        AnnotatedImage(
          fileName: "a.jpg",
          objects: [
            AnnotatedObject(
              label: "five", boundingBox: BoundingBox(x: 10, y: 20.5, width: 30, height: 40)),
            AnnotatedObject(
              label: "?", boundingBox: BoundingBox(x: 0, y: 0, width: 4, height: 4)),
          ], width: 640),
      ])
  }

  @Test func namesTheEntryThatBreaksARule() {
    let good = #""id":1,"image_id":7,"category_id":3,"bbox":[1,2,3,4]"#
    expectEqual(error(annotation(good)), nil)
    let place = COCOError.Entry.annotation(0)
    let cases: [(String, COCOError)] = [
      (#""id":1,"category_id":3,"bbox":[1,2,3,4]"#, .missingKey(place, key: "image_id")),
      (#""image_id":7,"bbox":[1,2,3,4]"#, .missingKey(place, key: "category_id")),
      (#""image_id":7,"category_id":3"#, .missingKey(place, key: "bbox")),
      (
        #""image_id":8,"category_id":3,"bbox":[1,2,3,4]"#, .unknownImage(place, identifier: 8)
      ),
      (
        #""image_id":7,"category_id":4,"bbox":[1,2,3,4]"#,
        .unknownCategory(place, identifier: 4)
      ),
      (#""image_id":7,"category_id":3,"bbox":[1,2,3]"#, .boxCount(place, found: 3)),
      (
        #""image_id":7,"category_id":3,"bbox":[1,2,3,"4"]"#,
        .wrongKind(place, key: "bbox", found: .string, needed: .number)
      ),
      (
        #""image_id":7,"category_id":3,"bbox":{}"#,
        .wrongKind(place, key: "bbox", found: .object, needed: .array)
      ),
      (
        #""image_id":7.5,"category_id":3,"bbox":[1,2,3,4]"#,
        .notWhole(place, key: "image_id", found: 7.5)
      ),
      (
        #""image_id":"7","category_id":3,"bbox":[1,2,3,4]"#,
        .wrongKind(place, key: "image_id", found: .string, needed: .number)
      ),
    ]
    for (members, expected) in cases {
      expectEqual(error(annotation(members)), .coco(expected))
      #expect("\(expected)".hasPrefix("Annotation 0: ") && "\(expected)".hasSuffix("."))
    }
    let box = AnnotationError.Place(imageIndex: 0, fileName: "a.jpg", objectIndex: 0)
    #expect(
      error(annotation(#""image_id":7,"category_id":3,"bbox":[1,2,0,4]"#))
        == .sizeNotPositive(box, key: "width", found: 0))
    #expect(
      error(annotation(#""image_id":7,"category_id":3,"bbox":[1,2e9,3,4]"#))
        == .coordinateOutOfRange(box, key: "y", found: 2e9, limit: 1e6))
  }

  @Test func namesPicturesAndCategoriesThatBreakARule() {
    func images(_ text: String) -> AnnotationError? { error(file(images: text, annotations: "")) }
    func categories(_ text: String) -> AnnotationError? {
      error(file(categories: text, annotations: ""))
    }
    let one = #"{"id":1,"file_name":"a"}"#
    expectEqual(images(one), nil)
    #expect(images(#"{"file_name":"a"}"#) == .coco(.missingKey(.image(0), key: "id")))
    #expect(images(#"{"id":1}"#) == .coco(.missingKey(.image(0), key: "file_name")))
    expectEqual(images("4"), .coco(.wrongKind(.image(0), key: "", found: .number, needed: .object)))
    #expect(
      images(#"\#(one),{"id":1,"file_name":"b"}"#)
        == .coco(.repeatedIdentifier(.image(1), identifier: 1, first: 0)))
    #expect(
      images(#"\#(one),{"id":2,"file_name":"a"}"#)
        == .repeatedImage(AnnotationError.Place(imageIndex: 1, fileName: "a"), firstEntry: 0))
    #expect(
      images(#"{"id":1,"file_name":"../a"}"#)
        == .unsafeFileName(
          AnnotationError.Place(imageIndex: 0, fileName: "../a"), .leavesFolder))
    #expect(
      images(#"{"id":1,"file_name":"a","width":0}"#)
        == .coco(.sizeOutOfRange(.image(0), key: "width", found: 0)))
    #expect(categories(#"{"id":1,"name":""}"#) == .coco(.emptyName(.category(0))))
    #expect(
      categories(#"{"id":1,"name":"a"},{"id":1,"name":"b"}"#)
        == .coco(.repeatedIdentifier(.category(1), identifier: 1, first: 0)))
    #expect(error(#"{"images":[],"annotations":[]}"#) == .coco(.missingKey(nil, key: "categories")))
    #expect(
      error(#"{"images":{},"annotations":[]}"#)
        == .coco(.wrongKind(nil, key: "images", found: .object, needed: .array)))
    #expect(error(#"{"names":[]}"#) == .notAnArray(found: .object))
  }

  @Test func boundsEveryList() throws {
    let text = file(
      categories: #"{"id":1,"name":"1"},{"id":3,"name":"3"}"#,
      annotations: #"{"image_id":7,"category_id":3,"bbox":[1,2,3,4]}"#)
    func error(_ limits: AnnotationLimits) -> AnnotationError? {
      do throws(AnnotationError) {
        _ = try AnnotationFile.parse([UInt8](text.utf8), limits: limits)
        return nil
      } catch {
        return error
      }
    }
    expectEqual(error(AnnotationLimits(imageCount: 1, objectCount: 1, labelCount: 2)), nil)
    expectEqual(error(AnnotationLimits(imageCount: 0)), .tooManyImages(found: 1, limit: 0))
    expectEqual(error(AnnotationLimits(objectCount: 0)), .tooManyObjects(limit: 0))
    expectEqual(error(AnnotationLimits(labelCount: 1)), .tooManyLabels(found: 2, limit: 1))
  }

  @Test func everyDamageIsRefusedOrGivesSoundBoxes() {
    let text = file(annotations: #"{"id":1,"image_id":7,"category_id":3,"bbox":[1,2.5,3,4e1]}"#)
    var read = 0
    var refused = 0
    _ = Mutations.forEach(of: Array(text.utf8), header: [0..<text.utf8.count]) { changed in
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
    #expect(read > 100 && refused > 1000)
  }
}

import DiceFiles
import DiceGeometry
import DiceEvaluation
import Foundation
import TestSupport
import Testing

struct AnnotationFileTests {
  func parse(_ text: String) throws(AnnotationError) -> [AnnotatedImage] {
    try AnnotationFile.parse([UInt8](text.utf8))
  }

  @Test func readsCentresAsBoxes() throws {
    let images = try AnnotationFile.parse(try Fixtures.bytes("annotations/two-photos.json"))
    expectEqual(images.count, 2)
    expectEqual(images[0].fileName, "tray/first.jpg")
    expectEqual(
      images[0].objects,
      [
        AnnotatedObject(
          label: "5",
          boundingBox: BoundingBox(
            x: 264.8 - 43.51 / 2, y: 371.81 - 43.51 / 2, width: 43.51, height: 43.51)),
        AnnotatedObject(
          label: "2",
          boundingBox: BoundingBox(x: 107.6 - 48.19 / 2, y: 275.09 - 20, width: 48.19, height: 40)),
      ])
    expectEqual(images[1], AnnotatedImage(fileName: "empty tray.jpg", objects: []))
  }

  @Test func readsTheOtherSpellingAndPassesOverOtherKeys() throws {
    let images = try AnnotationFile.parse(try Fixtures.bytes("annotations/other-spelling.json"))
    expectEqual(images.count, 1)
    expectEqual(images[0].fileName, "würfel é.png")
    expectEqual(
      images[0].objects.first?.boundingBox, BoundingBox(midX: 3.9, midY: 2, width: 20, height: 40.1)
    )
  }

  @Test func prefersTheUsualSpelling() throws {
    let images = try parse(
      #"[{"imagefilename":"b","image":"a","annotation":[7],"annotations":[]}]"#)
    expectEqual(images, [AnnotatedImage(fileName: "a", objects: [])])
  }

  @Test func readsAFileWithoutPictures() throws {
    try expectEqual(parse("[]"), [])
    try expectEqual(parse(String(decoding: try AnnotationFile.encode([]), as: UTF8.self)), [])
  }

  @Test func readsBackWhatItWrites() throws {
    for name in ["two-photos", "other-spelling"] {
      let images = try AnnotationFile.parse(try Fixtures.bytes("annotations/\(name).json"))
      try expectEqual(AnnotationFile.parse(try AnnotationFile.encode(images)), images)
    }
    // The usual spelling with one line for each picture comes back byte for byte.
    let bytes = try Fixtures.bytes("annotations/two-photos.json")
    try expectEqual(AnnotationFile.encode(try AnnotationFile.parse(bytes)), bytes)
  }

  @Test func writesBoxesOfAnyOriginWithinTheLastBit() throws {
    var generator = SeededGenerator(seed: 5)
    for index in 0..<2000 {
      let box = BoundingBox(
        x: .random(in: -10...2000, using: &generator),
        y: .random(in: -10...2000, using: &generator),
        width: .random(in: 1...500, using: &generator),
        height: .random(in: 1...500, using: &generator))
      let image = AnnotatedImage(
        fileName: "\(index)", objects: [AnnotatedObject(label: "6", boundingBox: box)])
      let again = try AnnotationFile.parse(try AnnotationFile.encode([image]))
      let found = try #require(again.first?.objects.first?.boundingBox)
      #expect(found.width == box.width && found.height == box.height)
      #expect(abs(found.x - box.x) <= 4096.0.ulp)
      #expect(abs(found.y - box.y) <= 4096.0.ulp)
    }
  }

  @Test(.enabled(if: Fixtures.photos != nil, "the folder of labelled photos is not here"))
  func theLabelledPhotosAreReadAndWrittenExactly() throws {
    let photos = try #require(Fixtures.photos)
    let sets = [
      "byler-d6", "roboflow-dice-topface", "wholedie-extras", "rune55-pxl-trays", "rune55-graybox",
    ]
    for (set, file) in sets.flatMap({ [($0, "annotations"), ($0, "validation")] }) {
      let folder = Paths.joined(photos.path(percentEncoded: false), set)
      let bytes = try FileSystem.readFile(
        at: Paths.joined(folder, file + ".json"), byteLimit: 1 << 24)
      let images = try AnnotationFile.parse(bytes)
      // The text itself says how much of what there is.
      let text = String(decoding: bytes.filter { $0 > 0x20 }, as: UTF8.self)
      let occurrences = { (part: String) in text.components(separatedBy: part).count - 1 }
      let objectCounts = (1...6).map { occurrences("\"label\":\"\($0)\"") }
      #expect(images.count == occurrences("\"image\":") && images.count >= 7, "\(set) \(file)")
      var found = [Int](repeating: 0, count: 6)
      for image in images {
        #expect(FileSystem.exists(at: Paths.joined(folder, "images", image.fileName)))
        for object in image.objects {
          let value = try #require(Int(object.label))
          found[value - 1] += 1
        }
      }
      expectEqual(found, objectCounts, "\(set) \(file)")
      try expectEqual(AnnotationFile.parse(try AnnotationFile.encode(images)), images)
    }
  }
}

struct AnnotatedGroundTruthTests {
  let box = BoundingBox(x: 1, y: 2, width: 3, height: 4)

  @Test func turnsLabelsIntoClassIndices() throws {
    let image = AnnotatedImage(
      fileName: "a",
      objects: ["6", "1"].map { AnnotatedObject(label: $0, boundingBox: box) })
    let truth = try AnnotationFile.groundTruth(
      of: [image, AnnotatedImage(fileName: "b", objects: [])],
      classNames: ["1", "2", "3", "4", "5", "6"])
    expectEqual(truth.count, 2)
    expectEqual(truth[0].map { $0.classIndex }, [5, 0])
    #expect(truth[0].allSatisfy { $0.boundingBox == box })
    #expect(truth[1].isEmpty)
  }

  @Test func namesAnUnknownLabel() {
    let images = ["1", "7"].map {
      AnnotatedImage(fileName: $0, objects: [AnnotatedObject(label: $0, boundingBox: box)])
    }
    let error = AnnotationError.unknownLabel(
      AnnotationError.Place(imageIndex: 1, fileName: "7", objectIndex: 0), found: "7",
      known: ["1", "2"])
    #expect(throws: error) {
      try AnnotationFile.groundTruth(of: images, classNames: ["1", "2"])
    }
    expectEqual("\(error)", "Image 1 (\"7\"), object 0: the label \"7\" is none of 1, 2.")
  }
}

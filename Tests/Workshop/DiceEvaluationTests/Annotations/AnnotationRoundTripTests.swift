import DiceFiles
import DiceGeometry
import TestSupport
import Testing

@testable import DiceEvaluation

struct AnnotationRoundTripTests {
  static let images = [
    AnnotatedImage(
      fileName: "tray/first.jpg",
      objects: [
        AnnotatedObject(
          label: "5", boundingBox: BoundingBox(x: 243.045, y: 350.055, width: 43.51, height: 40.1)),
        AnnotatedObject(label: "?", boundingBox: BoundingBox(x: 0, y: 0, width: 1e-3, height: 480)),
        AnnotatedObject(
          label: "a <die> & \"more\" 'é' \\",
          boundingBox: BoundingBox(x: 1, y: 2, width: 3, height: 4)),
      ], width: 640, height: 480),
    AnnotatedImage(fileName: "empty & tray.png", objects: [], width: 33, height: 77),
    AnnotatedImage(
      fileName: "é.jpg",
      objects: [
        AnnotatedObject(
          label: "1", boundingBox: BoundingBox(x: 1 / 3, y: 10 / 7, width: 100 / 3, height: 9))
      ], width: 100, height: 101),
  ]

  /// The greatest difference of two boxes' numbers; nil where pictures, labels or sizes differ.
  static func difference(
    _ one: [AnnotatedImage], _ other: [AnnotatedImage], comparingSizes: Bool = true
  ) -> Double? {
    guard one.map(\.fileName) == other.map(\.fileName) else { return nil }
    var greatest = 0.0
    for (first, second) in zip(one, other) {
      guard first.objects.map(\.label) == second.objects.map(\.label),
        !comparingSizes || first.width == second.width && first.height == second.height
      else { return nil }
      for (a, b) in zip(first.objects, second.objects) {
        for (x, y) in [
          (a.boundingBox.x, b.boundingBox.x), (a.boundingBox.y, b.boundingBox.y),
          (a.boundingBox.width, b.boundingBox.width),
          (a.boundingBox.height, b.boundingBox.height),
        ] { greatest = max(greatest, abs(x - y)) }
      }
    }
    return greatest
  }

  @Test func createMLKeepsEveryNumberButSizesOfPictures() throws {
    let files = try AnnotationFile.files(for: Self.images, as: .createML)
    expectEqual(files.map(\.name), [""])
    let again = try AnnotationFile.parse(files[0].bytes)
    let difference = Self.difference(Self.images, again, comparingSizes: false)
    #expect(try #require(difference) < 1e-13)
  }

  @Test func createMLKeepsAngles() throws {
    var image = Self.images[0]
    image.objects[0].angle = -137.4
    let text = try AnnotationFile.encode([image])
    try expectEqual(AnnotationFile.parse(text)[0].objects.map(\.angle), [-137.4, nil, nil])
    let broken = String(decoding: text, as: UTF8.self).replacing("-137.4", with: "true")
    #expect(
      throws: AnnotationError.wrongKind(
        .init(imageIndex: 0, fileName: "tray/first.jpg", objectIndex: 0), key: "angle",
        found: .bool, needed: .number)
    ) { try AnnotationFile.parse([UInt8](broken.utf8)) }
  }

  @Test func cocoKeepsEveryNumber() throws {
    let files = try AnnotationFile.files(for: Self.images, as: .coco)
    expectEqual(files.map(\.name), [""])
    try expectEqual(AnnotationFile.parse(files[0].bytes), Self.images)
    // A second time the file is the same.
    let again = try AnnotationFile.files(
      for: AnnotationFile.parse(files[0].bytes), as: .coco)
    expectEqual(again, files)
    let root = try JSONReader.parse(files[0].bytes)
    expectEqual(
      root["categories"]?.array?.map { $0["name"]?.string },
      [
        "1", "2", "3", "4", "5", "6", "?", Self.images[0].objects[2].label,
      ])
    expectEqual(root["categories"]?.array?.map { $0["id"]?.integer }, [1, 2, 3, 4, 5, 6, 7, 8])
  }

  @Test func pascalVOCKeepsBoxesToTheLastBits() throws {
    let files = try AnnotationFile.files(for: Self.images, as: .pascalVOC)
    expectEqual(files.map(\.name), ["tray/first.xml", "empty & tray.xml", "é.xml"])
    let again = try files.map { try AnnotationFile.parse($0.bytes)[0] }
    #expect(try #require(Self.difference(Self.images, again)) < 1e-12)
  }

  @Test func yoloKeepsBoxesToTheLastBits() throws {
    let files = try AnnotationFile.files(for: Self.images, as: .yolo)
    expectEqual(
      files.map(\.name),
      [
        "data.yaml", "labels/tray/first.txt", "labels/empty & tray.txt", "labels/é.txt",
      ])
    let description = try YAMLReader.dataset(files[0].bytes, labelLimit: 100)
    expectEqual(description.names, AnnotationFile.classNames(of: Self.images))
    expectEqual(description.folders, ["train": ["images"], "val": ["images"]])
    var rules = AnnotationRules(AnnotationLimits())
    var again = Self.images
    for (index, file) in files.dropFirst().enumerated() {
      again[index].objects = try YOLOAnnotations.objects(
        file.bytes, names: description.names, width: again[index].width ?? 0,
        height: again[index].height ?? 0,
        AnnotationError.Place(imageIndex: index), &rules)
    }
    #expect(try #require(Self.difference(Self.images, again)) < 1e-12)
  }

  @Test func whatAFormatCannotHoldIsRefusedByName() {
    func error(_ image: AnnotatedImage, _ format: AnnotationFormat) -> AnnotationError? {
      do throws(AnnotationError) {
        _ = try AnnotationFile.files(for: [image], as: format)
        return nil
      } catch {
        return error
      }
    }
    func image(_ label: String, _ box: BoundingBox, width: Int? = 100) -> AnnotatedImage {
      AnnotatedImage(
        fileName: "a.png", objects: [AnnotatedObject(label: label, boundingBox: box)],
        width: width, height: 100)
    }
    let place = AnnotationError.Place(imageIndex: 0, fileName: "a.png")
    let object = AnnotationError.Place(imageIndex: 0, fileName: "a.png", objectIndex: 0)
    let box = BoundingBox(x: 1, y: 1, width: 5, height: 5)
    for format in AnnotationFormat.allCases {
      expectEqual(error(image("1", box), format), nil)
      expectEqual(error(image("", box), format), .emptyLabel(object))
      expectEqual(
        error(image("1", BoundingBox(x: 1, y: 1, width: 0, height: 5)), format),
        .sizeNotPositive(object, key: "width", found: 0))
      if format == .createML { continue }
      expectEqual(error(image("1", box, width: nil), format), .missingSize(place))
    }
    for format in [AnnotationFormat.yolo, .pascalVOC] {
      expectEqual(error(image("a\n1", box), format), .unwritableText(object, "a\n1"))
      expectEqual(error(image(" a", box), format), .unwritableText(object, " a"))
    }
    let outside = BoundingBox(x: 98, y: 1, width: 50, height: 5)
    expectEqual(error(image("1", outside), .coco), nil)
    expectEqual(
      error(image("1", outside), .yolo), .outsidePicture(object, width: 100, height: 100))
    let twins = ["a.png", "a.jpg"].map {
      AnnotatedImage(fileName: $0, objects: [], width: 9, height: 9)
    }
    for (format, name) in [(AnnotationFormat.yolo, "a.txt"), (.pascalVOC, "a.xml")] {
      #expect(
        throws: AnnotationError.sameFile(
          AnnotationError.Place(imageIndex: 1, fileName: "a.jpg"), name: name, firstEntry: 0)
      ) { try AnnotationFile.files(for: twins, as: format) }
    }
  }
}

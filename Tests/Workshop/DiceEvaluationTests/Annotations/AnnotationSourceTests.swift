import DiceEvaluation
import DiceFiles
import DiceGeometry
import Foundation
import TestSupport
import Testing

@Suite struct AnnotationSourceTests {
  let folder: Folder

  init() throws { folder = try Folder() }

  /// Files for the length of a test.
  final class Folder {
    let path: String

    init() throws {
      let url = FileManager.default.temporaryDirectory.appending(
        path: "annotations-\(UUID().uuidString)")
      try FileManager.default.createDirectory(at: url, withIntermediateDirectories: true)
      path = url.path(percentEncoded: false)
    }

    deinit { try? FileManager.default.removeItem(atPath: path) }

    func write(_ text: String, to name: String) throws {
      let path = Paths.joined(self.path, name)
      try FileSystem.createFolder(at: Paths.parent(of: path))
      try FileSystem.writeFile([UInt8](text.utf8), to: path)
    }
  }

  func read(
    _ name: String = "", images: String? = nil, part: AnnotationSource.Part = .all
  ) throws(AnnotationSourceError) -> AnnotationSet {
    try AnnotationSource(
      path: Paths.joined(folder.path, name), images: images.map { Paths.joined(folder.path, $0) }
    ).read(part: part) { path in path.hasSuffix("broken.jpg") ? nil : (200, 100) }
  }

  func error(_ name: String = "", part: AnnotationSource.Part = .all) -> AnnotationSourceError? {
    do throws(AnnotationSourceError) {
      _ = try read(name, part: part)
      return nil
    } catch {
      #expect("\(error)".hasSuffix("."))
      return error
    }
  }

  func document(_ name: String, label: String = "dice-3") -> String {
    "<annotation><filename>\(name)</filename><object><name>\(label)</name><bndbox><xmin>1</xmin>"
      + "<ymin>2</ymin><xmax>3</xmax><ymax>4</ymax></bndbox></object></annotation>"
  }

  let coco =
    #"{"images":[{"id":4,"file_name":"a.jpg"}],"categories":[{"id":2,"name":"d6_3"}],"#
    + #""annotations":[{"image_id":4,"category_id":2,"bbox":[1,2,2,2]}]}"#
  let line = "0 0.5 0.5 0.1 0.1\n"
  let three = AnnotatedObject(
    label: "3", boundingBox: BoundingBox(x: 1, y: 2, width: 2, height: 2))

  // MARK: - Files

  @Test func aFileSaysByItsContentWhatItIs() throws {
    try folder.write(coco, to: "x/annotations")
    try folder.write(document("a.jpg"), to: "y/a.json")
    try folder.write(
      #"[{"image":"a.jpg","annotations":[{"label":"Three","coordinates":"#
        + #"{"x":2,"y":3,"width":2,"height":2}}]}]"#, to: "z/a.xml")
    for (name, format) in [
      ("x/annotations", AnnotationFormat.coco), ("y/a.json", .pascalVOC), ("z/a.xml", .createML),
    ] {
      let set = try read(name)
      expectEqual(set.format, format)
      expectEqual(set.images, [AnnotatedImage(fileName: "a.jpg", objects: [three])])
      expectEqual(set.imageFolder, Paths.parent(of: Paths.joined(folder.path, name)))
    }
    try expectEqual(read("x/annotations").identifiers?.images, [4])
    try expectEqual(read("x/annotations").identifiers?.category(of: "3"), 2)
    try expectEqual(read("x/annotations").identifiers?.category(of: "4"), nil)
  }

  @Test func labelsThatAreKnownStay() throws {
    try folder.write(document("a.jpg", label: "one"), to: "a.xml")
    let source = AnnotationSource(path: Paths.joined(folder.path, "a.xml"))
    try expectEqual(source.read { _ in nil }.images[0].objects[0].label, "1")
    try expectEqual(
      source.read(labels: ["one"]) { _ in nil }.images[0].objects[0].label, "one")
  }

  @Test func errorsNameTheFile() throws {
    try folder.write("text", to: "a.json")
    let path = Paths.joined(folder.path, "a.json")
    guard case .annotations(path, .invalidJSON)? = error("a.json") else {
      Issue.record("no error")
      return
    }
    expectEqual(error("missing"), .file(.notFound(path: Paths.joined(folder.path, "missing"))))
  }

  // MARK: - Folders

  @Test func aFolderHoldsOneJSONFile() throws {
    try folder.write(coco, to: "set/annotations/instances.json")
    try folder.write("", to: "set/images/a.jpg")
    let set = try read("set")
    #expect(set.format == .coco && set.images[0].objects == [three])
    try folder.write("[]", to: "set/annotations/other.json")
    expectEqual(
      error("set"),
      .severalKinds(
        folder: Paths.joined(folder.path, "set"), ["instances.json", "other.json"]))
  }

  @Test func aFolderHoldsXMLFilesInTheOrderOfTheirNames() throws {
    try folder.write(document("b.jpg"), to: "VOC/Annotations/b.xml")
    try folder.write(document("a.jpg"), to: "VOC/Annotations/a.xml")
    try folder.write("", to: "VOC/JPEGImages/a.jpg")
    for name in ["VOC", "VOC/Annotations"] {
      let set = try read(name)
      #expect(set.format == .pascalVOC && set.images.map(\.fileName) == ["a.jpg", "b.jpg"])
      #expect(set.imageFolder.hasSuffix("VOC/JPEGImages"))
      expectEqual(set.images[1].objects, [three])
    }
    try folder.write(document("a.jpg"), to: "VOC/Annotations/c.xml")
    expectEqual(
      error("VOC"),
      .annotations(
        path: Paths.joined(folder.path, "VOC/Annotations"),
        .repeatedImage(
          AnnotationError.Place(imageIndex: 2, fileName: "a.jpg"), firstEntry: 0)))
    try folder.write("<a/>", to: "VOC/Annotations/b.xml")
    expectEqual(
      error("VOC"),
      .annotations(
        path: Paths.joined(folder.path, "VOC/Annotations/b.xml"),
        .pascalVOC(.wrongRoot(line: 1, found: "a"))))
  }

  @Test func aYOLODataSetHasParts() throws {
    // As Roboflow writes it: a step too many at the front.
    try folder.write(
      "train: ../train/images\nval: ../valid/images\nnames: [dice-3, table]\n", to: "d/data.yaml")
    try folder.write("", to: "d/train/images/b.png")
    try folder.write("", to: "d/train/images/a.jpg")
    try folder.write(line, to: "d/train/labels/a.txt")
    try folder.write("", to: "d/valid/images/c.jpg")
    try folder.write("1 0.5 0.5 1 1\n", to: "d/valid/labels/c.txt")
    for name in ["d", "d/data.yaml"] {
      let set = try read(name, part: .training)
      expectEqual(set.format, .yolo)
      expectEqual(set.images.map(\.fileName), ["train/images/a.jpg", "train/images/b.png"])
      expectEqual(
        set.images[0].objects,
        [
          AnnotatedObject(
            label: "3", boundingBox: BoundingBox(x: 90, y: 45, width: 20, height: 10))
        ])
      #expect(set.images[0].width == 200 && set.images[1].objects.isEmpty)
      expectEqual(set.path(of: set.images[0]), Paths.joined(folder.path, "d/train/images/a.jpg"))
    }
    try expectEqual(read("d", part: .validation).images.map(\.fileName), ["valid/images/c.jpg"])
    try expectEqual(read("d").images.count, 3)
    try expectEqual(read("d").images[2].objects[0].label, "table")
    // A part by itself takes its names from above.
    try expectEqual(read("d/train").images.map(\.fileName), ["images/a.jpg", "images/b.png"])
  }

  @Test func foldersOfADataSetStayInIt() throws {
    try folder.write("", to: "other/a.jpg")
    try folder.write("", to: "d/images/a.jpg")
    let path = Paths.joined(folder.path, "d/data.yaml")
    for place in [folder.path + "/other", "images/../../other", "missing", "list.txt"] {
      try folder.write("train: \(place)\nnames: [a]\n", to: "d/data.yaml")
      expectEqual(error("d", part: .training), .missingFolder(path: path, named: place))
    }
    for place in ["../other", "path: ../..\ntrain: ../images"] where place != "../other" {
      try folder.write("\(place)\nnames: [a]\n", to: "d/data.yaml")
      try expectEqual(read("d", part: .training).images.count, 1)
    }
    expectEqual(error("d", part: .validation), .missingPart(path: path, part: "val"))
  }

  @Test func picturesHaveTheirTextsBesideThem() throws {
    try folder.write("dice-1\ndice-2\n", to: "flat/classes.txt")
    try folder.write("", to: "flat/a.jpg")
    try folder.write("1 0.5 0.5 0.1 0.1\n", to: "flat/a.txt")
    try folder.write("nothing to do with it", to: "flat/README.txt")
    try expectEqual(read("flat").images[0].objects[0].label, "2")
    try folder.write("[]", to: "flat/a.json")
    expectEqual(
      error("flat"),
      .severalKinds(
        folder: Paths.joined(folder.path, "flat"), ["a.json", "YOLO's text files"]))
  }

  @Test func mistakesInADataSetAreNamed() throws {
    try folder.write("", to: "a/images/broken.jpg")
    try folder.write(line, to: "a/labels/broken.txt")
    expectEqual(error("a"), .noClassNames(folder: Paths.joined(folder.path, "a")))
    try folder.write("1\n", to: "a/classes.txt")
    expectEqual(
      error("a"),
      .unreadablePicture(
        path: Paths.joined(folder.path, "a/images/broken.jpg"),
        annotations: Paths.joined(folder.path, "a/labels/broken.txt")))
    try folder.write("", to: "a/labels/broken.txt")
    try expectEqual(read("a").images.count, 1)
    try folder.write(line, to: "a/labels/lost.txt")
    expectEqual(
      error("a"), .noPicture(annotations: Paths.joined(folder.path, "a/labels/lost.txt")))
    try folder.write("", to: "a/images/lost.jpg")
    try folder.write("5 1 1 1 1", to: "a/labels/lost.txt")
    expectEqual(
      error("a"),
      .annotations(
        path: Paths.joined(folder.path, "a/labels/lost.txt"),
        .yolo(
          AnnotationError.Place(
            imageIndex: 1, fileName: "images/lost.jpg", objectIndex: 0), line: 1,
          .unknownClass(found: 5, count: 1))))
    try folder.write("", to: "empty/readme.md")
    expectEqual(error("empty"), .noAnnotations(folder: Paths.joined(folder.path, "empty")))
  }

  @Test func anotherFolderOfPicturesMayBeNamed() throws {
    try folder.write("train: images\nnames: ['3']\n", to: "out/data.yaml")
    try folder.write(line, to: "out/labels/x/a.txt")
    try folder.write("", to: "photos/x/a.jpg")
    let set = try read("out", images: "photos")
    #expect(set.images.map(\.fileName) == ["x/a.jpg"] && set.images[0].objects.count == 1)
    expectEqual(set.imageFolder, Paths.joined(folder.path, "photos"))
  }

  @Test func everyFormatIsReadBackFromWhatIsWritten() throws {
    let images = [
      AnnotatedImage(
        fileName: "a.jpg",
        objects: [
          AnnotatedObject(
            label: "6", boundingBox: BoundingBox(x: 20, y: 10, width: 40.5, height: 30))
        ], width: 200, height: 100), AnnotatedImage(fileName: "b.jpg", objects: []),
    ]
    var sized = images
    (sized[1].width, sized[1].height) = (200, 100)
    for format in AnnotationFormat.allCases {
      let root = format.rawValue
      for file in try AnnotationFile.files(for: sized, as: format) {
        try folder.write(
          String(decoding: file.bytes, as: UTF8.self),
          to: Paths.joined(root, file.name.isEmpty ? "annotations.json" : file.name))
      }
      for image in images {
        let place = format == .yolo ? "images" : ""
        try folder.write("", to: Paths.joined(root, place, image.fileName))
      }
      let set = try read(root, part: .training)
      expectEqual(set.format, format)
      expectEqual(set.images.map { $0.objects.map(\.label) }, [["6"], []])
      let box = set.images[0].objects[0].boundingBox
      #expect(abs(box.x - 20) < 1e-12 && abs(box.width - 40.5) < 1e-12)
    }
  }
}

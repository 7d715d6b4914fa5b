import DiceEvaluation
import DiceFiles
import DiceGeometry
import TestSupport
import Testing

@testable import DiceCommandLine
@testable import DiceFinders

/// Annotations of every format in every command that takes any.
@Suite struct AnnotationFormatTests {
  let folder: TemporaryFolder
  let call = ToolCall()

  init() throws {
    folder = try TemporaryFolder()
    for name in ["a.png", "b.png"] { try folder.writePicture("set/images/\(name)") }
    try folder.write(
      """
      [{"image": "a.png", "annotations": [
         {"label": "dice-2", "coordinates": {"x": 10, "y": 15, "width": 10, "height": 10}},
         {"label": "?", "coordinates": {"x": 35, "y": 25, "width": 5, "height": 5}}]},
       {"image": "b.png", "annotations": []}]
      """, to: "set/set.json")
    call.find = { (image, _) in
      PictureReading(width: 40, height: 30, dice: [die(2, 0.9, x: 6, y: 11, width: 8, height: 8)])
    }
  }

  private func convert(
    _ source: String, to format: String, _ target: String, _ more: String...
  ) -> CallStatus {
    call.run(
      [
        "convert-annotations", folder.file(source), "--to", format, "--output",
        folder.file(target),
      ] + more)
  }

  /// The same set in a format, where commands find it with its pictures.
  private func written(as format: AnnotationFormat) throws -> String {
    let target = format == .createML || format == .coco ? "other/set.json" : "other"
    try FileSystem.createFolder(at: folder.file("other"))
    expectEqual(convert("set/set.json", to: format.rawValue, target), .success, "\(call.errors)")
    for name in ["a.png", "b.png"] { try folder.writePicture("other/images/\(name)") }
    return folder.file(target)
  }

  @Test(arguments: AnnotationFormat.allCases)
  func everyCommandTakesEveryFormat(_ format: AnnotationFormat) throws {
    let path = try written(as: format)
    expectEqual(call.run("evaluate", "dice", "--format", "csv", path), .success, "\(call.errors)")
    #expect(call.output.contains("a.png,right,2,2,0.9,6,11,8,8\r\n"))
    #expect(call.output.contains("b.png,false_positive,,2,0.9,6,11,8,8\r\n"))
    expectEqual(call.run("relabel", path, "--output", folder.file("faces.json")), .success)
    let faces = try AnnotationFile.parse(try folder.bytes("faces.json"))
    expectEqual(faces.map { $0.objects.map(\.label) }, [["2", "?"], []])
    expectEqual(
      faces[0].objects[0].boundingBox, BoundingBox(x: 6, y: 11, width: 8, height: 8))
    let status = call.run(
      "train", "dice", path, "--output", folder.file("w.dvweights"), "--samples", "2", "--batch",
      "2",
      "--input", "64", "--threads", "1", "--validation", path)
    expectEqual(status, .success, "\(call.errors)")
    #expect(call.errors.contains("2 pictures, 2 dice"))
  }

  @Test func thereAndBackEveryBoxIsTheSame() throws {
    let original = try AnnotationFile.parse(try folder.bytes("set/set.json"))
    for format in AnnotationFormat.allCases {
      let name = format.rawValue
      let target = format == .createML || format == .coco ? "\(name)/x.json" : name
      if format != .yolo { try FileSystem.createFolder(at: folder.file(name)) }
      expectEqual(convert("set/set.json", to: name, target), .success)
      expectEqual(
        convert(target, to: "createml", "\(name)-back.json", "--images", folder.file("set/images")),
        .success, "\(call.errors)")
      let back = try AnnotationFile.parse(try folder.bytes("\(name)-back.json"))
      expectEqual(back.map(\.fileName), original.map(\.fileName))
      expectEqual(back.map { $0.objects.map(\.label) }, [["2", "?"], []])
      for (one, other) in zip(back[0].objects, original[0].objects) {
        #expect(abs(one.boundingBox.x - other.boundingBox.x) < 1e-12)
        #expect(abs(one.boundingBox.height - other.boundingBox.height) < 1e-12)
      }
    }
  }

  @Test func whatIsThereIsNotReplaced() throws {
    let path = try folder.write("mine", to: "out.json")
    expectEqual(convert("set/set.json", to: "coco", "out.json"), .usage)
    try expectEqual(folder.text("out.json"), "mine")
    #expect(call.errors.contains(path))
    expectEqual(convert("set/set.json", to: "coco", "out.json", "--force"), .success)
    expectEqual(convert("set/set.json", to: "coco", "set/set.json", "--force"), .usage)
    try folder.write("names: [x]", to: "yolo/data.yaml")
    expectEqual(convert("set/set.json", to: "yolo", "yolo"), .usage)
    try expectEqual(folder.text("yolo/data.yaml"), "names: [x]")
    #expect(!FileSystem.exists(at: folder.file("yolo/labels")))
  }

  @Test func aSummaryIsThereForPrograms() throws {
    try folder.write(
      #"{"images":[{"id":1,"file_name":"a.png"}],"categories":[{"id":1,"name":"table"}],"#
        + #""annotations":[{"image_id":1,"category_id":1,"bbox":[1,2,3,4]}]}"#,
      to: "set/coco.json")
    expectEqual(convert("set/coco.json", to: "voc", "voc", "--json"), .success, "\(call.errors)")
    let result = try JSONReader.parse([UInt8](call.output.utf8))
    #expect(result["from"]?.string == "coco" && result["to"]?.string == "voc")
    #expect(result["photoCount"]?.integer == 1 && result["boxCount"]?.integer == 1)
    expectEqual(result["otherLabels"], ["table"])
    expectEqual(result["imageFolder"]?.string, folder.file("set/images"))
    #expect(call.errors.contains("\"table\""))
    #expect(try folder.text("voc/a.xml").contains("<width>40</width><height>30</height>"))
  }

  @Test func unknownCategoriesAndMissingOptionsAreNamed() throws {
    try folder.write(
      #"{"images":[{"id":1,"file_name":"a.png"}],"categories":[{"id":1,"name":"table"}],"#
        + #""annotations":[{"image_id":1,"category_id":1,"bbox":[1,2,3,4]}]}"#,
      to: "set/coco.json")
    expectEqual(call.run("evaluate", "dice", folder.file("set/coco.json")), .failure)
    #expect(call.errors.contains("the label \"table\" is none of 1, 2, 3, 4, 5, 6."))
    expectEqual(convert("set/set.json", to: "pickle", "x"), .usage)
    expectEqual(call.run("convert-annotations", "x", "--to", "coco"), .usage)
    expectEqual(call.run("convert-annotations", "x", "--output", "y"), .usage)
    #expect(call.errors.contains("convert-annotations needs --to."))
    expectEqual(convert("missing", to: "coco", "x.json"), .failure)
    try folder.write("broken", to: "set/images/b.png")
    expectEqual(convert("set/set.json", to: "coco", "x.json"), .failure)
    #expect(call.errors.contains("b.png: The picture's size cannot be read"))
    #expect(!FileSystem.exists(at: folder.file("x.json")))
  }
}

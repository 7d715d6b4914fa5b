internal import DiceCommandLine
internal import DiceEvaluation
internal import DiceFiles
internal import DiceVisionTraining

/// `dicevision convert-annotations`: writes annotations in another format.
enum ConvertAnnotationsCommand {
  static let name = "convert-annotations"

  static let format = ValueOption<AnnotationFormat>.choice(
    "to", AnnotationFormat.allCases.map { ($0.rawValue, $0) }, "The format to write. Required.")
  static let output = ValueOption.text(
    "output", "OUT",
    "What to write: a file for createml and coco, a folder for yolo and voc. Required.")
  static let images = ValueOption.text(
    "images", "DIR", "The folder that the pictures' names are relative to.",
    default: "where the pictures of such annotations lie")

  /// The command.
  static let command = Tool.Command(
    description: CommandDescription(
      name: name,
      summary:
        "Writes annotations of Create ML, COCO, YOLO or Pascal VOC in another of these formats.",
      argument: CommandDescription.Argument(
        name: "ANNOTATIONS", summary: "A file or a folder, in any of the formats.", counts: 1...1),
      groups: [
        CommandDescription.OptionGroup(
          title: "Output",
          options: [
            format.description, output.description, OutputPlan.force.description,
            ResultArguments.json.description,
          ]),
        CommandDescription.OptionGroup(title: "Pictures", options: [images.description]),
      ],
      sections: [
        HelpSection(
          title: "What is written",
          blocks: [
            .list([
              "createml: one file. coco: one file, pictures and categories counted from 1.",
              "yolo: OUT/data.yaml and OUT/labels; the pictures belong in OUT/images.",
              "voc: a file for each picture, with the picture's name and .xml.",
            ]),
            .paragraph(
              "Pictures are neither copied nor changed, and their names stay relative to the "
                + "folder that they lie in, which is printed. Boxes keep their numbers. Names of "
                + "classes that mean a value become 1 to 6, as "
                + "dice-3, d6_5 or one; others stay as they are. Sizes of pictures that the annotations do "
                + "not say are read from the pictures. Of a YOLO data set all parts are read."),
          ])
      ],
      examples: [
        CommandDescription.Example(
          call: "\(Tool.name) convert-annotations mine/annotations.json --to coco --output "
            + "coco.json",
          meaning: "For tools that read COCO."),
        CommandDescription.Example(
          call: "\(Tool.name) convert-annotations data --to createml --output annotations.json",
          meaning: "A YOLO data set with its data.yaml, or a folder of XML files, as one file."),
      ]), run: run)

  static func run(
    _ arguments: ParsedArguments, _ environment: Environment
  ) throws(ToolError) -> CallStatus {
    let format = try arguments.required(ConvertAnnotationsCommand.format, of: name)
    let target = try arguments.required(output, of: name)
    let isJSON = try ResultArguments.isJSON(arguments)
    let source = arguments.positionals[0]
    var set = try LabelledSet.read(
      source, images: arguments[images], labels: DieLabel.values, part: .all)
    if format != .createML { try addSizes(&set) }
    let files: [EncodedAnnotations]
    do throws(AnnotationError) {
      files = try AnnotationFile.files(for: set.images, as: format)
    } catch {
      throw .failure(subject: source, sentence: "\(error)")
    }
    try write(files, to: target, arguments, reading: source)

    let labels = set.images.flatMap { $0.objects.map(\.label) }
    let others = Set(labels).subtracting(DieLabel.values + [DieLabel.unreadable]).sorted()
    if !others.isEmpty {
      environment.note(
        "no value of a die, and left as they are: "
          + others.prefix(20).map { quoted($0) }.joined(separator: ", ")
          + (others.count > 20 ? ", ..." : ""))
    }
    if isJSON {
      let result: JSONValue = [
        "output": .string(target), "from": .string(set.format.rawValue),
        "to": .string(format.rawValue), "photoCount": JSONValue(set.images.count),
        "boxCount": JSONValue(labels.count), "imageFolder": .string(set.imageFolder),
        "otherLabels": .array(others.map { .string($0) }),
      ]
      try environment.print(
        String(decoding: JSONWriter.write(result, layout: .pretty), as: UTF8.self))
    } else {
      environment.note(
        "wrote \(quoted(target)): \(NumberText.count(set.images.count, "picture", "pictures")), "
          + "\(NumberText.count(labels.count, "box", "boxes")), from \(set.format.name) to "
          + "\(format.name); names of pictures are relative to \(quoted(set.imageFolder))")
    }
    return .success
  }

  /// Looks up the sizes that are not known in the pictures.
  private static func addSizes(_ set: inout AnnotationSet) throws(ToolError) {
    for index in set.images.indices
    where set.images[index].width == nil || set.images[index].height == nil {
      let path = set.path(of: set.images[index])
      guard let size = TrainingSource.pictureSize(path) else {
        throw .failure(
          subject: path,
          sentence: "The picture's size cannot be read, and this format needs it.")
      }
      (set.images[index].width, set.images[index].height) = (size.width, size.height)
    }
  }

  private static func write(
    _ files: [EncodedAnnotations], to target: String, _ arguments: ParsedArguments,
    reading source: String
  ) throws(ToolError) {
    let option = output.description.spelling
    let isFolder = files.contains { !$0.name.isEmpty } || files.isEmpty
    var plan = OutputPlan(arguments)
    plan.read(source)
    if isFolder { try plan.keepApart(folder: target, for: option) }
    for file in files {
      plan.write(
        Paths.joined(target, file.name), for: option, .unsigned, makesFolder: isFolder)
    }
    try plan.check()
    if isFolder { try OutputFile.createFolder(target) }
    for file in files {
      let path = Paths.joined(target, file.name)
      if isFolder { try OutputFile.createFolder(Paths.parent(of: path)) }
      try OutputFile.write(file.bytes, to: path)
    }
  }
}

internal import DiceCodecs
internal import DiceCommandLine
internal import DiceFiles
internal import DiceFinders
internal import DiceGeometry
internal import DiceRolls
internal import DiceVisionKit

/// `dicevision teach`: teaches faces of your own by photos.
enum TeachCommand {
  static let name = "teach"

  static let add = Switch(
    "add", "Adds to the faces that the set has already. Without it the set begins anew.")
  static let values = ValueOption<[(face: String, value: Int)]>(
    "values", "NAME=N,...", "What faces count, as `plus=1,minus=-1,blank=0`.",
    default: "what the name says, as 6 or d20-17 do, else the place in the set, from 1",
    requirement: "names and whole numbers, as plus=1,minus=-1"
  ) { text in
    var values: [(face: String, value: Int)] = []
    for part in text.split(separator: ",", omittingEmptySubsequences: false) {
      guard let sign = part.lastIndex(of: "="), sign > part.startIndex,
        let value = Int(part[part.index(after: sign)...])
      else { return nil }
      values.append((String(part[..<sign]), value))
    }
    return values
  }
  static let setName = ValueOption.text(
    "name", "NAME", "What the set is called.", default: "the file's name")

  /// The command.
  static let command = Tool.Command(
    description: CommandDescription(
      name: name,
      summary: CommandTable.summary(of: name),
      argument: CommandDescription.Argument(
        name: "SET PHOTO",
        summary: "The file for the set, then photos (PNG, JPEG, PPM, PGM) and folders of them.",
        counts: 2...Int.max),
      groups: [
        CommandDescription.OptionGroup(
          title: "Faces", options: [values.description, setName.description, add.description]),
        CommandDescription.OptionGroup(
          title: "Results",
          options: [ResultArguments.json.description, OutputPlan.force.description]),
        CommandDescription.OptionGroup(
          title: "Pictures", options: [PictureArguments.pixelLimit.description]),
        DetectorArguments.networkGroup,
      ],
      sections: [
        HelpSection(
          title: "Photos",
          blocks: [
            .list([
              "A photo shows one die with the face on top. One photo of each face does; three to five, "
                + "from several sides and in other light, read better. The die may lie at any angle.",
              "A photo in a folder inside a folder PHOTO shows the face that its own folder is called: "
                + "`photos/plus/1.jpg` is a plus. Every other one shows the face that the file is "
                + "called, without a number behind a minus sign: `plus.jpg` and `plus-2.jpg` are.",
              "A photo in which no die is found is named on standard error and left out; the exit "
                + "status is then 1.",
            ]),
            .paragraph(
              "Nothing is trained: the set holds a small map of each face. Dice that resemble no taught "
                + "face are `\(FaceSet.unknownLabel)` and count 0. To read dice: "
                + "`\(Tool.name) detect --faces SET PHOTO`."),
          ])
      ],
      examples: [
        CommandDescription.Example(
          call: "\(Tool.name) teach --values plus=1,minus=-1,blank=0 fudge.faces photos",
          meaning: "Three faces, from photos/plus/1.jpg or photos/plus-1.jpg and so on."),
        CommandDescription.Example(
          call: "\(Tool.name) teach --add fudge.faces dark/minus.jpg",
          meaning: "One photo more."),
      ]), run: run)

  static func run(
    _ arguments: ParsedArguments, _ environment: Environment
  ) throws(ToolError) -> CallStatus {
    let path = arguments.positionals[0]
    let isJSON = try ResultArguments.isJSON(arguments)
    let photos = TaughtPhoto.all(Array(arguments.positionals.dropFirst()))
    var plan = OutputPlan(arguments)
    plan.read(photos.list.map(\.path) + DetectorArguments.files(arguments))
    plan.write(path, for: "SET", .beginning(FaceSet.magic))
    try plan.check()
    for error in photos.errors { environment.report(error) }
    guard !photos.list.isEmpty else { return .failure }
    var faces: FaceSet
    if arguments.contains(add) {
      faces = try TaughtFaces.read(path)
    } else {
      let name =
        arguments[setName] ?? Paths.removingExtension(of: Paths.lastComponent(of: path))
      do throws(FaceSetError) { faces = try FaceSet(name: name) } catch {
        throw .failure(subject: "--name", sentence: "\(error)")
      }
    }
    let values = arguments[values] ?? []
    if let unknown = values.first(where: { value in
      !photos.list.contains { $0.face == value.face }
    }) {
      throw .failure(
        subject: "--values", sentence: "No photo shows the face \(quoted(unknown.face)).")
    }
    var options = DetectorArguments.finderOptions(
      arguments, besides: OrderedWork(partCount: 1, threadCount: 1))
    options.weights = options.weights ?? WeightSource.Name.anyDice.rawValue
    let finder = try environment.makeFinder(options)
    let reader = PictureReader(
      environment: environment,
      pixelLimit: arguments[PictureArguments.pixelLimit] ?? DecodingLimits().pixelCount)
    var status: CallStatus = photos.errors.isEmpty ? .success : .failure
    var seen: [(photo: TaughtPhoto, box: BoundingBox)] = []
    var progress = ProgressBar(environment, title: name, total: photos.list.count)
    for (index, photo) in photos.list.enumerated() {
      progress.show(index, photo.face)
      do throws(ToolError) {
        let image = try reader.read(.file(path: photo.path), keepsAlpha: false).image
        let box = try finder.teach(
          photo.face, value: values.first { $0.face == photo.face }?.value, by: image,
          subject: photo.path, to: &faces)
        seen.append((photo, box))
      } catch {
        progress.clear()
        environment.report(error)
        status = .failure
      }
    }
    progress.clear()
    guard !seen.isEmpty else { return .failure }
    try OutputFile.write(faces.encoded(), to: path)
    if isJSON {
      try environment.print(
        String(
          decoding: JSONWriter.write(json(of: faces, seen), layout: .pretty), as: UTF8.self))
    } else {
      for face in faces.faces {
        try environment.print(
          "\(printable(face.name)): counts \(face.value), "
            + "\(NumberText.count(face.exampleCount, "photo", "photos"))\n")
      }
    }
    return status
  }

  private static func json(
    of faces: FaceSet, _ seen: [(photo: TaughtPhoto, box: BoundingBox)]
  ) -> JSONValue {
    func rounded(_ length: Double) -> JSONValue { .number(NumberText.rounded(length, decimals: 1)) }
    return [
      "name": .string(faces.name),
      "faces": .array(
        faces.faces.map { face in
          [
            "name": .string(face.name), "value": JSONValue(face.value),
            "photos": JSONValue(face.exampleCount),
          ]
        }),
      "photos": .array(
        seen.map { (photo, box) in
          [
            "photo": .string(FileName.repaired(photo.path)), "face": .string(photo.face),
            "box": [
              "x": rounded(box.x), "y": rounded(box.y), "width": rounded(box.width),
              "height": rounded(box.height),
            ],
          ]
        }),
    ]
  }
}

/// A photo and the face that it shows.
struct TaughtPhoto {
  var path: String
  var face: String

  /// The photos of files and folders, and why some of these give none.
  static func all(_ paths: [String]) -> (list: [TaughtPhoto], errors: [ToolError]) {
    var list: [TaughtPhoto] = []
    var errors: [ToolError] = []
    for path in paths {
      guard FileSystem.isFolder(at: path) else {
        list.append(TaughtPhoto(path: path, face: face(ofFile: path)))
        continue
      }
      do throws(FileError) {
        let found = try FolderPictures(in: path, depth: 1).paths
        if found.isEmpty {
          errors.append(
            .failure(subject: path, sentence: "The folder holds no picture that can be read."))
        }
        let folder = FileSystem.identity(of: path)
        for picture in found {
          let parent = Paths.parent(of: picture)
          let isInside = FileSystem.identity(of: parent) != folder
          list.append(
            TaughtPhoto(
              path: picture,
              face: isInside ? Paths.lastComponent(of: parent) : face(ofFile: picture)))
        }
      } catch { errors.append(.file(error)) }
    }
    return (list, errors)
  }

  /// The face that a file is called: its name without extension, and without a number behind a minus
  /// sign but where that is part of a die's face, as in `d20-17`.
  static func face(ofFile path: String) -> String {
    let name = Paths.removingExtension(of: Paths.lastComponent(of: path))
    if DieFace(label: name) != nil { return name }
    guard let sign = name.lastIndex(of: "-"), sign > name.startIndex else { return name }
    let number = name[name.index(after: sign)...]
    let isNumber = !number.isEmpty && number.utf8.allSatisfy { (48...57).contains($0) }
    return isNumber ? String(name[..<sign]) : name
  }
}

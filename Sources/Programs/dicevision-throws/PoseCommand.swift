internal import DiceCommandLine
internal import DiceFiles
internal import ThrowArguments
internal import ThrowVisionKit

/// `dicevision pose`: finds the people of pictures and the joints of their bodies.
enum PoseCommand {
  static let name = "pose"

  static let format = ValueOption<ResultFormat>.choice(
    "format", [("text", .text), ("json", .json)],
    "How results are printed: for people, or as a line of JSON for each picture.", default: "text")
  static let annotate = ValueOption.text(
    "annotate", "OUT",
    "Writes a copy with the people's joints marked: a file for one picture, otherwise a folder. Files "
      + "end in png, jpg or svg.")
  static let box = ValueOption<PersonBox>(
    "box", "X,Y,W,H",
    "Looks for the joints of one person, whose outline is given: left edge, top edge, width and height in "
      + "pixels of the upright picture.",
    default: "finds people", requirement: "four numbers with W and H above 0",
    read: { PersonBox($0) })

  /// The command.
  static let command = Tool.Command(
    description: CommandDescription(
      name: name,
      summary: "Finds the people in pictures and the joints of their bodies.",
      argument: CommandDescription.Argument(
        name: "IMAGE",
        summary: "Pictures (PNG, JPEG, PPM, PGM) and folders of them; `-` reads one picture from "
          + "standard input.",
        counts: 1...Int.max),
      groups: [
        CommandDescription.OptionGroup(
          title: "Results",
          options: [
            format.description, ResultArguments.json.description, annotate.description,
            OutputPlan.force.description,
          ]),
        CommandDescription.OptionGroup(
          title: "Pictures",
          options: [
            box.description, PictureArguments.orientation.description,
            PictureArguments.recursive.description, PictureArguments.pixelLimit.description,
          ]),
        CommandDescription.OptionGroup(
          title: "Networks",
          options: [
            PoseArguments.confidence.description, PoseArguments.joints.description,
            PoseArguments.people.description, PoseArguments.mirror.description,
            PictureArguments.threads.description,
          ]),
      ],
      sections: [
        HelpSection(
          title: "Output",
          blocks: [
            .paragraph(
              "As text: for each picture how many people there are, then a line for each with how sure "
                + "that is, the box and how many joints were found."),
            .code([
              "throw.jpg: 1 person",
              "  91.4 %  x 104.2  y 20.0  143.5 x 343.9  15 joints",
            ]),
            .paragraph(
              "As JSON: one object for each picture on a line of its own, the surest person first. Places "
                + "are pixels of the upright picture from the top left; left and right are the person's "
                + "own. Joints that were not found are missing. Faces have no joints but `head`."),
            .code([
              #"{"image":"throw.jpg","people":[{"box":{"x":104.2,"y":20,"width":143.5,"#
                + #""height":343.9},"confidence":0.914,"joints":{"leftWrist":{"x":140.1,"#
                + #""y":96.7,"confidence":0.83}}}]}"#
            ]),
            .paragraph(
              "A picture that cannot be read is named on standard error with the rule it breaks; "
                + "the others are still read, and the exit status is 1."),
          ])
      ],
      examples: [
        CommandDescription.Example(
          call: "\(Tool.name) \(name) --annotate marked.png throw.jpg",
          meaning: "The people, and a copy with their joints drawn."),
        CommandDescription.Example(
          call: "\(Tool.name) \(name) --format json photos > poses.jsonl",
          meaning: "A line of JSON for each picture of a folder."),
      ]), run: run)

  static func run(
    _ arguments: ParsedArguments, _ environment: Environment
  ) throws(ToolError) -> CallStatus {
    let pictures = try PictureWalk(arguments, environment)
    let format = try ResultArguments.format(arguments, arguments[format])
    let copies = try pictures.copies([(arguments[annotate], nil, annotate.description.spelling)])
    guard pictures.begin() else { return .failure }
    let work = pictures.makeWork()
    let search = PicturePoses(
      detector: try PoseArguments.detector(arguments), reader: pictures.makeReader(),
      orientation: arguments[PictureArguments.orientation], box: arguments[box]?.box,
      isJSON: format == .json, copies: copies[0])
    return try pictures.run(on: work, title: name, as: format) { (source, _) in
      search.perform(source)
    }
  }
}

/// A person's box as it is written: `104,20,143.5,343.9`.
struct PersonBox: Hashable, Sendable {
  var box: BoundingBox

  /// Nil for a text that is no box.
  init?(_ text: String) {
    let numbers = text.split(separator: ",", omittingEmptySubsequences: false)
      .compactMap { NumberText.number(String($0)) }
    guard numbers.count == 4, text.utf8.count(where: { $0 == UInt8(ascii: ",") }) == 3,
      numbers.allSatisfy({ $0.magnitude <= Pose.greatestCoordinate }), numbers[2] > 0,
      numbers[3] > 0
    else { return nil }
    box = BoundingBox(x: numbers[0], y: numbers[1], width: numbers[2], height: numbers[3])
  }
}

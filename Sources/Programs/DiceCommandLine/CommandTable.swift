/// The commands of all programs: which program has which, and what the help says of each.
package enum CommandTable {
  /// A program with its commands.
  package struct Entry: Sendable {
    /// The name of the executable.
    package let program: String
    /// What its commands are about.
    package let title: String
    /// Its commands, a name and a sentence each.
    package let commands: [(name: String, summary: String)]
  }

  /// The program that has the weights of all kits.
  package static let workshop = "dicevision-workshop"

  /// The programs in the order of the help.
  package static let entries = [
    Entry(
      program: Tool.name, title: "Dice",
      commands: [
        ("detect", "Finds the dice in pictures and prints the value on top of each."),
        ("track", "Follows the dice of a film or a camera and prints each roll when it has ended."),
        ("explain", "Shows how a result came about: what the networks saw, proposed and decided."),
        ("teach", "Teaches faces of your own by a few photos of each, for --faces."),
        ("inspect", "Shows what a weight file holds: inputs, outputs, classes, layers, origin."),
        ("run", "Runs any network on tensors: reads and writes .npy files."),
        ("completions", "Prints a script that lets a shell complete commands, options and values."),
        ("help", "Prints the help of a command, or of the tool."),
      ]),
    Entry(
      program: "dicevision-game", title: "Numbers and the game",
      commands: [
        (
          "numbers",
          "Reads numbers drawn with a finger or a pen, from their strokes or from pictures."
        ),
        ("listen", "Prints the number that is said in each sound file, in English."),
        (
          "play",
          "Plays a game with sums and a board, with dice of a film or camera, or typed ones."
        ),
      ]),
    Entry(
      program: "dicevision-table", title: "The table",
      commands: [
        (
          "live",
          "Shows the dice of a camera or a film in the browser, and tells other programs of each roll."
        ),
        ("tally", "Counts the faces of many rolls, and tests whether the dice are fair."),
      ]),
    Entry(
      program: "dicevision-throws", title: "Throws",
      commands: [
        ("field", "Finds the field of play in pictures: a board, a sheet, a tray or a mat."),
        ("trajectories", "Finds thrown objects in a film and prints their trajectories."),
        ("pose", "Finds the people in pictures and the joints of their bodies."),
        ("throws", "Tells overhand, underhand and underleg throws apart from sequences of joints."),
        (
          "session",
          "Plays a game of bean bags from a film: finds the board, follows each throw and scores it."
        ),
      ]),
    Entry(
      program: workshop, title: "Workshop",
      commands: [
        ("train", "Trains a network; `train --help` lists the kinds."),
        ("evaluate", "Measures how well a network does; `evaluate --help` lists the kinds."),
        (
          "relabel",
          "Tightens boxes around whole dice to the top faces that a network finds in them."
        ),
        (
          "convert-annotations",
          "Writes annotations of Create ML, COCO, YOLO or Pascal VOC in another of these formats."
        ),
        ("render", "Draws scenes with dice, for tests and for training."),
        (
          "bundle", "Turns a weight file into the Swift source file that the library is built with."
        ),
        ("quantize", "Measures what 8-bit arithmetic needs, over pictures."),
        ("export", "Writes a network as an ONNX or Core ML model, for other engines."),
        (
          "import",
          "Makes a weight file of another program's model: Core ML, ONNX, TensorFlow Lite or darknet."
        ),
      ]),
  ]

  /// The names of all commands.
  package static let names = entries.flatMap { $0.commands.map { $0.name } }

  /// The program that has a command; nil for no command.
  package static func program(of command: String) -> String? {
    entries.first { $0.commands.contains { $0.name == command } }?.program
  }

  /// What the help says of a command.
  package static func summary(of command: String) -> String {
    entries.lazy.flatMap { $0.commands }.first { $0.name == command }?.summary ?? ""
  }
}

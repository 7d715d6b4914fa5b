/// What all programs of the tool share: its name, its version and what holds for every command.
package enum Tool {
  /// The name under which every command is called.
  package static let name = "dicevision"
  /// The version of the tool and the library.
  package static let version = "0.1.0"
  /// Both, as files say who made them.
  package static let nameAndVersion = "\(name) \(version)"

  /// What the tool is for.
  package static let summary =
    "Finds dice in pictures and reads them, plays a game with them, follows throws in films, and "
    + "trains, measures and packs the networks that do it."

  /// A command with what it does.
  package struct Command: Sendable {
    /// What people and the parser know about it.
    package let description: CommandDescription
    /// Carries out a call.
    package let run: @Sendable (ParsedArguments, Environment) throws(ToolError) -> CallStatus

    /// A command that does its work with `run`.
    package init(
      description: CommandDescription,
      run: @escaping @Sendable (ParsedArguments, Environment) throws(ToolError) -> CallStatus
    ) {
      self.description = description
      self.run = run
    }
  }

  /// The exit statuses in short, for the help of a command.
  package static let exitStatuses =
    "0: everything was done. 1: some input could not be read or processed, or a result not written. "
    + "2: the command line is wrong. 130, 143: interrupted."

  /// What holds for every command.
  package static let sections = [
    HelpSection(
      title: "Exit status",
      blocks: [
        .list([
          "0: everything was done. Also if the reader of the output stopped early, as `head` does.",
          "1: some input could not be read or processed, or a result could not be written; "
            + "standard error names each file and the rule it broke. The rest was done.",
          "2: the command line is wrong; nothing was done.",
          "130, 143: interrupted by SIGINT (control-C) or SIGTERM.",
        ])
      ]),
    HelpSection(
      title: "What is replaced",
      blocks: [
        .list([
          "A call never replaces what it reads, whatever name or link leads to it.",
          "A call replaces a file that a call of the same kind made: the file itself says so. It "
            + "replaces other files with --force only.",
          "Annotations, and weights of another run, count as others' files: somebody may have "
            + "edited them, or they took long to make.",
          "The tool checks all this before the work begins.",
        ])
      ]),
  ]

  /// Calls to begin with.
  package static let examples = [
    CommandDescription.Example(
      call: "\(name) detect roll.jpg", meaning: "Prints the values of the dice and their sum."),
    CommandDescription.Example(
      call: "\(name) detect --format json --annotate marked photos",
      meaning: "A line of JSON for each picture of a folder, and copies with the dice marked."),
  ]
}

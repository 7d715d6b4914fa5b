/// What people and the parser know about a command: one description, from which the parser, the
/// help and the reference are made.
struct CommandDescription: Sendable {
  /// A positional argument.
  struct Argument: Sendable {
    /// What stands for it in a usage line.
    var name: String
    /// What it is: sentences.
    var summary: String
    /// How many of them there are.
    var counts: ClosedRange<Int>
    /// What a shell offers for it.
    var completion = Completion.files(words: [])

    /// The argument in a usage line: `PATH...`, `[FILE]`.
    var usage: String {
      let several = counts.upperBound > 1 ? "\(name)..." : name
      return counts.lowerBound == 0 ? "[\(several)]" : several
    }
  }

  /// Options that belong together.
  struct OptionGroup: Sendable {
    /// What they have in common.
    var title: String
    /// The options in their order in the help.
    var options: [OptionDescription]
  }

  /// A call with what it does.
  struct Example: Sendable {
    /// What is typed.
    var call: String
    /// What happens, as a sentence.
    var meaning: String
  }

  /// The command's name.
  var name: String
  /// What it does, in one sentence.
  var summary: String
  /// What else there is to say.
  var discussion: [HelpBlock] = []
  /// The positional argument, where the command takes any.
  var argument: Argument?
  /// The options but `--help`.
  var groups: [OptionGroup] = []
  /// What must be said of results, files and the like, under titles of their own.
  var sections: [HelpSection] = []
  /// Calls to learn from.
  var examples: [Example] = []

  /// The switch that every command has.
  static let help = Switch("help", "Prints this text.")

  /// Whether messages, help and results are coloured; every command has this option.
  static let color = ValueOption<ColorChoice>.choice(
    "color", ColorChoice.allCases.map { ($0.rawValue, $0) },
    "Whether text is coloured. `auto` colours on a terminal, unless NO_COLOR is set.",
    default: "auto")

  /// The options that every command has.
  static let generalOptions = OptionGroup(
    title: "General", options: [color.description, help.description])

  /// Every option, the general ones included.
  var options: [OptionDescription] {
    groups.flatMap { $0.options } + CommandDescription.generalOptions.options
  }

  /// The usage line: `dicevision detect [OPTIONS] PATH...`.
  var usage: String {
    "\(Tool.name) \(name) [OPTIONS]" + (argument.map { " \($0.usage)" } ?? "")
  }
}

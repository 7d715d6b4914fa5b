/// What people and the parser know about a command: one description, from which the parser and
/// the help are made.
package struct CommandDescription: Sendable {
  /// A positional argument.
  package struct Argument: Sendable {
    /// What stands for it in a usage line.
    package var name: String
    /// What it is: sentences.
    package var summary: String
    /// How many of them there are.
    package var counts: ClosedRange<Int>
    /// What a shell offers for it.
    package var completion: Completion

    /// An argument with all of that.
    package init(
      name: String, summary: String, counts: ClosedRange<Int>,
      completion: Completion = .files(words: [])
    ) {
      self.name = name
      self.summary = summary
      self.counts = counts
      self.completion = completion
    }

    /// The argument in a usage line: `PATH...`, `[FILE]`.
    package var usage: String {
      let several = counts.upperBound > 1 ? "\(name)..." : name
      return counts.lowerBound == 0 ? "[\(several)]" : several
    }
  }

  /// Options that belong together.
  package struct OptionGroup: Sendable {
    /// What they have in common.
    package var title: String
    /// The options in their order in the help.
    package var options: [OptionDescription]

    /// Options under a title.
    package init(title: String, options: [OptionDescription]) {
      self.title = title
      self.options = options
    }
  }

  /// A call with what it does.
  package struct Example: Sendable {
    /// What is typed.
    package var call: String
    /// What happens, as a sentence.
    package var meaning: String

    /// A call with what it does.
    package init(call: String, meaning: String) {
      self.call = call
      self.meaning = meaning
    }
  }

  /// The command's name.
  package var name: String
  /// What it does, in one sentence.
  package var summary: String
  /// What else there is to say.
  package var discussion: [HelpBlock]
  /// The positional argument, where the command takes any.
  package var argument: Argument?
  /// The options but `--help`.
  package var groups: [OptionGroup]
  /// What must be said of results, files and the like, under titles of their own.
  package var sections: [HelpSection]
  /// Calls to learn from.
  package var examples: [Example]

  /// A command with all of that.
  package init(
    name: String, summary: String, discussion: [HelpBlock] = [], argument: Argument? = nil,
    groups: [OptionGroup] = [], sections: [HelpSection] = [], examples: [Example] = []
  ) {
    self.name = name
    self.summary = summary
    self.discussion = discussion
    self.argument = argument
    self.groups = groups
    self.sections = sections
    self.examples = examples
  }

  /// The switch that every command has.
  package static let help = Switch("help", "Prints this text.")

  /// Whether messages, help and results are coloured; every command has this option.
  package static let color = ValueOption<ColorChoice>.choice(
    "color", ColorChoice.allCases.map { ($0.rawValue, $0) },
    "Whether text is coloured. `auto` colours on a terminal, unless NO_COLOR is set.",
    default: "auto")

  /// The options that every command has.
  package static let generalOptions = OptionGroup(
    title: "General", options: [color.description, help.description])

  /// Every option, the general ones included.
  package var options: [OptionDescription] {
    groups.flatMap { $0.options } + CommandDescription.generalOptions.options
  }

  /// The usage line: `dicevision detect [OPTIONS] PATH...`.
  package var usage: String {
    "\(Tool.name) \(name) [OPTIONS]" + (argument.map { " \($0.usage)" } ?? "")
  }
}

/// The options that every command with results has.
enum ResultArguments {
  /// Results for programs.
  static let json = Switch("json", "Prints results as JSON, for programs.")

  /// Whether results are to be JSON, by `--json` or by `--format json`.
  ///
  /// - Throws: `ToolError.usage` where the two contradict each other.
  static func isJSON(
    _ arguments: ParsedArguments, format: DetectCommand.Format? = nil
  ) throws(ToolError) -> Bool {
    guard arguments.contains(json) else { return format == .json }
    if format == .text {
      throw .usage(.conflict(sentence: "--json and --format text contradict each other."))
    }
    return true
  }
}

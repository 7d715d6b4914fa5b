/// The options that every command with results has.
package enum ResultArguments {
  /// Results for programs.
  package static let json = Switch("json", "Prints results as JSON, for programs.")

  /// Whether results are to be JSON, by `--json` or by `--format json`.
  ///
  /// - Throws: `ToolError.usage` where the two contradict each other.
  package static func isJSON(
    _ arguments: ParsedArguments, format: ResultFormat? = nil
  ) throws(ToolError) -> Bool {
    try self.format(arguments, format) == .json
  }

  /// How results are printed, by `--json` or by `--format`.
  ///
  /// - Throws: `ToolError.usage` where the two contradict each other.
  package static func format(
    _ arguments: ParsedArguments, _ format: ResultFormat?
  ) throws(ToolError) -> ResultFormat {
    guard arguments.contains(json) else { return format ?? .text }
    if let format, format != .json {
      throw .usage(
        .conflict(sentence: "--json and --format \(format.rawValue) contradict each other."))
    }
    return .json
  }
}

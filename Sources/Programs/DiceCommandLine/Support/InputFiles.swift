internal import DiceFiles

/// Files that a command reads one after the other, standard input among them.
package enum InputFiles {
  /// What stands for standard input.
  package static let standardInput = "-"

  /// What a path is called in messages.
  package static func name(_ path: String) -> String {
    path == standardInput ? "standard input" : path
  }

  /// Refuses standard input where it is named twice.
  ///
  /// - Throws: `ToolError.usage`.
  package static func checkStandardInput(_ paths: [String]) throws(ToolError) {
    if paths.count(where: { $0 == standardInput }) > 1 {
      throw .usage(.conflict(sentence: "Standard input (-) can be read only once."))
    }
  }

  /// All bytes of a file, or of standard input.
  ///
  /// - Throws: `ToolError.file`.
  package static func bytes(
    _ path: String, byteLimit: Int, _ environment: Environment
  ) throws(ToolError) -> [UInt8] {
    do throws(FileError) {
      return try path == standardInput
        ? environment.readAllStandardInput(byteLimit)
        : FileSystem.readFile(at: path, byteLimit: byteLimit)
    } catch { throw .file(error) }
  }
}

/// Things that are tried one after the other: what fails is reported, and does not keep the others from being
/// done.
package struct Attempts {
  private let environment: Environment
  /// `failure` where something failed.
  package private(set) var status = CallStatus.success

  /// No attempt yet.
  package init(_ environment: Environment) { self.environment = environment }

  /// What comes of something; nil where it fails.
  package mutating func result<Result>(of body: () throws(ToolError) -> Result) -> Result? {
    do throws(ToolError) { return try body() } catch {
      environment.report(error)
      status = .failure
      return nil
    }
  }

  /// Prints an answer, where there is one.
  ///
  /// - Throws: `ToolError` where it cannot be printed.
  package mutating func print(_ answer: () throws(ToolError) -> String) throws(ToolError) {
    if let text = result(of: answer) { try environment.print(text) }
  }
}

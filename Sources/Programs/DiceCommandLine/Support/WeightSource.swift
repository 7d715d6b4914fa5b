internal import DiceFiles
package import DiceWeights

/// Weights of the library that are part of a program.
package struct BundledWeights: Sendable {
  /// Their name.
  package let name: WeightSource.Name
  /// The weight file.
  package let bytes: @Sendable () -> [UInt8]

  /// Weights with a name.
  package init(_ name: WeightSource.Name, _ bytes: @escaping @Sendable () -> [UInt8]) {
    self.name = name
    self.bytes = bytes
  }
}

/// Weight files by their path or, for those of the library, their name.
package enum WeightSource {
  /// The names of the library's own weights, as the user gives them in place of a path.
  package enum Name: String, CaseIterable, Sendable {
    case standard
    case fast
    case secondStage = "second-stage"
    case anyDice = "any-dice"
    case anyDiceSecondStage = "any-dice-second-stage"
    case anyDiceNumerals = "any-dice-numerals"
    case anyDiceFaces = "any-dice-faces"
    case digits
    case actions
    case penWays = "pen-ways"
    case digitOrNone = "digit-or-none"
    case speech
    case joints
    case people

    /// The option of a command that is for these weights; nil where it has none.
    package func option(in command: CommandDescription) -> String? {
      let option = "second-stage"
      guard self == .secondStage, command.options.contains(where: { $0.name == option }) else {
        return nil
      }
      return "--\(option) bundled"
    }
  }

  /// The weight file at a path or of a name; without either the library's standard one.
  ///
  /// - Throws: `ToolError.file`, `.failure` with the broken rule of the format, or `.elsewhere` for the
  ///   name of weights that are part of another program only.
  package static func load(
    _ path: String?, _ environment: Environment
  ) throws(ToolError) -> WeightFile {
    let path = path ?? Name.standard.rawValue
    if let bytes = try bundled(path, environment) { return try file(bytes, path) }
    return try file(bytes(at: path), path)
  }

  /// The library's weights of a name; nil for another text.
  ///
  /// - Throws: `ToolError.elsewhere` if they are part of another program only.
  package static func bundled(
    _ name: String, _ environment: Environment
  ) throws(ToolError) -> [UInt8]? {
    guard let known = Name(rawValue: name) else { return nil }
    guard let weights = environment.program.weights.first(where: { $0.name == known }) else {
      throw .elsewhere(subject: name, program: CommandTable.workshop)
    }
    return weights.bytes()
  }

  /// The bytes of a weight file, which are not checked yet.
  ///
  /// - Throws: `ToolError.file`.
  package static func bytes(at path: String) throws(ToolError) -> [UInt8] {
    do throws(FileError) {
      return try FileSystem.readFile(at: path, byteLimit: WeightFormat.maximumFileByteCount)
    } catch { throw .file(error) }
  }

  /// A weight file from its bytes.
  ///
  /// - Parameter subject: what the file is called in a message.
  /// - Throws: `ToolError.failure` with the broken rule of the format.
  package static func file(_ bytes: [UInt8], _ subject: String) throws(ToolError) -> WeightFile {
    do throws(WeightFileError) {
      return try WeightFile(bytes: bytes)
    } catch {
      throw .failure(subject: subject, sentence: "\(error)")
    }
  }
}

internal import DiceWeights
internal import DiceFiles
internal import DiceGameWeights
internal import DiceThrowWeights
internal import DiceVisionKit

/// Weight files by their path or, for those of the library, their name.
enum WeightSource {
  /// The names of the library's own weights, as the user gives them in place of a path.
  enum Name: String, CaseIterable {
    case standard
    case fast
    case secondStage = "second-stage"
    case digits
    case actions
    case penWays = "pen-ways"
    case digitOrNone = "digit-or-none"
    case speech
    case joints
    case people

    /// The option of a command that is for these weights; nil where it has none.
    func option(in command: CommandDescription) -> String? {
      let option = self == .secondStage ? DetectorArguments.secondStage.description : nil
      guard let option, command.options.contains(where: { $0.name == option.name }) else {
        return nil
      }
      return "\(option.spelling) bundled"
    }

    /// The name of the constant that holds it in the library's source.
    var constant: String {
      switch self {
      case .standard: "standardWeights"
      case .fast: "fastWeights"
      case .secondStage: "secondStageWeights"
      case .digits: "digitWeights"
      case .actions: "actionWeights"
      case .penWays: "penWayWeights"
      case .digitOrNone: "digitOrNoneWeights"
      case .speech: "speechWeights"
      case .joints: "jointWeights"
      case .people: "personWeights"
      }
    }

    /// The weight file.
    var bytes: [UInt8] {
      switch self {
      case .standard: DiceDetector.bundledWeights(.standard)
      case .fast: DiceDetector.bundledWeights(.fast)
      case .secondStage: DiceDetector.bundledSecondStage
      case .digits: GameWeights.digits
      case .actions: ThrowWeights.actions
      case .penWays: GameWeights.penWays
      case .digitOrNone: GameWeights.digitOrNone
      case .speech: GameWeights.speech
      case .joints: ThrowWeights.joints
      case .people: ThrowWeights.people
      }
    }
  }

  /// The weight file at a path or of a name; without either the library's standard one.
  ///
  /// - Throws: `ToolError.file`, or `.failure` with the broken rule of the format.
  static func load(_ path: String?) throws(ToolError) -> WeightFile {
    let path = path ?? Name.standard.rawValue
    if let name = Name(rawValue: path) { return try file(name.bytes, path) }
    return try file(bytes(at: path), path)
  }

  /// The bytes of a weight file, which are not checked yet.
  ///
  /// - Throws: `ToolError.file`.
  static func bytes(at path: String) throws(ToolError) -> [UInt8] {
    do throws(FileError) {
      return try FileSystem.readFile(at: path, byteLimit: WeightFormat.maximumFileByteCount)
    } catch { throw .file(error) }
  }

  /// A weight file from its bytes.
  ///
  /// - Parameter subject: what the file is called in a message.
  /// - Throws: `ToolError.failure` with the broken rule of the format.
  static func file(_ bytes: [UInt8], _ subject: String) throws(ToolError) -> WeightFile {
    do throws(WeightFileError) {
      return try WeightFile(bytes: bytes)
    } catch {
      throw .failure(subject: subject, sentence: "\(error)")
    }
  }
}

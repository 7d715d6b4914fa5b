internal import DiceCommandLine
internal import DiceFiles

/// Carries out a recipe, step by step.
struct RecipeRun {
  private let recipe: TrainingRecipe
  private let environment: Environment

  /// What the arguments ask for.
  ///
  /// - Throws: `ToolError.usage` for what is missing or does not go together, `.file` and `.failure`
  ///   where the folder holds no sets.
  init(
    _ folder: String, _ arguments: ParsedArguments, _ environment: Environment
  ) throws(ToolError) {
    let foreign = TrainCommand.optionsOfSingleRuns.first { arguments.contains($0) }
    if let foreign {
      throw .usage(.conflict(sentence: "\(foreign.spelling) does not go with --recipe."))
    }
    if !arguments.positionals.isEmpty {
      throw .usage(.conflict(sentence: "--recipe finds its sets itself; SOURCE is for one run."))
    }
    let output = try arguments.required(TrainCommand.output, of: TrainCommand.name)
    var names: [String] = []
    do throws(FileError) {
      for set in try FileSystem.folders(in: folder)
      where FileSystem.exists(at: Paths.joined(set, "annotations.json")) {
        names.append(Paths.lastComponent(of: set))
      }
    } catch { throw .file(error) }
    for name in arguments.all(TrainCommand.without) {
      guard let index = names.firstIndex(of: name) else {
        throw .failure(subject: folder, sentence: "There is no set \(quoted(name)).")
      }
      names.remove(at: index)
    }
    guard !names.isEmpty else {
      throw .failure(
        subject: folder, sentence: "No folder in it holds an annotations.json.")
    }
    recipe = TrainingRecipe(
      photos: folder, output: output, sets: names,
      effort: arguments[TrainCommand.effort] ?? 1,
      threadCount: arguments[TrainCommand.threads])
    self.environment = environment
  }

  /// Does what is still to be done.
  func run() throws(ToolError) -> CallStatus {
    do throws(FileError) {
      try FileSystem.createFolder(at: recipe.output)
    } catch { throw .file(error) }
    for (index, step) in recipe.steps.enumerated() {
      let place = "step \(index + 1) of \(recipe.steps.count)"
      if isDone(step) {
        environment.note("\(place): \(quoted(step.product)) is there")
        continue
      }
      environment.note(
        "\(place): \(Tool.name) \(step.arguments.map(shellWord).joined(separator: " "))")
      let status = try environment.program.carryOut(step.arguments, environment)
      guard status == .success else { return status }
    }
    return .success
  }

  /// Whether a step's product is there, with all its pictures.
  private func isDone(_ step: TrainingRecipe.Step) -> Bool {
    guard FileSystem.exists(at: step.product) else { return false }
    guard let count = step.pictureCount else { return true }
    let set = try? LabelledSet.read(
      step.product, images: nil, labels: [], part: .all)
    return (set?.images.count ?? 0) >= count
  }

  /// A word as a shell takes it.
  private func shellWord(_ word: String) -> String {
    let plain = word.utf8.allSatisfy { byte in
      switch byte {
      case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
        UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "-"), UInt8(ascii: "_"),
        UInt8(ascii: "."), UInt8(ascii: "/"), UInt8(ascii: ":"), UInt8(ascii: "="),
        UInt8(ascii: ","):
        true
      default: false
      }
    }
    return plain && !word.isEmpty ? word : quoted(word)
  }
}

internal import DiceCommandLine
internal import DiceFiles
internal import DiceTraining

/// The file that an interrupted run goes on from.
struct TrainingCheckpointFile {
  private static let byteLimit = 1 << 30

  let path: String
  let environment: Environment

  /// Takes up the run of the file.
  ///
  /// - Returns: what the file notes.
  func resume<Task>(_ trainer: Trainer<Task>) throws(ToolError) -> [Double] {
    let bytes: [UInt8]
    do throws(FileError) {
      bytes = try FileSystem.readFile(at: path, byteLimit: Self.byteLimit)
    } catch { throw .file(error) }
    let notes: [Double]
    do throws(TrainingError) { notes = try trainer.resume(from: bytes) } catch {
      throw .failure(
        subject: path,
        sentence: "\(error) --restart begins anew, --checkpoint names another file.")
    }
    environment.note(
      "\(quoted(path)): going on after step \(trainer.step) of \(trainer.options.stepCount)")
    return notes
  }

  /// Writes the state of a run.
  func write<Task>(_ trainer: Trainer<Task>, notes: [Double] = []) throws(ToolError) {
    try OutputFile.write(trainer.checkpoint(notes: notes), to: path)
  }

  /// Tells how to go on with a run, and why it stops.
  func stop<Task>(_ trainer: Trainer<Task>, by signal: Int32) -> ToolError {
    environment.note(
      "stopped after step \(trainer.step) of \(trainer.options.stepCount); the same call goes on "
        + "from \(quoted(path))")
    return .interrupted(signal: signal)
  }
}

internal import DiceCommandLine
internal import DiceFiles
internal import DiceTraining

/// The steps of a run, with its checkpoints and its line of progress.
struct TrainingSteps<Task: LearningTask> {
  private let trainer: Trainer<Task>
  private let command: String
  private let samples: String
  private let checkpoint: TrainingCheckpointFile
  private let environment: Environment
  private var progressLine: ProgressLine

  /// Steps of a trainer.
  ///
  /// - Parameters:
  ///   - trainer: the run.
  ///   - command: the command's name, for messages.
  ///   - samples: what it learns from, for the line of progress: "images".
  ///   - checkpoint: the checkpoint's path.
  init(
    _ trainer: Trainer<Task>, command: String, samples: String, checkpoint: String,
    _ environment: Environment
  ) {
    self.trainer = trainer
    self.command = command
    self.samples = samples
    self.checkpoint = TrainingCheckpointFile(path: checkpoint, environment: environment)
    self.environment = environment
    progressLine = ProgressLine(environment, intervalWithoutTerminal: 10)
  }

  /// Takes up the run of the checkpoint, where there is one.
  func resume(restarts: Bool) throws(ToolError) {
    if restarts || !FileSystem.exists(at: checkpoint.path) { return }
    _ = try checkpoint.resume(trainer)
  }

  /// Does all steps that are left.
  ///
  /// - Throws: `ToolError.interrupted` after the checkpoint has been written, `.file`, `.failure`.
  mutating func train(checkpointInterval: Int) throws(ToolError) {
    let interruption = environment.watchInterruptions()
    let start = (time: environment.seconds(), step: trainer.step)
    // The means over the last steps, the latest ones counting most.
    var loss = 0.0
    var right = 0.0
    var total = 0.0
    while !trainer.isFinished {
      let progress: TrainingProgress
      do throws(TrainingError) { progress = try trainer.advance() } catch {
        progressLine.clear()
        throw .failure(subject: command, sentence: "\(error)")
      }
      loss = 0.99 * loss + 0.01 * Double(progress.loss.total)
      right = 0.99 * right + 0.01 * Double(progress.loss["right"] ?? 0)
      total = 0.99 * total + 0.01
      let now = environment.seconds()
      if progressLine.isDue(at: now) || trainer.isFinished {
        let done = Double(trainer.step - start.step) * Double(trainer.options.batchSize)
        let speed = now > start.time ? done / (now - start.time) : 0
        progressLine.show(
          "step \(trainer.step)/\(trainer.options.stepCount)"
            + "  loss \(NumberText.fixed(loss / total, decimals: 4))"
            + "  right \(NumberText.percent(right / total))"
            + "  \(NumberText.fixed(speed, decimals: 0)) \(samples)/s", at: now)
      }
      let signal = interruption()
      if signal != nil || trainer.isFinished || trainer.step.isMultiple(of: checkpointInterval) {
        do throws(ToolError) { try checkpoint.write(trainer) } catch {
          progressLine.clear()
          throw error
        }
      }
      if let signal {
        progressLine.clear()
        throw checkpoint.stop(trainer, by: signal)
      }
    }
    progressLine.close()
  }
}

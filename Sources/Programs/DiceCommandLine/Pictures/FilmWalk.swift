package import DiceCodecs
internal import DiceFiles
internal import DiceNumerics

/// The way through a film, from its first frame to its last: what is lost on it is told, a line of progress
/// shows how far it is, and an interruption ends it.
package struct FilmWalk {
  /// The most losses that are told one by one.
  private static let toldLossLimit = 10

  private var input: FrameInput
  private let environment: Environment
  private var progress: ProgressLine
  private var frameCount = 0
  private var lossCount = 0

  /// The beginning of a film.
  package init(_ input: FrameInput, _ environment: Environment) {
    self.input = input
    self.environment = environment
    progress = ProgressLine(environment, intervalWithoutTerminal: nil)
  }

  /// What the frames come from, for messages.
  package var name: String { input.name }

  /// Frames in a second.
  package var frameRate: FrameRate { input.frameRate }

  /// `failure` where frames were lost.
  package var status: CallStatus { lossCount == 0 ? .success : .failure }

  /// Hands on every frame.
  ///
  /// Losses are told as they happen; of many, how many more there were in the end.
  ///
  /// - Parameter follow: takes a frame, and the walk to print and to show progress with.
  /// - Throws: what `follow` throws; `ToolError.interrupted`; `.file` and `.failure` where the film gives no
  ///   more frames, or had none at all.
  package mutating func forEachFrame(
    _ follow: (VideoFrame, inout FilmWalk) throws(ToolError) -> Void
  ) throws(ToolError) {
    do throws(ToolError) { try goOn(follow) } catch {
      tellFurtherLosses()
      throw error
    }
    tellFurtherLosses()
    if frameCount == 0, lossCount == 0 {
      throw .failure(subject: name, sentence: "The film has no frames.")
    }
    if let note = input.singlePictureNote { environment.note(note) }
  }

  private mutating func goOn(
    _ follow: (VideoFrame, inout FilmWalk) throws(ToolError) -> Void
  ) throws(ToolError) {
    let interruption = environment.watchInterruptions()
    defer { progress.clear() }
    while let event = try input.next() {
      if let signal = interruption() { throw .interrupted(signal: signal) }
      switch event {
      case .lost(let lost): tell(lost)
      case .frame(let frame):
        try follow(frame, &self)
        frameCount += 1
      }
    }
  }

  private mutating func tell(_ lost: LostFrame) {
    if case .others(let count) = lost.reason {
      lossCount += count
      return
    }
    lossCount += 1
    guard lossCount <= Self.toldLossLimit else { return }
    progress.clear()
    environment.report(.failure(subject: name, sentence: "\(lost)"))
  }

  /// Tells how many losses there were besides those that were told one by one.
  private func tellFurtherLosses() {
    let count = lossCount - Self.toldLossLimit
    guard count > 0 else { return }
    environment.report(
      .failure(
        subject: name,
        sentence: "\(NumberText.grouped(count)) more such \(count == 1 ? "loss" : "losses")."))
  }

  /// Prints a result in place of the line of progress.
  package mutating func print(_ text: String) throws(ToolError) {
    progress.clear()
    try environment.print(text)
  }

  /// Shows how far the film is, and what else there is to say, where it is time for that.
  package mutating func showProgress(_ frame: VideoFrame, _ detail: @autoclosure () -> String = "")
  {
    let now = environment.seconds()
    guard progress.isDue(at: now) else { return }
    let detail = detail()
    let text =
      "\(NumberText.fixed(frame.timestamp.inSeconds, decimals: 2)) s"
      + (detail.isEmpty ? "" : "  \(detail)")
    progress.show(TerminalText.prefix(text, of: progress.columns - 1), at: now)
  }
}

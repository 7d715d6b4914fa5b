internal import DiceFiles

/// A line of progress: on a terminal it is written anew in place, elsewhere now and then.
package struct ProgressLine {
  /// The seconds between two lines.
  package let interval: Double

  private let environment: Environment
  private let isSilentWithoutTerminal: Bool
  private var lastTime: Double?
  private var isOpen = false

  /// A line of progress.
  ///
  /// - Parameters:
  ///   - environment: where it is written.
  ///   - interval: the seconds between two lines where no terminal shows them; nil for none there.
  package init(_ environment: Environment, intervalWithoutTerminal interval: Double?) {
    self.environment = environment
    isSilentWithoutTerminal = interval == nil
    self.interval = environment.isErrorTerminal ? 0.1 : interval ?? 0
  }

  /// Whether it is time for a new text; making one can be spared otherwise.
  package func isDue(at seconds: Double) -> Bool {
    if !environment.isErrorTerminal, isSilentWithoutTerminal { return false }
    guard let lastTime else { return true }
    return seconds - lastTime >= interval
  }

  /// The columns of the terminal; 80 where it does not say.
  package var columns: Int {
    if let columns = environment.terminalColumns() { return max(1, columns) }
    return environment.variable("COLUMNS").flatMap { NumberText.integer($0) }
      .map { min(max($0, 1), 10_000) } ?? 80
  }

  /// Shows a text, which fits a line of the terminal.
  package mutating func show(_ text: String, at seconds: Double) {
    lastTime = seconds
    if environment.isErrorTerminal {
      // Back to the left edge, the text, and the rest of the line erased.
      environment.writeError([UInt8]("\r\(text)\u{1B}[K".utf8))
      isOpen = true
    } else if !isSilentWithoutTerminal {
      environment.writeError([UInt8]("\(text)\n".utf8))
    }
  }

  /// Erases the line on a terminal, so that messages and results begin at the left edge.
  package mutating func clear() {
    if isOpen { environment.writeError([UInt8]("\r\u{1B}[K".utf8)) }
    isOpen = false
  }

  /// Leaves the line as it is on a terminal and goes to the next one.
  package mutating func close() {
    if isOpen { environment.writeError([0x0A]) }
    isOpen = false
  }
}

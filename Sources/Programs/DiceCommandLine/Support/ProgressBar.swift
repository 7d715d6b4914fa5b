internal import DiceFiles

/// How far a long piece of work is, as a bar on a terminal; elsewhere nothing is shown.
///
/// It appears when the work has gone on for half a second and will take more than two, and is gone
/// without a trace after `clear()`.
package struct ProgressBar {
  /// Work that takes no longer, in seconds, has no bar.
  package static let patience = 2.0
  /// After so many seconds the time left can be estimated.
  package static let firstEstimate = 0.5

  private let environment: Environment
  private let title: String
  private let total: Int
  private let startTime: Double
  /// What was done before the start, and took no time now.
  private let start: Int
  private var line: ProgressLine
  private var isShown = false

  /// A bar for so many parts.
  ///
  /// - Parameters:
  ///   - environment: the terminal and the clock.
  ///   - title: what is done, as a word or two.
  ///   - total: how many parts there are.
  ///   - start: how many of them were done before.
  package init(_ environment: Environment, title: String, total: Int, startingAt start: Int = 0) {
    self.environment = environment
    self.title = title
    self.total = total
    self.start = start
    line = ProgressLine(environment, intervalWithoutTerminal: nil)
    startTime = environment.seconds()
  }

  /// Shows that so many parts are done.
  ///
  /// - Parameters:
  ///   - done: the parts, at most all.
  ///   - detail: what else there is to say; it is shown as far as there is room.
  package mutating func show(_ done: Int, _ detail: @autoclosure () -> String = "") {
    guard environment.isErrorTerminal, total > 0 else { return }
    let now = environment.seconds()
    guard line.isDue(at: now) else { return }
    let elapsed = now - startTime
    let fresh = max(0, done - start)
    guard fresh > 0, elapsed >= Self.firstEstimate else { return }
    let left = elapsed / Double(fresh) * Double(max(0, total - done))
    if !isShown, elapsed + left < Self.patience { return }
    isShown = true
    line.show(
      Self.text(
        title: title, done: done, total: total, secondsLeft: left, detail: detail(),
        columns: line.columns, isUnicode: environment.isUnicode,
        style: environment.style(on: .error)), at: now)
  }

  /// Erases the bar, so that messages and results begin at the left edge.
  package mutating func clear() { line.clear() }

  // MARK: - Text

  /// A bar with its words: at most `columns - 1` columns wide, so that no terminal breaks the line.
  ///
  /// What there is no room for is left out: first the detail, then the bar, then the counts.
  package static func text(
    title: String, done: Int, total: Int, secondsLeft: Double, detail: String, columns: Int,
    isUnicode: Bool, style: TextStyle = .plain
  ) -> String {
    let room = max(1, columns - 1)
    let share = min(max(Double(done) / Double(max(1, total)), 0), 1)
    let digits = NumberText.fixed((share * 100).rounded(.down), decimals: 0)
    let percent = String(repeating: " ", count: max(0, 3 - digits.count)) + digits + " %"
    let count = "\(NumberText.grouped(done)) of \(NumberText.grouped(total))"
    let left = "\(NumberText.duration(seconds: secondsLeft)) left"
    let short = TerminalText.clipped("\(title) \(percent)", to: room, isUnicode: isUnicode)
    var words = "\(percent)  \(count)  \(left)"
    var used = TerminalText.width(of: title) + 2 + TerminalText.width(of: words)
    if used > room {
      words = "\(percent)  \(left)"
      used = TerminalText.width(of: title) + 2 + TerminalText.width(of: words)
      if used > room { return short }
    }
    var text = ""
    // Without better characters the bar stands in brackets.
    let frame = isUnicode ? 0 : 2
    let barWidth = min(30, room - used - 2 - frame)
    if barWidth >= 8 {
      text = bar(share, width: barWidth, isUnicode: isUnicode, style) + "  "
      used += barWidth + 2 + frame
    }
    let rest = room - used - 2
    let shown = rest >= 8 ? printable(detail) : ""
    let end =
      shown.isEmpty
      ? "" : "  " + style.faint(TerminalText.clipped(shown, to: rest, isUnicode: isUnicode))
    return "\(style.bold(title))  \(text)\(words)\(end)"
  }

  private static func bar(
    _ share: Double, width: Int, isUnicode: Bool, _ style: TextStyle
  ) -> String {
    let full = isUnicode ? "━" : "#"
    let half = isUnicode ? "╸" : ""
    let empty = isUnicode ? "─" : "."
    let halves = Int((share * Double(2 * width)).rounded(.down))
    let fullCount = halves / 2
    let hasHalf = isUnicode && halves % 2 == 1 && fullCount < width
    let filled = String(repeating: full, count: fullCount) + (hasHalf ? half : "")
    let rest = String(repeating: empty, count: width - fullCount - (hasHalf ? 1 : 0))
    let body = style.typed(filled) + style.faint(rest)
    return isUnicode ? body : "[\(body)]"
  }
}

/// Text as it stands on a terminal.
package enum TerminalText {
  /// How many columns a text takes: two for wide characters of East Asia and pictures, none for
  /// marks that sit on others.
  package static func width(of text: String) -> Int {
    text.unicodeScalars.reduce(0) { $0 + width(of: $1) }
  }

  private static func width(of scalar: Unicode.Scalar) -> Int {
    switch scalar.value {
    case 0x300...0x36F, 0x200B...0x200F, 0xFE00...0xFE0F: 0
    case 0x1100...0x115F, 0x2E80...0xA4CF, 0xAC00...0xD7A3, 0xF900...0xFAFF, 0xFE30...0xFE6F,
      0xFF00...0xFF60, 0xFFE0...0xFFE6, 0x1F300...0x1FAFF, 0x20000...0x3FFFD:
      2
    default: 1
    }
  }

  /// The text where it fits, else its end behind an ellipsis: names differ at their ends.
  package static func clipped(_ text: String, to room: Int, isUnicode: Bool) -> String {
    if width(of: text) <= room { return text }
    let ellipsis = isUnicode ? "…" : "..."
    guard room > ellipsis.count else { return String(repeating: ".", count: max(0, room)) }
    var scalars: [Unicode.Scalar] = []
    var used = ellipsis.count
    for scalar in text.unicodeScalars.reversed() {
      used += width(of: scalar)
      if used > room { break }
      scalars.append(scalar)
    }
    return ellipsis + String(String.UnicodeScalarView(scalars.reversed()))
  }

  /// The beginning of a text that fits.
  package static func prefix(_ text: String, of room: Int) -> String {
    var result = String.UnicodeScalarView()
    var used = 0
    for scalar in text.unicodeScalars {
      used += width(of: scalar)
      if used > room { break }
      result.append(scalar)
    }
    return String(result)
  }
}

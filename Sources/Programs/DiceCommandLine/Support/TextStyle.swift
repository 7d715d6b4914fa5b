/// Whether text is coloured, as the user asks for it.
package enum ColorChoice: String, CaseIterable, Sendable {
  /// On a terminal, unless `NO_COLOR` is set or the terminal is a dumb one.
  case auto
  case always
  case never
}

/// Text in bold and in colours for a terminal, or plain.
package struct TextStyle: Hashable, Sendable {
  /// Whether the escape sequences of terminals are written.
  package let isColored: Bool

  /// Text as it is.
  package static let plain = TextStyle(isColored: false)

  /// The colours of the values 1 to 6, those of the 256 that are nearest to the palette's.
  private static let valueColors = [81, 208, 36, 227, 203, 99]

  /// The text in bold.
  package func bold(_ text: String) -> String { sequence("1", text) }

  /// The text in a weaker colour.
  package func faint(_ text: String) -> String { sequence("2", text) }

  /// The text as that of an error.
  package func error(_ text: String) -> String { sequence("1;31", text) }

  /// The text in the colour of names that are typed.
  package func typed(_ text: String) -> String { sequence("36", text) }

  /// The text in bold, in the colour of a value; other numbers than 1 to 6 are bold only.
  package func value(_ value: Int, _ text: String) -> String {
    (1...6).contains(value)
      ? sequence("1;38;5;\(Self.valueColors[value - 1])", text) : bold(text)
  }

  private func sequence(_ code: String, _ text: String) -> String {
    isColored && !text.isEmpty ? "\u{1B}[\(code)m\(text)\u{1B}[0m" : text
  }
}

extension Environment {
  /// A stream that people may read.
  package enum Stream {
    case output
    case error
  }

  /// How text on a stream looks.
  package func style(on stream: Stream) -> TextStyle {
    switch colors {
    case .always: return TextStyle(isColored: true)
    case .never: return .plain
    case .auto: break
    }
    let isTerminal = stream == .output ? isOutputTerminal : isErrorTerminal
    // Set and not empty, as https://no-color.org says.
    let isRefused = !(variable("NO_COLOR") ?? "").isEmpty || variable("TERM") == "dumb"
    return TextStyle(isColored: isTerminal && !isRefused)
  }

  /// Whether the surroundings say that text is UTF-8.
  package var isUnicode: Bool {
    for name in ["LC_ALL", "LC_CTYPE", "LANG"] {
      guard let value = variable(name), !value.isEmpty else { continue }
      let plain = value.lowercased().filter { $0 != "-" }
      return plain.hasSuffix("utf8")
    }
    return false
  }
}

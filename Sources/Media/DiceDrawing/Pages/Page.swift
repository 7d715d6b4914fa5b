internal import DiceFiles

/// A page that is a single file: markup, style, drawings and pictures, and nothing that a browser would
/// have to fetch or run.
package struct Page {
  /// What was written so far.
  package var markup = MarkupWriter()

  /// Begins a page.
  ///
  /// - Parameters:
  ///   - title: What it is about.
  ///   - refreshSeconds: After how many seconds a browser shall look for a newer one; nil for never.
  package init(title: String, refreshSeconds: Int? = nil) {
    markup.raw("<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n")
    // Even where something slipped through: nothing is fetched and nothing runs.
    markup.raw("<meta http-equiv=\"Content-Security-Policy\" content=\"default-src 'none'; ")
    markup.raw("style-src 'unsafe-inline'; img-src data:\">\n")
    markup.raw("<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n")
    if let refreshSeconds {
      markup.raw("<meta http-equiv=\"refresh\" content=\"")
      markup.number(Double(refreshSeconds))
      markup.raw("\">\n")
    }
    markup.raw("<title>")
    markup.text(title)
    markup.raw("</title>\n")
    PageStyle.write(to: &markup)
    markup.raw("</head>\n<body>\n<main>\n")
    element("h1", title)
  }

  /// The whole file.
  ///
  /// - Parameter program: the name and the version of the program that makes it.
  package mutating func finished(by program: String) -> [UInt8] {
    element("footer", program)
    markup.raw("</main>\n</body>\n</html>\n")
    return markup.bytes
  }

  // MARK: - Parts

  /// Adds an element with text.
  package mutating func element(_ name: StaticString, _ text: String) {
    markup.open(name)
    markup.text(text)
    markup.close(name)
  }

  /// Adds a section's title and what it says.
  package mutating func section(_ title: String, _ explanation: String = "") {
    element("h2", title)
    if !explanation.isEmpty { element("p", explanation) }
  }

  /// Adds figures that matter most.
  package mutating func facts(_ facts: [(figure: String, meaning: String)]) {
    markup.raw("<div class=\"facts\">\n")
    for fact in facts {
      markup.raw("<div class=\"fact\"><b>")
      markup.text(fact.figure)
      markup.raw("</b><span>")
      markup.text(fact.meaning)
      markup.raw("</span></div>\n")
    }
    markup.raw("</div>\n")
  }

  /// Adds a card with a title, an explanation and what `content` writes.
  package mutating func card(
    _ title: String, _ explanation: String = "", _ content: (inout MarkupWriter) -> Void
  ) {
    markup.raw("<div class=\"card\">\n")
    element("h3", title)
    if !explanation.isEmpty { element("p", explanation) }
    content(&markup)
    markup.raw("</div>\n")
  }

  /// Puts cards side by side where there is room.
  package mutating func grid(_ cards: (inout Page) -> Void) {
    markup.raw("<div class=\"grid\">\n")
    cards(&self)
    markup.raw("</div>\n")
  }

  /// Adds a table.
  ///
  /// - Parameters:
  ///   - header: The titles of the columns.
  ///   - rows: The cells; what follows a line feed in a cell is small.
  ///   - hasSum: Whether the last row sums up the others.
  package mutating func table(_ header: [String], _ rows: [[String]], hasSum: Bool = false) {
    markup.table(header, rows, hasSum: hasSum)
  }
}

extension MarkupWriter {
  /// Adds `<name>`, on a line of its own.
  package mutating func open(_ name: StaticString) {
    raw("<")
    raw(name)
    raw(">")
  }

  /// Adds `</name>` and a line break.
  package mutating func close(_ name: StaticString) {
    raw("</")
    raw(name)
    raw(">\n")
  }

  /// Adds a table, as `Page.table` says.
  package mutating func table(_ header: [String], _ rows: [[String]], hasSum: Bool = false) {
    raw("<div class=\"scroll\"><table>\n<thead><tr>")
    for cell in header { self.cell("th", cell) }
    raw("</tr></thead>\n<tbody>\n")
    for (index, row) in rows.enumerated() {
      if hasSum && index == rows.count - 1 { raw("<tr class=\"sum\">") } else { raw("<tr>") }
      for cell in row { self.cell("td", cell) }
      raw("</tr>\n")
    }
    raw("</tbody>\n</table></div>\n")
  }

  private mutating func cell(_ name: StaticString, _ content: String) {
    open(name)
    let parts = content.split(separator: "\n", maxSplits: 1)
    text(parts.first.map { String($0) } ?? "")
    if parts.count > 1 {
      raw(" <small>")
      text(String(parts[1]))
      raw("</small>")
    }
    raw("</")
    raw(name)
    raw(">")
  }

  /// Adds a value's name on the value's colour.
  package mutating func valueTag(_ name: String) {
    raw("<span class=\"tag v")
    let value = NumberText.integer(name) ?? 0
    number(Double((1...6).contains(value) ? value : 0))
    raw("\">")
    text(name)
    raw("</span>")
  }
}

/// A piece of a help text.
package enum HelpBlock: Hashable, Sendable {
  /// Running text, broken into lines where needed. Words between back quotes are code.
  case paragraph(String)
  /// Points of a list.
  case list([String])
  /// Lines that stay as they are.
  case code([String])
}

/// A part of a help text under a title of its own.
package struct HelpSection: Hashable, Sendable {
  /// The title.
  package var title: String
  /// What stands under it.
  package var blocks: [HelpBlock]

  /// A part under a title.
  package init(title: String, blocks: [HelpBlock]) {
    self.title = title
    self.blocks = blocks
  }
}

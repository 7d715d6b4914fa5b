/// A piece of a help text.
enum HelpBlock: Hashable, Sendable {
  /// Running text, broken into lines where needed. Words between back quotes are code.
  case paragraph(String)
  /// Points of a list.
  case list([String])
  /// Lines that stay as they are.
  case code([String])
}

/// A part of a help text under a title of its own.
struct HelpSection: Hashable, Sendable {
  /// The title.
  var title: String
  /// What stands under it.
  var blocks: [HelpBlock]
}

internal import DiceFiles

/// What a call reads and what it will write, declared before its work begins.
///
/// One rule holds for every command:
///
/// - What a call reads is never replaced, whatever names lead to it.
/// - A file that is there already is replaced only where this tool made it (`OutputKind`), or with
///   `--force`.
///
/// Devices and pipes are written to as they are.
package struct OutputPlan {
  /// Replaces files that others made.
  package static let force = Switch(
    "force",
    "Replaces files that are there already, also those that no call like this one made. What the "
      + "call reads is never replaced.")

  /// A file that will be written.
  private struct Output {
    var option: String
    var path: String
    var kind: OutputKind
    /// Whether folders on the way to it are made.
    var makesFolder: Bool
  }

  private let isForced: Bool
  private var outputs: [Output] = []
  private var inputs: [String] = []

  /// A plan without files.
  package init(_ arguments: ParsedArguments) { isForced = arguments.contains(Self.force) }

  /// A plan without files.
  package init(isForced: Bool = false) { self.isForced = isForced }

  /// Declares what is read; names that stand for no path do no harm.
  package mutating func read(_ paths: String?...) { inputs += paths.compactMap { $0 } }

  /// Declares what is read.
  package mutating func read(_ paths: [String]) { inputs += paths }

  /// Declares a file that will be written.
  ///
  /// - Parameters:
  ///   - path: the file; nil for none.
  ///   - option: what the user calls it.
  ///   - kind: how a file shows that this tool made it.
  ///   - makesFolder: whether the command makes the folder that it lies in.
  package mutating func write(
    _ path: String?, for option: String, _ kind: OutputKind, makesFolder: Bool = false
  ) {
    guard let path else { return }
    outputs.append(Output(option: option, path: path, kind: kind, makesFolder: makesFolder))
  }

  /// Declares a page: a file, or `index.html` in a folder.
  package mutating func writePage(_ destination: String?, for option: String) {
    guard let destination else { return }
    write(
      PageFile.path(destination), for: option, .signed,
      makesFolder: !PageFile.isFile(destination))
  }

  /// Refuses a folder for files with names of their own that is read itself: they would come among
  /// those that are read.
  ///
  /// - Throws: `ToolError.usage`.
  package func keepApart(folder: String, for option: String) throws(ToolError) {
    guard let identity = FileSystem.identity(of: folder),
      inputs.contains(where: { FileSystem.identity(of: $0) == identity })
    else { return }
    throw .usage(
      .conflict(sentence: "\(option) needs another folder: \(quoted(folder)) is read."))
  }

  /// Checks all that can be checked beforehand.
  ///
  /// - Throws: `ToolError.file` where a folder is missing or stands in a file's place; `.usage` where
  ///   a file would be replaced that must not be, or two would be the same.
  package func check() throws(ToolError) {
    let replaces = outputs.contains { FileSystem.kind(of: $0.path) == .file }
    let read = replaces ? Set(inputs.compactMap { FileSystem.identity(of: $0) }) : []
    var planned: [Place: String] = [:]
    for output in outputs {
      if !output.makesFolder { try OutputFile.check(output.path) }
      if FileSystem.kind(of: output.path) == .other { continue }
      if let place = Place(output.path) {
        if let other = planned.updateValue(output.option, forKey: place) {
          throw .usage(
            .conflict(
              sentence: "\(other) and \(output.option) need a file each, and both are "
                + "\(quoted(output.path))."))
        }
        if case .file(let identity) = place, read.contains(identity) {
          throw .usage(
            .conflict(
              sentence: "\(output.option) would replace \(quoted(output.path)), which is read."))
        }
      }
      if !isForced, FileSystem.kind(of: output.path) == .file,
        let sentence = output.kind.refusal(of: output.path)
      {
        throw .usage(
          .conflict(
            sentence: "\(output.option): \(sentence) --\(Self.force.description.name) replaces it.")
        )
      }
    }
  }

  /// Where a file is, or will be.
  private enum Place: Hashable {
    case file(FileIdentity)
    case new(folder: FileIdentity, name: String)

    /// Nil where not even the folder is there.
    init?(_ path: String) {
      if let identity = FileSystem.identity(of: path) {
        self = .file(identity)
      } else if let folder = FileSystem.identity(of: Paths.parent(of: path)) {
        self = .new(folder: folder, name: Paths.lastComponent(of: path))
      } else {
        return nil
      }
    }
  }
}

/// How a file that is there shows that this tool made it, so that it may be replaced.
package enum OutputKind: Hashable, Sendable {
  /// Pictures, drawings, films, pages, reports and source files: they say so near their beginning.
  case signed
  /// A file that begins with these bytes, as tables begin with the names of their columns.
  case beginning([UInt8])
  /// What others may have changed, or took long to make: it is never replaced unasked.
  case unsigned
  /// What the call goes on with: whether it can is found out where it is read.
  case continued

  /// A table with these columns.
  package static func table(_ header: String) -> OutputKind { .beginning([UInt8](header.utf8)) }

  /// Why a file is not replaced; nil where it may be.
  package func refusal(of path: String) -> String? {
    let beginning = FileSystem.beginning(of: path)
    switch self {
    case .continued: return nil
    case .signed where Signature.isIn(beginning): return nil
    case .beginning(let bytes) where beginning.starts(with: bytes): return nil
    case .unsigned: return "\(quoted(path)) is there already."
    case .signed, .beginning:
      // What was begun, and came to nothing.
      if beginning.isEmpty, FileSystem.isEmptyFile(at: path) { return nil }
      return "\(quoted(path)) is there already, and no call like this one made it."
    }
  }
}

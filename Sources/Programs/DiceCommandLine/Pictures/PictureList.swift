internal import DiceFiles

/// Where a picture comes from.
package enum PictureSource: Hashable, Sendable {
  /// Standard input.
  case standardInput
  /// A file.
  case file(path: String)

  /// The name for results and messages: the path as it was written, `-` for standard input.
  package var name: String {
    switch self {
    case .standardInput: "-"
    case .file(let path): path
    }
  }
}

/// The pictures that paths stand for.
package struct PictureList {
  /// The pictures in the order of the paths, those of a folder sorted.
  package private(set) var sources: [PictureSource] = []
  /// The folders that could not be listed, or hold no pictures.
  package private(set) var errors: [ToolError] = []
  /// What was passed over in folders: a sentence or two for each.
  package private(set) var notes: [String] = []
  /// Whether a folder was among the paths.
  package private(set) var hasFolder = false

  /// Finds the pictures.
  ///
  /// - Parameters:
  ///   - paths: files, folders, and `-` for standard input.
  ///   - isRecursive: whether folders inside folders count.
  package init(_ paths: [String], isRecursive: Bool) {
    for path in paths {
      if path == "-" {
        sources.append(.standardInput)
      } else if FileSystem.isFolder(at: path) {
        hasFolder = true
        add(folder: path, depth: isRecursive ? 64 : 0)
      } else {
        sources.append(.file(path: path))
      }
    }
  }

  private mutating func add(folder: String, depth: Int) {
    do throws(FileError) {
      let found = try FolderPictures(in: folder, depth: depth)
      sources += found.paths.map { .file(path: $0) }
      if found.paths.isEmpty {
        let sentence = ["The folder holds no picture that can be read.", found.note]
        errors.append(
          .failure(
            subject: folder, sentence: sentence.filter { !$0.isEmpty }.joined(separator: " ")))
      } else if !found.note.isEmpty {
        notes.append("\(printable(folder)): \(found.note)")
      }
    } catch {
      errors.append(.file(error))
    }
  }

  /// The paths of the files.
  package var paths: [String] {
    sources.compactMap { source in
      guard case .file(let path) = source else { return nil }
      return path
    }
  }
}

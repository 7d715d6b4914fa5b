internal import DiceFiles

/// Where a picture comes from.
enum PictureSource: Hashable, Sendable {
  /// Standard input.
  case standardInput
  /// A file.
  case file(path: String)

  /// The name for results and messages: the path as it was written, `-` for standard input.
  var name: String {
    switch self {
    case .standardInput: "-"
    case .file(let path): path
    }
  }
}

/// The pictures that paths stand for.
struct PictureList {
  /// The extensions of the files that a folder contributes.
  static let fileExtensions = ["png", "jpg", "jpeg", "ppm", "pgm", "pbm", "pnm"]

  /// The pictures in the order of the paths, those of a folder sorted.
  private(set) var sources: [PictureSource] = []
  /// The folders that could not be listed, or hold no pictures.
  private(set) var errors: [ToolError] = []
  /// Whether a folder was among the paths.
  private(set) var hasFolder = false

  /// Finds the pictures.
  ///
  /// - Parameters:
  ///   - paths: files, folders, and `-` for standard input.
  ///   - isRecursive: whether folders inside folders count.
  init(_ paths: [String], isRecursive: Bool) {
    for path in paths {
      if path == "-" {
        sources.append(.standardInput)
      } else if FileSystem.isFolder(at: path) {
        hasFolder = true
        do throws(FileError) {
          let found = try FileSystem.files(
            in: path, withExtensions: Self.fileExtensions, depth: isRecursive ? 64 : 0)
          sources += found.map { .file(path: $0) }
          if found.isEmpty {
            let wanted = NumberText.alternatives(Self.fileExtensions)
            errors.append(
              .failure(
                subject: path, sentence: "The folder holds no picture (no file ends in \(wanted)).")
            )
          }
        } catch {
          errors.append(.file(error))
        }
      } else {
        sources.append(.file(path: path))
      }
    }
  }

  /// Whether a path has a picture's extension.
  static func isPicture(_ path: String) -> Bool {
    fileExtensions.contains { Paths.hasExtension($0, path: path) }
  }
}

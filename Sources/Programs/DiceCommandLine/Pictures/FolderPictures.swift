package import DiceCodecs
package import DiceFiles

/// The pictures of a folder, and what else there is that people take for one.
///
/// A file is a picture by its extension, or by its first bytes: pictures without an extension, or
/// with one of their own, are found as well.
package struct FolderPictures {
  /// The extensions that say what a file is; others leave it to the first bytes.
  package static let fileExtensions = [
    "png", "jpg", "jpeg", "jpe", "jfif", "ppm", "pgm", "pbm", "pnm",
  ]
  /// Files that begin as a picture does and are none of their own: films, and the small pictures that
  /// cameras keep beside films.
  private static let otherExtensions = ["mjpeg", "mjpg", "thm"]

  /// The pictures, as `FileSystem.files(in:)` sorts them.
  package private(set) var paths: [String] = []
  /// How many files there are of each kind that cannot be read.
  package private(set) var unreadable: [ImageFormat: Int] = [:]

  /// Looks through a folder.
  ///
  /// - Parameters:
  ///   - folder: the folder.
  ///   - depth: how many folders deep to go.
  package init(in folder: String, depth: Int = 0) throws(FileError) {
    for path in try FileSystem.files(in: folder, depth: depth) {
      if Self.isPicture(path) {
        paths.append(path)
      } else if let format = ImageFormat(recognizing: FileSystem.beginning(of: path)) {
        let isNamedOtherwise = Self.otherExtensions.contains { Paths.hasExtension($0, path: path) }
        if format == .png || format == .jpeg, !isNamedOtherwise {
          paths.append(path)
        } else if format.isPictureOrFilm {
          unreadable[format, default: 0] += 1
        }
      }
    }
  }

  /// Whether a path has a picture's extension.
  package static func isPicture(_ path: String) -> Bool {
    fileExtensions.contains { Paths.hasExtension($0, path: path) }
  }

  /// What was passed over and how it could be read: a sentence for each kind; empty for nothing.
  package var note: String {
    ImageFormat.allCases.compactMap { format in
      guard let count = unreadable[format] else { return nil }
      let (one, several) = format.isFilm ? ("film", "films") : ("picture", "pictures")
      let name = format.isFilm ? "" : "\(format.name) "
      let verb = count == 1 ? "was" : "were"
      return "\(count) \(name)\(count == 1 ? one : several) \(verb) not read"
        + (format.advice.map { ": \($0)." } ?? ".")
    }.joined(separator: " ")
  }
}

extension ImageFormat {
  /// Whether it is a film rather than a picture.
  package var isFilm: Bool { self == .video || self == .y4m }

  /// Whether people may expect that it is read.
  fileprivate var isPictureOrFilm: Bool {
    switch self {
    case .png, .jpeg, .portableMap, .ico, .svg, .pdf, .html, .xml, .zip, .gzip: false
    default: true
    }
  }

  /// How a file that cannot be read becomes one that can; nil where nothing helps.
  package var advice: String? {
    switch self {
    case .heic, .avif: "heif-convert makes a JPEG file of such a picture"
    case .webP: "dwebp makes a PNG file of such a picture"
    case .video, .y4m:
      "`\(Tool.name) track`, `session` and `trajectories` follow films"
    default: isPictureOrFilm ? "ImageMagick makes a PNG file of such a picture" : nil
    }
  }
}

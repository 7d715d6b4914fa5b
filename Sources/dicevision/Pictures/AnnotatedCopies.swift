internal import DiceFiles
internal import DiceGeometry
internal import DiceImaging

/// Copies of pictures with the dice marked: where they go and how they look.
struct AnnotatedCopies {
  /// The format of a copy.
  enum Format: String {
    case png
    case jpeg = "jpg"

    /// The format that a path's extension stands for.
    init?(path: String) {
      if Paths.hasExtension("png", path: path) {
        self = .png
      } else if Paths.hasExtension("jpg", path: path) || Paths.hasExtension("jpeg", path: path) {
        self = .jpeg
      } else {
        return nil
      }
    }
  }

  /// The name of the copy of the picture from standard input, without its extension.
  private static let standardInputName = "standard-input"
  private static let jpegQuality = 92

  private let environment: Environment
  private let destination: String
  private let isFolder: Bool
  /// The path of each picture's copy.
  private let paths: [PictureSource: String]

  /// Decides where copies go and makes the folder for them.
  ///
  /// - Parameters:
  ///   - destination: what the user asked for: a file for one picture, a folder otherwise.
  ///   - list: the pictures.
  ///   - environment: the world.
  /// - Throws: `ToolError.usage` where the destination does not fit the pictures or would replace
  ///   them; `.file` where the folder cannot be made.
  init(
    _ destination: String, for list: PictureList, _ environment: Environment
  ) throws(ToolError) {
    self.environment = environment
    self.destination = destination
    let isOne = list.sources.count == 1 && !list.hasFolder
    let isExistingFolder = FileSystem.isFolder(at: destination)
    isFolder = !isOne || isExistingFolder || destination.utf8.last == UInt8(ascii: "/")
    let format = Format(path: destination)
    if isFolder, !isExistingFolder, format != nil, destination.utf8.last != UInt8(ascii: "/") {
      throw .usage(
        .conflict(
          sentence: "Several pictures need a folder for --annotate, and \(quoted(destination)) "
            + "is the name of one picture."))
    }
    if !isFolder, format == nil {
      throw .usage(
        .invalidValue(
          option: "--annotate", found: destination,
          required: "a folder, or a file that ends in png, jpg or jpeg", suggestion: nil))
    }
    var folders: Set<String> = []
    for case .file(let path) in list.sources {
      let folder = Paths.parent(of: path)
      let replaces =
        isFolder
        ? folders.insert(folder).inserted && environment.isSameFile(folder, destination)
        : environment.isSameFile(path, destination)
      if replaces {
        throw .usage(
          .conflict(
            sentence: "The copies for --annotate would replace the pictures "
              + "(\(quoted(destination)) \(isFolder ? "is their folder" : "is the picture"))."))
      }
    }
    paths = Self.paths(for: list.sources, in: isFolder ? destination : nil)
    if isFolder {
      do throws(FileError) {
        try FileSystem.createFolder(at: destination)
      } catch {
        throw .file(error)
      }
    }
  }

  /// Writes the copy of a picture.
  ///
  /// - Parameters:
  ///   - image: the picture, whose orientation says how it stands.
  ///   - reading: what was found.
  ///   - region: where was looked; nil for everywhere.
  ///   - source: where the picture came from.
  /// - Throws: `ToolError.file` or `.failure`.
  func write(
    _ image: PixelImage, _ reading: PictureReading, region: NormalizedRect?,
    from source: PictureSource
  ) throws(ToolError) {
    let path = paths[source] ?? destination
    if case .file(let original) = source, environment.isSameFile(original, path) {
      throw .failure(subject: path, sentence: "The copy would replace the picture.")
    }
    let marked = Self.marked(image, reading, region: region)
    let bytes: [UInt8]
    switch Format(path: path) {
    case .jpeg:
      do throws(JPEGError) {
        bytes = try JPEGEncoder.encode(marked, quality: Self.jpegQuality, subsampling: .s444)
      } catch {
        throw .failure(subject: path, sentence: "\(error)")
      }
    case .png, nil: bytes = PNGEncoder.encode(marked)
    }
    do throws(FileError) {
      try FileSystem.writeFile(bytes, to: path)
    } catch {
      throw .file(error)
    }
  }

  /// The picture, upright and in colour, with a box and a label for each die.
  static func marked(
    _ image: PixelImage, _ reading: PictureReading, region: NormalizedRect?
  ) -> PixelImage {
    let upright = image.oriented()
    var canvas = Canvas(upright.format == .gray ? upright.converted(to: .rgb) : upright)
    if let region {
      canvas.stroke(
        region.toImageCoordinates(width: upright.width, height: upright.height),
        lineWidth: canvas.suitableLineWidth, color: PixelColor.white.withOpacity(0.7))
    }
    // The surest last, on top.
    for die in reading.dice.sorted(by: { $0.confidence < $1.confidence }) {
      let percent = NumberText.fixed(die.confidence * 100, decimals: 0)
      canvas.drawBox(
        die.boundingBox, label: "\(die.value)  \(percent) %", color: .forValue(die.value))
    }
    return canvas.image
  }

  /// Paths in a folder that differ from each other; none without a folder.
  ///
  /// A copy has its picture's name, with a number behind it where that is taken.
  private static func paths(
    for sources: [PictureSource], in folder: String?
  ) -> [PictureSource: String] {
    guard let folder else { return [:] }
    var paths: [PictureSource: String] = [:]
    // In small letters: some file systems do not tell them apart.
    var takenNames: Set<String> = []
    for source in sources where paths[source] == nil {
      var base = Self.standardInputName
      var format = Format.png
      if case .file(let path) = source {
        base = Paths.removingExtension(of: Paths.lastComponent(of: path))
        format = Format(path: path) ?? .png
      }
      var name = "\(base).\(format.rawValue)"
      var number = 2
      while !takenNames.insert(name.lowercased()).inserted {
        name = "\(base)-\(number).\(format.rawValue)"
        number += 1
      }
      paths[source] = Paths.joined(folder, name)
    }
    return paths
  }
}

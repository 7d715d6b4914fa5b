internal import DiceFiles
internal import DiceGeometry
package import DiceImaging
package import DiceCodecs
internal import DiceDrawing

/// Copies of pictures with something marked: where they go and how they look.
package struct AnnotatedCopies {
  /// The name of the copy of the picture from standard input, without its extension.
  private static let standardInputName = "standard-input"

  private let destination: String
  private let isFolder: Bool
  /// What the user asked for; nil follows the names.
  private let format: CopyFormat?
  /// The path of each picture's copy.
  private let paths: [PictureSource: String]
  /// What the user calls them.
  private let option: String

  /// Decides where copies go.
  ///
  /// - Parameters:
  ///   - destination: what the user asked for: a file for one picture, a folder otherwise.
  ///   - format: what the copies are; nil follows the destination's extension, or each picture's.
  ///   - list: the pictures.
  ///   - option: what the user calls the copies.
  /// - Throws: `ToolError.usage` where the destination does not fit the pictures or would replace
  ///   them.
  package init(
    _ destination: String, as format: CopyFormat?, for list: PictureList,
    option: String = "--annotate"
  ) throws(ToolError) {
    self.option = option
    self.destination = destination
    self.format = format
    let isOne = list.sources.count == 1 && !list.hasFolder
    let isExistingFolder = FileSystem.isFolder(at: destination)
    isFolder = !isOne || isExistingFolder || destination.utf8.last == UInt8(ascii: "/")
    let named = CopyFormat(path: destination)
    if isFolder, !isExistingFolder, named != nil, destination.utf8.last != UInt8(ascii: "/") {
      throw .usage(
        .conflict(
          sentence: "Several pictures need a folder for \(option), and \(quoted(destination)) "
            + "is the name of one picture."))
    }
    if !isFolder {
      guard let named else {
        throw .usage(
          .invalidValue(
            option: option, found: destination,
            required: "a folder, or a file that ends in png, jpg, jpeg or svg", suggestion: nil))
      }
      if let format, format.fileExtension != named.fileExtension {
        throw .usage(
          .conflict(
            sentence: "\(option)-as \(format.rawValue) does not go with a file that ends in "
              + "\(Paths.fileExtension(of: printable(destination)))."))
      }
    }
    if format == .svgLink, list.sources.contains(.standardInput) {
      throw .usage(
        .conflict(sentence: "A picture from standard input has no address for svg-link."))
    }
    var places: Set<String> = []
    let identity = FileSystem.identity(of: destination)
    for case .file(let path) in list.sources {
      let place = isFolder ? Paths.parent(of: path) : path
      if let identity, places.insert(place).inserted, FileSystem.identity(of: place) == identity {
        throw .usage(
          .conflict(
            sentence: "The copies for \(option) would replace the pictures "
              + "(\(quoted(destination)) \(isFolder ? "is their folder" : "is the picture"))."))
      }
    }
    paths = Self.paths(for: list.sources, in: isFolder ? destination : nil, as: format)
  }

  /// Declares the copies.
  package func declare(in plan: inout OutputPlan) {
    for path in isFolder ? paths.values.sorted() : [destination] {
      plan.write(path, for: option, .signed, makesFolder: isFolder)
    }
  }

  /// Makes the folder for the copies, where they need one.
  package func prepare() throws(ToolError) {
    if isFolder { try OutputFile.createFolder(destination) }
  }

  /// Writes a picture with something drawn on it, in the place of a source's copy.
  ///
  /// - Throws: `ToolError.file` or `.failure`.
  package func write(
    _ image: PixelImage, titled title: String, from source: PictureSource,
    colorProfile: ColorProfile?, _ overlay: some Overlay
  ) throws(ToolError) {
    let path = paths[source] ?? destination
    let format = format ?? CopyFormat(path: path) ?? .png
    var address = ""
    if case .file(let original) = source {
      address = FileAddress.relative(original, from: Paths.parent(of: path))
    }
    let bytes: [UInt8]
    do throws(JPEGError) {
      bytes = try format.file(
        of: Self.upright(image), title: title, address: address, colorProfile: colorProfile,
        overlay)
    } catch {
      throw .failure(subject: path, sentence: "\(error)")
    }
    try OutputFile.write(Signature.added(to: bytes), to: path)
  }

  /// The picture upright and in colour.
  package static func upright(_ image: PixelImage) -> PixelImage {
    let upright = image.oriented()
    return upright.format == .gray ? upright.converted(to: .rgb) : upright
  }

  /// Paths in a folder that differ from each other; none without a folder.
  ///
  /// A copy has its picture's name, with a number behind it where that is taken.
  private static func paths(
    for sources: [PictureSource], in folder: String?, as wanted: CopyFormat?
  ) -> [PictureSource: String] {
    guard let folder else { return [:] }
    var paths: [PictureSource: String] = [:]
    // In small letters: some file systems do not tell them apart.
    var takenNames: Set<String> = []
    for source in sources where paths[source] == nil {
      var base = Self.standardInputName
      var format = wanted ?? .png
      if case .file(let path) = source {
        base = Paths.removingExtension(of: Paths.lastComponent(of: path))
        format = wanted ?? CopyFormat(path: path) ?? .png
      }
      var name = "\(base).\(format.fileExtension)"
      var number = 2
      while !takenNames.insert(name.lowercased()).inserted {
        name = "\(base)-\(number).\(format.fileExtension)"
        number += 1
      }
      paths[source] = Paths.joined(folder, name)
    }
    return paths
  }
}

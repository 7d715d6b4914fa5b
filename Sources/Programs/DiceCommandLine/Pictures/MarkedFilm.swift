internal import DiceFiles
package import DiceGeometry
internal import DiceImaging
package import DiceCodecs
internal import DiceDrawing

/// The frames of a film with something marked: where they go and how they look.
package struct MarkedFilm {
  private static let jpegQuality = 90

  private let path: String
  private let isFilm: Bool
  private let format: CopyFormat
  private var writer: Y4MWriter?

  /// The extensions of films and pictures, which are no names of folders.
  private static let fileExtensions = [
    "mp4", "m4v", "mov", "mkv", "webm", "avi", "mpg", "mpeg", "ts", "wmv", "flv", "gif", "mjpeg",
    "mjpg", "png", "jpg", "jpeg", "svg",
  ]

  /// Decides where frames go.
  ///
  /// - Throws: `.usage` where a film is to be pictures, or of a kind that is not written.
  package init(_ path: String, as format: CopyFormat?) throws(ToolError) {
    self.path = path
    self.format = format ?? .jpeg
    isFilm = Paths.hasExtension("y4m", path: path)
    if isFilm, let format {
      throw .usage(
        .conflict(sentence: "--annotate-as \(format.rawValue) does not go with a film."))
    }
    if !isFilm, !FileSystem.isFolder(at: path), path.utf8.last != UInt8(ascii: "/"),
      Self.fileExtensions.contains(where: { Paths.hasExtension($0, path: path) })
    {
      throw .usage(
        .invalidValue(
          option: "--annotate", found: path, required: "a folder, or a film that ends in y4m",
          suggestion: nil))
    }
  }

  /// Declares the film, or the numbered pictures that are in its folder already.
  ///
  /// - Throws: `.usage` where the frames would come among those that are read.
  package func declare(in plan: inout OutputPlan) throws(ToolError) {
    if isFilm {
      plan.write(path, for: "--annotate", .signed)
      return
    }
    try plan.keepApart(folder: path, for: "--annotate")
    guard let files = try? FileSystem.files(in: path, withExtensions: [format.fileExtension])
    else { return }
    for file in files where Self.isPictureName(Paths.lastComponent(of: file)) {
      plan.write(file, for: "--annotate", .signed, makesFolder: true)
    }
  }

  /// Makes the folder for numbered pictures.
  package func prepare() throws(ToolError) {
    if !isFilm { try OutputFile.createFolder(path) }
  }

  /// Writes a frame with something drawn over it.
  package mutating func write(
    _ frame: VideoFrame, _ overlay: some Overlay, title: String, orientation: ImageOrientation?,
    rate: FrameRate
  ) throws(ToolError) {
    var image = frame.makeImage()
    if let orientation { image.orientation = orientation }
    let upright = image.oriented()
    let picture = upright.format == .rgb ? upright : upright.converted(to: .rgb)
    if isFilm {
      var canvas = Canvas(picture)
      overlay.draw(on: &canvas)
      try append(canvas.image, rate)
    } else {
      try write(
        picture, overlay, title: title, to: Paths.joined(path, pictureName(frame.index)))
    }
  }

  /// Adds a frame to the film, which begins anew with its first one.
  private mutating func append(_ image: PixelImage, _ rate: FrameRate) throws(ToolError) {
    let isFirst = writer == nil
    let bytes: [UInt8]
    do throws(Y4MError) {
      if writer == nil {
        writer = try Y4MWriter(width: image.width, height: image.height, frameRate: rate)
      }
      guard let writer else { return }
      bytes = try writer.frame(image)
    } catch { throw .failure(subject: path, sentence: "\(error)") }
    do throws(FileError) {
      if isFirst, let writer {
        try FileSystem.writeFile(Signature.added(to: writer.header), to: path)
      }
      try FileSystem.append(bytes, toFileAt: path)
    } catch { throw .file(error) }
  }

  private func write(
    _ image: PixelImage, _ overlay: some Overlay, title: String, to path: String
  ) throws(ToolError) {
    let bytes: [UInt8]
    do throws(JPEGError) {
      bytes = try format.file(
        of: image, title: title, address: "", quality: Self.jpegQuality, overlay)
    } catch { throw .failure(subject: path, sentence: "\(error)") }
    try OutputFile.write(Signature.added(to: bytes), to: path)
  }

  /// Whether a file's name is one that frames get.
  private static func isPictureName(_ name: String) -> Bool {
    let digits = name.utf8.dropFirst("frame_".utf8.count).prefix { $0 != UInt8(ascii: ".") }
    return name.hasPrefix("frame_") && digits.count >= 6
      && digits.allSatisfy { (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0) }
  }

  private func pictureName(_ index: Int) -> String {
    let digits = "\(index)"
    return "frame_" + String(repeating: "0", count: max(0, 6 - digits.utf8.count)) + digits
      + ".\(format.fileExtension)"
  }
}

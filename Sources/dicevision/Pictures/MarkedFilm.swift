internal import DiceFiles
internal import DiceGeometry
internal import DiceImaging
internal import DiceVisionKit

/// The frames of a film with the dice marked: where they go and how they look.
struct MarkedFilm {
  private static let jpegQuality = 90

  private let path: String
  private let isFilm: Bool
  private var writer: Y4MWriter?

  /// Decides where frames go, and makes the folder for them.
  ///
  /// - Throws: `ToolError.file`.
  init(_ path: String) throws(ToolError) {
    self.path = path
    isFilm = Paths.hasExtension("y4m", path: path)
    if isFilm {
      try OutputFile.check(path)
    } else {
      do throws(FileError) { try FileSystem.createFolder(at: path) } catch { throw .file(error) }
    }
  }

  /// Writes a frame with what the tracker knows.
  mutating func write(
    _ frame: VideoFrame, _ tracker: RollTracker, orientation: ImageOrientation?, rate: FrameRate
  ) throws(ToolError) {
    var image = frame.makeImage()
    if let orientation { image.orientation = orientation }
    let marked = Self.marked(image, tracker)
    if isFilm {
      try append(marked, rate)
    } else {
      try write(marked, to: Paths.joined(path, Self.pictureName(frame.index)))
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
      if isFirst, let writer { try FileSystem.writeFile(writer.header, to: path) }
      try FileSystem.append(bytes, toFileAt: path)
    } catch { throw .file(error) }
  }

  private func write(_ image: PixelImage, to path: String) throws(ToolError) {
    let bytes: [UInt8]
    do throws(JPEGError) {
      bytes = try JPEGEncoder.encode(image, quality: Self.jpegQuality, subsampling: .s444)
    } catch { throw .failure(subject: path, sentence: "\(error)") }
    do throws(FileError) { try FileSystem.writeFile(bytes, to: path) } catch { throw .file(error) }
  }

  private static func pictureName(_ index: Int) -> String {
    let digits = "\(index)"
    return "frame_" + String(repeating: "0", count: max(0, 6 - digits.utf8.count)) + digits + ".jpg"
  }

  /// The frame, upright and in colour, with its dice and the roll.
  static func marked(_ image: PixelImage, _ tracker: RollTracker) -> PixelImage {
    let upright = image.oriented()
    var canvas = Canvas(upright.format == .rgb ? upright : upright.converted(to: .rgb))
    for die in tracker.dice {
      let value = die.value.map { "\($0)" } ?? "?"
      canvas.drawBox(
        die.boundingBox, label: "\(value)  #\(die.identifier)",
        color: die.isStill ? .forValue(die.value ?? 0) : .white)
    }
    let state: String
    switch tracker.phase {
    case .idle: state = ""
    case .rolling: state = "rolling"
    case .ended:
      state =
        tracker.lastRoll.map { "roll \($0.number): sum \($0.sum)" } ?? ""
    }
    if !state.isEmpty {
      canvas.drawTag(
        state, at: PixelPoint(x: canvas.suitableTextSize / 2, y: canvas.suitableTextSize / 2),
        color: .white)
    }
    return canvas.image
  }
}

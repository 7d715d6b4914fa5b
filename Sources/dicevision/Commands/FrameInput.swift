internal import DiceFiles
internal import DiceCodecs

/// The frames of a film: a file, standard input, or a folder of numbered pictures.
struct FrameInput {
  private enum Origin {
    case bytes(() throws(FileError) -> [UInt8]?)
    case pictures([String])
  }

  /// What the frames come from, for messages.
  let name: String
  private let origin: Origin
  private var stream: FrameStream
  private var rest: ArraySlice<UInt8> = []
  private var hasEnded = false
  private var nextPicture = 0

  /// Opens a film.
  ///
  /// - Parameters:
  ///   - path: the film, a folder of pictures, or `-` for standard input.
  ///   - frameRate: frames in a second, for films that do not say.
  /// - Throws: `ToolError.file`, or `.failure` for a folder without pictures.
  init(
    _ path: String, frameRate: FrameRate, _ environment: Environment
  ) throws(ToolError) {
    name = path == "-" ? "standard input" : path
    do throws(FileError) {
      if path == "-" {
        origin = .bytes(try environment.openStandardInput())
      } else if FileSystem.isFolder(at: path) {
        let pictures = try FileSystem.files(in: path).filter { PictureList.isPicture($0) }
        origin = .pictures(Paths.sortedNaturally(pictures))
      } else {
        let chunks = ByteChunks(try ByteSource(readingFileAt: path))
        origin = .bytes({ () throws(FileError) in try chunks.next() })
      }
    } catch { throw .file(error) }
    if case .pictures(let pictures) = origin {
      if pictures.isEmpty { throw .failure(subject: path, sentence: "The folder has no pictures.") }
      stream = FrameStream(kind: .pictureFiles, frameRate: frameRate)
    } else {
      stream = FrameStream(frameRate: frameRate)
    }
  }

  /// Frames in a second.
  var frameRate: FrameRate { stream.frameRate }

  /// The next frame or what was lost; nil at the end.
  ///
  /// - Throws: `ToolError.file`, or `.failure` where the film gives no more frames.
  mutating func next() throws(ToolError) -> FrameStream.Event? {
    switch origin {
    case .pictures(let pictures):
      guard nextPicture < pictures.count else { return nil }
      defer { nextPicture += 1 }
      do throws(FileError) {
        return stream.next(
          pictureFile: try FileSystem.readFile(
            at: pictures[nextPicture], byteLimit: PictureReader.byteLimit))
      } catch { throw .file(error) }
    case .bytes(let read):
      while true {
        if let event = try step() { return event }
        if hasEnded { return nil }
        do throws(FileError) {
          if let bytes = try read() { rest = bytes[...] } else { hasEnded = true }
        } catch { throw .file(error) }
      }
    }
  }

  private mutating func step() throws(ToolError) -> FrameStream.Event? {
    do throws(FrameStreamError) {
      return hasEnded ? try stream.finish() : try stream.next(from: &rest)
    } catch { throw .failure(subject: name, sentence: "\(error)") }
  }
}

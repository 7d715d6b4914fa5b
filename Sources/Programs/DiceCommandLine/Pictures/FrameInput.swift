package import DiceCodecs
package import DiceFiles

/// The frames of a film: a file, standard input, or a folder of numbered pictures.
package struct FrameInput {
  /// Why no more bytes can be read.
  package typealias ReadError = FileError

  private enum Origin {
    case bytes(() throws(FileError) -> [UInt8]?)
    case pictures([String])
  }

  /// What the frames come from, for messages.
  package let name: String
  /// The command that the film is for, for messages.
  private let command: String
  /// Which command reads pictures where this one follows films, behind a space.
  private let pictureAdvice: String
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
  ///   - command: the command that the film is for, for messages.
  ///   - pictureAdvice: a sentence that names the command for pictures; empty for none.
  /// - Throws: `ToolError.file`, or `.failure` for a folder without pictures.
  package init(
    _ path: String, frameRate: FrameRate, command: String, pictureAdvice: String,
    _ environment: Environment
  ) throws(ToolError) {
    self.command = command
    self.pictureAdvice = pictureAdvice.isEmpty ? "" : " " + pictureAdvice
    name = path == "-" ? "standard input" : path
    do throws(FileError) {
      if path == "-" {
        origin = .bytes(try environment.openStandardInput())
      } else if FileSystem.isFolder(at: path) {
        let found = try FolderPictures(in: path)
        if !found.note.isEmpty { environment.note("\(printable(path)): \(found.note)") }
        origin = .pictures(Paths.sortedNaturally(found.paths))
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

  /// A film that comes piece by piece.
  ///
  /// - Parameters:
  ///   - name: what it comes from, for messages.
  ///   - command: the command that the film is for, for messages.
  ///   - read: gives the next bytes, nil at the end.
  package init(
    name: String, command: String, _ read: @escaping () throws(ReadError) -> [UInt8]?
  ) {
    self.name = name
    self.command = command
    pictureAdvice = ""
    origin = .bytes(read)
    stream = FrameStream()
  }

  /// How many frames there were so far, with those that were lost.
  package var frameCount: Int { stream.frameCount }

  /// Frames in a second.
  package var frameRate: FrameRate { stream.frameRate }

  /// The next frame or what was lost; nil at the end.
  ///
  /// - Throws: `ToolError.file`, or `.failure` where the film gives no more frames.
  package mutating func next() throws(ToolError) -> FrameStream.Event? {
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
    } catch {
      throw .failure(subject: name, sentence: [Self.said(of: error), advice(error)].joined())
    }
  }

  private static func said(of error: FrameStreamError) -> String {
    if case .unsupportedFormat(.video) = error {
      return "The film is not of a kind that is read by itself."
    }
    return "\(error)"
  }

  /// How ffmpeg makes what can be followed, as sentences; empty where it would not help.
  private func advice(_ error: FrameStreamError) -> String {
    let isFile = name != "standard input"
    func call(_ filter: String = "") -> String {
      let film = isFile ? printable(name) : "FILM"
      let word = film.contains(" ") ? "'\(film)'" : film
      return "`ffmpeg -loglevel error -i \(word) \(filter)-pix_fmt yuv420p -f yuv4mpegpipe - | "
        + "\(Tool.name) \(command) -`"
    }
    switch error {
    case .unsupportedFormat(.video): return " Through ffmpeg it is: \(call())."
    case .y4m(.unsupportedInterlacing):
      return " ffmpeg makes whole frames: \(call("-vf yadif "))."
    case .y4m(.unsupportedColorSpace), .y4m(.unknownColorSpace):
      return " ffmpeg's option -pix_fmt yuv420p makes a film that is read."
    case .empty where !isFile:
      return " Where ffmpeg writes it, its own message says why; films of more than 8 bits need "
        + "-pix_fmt yuv420p."
    case .unsupportedFormat(let format) where format.isDecodable: return pictureAdvice
    default: return ""
    }
  }

  /// What is said of a film that is a single picture, as a sentence; nil for all others.
  package var singlePictureNote: String? {
    guard frameCount == 1, stream.kind == .motionJPEG else { return nil }
    return "\(printable(name)): This is a single picture, and no film.\(pictureAdvice)"
  }
}

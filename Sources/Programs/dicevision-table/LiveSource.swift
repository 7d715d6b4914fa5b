internal import DiceCodecs
internal import DiceCommandLine
internal import DiceFiles

/// Where the frames of a table come from.
enum LiveSource: Hashable {
  /// A film that is read by itself, or `-` for standard input.
  case film(String)
  /// What ffmpeg reads: its input options with the input itself; a camera or a stream comes back when it is
  /// lost, a film ends.
  case ffmpeg(input: [String], isEndless: Bool)
  /// Pictures that a page in a browser sends.
  case browser

  /// The operating systems, each with its own way to cameras.
  enum System { case linux, apple, windows }

  /// The system of this program.
  static var ownSystem: System {
    #if os(Windows)
      .windows
    #elseif canImport(Darwin)
      .apple
    #else
      .linux
    #endif
  }

  /// How a camera is asked for pictures.
  struct CameraRequest: Hashable {
    /// The size of its pictures, `WIDTHxHEIGHT`; nil leaves it to the camera.
    var size: String?
    /// Frames in a second; nil leaves it to the camera.
    var frameRate: String?
    /// Options for ffmpeg that come before the input.
    var options: [String] = []
  }

  /// The source that a text names.
  ///
  /// - Throws: `ToolError.usage` for an address of a kind that is not known.
  init(
    _ text: String, _ request: CameraRequest = CameraRequest(), system: System = Self.ownSystem
  ) throws(ToolError) {
    if text == "-" {
      self = .film(text)
    } else if text == "camera" || text.hasPrefix("camera:") {
      self = .ffmpeg(
        input: Self.camera(String(text.dropFirst("camera:".count)), request, system),
        isEndless: true)
    } else if let colon = text.firstRange(of: "://") {
      let scheme = text[..<colon.lowerBound].lowercased()
      let transport: [String]
      switch scheme {
      case "rtsp", "rtsps": transport = ["-rtsp_transport", "tcp"]
      case "http", "https", "rtmp", "srt", "udp", "tcp": transport = []
      default:
        throw .usage(
          .conflict(
            sentence: "\(quoted(scheme)) is no kind of address that is read: rtsp, rtsps, http, "
              + "https, rtmp, srt, udp and tcp are."))
      }
      self = .ffmpeg(input: request.options + transport + ["-i", text], isEndless: true)
    } else if !request.options.isEmpty || Self.needsFFmpeg(text) {
      // The word before the colon keeps a name from being taken for an option or an address.
      self = .ffmpeg(input: request.options + ["-i", "file:\(text)"], isEndless: false)
    } else {
      self = .film(text)
    }
  }

  private static func needsFFmpeg(_ path: String) -> Bool {
    !FileSystem.isFolder(at: path)
      && ImageFormat(recognizing: FileSystem.beginning(of: path)) == .video
  }

  private static func camera(
    _ name: String, _ request: CameraRequest, _ system: System
  ) -> [String] {
    var words: [String] = []
    switch system {
    case .linux: words += ["-f", "v4l2"]
    case .apple: words += ["-f", "avfoundation"]
    case .windows: words += ["-f", "dshow"]
    }
    if let rate = request.frameRate { words += ["-framerate", rate] }
    if let size = request.size { words += ["-video_size", size] }
    words += request.options
    switch system {
    case .linux:
      let isNumber = Int(name) != nil
      words += ["-i", name.isEmpty ? "/dev/video0" : isNumber ? "/dev/video\(name)" : name]
    case .apple: words += ["-i", "\(name.isEmpty ? "0" : name):none"]
    case .windows: words += ["-i", "video=\(name)"]
    }
    return words
  }

  /// The words behind `ffmpeg`.
  static func arguments(input: [String]) -> [String] {
    ["-nostdin", "-hide_banner", "-loglevel", "error"] + input
      + ["-an", "-pix_fmt", "yuv420p", "-f", "yuv4mpegpipe", "-"]
  }

  /// What it is called in messages.
  var name: String {
    switch self {
    case .film("-"): "standard input"
    case .film(let path): path
    case .ffmpeg(let input, let isEndless):
      isEndless
        ? Self.withoutSecrets(input.last ?? "ffmpeg")
        : String((input.last ?? "").dropFirst("file:".count))
    case .browser: "the browser's camera"
    }
  }

  /// An address without the name and the password in it.
  static func withoutSecrets(_ address: String) -> String {
    guard let colon = address.firstRange(of: "://") else { return address }
    let rest = address[colon.upperBound...]
    let host = rest.prefix { $0 != "/" }
    guard let at = host.lastIndex(of: "@") else { return address }
    return String(address[..<colon.upperBound]) + rest[rest.index(after: at)...]
  }
}

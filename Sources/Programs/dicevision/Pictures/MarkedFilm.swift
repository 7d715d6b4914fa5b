internal import DiceRolls
internal import DiceFiles
internal import DiceGeometry
internal import DiceImaging
internal import DiceCodecs
internal import DiceDrawing
internal import DiceVisionKit

/// The frames of a film with the dice marked: where they go and how they look.
struct MarkedFilm {
  private static let jpegQuality = 90

  private let path: String
  private let isFilm: Bool
  private let format: CopyFormat
  private var writer: Y4MWriter?
  private var trails = DiceTrails()

  /// The extensions of films and pictures, which are no names of folders.
  private static let fileExtensions = [
    "mp4", "m4v", "mov", "mkv", "webm", "avi", "mpg", "mpeg", "ts", "wmv", "flv", "gif", "mjpeg",
    "mjpg", "png", "jpg", "jpeg", "svg",
  ]

  /// Decides where frames go.
  ///
  /// - Throws: `.usage` where a film is to be pictures, or of a kind that is not written.
  init(_ path: String, as format: CopyFormat?) throws(ToolError) {
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
  func declare(in plan: inout OutputPlan) throws(ToolError) {
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
  func prepare() throws(ToolError) {
    if !isFilm { try OutputFile.createFolder(path) }
  }

  /// Writes a frame with what the tracker knows.
  mutating func write(
    _ frame: VideoFrame, _ tracker: RollTracker, orientation: ImageOrientation?, rate: FrameRate
  ) throws(ToolError) {
    trails.add(tracker, at: frame.timestamp)
    let overlay = FilmOverlay(tracker: tracker, trails: trails.lines)
    try write(frame, overlay, title: overlay.state, orientation: orientation, rate: rate)
  }

  /// Writes a frame with something drawn over it.
  mutating func write(
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

/// What the tracker knows of a frame: the dice with values and identities, their ways, and the roll.
struct FilmOverlay: Overlay {
  let tracker: RollTracker
  let trails: [DiceTrails.Line]

  /// What the roll has come to; empty where there is none.
  var state: String {
    switch tracker.phase {
    case .idle: ""
    case .rolling: "rolling"
    case .ended: tracker.lastRoll.map { "roll \($0.number): sum \($0.sum)" } ?? ""
    }
  }

  func draw<Surface: DrawingSurface>(on surface: inout Surface) {
    for trail in trails {
      // A dark edge keeps light colours visible on light tables.
      let width = max(2.5 * surface.suitableLineWidth, 0.2 * trail.dieSize)
      surface.drawTrail(
        trail.points, lineWidth: width + 2 * surface.suitableLineWidth,
        color: PixelColor.black.withOpacity(0.35 * trail.opacity))
      surface.drawTrail(
        trail.points, lineWidth: width, color: trail.color.withOpacity(trail.opacity))
    }
    surface.drawBoxes(
      tracker.dice.map { die in
        let value = die.value.map { "\($0)" } ?? "?"
        return BoxAnnotation(
          box: die.boundingBox, label: "\(value)  #\(die.identifier)", shortLabel: value,
          color: die.isStill ? .forValue(die.value ?? 0) : .white)
      })
    if state.isEmpty { return }
    let margin = surface.suitableTextSize / 2
    surface.drawTag(state, at: PixelPoint(x: margin, y: margin), color: .white)
  }
}

/// The ways that dice took lately, as they lie in the latest frame.
struct DiceTrails {
  /// A way, from its oldest point to its latest one.
  struct Line: Hashable {
    var points: [PixelPoint]
    /// The colour of the value that the die shows, as far as can be told.
    var color: PixelColor
    var opacity: Double
    /// The side of the die's box.
    var dieSize: Double
  }

  /// How long a point is remembered.
  static let memory = Duration.milliseconds(900)

  private struct Point {
    var place: PixelPoint
    var time: Duration
  }

  /// For each identity its latest places, on a table that does not move.
  private var points: [UInt64: [Point]] = [:]
  private var dice: [UInt64: TrackedDie] = [:]
  /// The dice of the latest frame, whose faces stay free.
  private var present: Set<UInt64> = []
  private var offset = PixelPoint(x: 0, y: 0)
  private var time = Duration.zero

  /// Takes up where the dice of a frame are.
  mutating func add(_ tracker: RollTracker, at time: Duration) {
    self.time = time
    offset = tracker.pictureOffset
    present.removeAll(keepingCapacity: true)
    for die in tracker.dice {
      dice[die.identifier] = die
      present.insert(die.identifier)
      let center = die.boundingBox.center
      points[die.identifier, default: []].append(
        Point(place: PixelPoint(x: center.x - offset.x, y: center.y - offset.y), time: time))
    }
    for identifier in Array(points.keys) {
      points[identifier]?.removeAll { time - $0.time > Self.memory || time < $0.time }
      if points[identifier]?.isEmpty == true {
        points[identifier] = nil
        dice[identifier] = nil
      }
    }
  }

  /// The ways of dice that moved up to their boxes, the oldest identity first; that of a die that is
  /// gone fades.
  var lines: [Line] {
    points.keys.sorted().compactMap { identifier in
      guard let way = points[identifier], let last = way.last, let die = dice[identifier] else {
        return nil
      }
      var places = way.map { PixelPoint(x: $0.place.x + offset.x, y: $0.place.y + offset.y) }
      if present.contains(identifier) {
        while let place = places.last, die.boundingBox.contains(place) { places.removeLast() }
      }
      guard places.count > 1 else { return nil }
      return Line(
        points: places, color: .forValue(die.value ?? die.values.first?.value ?? 0),
        opacity: 0.8 * (1 - (time - last.time) / Self.memory),
        dieSize: min(die.boundingBox.width, die.boundingBox.height))
    }
  }
}

internal import DiceCodecs
internal import DiceCommandLine
internal import DiceFiles
internal import DiceFinders
internal import DiceGeometry
internal import DiceImaging
internal import DiceNumerics
internal import DiceRolls
internal import DiceVisionKit

/// Follows the frames of a source and tells the table what happens, until it is interrupted.
struct LiveRun {
  let table: LiveTable
  /// Nil where a browser sends the pictures.
  let feed: FrameFeed?
  let camera: BrowserCamera?
  let pictures: PictureMaker
  var follower: RollFollower
  let finder: any DieFinder
  let request: FinderRequest
  /// Whether events are printed as objects.
  let isJSON: Bool
  /// Whether the end of a film is the end.
  let endsWithFilm: Bool
  let environment: Environment

  private var hasEnded = false
  private var status = CallStatus.success
  private var isWaiting = false
  private var frameCount = 0
  private var firstUploadTime: Double?

  init(
    table: LiveTable, feed: FrameFeed?, camera: BrowserCamera?, follower: RollFollower,
    finder: any DieFinder, request: FinderRequest, isJSON: Bool, endsWithFilm: Bool,
    _ environment: Environment
  ) {
    self.table = table
    self.feed = feed
    self.camera = camera
    self.follower = follower
    self.finder = finder
    self.request = request
    self.isJSON = isJSON
    self.endsWithFilm = endsWithFilm
    self.environment = environment
    pictures = PictureMaker(table)
  }

  /// Follows until the film has ended, where that is the end.
  ///
  /// - Throws: `ToolError.interrupted`; what is wrong with a film that gives no frames.
  mutating func follow() throws(ToolError) -> CallStatus {
    let interruption = environment.watchInterruptions()
    pictures.start()
    defer { stop() }
    while !(hasEnded && endsWithFilm) {
      if let signal = interruption() { throw .interrupted(signal: signal) }
      try tellState()
      if let photo = camera?.photos.take(waiting: 0) { try read(photo: photo) }
      if let camera {
        if let upload = camera.frames.take(waiting: 100) { try read(upload) }
      } else if let item = feed?.mailbox.take(waiting: 100) {
        switch item {
        case .frame(let frame): try follow(frame.frame, at: frame.time, unixTime: frame.unixTime)
        case .end(let failure): try end(failure)
        }
      }
    }
    return status
  }

  private func stop() {
    feed?.stop()
    camera?.close()
    pictures.stop()
  }

  private mutating func end(_ failure: ToolError?) throws(ToolError) {
    hasEnded = true
    if let failure {
      if frameCount == 0 { throw failure }
      environment.report(failure)
      status = .failure
    }
    try print(table.tell(source: "sourceEnded", message: nil, unixTime: Clock.unixTime))
    if !endsWithFilm { environment.note("the film has ended; control-C ends the pages, too.") }
  }

  /// Tells when the source is lost, and when it is back.
  private mutating func tellState() throws(ToolError) {
    guard let state = feed?.statistics.state else { return }
    switch state {
    case .waiting(let message, let seconds):
      if isWaiting { return }
      isWaiting = true
      environment.note("the source is lost and tried again in \(seconds) s: \(message)")
      try print(table.tell(source: "sourceLost", message: message, unixTime: Clock.unixTime))
    case .running:
      guard isWaiting else { return }
      isWaiting = false
      environment.note("the source is back.")
      try print(table.tell(source: "sourceFound", message: nil, unixTime: Clock.unixTime))
    case .starting, .ended: return
    }
  }

  // MARK: - Frames

  private mutating func follow(
    _ frame: VideoFrame, at time: Duration, unixTime: Double
  ) throws(ToolError) {
    frameCount += 1
    pictures.take(frame.stored, orientation: request.orientation)
    let (finder, request) = (finder, request)
    let events = try frame.withFrame { (raw) throws(ToolError) -> [RollTracker.Event] in
      try follower.follow(raw, orientation: request.orientation, at: time) {
        (_) throws(ToolError) -> [RollTracker.Observation] in
        try finder.dice(inFrame: frame.stored, subject: "frame \(frame.index)", request).dice
          .map(\.observation)
      }
    }
    for event in events {
      try print(
        table.tell(event, frame: frame.index, time: time, unixTime: unixTime), frame: frame.index,
        at: time)
    }
    let isTurned = (request.orientation ?? frame.stored.orientation).swapsAxes
    let (width, height) = (frame.stored.width, frame.stored.height)
    table.see(
      LiveTable.Sight(
        width: isTurned ? height : width, height: isTurned ? width : height,
        phase: follower.tracker.phase, dice: follower.tracker.dice),
      frame: frame.index, time: time, unixTime: unixTime)
  }

  /// Prints an event that was told, as an object or as a line.
  private func print(
    _ told: (event: RollTracker.Event, object: JSONObject)?, frame: Int, at time: Duration
  ) throws(ToolError) {
    guard let told else { return }
    try print(told.object)
    if isJSON { return }
    if let text = EventPrinter(isJSON: false).text(for: told.event, frame: frame, time: time) {
      try environment.print(text)
    }
  }

  private func print(_ object: JSONObject) throws(ToolError) {
    guard isJSON else { return }
    try environment.print(String(decoding: JSONWriter.write(.object(object)), as: UTF8.self) + "\n")
  }

  // MARK: - Pictures from a browser

  private mutating func read(_ upload: BrowserCamera.Upload) throws(ToolError) {
    let limits = DecodingLimits(pixelCount: BrowserCamera.framePixelLimit)
    guard let image = try? ImageDecoder.decode(upload.bytes, limits: limits) else { return }
    let time = time(of: upload)
    let frame = VideoFrame(index: frameCount, timestamp: time, stored: StoredFrame(image))
    try follow(frame, at: time, unixTime: upload.unixTime)
  }

  /// Reads a photo, whose dice are a roll.
  private mutating func read(photo: BrowserCamera.Upload) throws(ToolError) {
    let limits = DecodingLimits(pixelCount: BrowserCamera.photoPixelLimit)
    guard let image = try? ImageDecoder.decode(photo.bytes, limits: limits) else { return }
    let reading: PictureReading
    do throws(ToolError) {
      reading = try finder.dice(in: image, subject: "photo", request)
    } catch {
      environment.report(error)
      return
    }
    let dice = reading.dice.enumerated().map { (index, die) in
      TrackedDie(
        identifier: UInt64(index + 1), boundingBox: die.boundingBox, value: die.value,
        confidence: Float(die.confidence))
    }
    pictures.take(StoredFrame(image), orientation: request.orientation)
    let time = time(of: photo)
    let told = table.tell(photo: dice, time: time, unixTime: photo.unixTime)
    table.see(
      LiveTable.Sight(width: reading.width, height: reading.height, phase: .ended, dice: dice),
      frame: frameCount, time: time, unixTime: photo.unixTime)
    try print(told, frame: frameCount, at: time)
  }

  /// The time since the first picture.
  private mutating func time(of upload: BrowserCamera.Upload) -> Duration {
    let first = firstUploadTime ?? upload.unixTime
    firstUploadTime = first
    return .seconds(max(0, upload.unixTime - first))
  }
}

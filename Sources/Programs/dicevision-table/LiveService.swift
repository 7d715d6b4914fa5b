internal import DiceFiles
internal import DiceServer

/// Answers the requests of `dicevision live`.
///
///     GET  /               the table: picture, roll, history, totals
///     GET  /overlay        dice on no background, for streams
///     GET  /large          large type and speech
///     GET  /camera         sends this browser's pictures (--browser)
///     GET  /events         events, for EventSource; /events?frames=1 with the dice of each frame
///     GET  /socket         the same over a WebSocket; binary messages are frames (--browser)
///     GET  /roll           how things stand
///     GET  /history        the rolls
///     GET  /health         how the source and the server fare
///     GET  /picture.jpg    the latest picture; /picture.mjpeg one after the other
///     POST /frame, /photo  a picture file (--browser)
struct LiveService: Sendable {
  let table: LiveTable
  /// Nil where a browser sends the pictures.
  let feed: FrameFeed?
  let camera: BrowserCamera?
  let server: Server
  /// What the frames come from, for people.
  let sourceName: String
  let startTime: Double

  /// The answer to a request.
  func respond(to request: HTTPRequest) -> HTTPResponse {
    switch (request.method, request.path) {
    case ("GET", "/"): return page(LivePages.table)
    case ("GET", "/overlay"): return page(LivePages.overlay)
    case ("GET", "/large"): return page(LivePages.large)
    case ("GET", "/camera") where camera != nil: return page(LivePages.camera)
    case ("GET", "/roll"): return json(table.rollAnswer)
    case ("GET", "/history"): return json(table.historyAnswer)
    case ("GET", "/health"): return health
    case ("GET", "/favicon.ico"): return HTTPResponse(status: 204, body: [])
    case ("GET", "/events"):
      return events(request)
    case ("GET", "/socket"): return socket(request)
    case ("GET", "/picture.jpg"):
      guard let picture = table.picture(at: Clock.unixTime) else {
        return .refusal(HTTPError(503, "There is no picture yet: please come again."))
      }
      return HTTPResponse(
        status: 200, contentType: "image/jpeg", headers: [Self.noStore], body: picture)
    case ("GET", "/picture.mjpeg"):
      let type = "multipart/x-mixed-replace; boundary=\(LiveTable.boundary)"
      return .stream(contentType: type) { [table] stream in table.add(viewer: stream) }
    case ("POST", "/frame"): return take(request) { $0.take($1, from: 0, at: Clock.unixTime) }
    case ("POST", "/photo"):
      return take(request) { (camera, bytes) in
        camera.photos.put(BrowserCamera.Upload(bytes: bytes, unixTime: Clock.unixTime))
      }
    default:
      let known = [
        "/", "/overlay", "/large", "/camera", "/roll", "/history", "/health", "/events",
        "/socket", "/picture.jpg", "/picture.mjpeg", "/frame", "/photo", "/favicon.ico",
      ]
      guard known.contains(request.path) else {
        return .refusal(HTTPError(404, "There is nothing at this path."))
      }
      if camera == nil, ["/camera", "/frame", "/photo"].contains(request.path) {
        return .refusal(HTTPError(404, "Browsers send pictures with --browser only."))
      }
      return .refusal(HTTPError(405, "\(request.method) is not for \(request.path)."))
    }
  }

  private static let noStore = HTTPHeader("Cache-Control", "no-store")

  private func json(_ value: JSONValue, status: Int = 200) -> HTTPResponse {
    HTTPResponse(status: status, headers: [Self.noStore], body: JSONWriter.write(value) + [0x0A])
  }

  private func page(_ text: String) -> HTTPResponse {
    // Nothing comes from elsewhere, and an address with a token goes nowhere.
    let policy =
      "default-src 'none'; script-src 'unsafe-inline'; style-src 'unsafe-inline'; "
      + "img-src 'self' blob:; media-src blob:; connect-src 'self' ws: wss:; base-uri 'none'; "
      + "form-action 'none'"
    return HTTPResponse(
      status: 200, contentType: "text/html; charset=utf-8",
      headers: [
        Self.noStore, HTTPHeader("Content-Security-Policy", policy),
        HTTPHeader("Referrer-Policy", "no-referrer"),
      ], body: Array(text.utf8))
  }

  // MARK: - Streams

  private func events(_ request: HTTPRequest) -> HTTPResponse {
    let last = request.header("last-event-id") ?? request.query["after"]
    let wantsFrames = request.query["frames"] == "1"
    var response = HTTPResponse.events { [table] stream in
      let listener = LiveTable.Listener(
        stream: stream, readsEvents: true, wantsFrames: wantsFrames)
      table.add(listener, after: last.flatMap { Int($0) })
    }
    response.headers.append(Self.noStore)
    return response
  }

  private func socket(_ request: HTTPRequest) -> HTTPResponse {
    let last = request.query["after"].flatMap { Int($0) }
    let wantsFrames = request.query["frames"] == "1"
    return .webSocket(
      WebSocketHandler(
        opened: { [table] stream in
          let listener = LiveTable.Listener(
            stream: stream, readsEvents: false, wantsFrames: wantsFrames)
          table.add(listener, after: last)
        },
        received: { [camera] (stream, message) in
          if let camera, case .binary(let bytes) = message {
            camera.take(bytes, from: stream.identifier, at: Clock.unixTime)
          }
        }))
  }

  // MARK: - Pictures from a browser

  private func take(
    _ request: HTTPRequest, _ hand: (BrowserCamera, [UInt8]) -> Bool
  ) -> HTTPResponse {
    guard let camera else {
      return .refusal(HTTPError(404, "Browsers send pictures with --browser only."))
    }
    guard !request.body.isEmpty else {
      return .refusal(HTTPError(422, "The body must be a picture file."))
    }
    guard hand(camera, request.body) else {
      return .refusal(HTTPError(409, "Another browser is sending."))
    }
    return json(["version": JSONValue(LiveTable.version), "taken": true], status: 202)
  }

  // MARK: - Health

  private var health: HTTPResponse {
    let figures = feed?.statistics ?? FrameFeed.Statistics(state: .running)
    var isWell = true
    var message = JSONValue.null
    let state: String
    switch figures.state {
    case .starting: state = "starting"
    case .running: state = "running"
    case .ended: state = "ended"
    case .waiting(let text, _):
      state = "waiting"
      isWell = false
      message = .string(text)
    }
    let (rolls, listeners, viewers) = table.counts
    let statistics = server.statistics
    let seconds: Double = (Clock.unixTime - startTime).rounded()
    let answer: JSONValue = [
      "version": JSONValue(LiveTable.version), "state": .string(state), "message": message,
      "source": .string(sourceName), "seconds": .number(max(0, seconds)),
      "frames": JSONValue(figures.frameCount), "skippedFrames": JSONValue(figures.skippedCount),
      "lostFrames": JSONValue(figures.lostCount), "restarts": JSONValue(figures.restartCount),
      "rolls": JSONValue(rolls), "listeners": JSONValue(listeners),
      "viewers": JSONValue(viewers), "connections": JSONValue(statistics.connectionCount),
      "droppedClients": JSONValue(statistics.droppedCount),
      "refusedRequests": JSONValue(statistics.refusedCount),
    ]
    return json(answer, status: isWell ? 200 : 503)
  }
}

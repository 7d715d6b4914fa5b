internal import DiceFiles
internal import DiceFinders
internal import DiceNumerics
internal import DiceRolls
internal import DiceServer
internal import Synchronization

/// What is known of a table, and who wants to know: rolls, totals, pictures, and the streams of clients.
///
/// Any thread may ask; nothing here waits for a client.
final class LiveTable: Sendable {
  /// The version of the events and answers.
  static let version = 1
  /// The most rolls and events that are kept.
  static let rollLimit = 200
  static let eventLimit = 256

  /// A client that wants to know.
  struct Listener {
    var stream: ClientStream
    /// Whether it reads server-sent events; messages otherwise.
    var readsEvents: Bool
    /// Whether it wants the dice of each frame.
    var wantsFrames: Bool
  }

  /// The picture's size, and the dice in it.
  struct Sight {
    var width = 0
    var height = 0
    var phase = RollTracker.Phase.idle
    var dice: [TrackedDie] = []
  }

  private struct State {
    var number = 0
    var events: [(number: Int, text: String)] = []
    var listeners: [UInt64: Listener] = [:]
    var viewers: [UInt64: ClientStream] = [:]
    var picture: [UInt8]?
    var pictureDemand = 0.0
    var sight = Sight()
    var sightCount = 0
    var lastRoll: JSONObject?
    var rolls: [JSONValue] = []
    var rollCount = 0
    /// The tracker's number of the last roll.
    var trackerNumber: Int?
    /// What the dice of the last roll show.
    var faces: [DieFace] = []
    var totals: [DieFace: Int] = [:]
  }

  private let state = Mutex(State())

  // MARK: - What happens

  /// Tells an event of the tracker.
  ///
  /// - Returns: the event as it was told, with the number of the roll at this table; nil for one that is
  ///   not told.
  @discardableResult
  func tell(
    _ event: RollTracker.Event, frame: Int, time: Duration, unixTime: Double
  ) -> (event: RollTracker.Event, object: JSONObject)? {
    let record = RollRecord()
    return state.withLock { state in
      var event = event
      switch event {
      case .rollEnded(var roll):
        state.trackerNumber = roll.number
        state.rollCount += 1
        roll.number = state.rollCount
        event = .rollEnded(roll)
      case .resultRevised(var roll):
        guard state.trackerNumber == roll.number else { return nil }
        roll.number = state.rollCount
        event = .resultRevised(roll)
      default: break
      }
      guard let told = record.object(for: event, frame: frame, time: time) else { return nil }
      switch event {
      case .rollEnded(let roll): Self.keep(roll, record, unixTime, isNew: true, &state)
      case .resultRevised(let roll): Self.keep(roll, record, unixTime, isNew: false, &state)
      default: break
      }
      return (event, Self.send(told, unixTime, &state))
    }
  }

  /// Tells that something happened to the source: `sourceLost`, `sourceFound` or `sourceEnded`.
  @discardableResult
  func tell(source name: String, message: String?, unixTime: Double) -> JSONObject {
    var told = JSONObject([JSONObject.Member(key: "event", value: .string(name))])
    if let message {
      told.members.append(JSONObject.Member(key: "message", value: .string(message)))
    }
    return state.withLock { Self.send(told, unixTime, &$0) }
  }

  /// Takes a roll that was read in a single picture.
  @discardableResult
  func tell(
    photo dice: [TrackedDie], time: Duration, unixTime: Double
  ) -> (event: RollTracker.Event, object: JSONObject)? {
    let roll = Roll(number: 0, dice: dice, startTime: time, restTime: time, endTime: time)
    let told = tell(.rollEnded(roll), frame: 0, time: time, unixTime: unixTime)
    // No revision of a tracker's roll is meant for this one.
    state.withLock { $0.trackerNumber = nil }
    return told
  }

  private static func keep(
    _ roll: Roll, _ record: RollRecord, _ unixTime: Double, isNew: Bool, _ state: inout State
  ) {
    var object = JSONObject(record.members(of: roll))
    object.members.append(JSONObject.Member(key: "unixTime", value: rounded(unixTime)))
    if !isNew {
      for face in state.faces { state.totals[face, default: 0] -= 1 }
      if !state.rolls.isEmpty { state.rolls.removeLast() }
    }
    state.faces = roll.dice.compactMap { (die) in
      die.value.map { DieFace(kind: die.kind, value: $0) }
    }
    for face in state.faces { state.totals[face, default: 0] += 1 }
    state.lastRoll = object
    state.rolls.append(.object(object))
    if state.rolls.count > rollLimit { state.rolls.removeFirst() }
  }

  /// Numbers an event, keeps it, and sends it to everybody.
  private static func send(
    _ told: JSONObject, _ unixTime: Double, _ state: inout State
  ) -> JSONObject {
    state.number += 1
    let object = JSONObject(
      [
        JSONObject.Member(key: "version", value: JSONValue(version)),
        JSONObject.Member(key: "number", value: JSONValue(state.number)),
        JSONObject.Member(key: "unixTime", value: rounded(unixTime)),
      ] + told.members)
    let text = String(decoding: JSONWriter.write(.object(object)), as: UTF8.self)
    state.events.append((state.number, text))
    if state.events.count > eventLimit { state.events.removeFirst() }
    for (identifier, listener) in state.listeners {
      if !send(text, state.number, to: listener) { state.listeners[identifier] = nil }
    }
    return object
  }

  private static func send(_ text: String, _ number: Int?, to listener: Listener) -> Bool {
    guard listener.readsEvents else { return listener.stream.send(text: text) }
    let event = ServerSentEvent(identifier: number.map { "\($0)" }, data: text)
    return listener.stream.send(event.bytes)
  }

  private static func rounded(_ unixTime: Double) -> JSONValue {
    .number(NumberText.rounded(unixTime, decimals: 3))
  }

  /// Takes what a frame shows, and tells those who want each frame.
  func see(_ sight: Sight, frame: Int, time: Duration, unixTime: Double) {
    state.withLock { state in
      state.sight = sight
      state.sightCount += 1
      guard state.listeners.values.contains(where: { $0.wantsFrames }) else { return }
      var object = JSONObject([
        JSONObject.Member(key: "version", value: JSONValue(Self.version)),
        JSONObject.Member(key: "unixTime", value: Self.rounded(unixTime)),
        JSONObject.Member(key: "event", value: "frame"),
        JSONObject.Member(key: "frame", value: JSONValue(frame)),
        JSONObject.Member(
          key: "time", value: .number(NumberText.rounded(time.inSeconds, decimals: 4))),
      ])
      object.members += Self.members(of: sight)
      let text = String(decoding: JSONWriter.write(.object(object)), as: UTF8.self)
      let event = ServerSentEvent(data: text).bytes
      for (identifier, listener) in state.listeners where listener.wantsFrames {
        let isThere =
          listener.readsEvents
          ? listener.stream.offer(event) : listener.stream.offer(text: text)
        if !isThere { state.listeners[identifier] = nil }
      }
    }
  }

  private static func members(of sight: Sight) -> [JSONObject.Member] {
    let record = RollRecord()
    return [
      JSONObject.Member(key: "width", value: JSONValue(sight.width)),
      JSONObject.Member(key: "height", value: JSONValue(sight.height)),
      JSONObject.Member(key: "phase", value: .string("\(sight.phase)")),
      JSONObject.Member(key: "dice", value: .array(sight.dice.map { record.json($0) })),
    ]
  }

  // MARK: - Who wants to know

  /// Sends events to a client from now on: first how things stand, or what it missed.
  ///
  /// - Parameter last: the number of the last event that the client has; nil for none.
  func add(_ listener: Listener, after last: Int?) {
    state.withLock { state in
      let isKnown = last.map { $0 <= state.number && $0 + 1 >= state.events.first?.number ?? 1 }
      if let last, isKnown == true {
        for event in state.events where event.number > last {
          _ = Self.send(event.text, event.number, to: listener)
        }
      } else {
        var object = JSONObject([
          JSONObject.Member(key: "version", value: JSONValue(Self.version)),
          JSONObject.Member(key: "event", value: "state"),
        ])
        object.members += Self.standing(state)
        let text = String(decoding: JSONWriter.write(.object(object)), as: UTF8.self)
        _ = Self.send(text, state.number, to: listener)
      }
      // Those that have gone are noticed when there is something to send; a quiet table has none.
      state.listeners = state.listeners.filter { $0.value.stream.isOpen }
      state.listeners[listener.stream.identifier] = listener
    }
  }

  /// Sends pictures to a client from now on.
  func add(viewer stream: ClientStream) {
    state.withLock { state in
      state.viewers[stream.identifier] = stream
      if let picture = state.picture { _ = stream.offer(Self.part(picture)) }
    }
  }

  /// The word between the pictures of a stream.
  static let boundary = "picture"

  private static func part(_ picture: [UInt8]) -> [UInt8] {
    let head =
      "--\(boundary)\r\nContent-Type: image/jpeg\r\nContent-Length: \(picture.count)\r\n\r\n"
    return Array(head.utf8) + picture + [0x0D, 0x0A]
  }

  // MARK: - Pictures

  /// Whether somebody looks.
  func wantsPicture(at seconds: Double) -> Bool {
    state.withLock { !$0.viewers.isEmpty || seconds - $0.pictureDemand < 5 }
  }

  /// The latest picture as JPEG; asking for it has it made for a while.
  func picture(at seconds: Double) -> [UInt8]? {
    state.withLock { state in
      state.pictureDemand = seconds
      return state.picture
    }
  }

  /// Takes a picture, and sends it to those who look and have taken the one before.
  func show(_ picture: [UInt8]) {
    state.withLock { state in
      state.picture = picture
      if state.viewers.isEmpty { return }
      let part = Self.part(picture)
      for (identifier, stream) in state.viewers where !stream.offer(part) {
        state.viewers[identifier] = nil
      }
    }
  }

  // MARK: - Answers

  /// How things stand, for `/roll`.
  var rollAnswer: JSONValue {
    state.withLock { state in
      .object(
        JSONObject(
          [JSONObject.Member(key: "version", value: JSONValue(Self.version))]
            + Self.standing(state)))
    }
  }

  /// The rolls, for `/history`.
  var historyAnswer: JSONValue {
    state.withLock { state in
      [
        "version": JSONValue(Self.version), "rollCount": JSONValue(state.rollCount),
        "totals": Self.totals(state), "rolls": .array(state.rolls),
      ]
    }
  }

  /// How many rolls were told and frames read, and how many clients listen and look.
  var counts: (rolls: Int, sights: Int, listeners: Int, viewers: Int) {
    state.withLock { ($0.rollCount, $0.sightCount, $0.listeners.count, $0.viewers.count) }
  }

  private static func standing(_ state: State) -> [JSONObject.Member] {
    [
      JSONObject.Member(key: "phase", value: .string("\(state.sight.phase)")),
      JSONObject.Member(
        key: "roll", value: state.lastRoll.map { JSONValue.object($0) } ?? .null),
      JSONObject.Member(key: "rollCount", value: JSONValue(state.rollCount)),
      JSONObject.Member(key: "totals", value: totals(state)),
    ]
  }

  /// How many dice showed each number, as an object: `"5"` of six sides, `"d20 17"` of others.
  private static func totals(_ state: State) -> JSONValue {
    let counted = state.totals.filter { $0.value > 0 }.sorted {
      ($0.key.kind, $0.key.value) < ($1.key.kind, $1.key.value)
    }
    return .object(
      JSONObject(
        counted.map { (face, count) in
          let kind = face.kind == .d6 ? "" : "\(face.kind.rawValue) "
          return JSONObject.Member(
            key: kind + face.kind.face(for: face.value), value: JSONValue(count))
        }))
  }
}

import BenchmarkSupport
import DiceFiles
import DiceParallel
import DiceVisionKit

/// What followers tell of films in which nothing is thrown.
struct HandMeasurement {
  /// A film with what was told of it.
  private struct Film: Sendable {
    let seed: UInt64
    let framesPerSecond: Int
    let actions: [(frame: Int, action: HandFilm.Action)]
    let frameCount: Int
    /// The rolls that began, without values, and those that were told.
    var told: [(frame: Int, values: [Int]?)] = []

    /// The last action that had begun in a frame.
    func action(at frame: Int) -> HandFilm.Action? {
      actions.last { $0.frame <= frame }?.action
    }
  }

  private let films: [Film]

  init(_ settings: Settings) throws {
    if let folder = settings.folder { try FileSystem.createFolder(at: folder) }
    let detector = try DiceDetector(configuration: .init(threadCount: 1))
    let pool = WorkerPool(threadCount: settings.threadCount)
    let results = pool.map(count: settings.count) { index in
      Result {
        try Self.film(
          seed: settings.seed + UInt64(index), folder: settings.folder, detector: detector)
      }
    }
    films = try results.map { try $0.get() }
  }

  /// A film from the folder, or rendered and put there, and followed.
  private static func film(
    seed: UInt64, folder: String?, detector: DiceDetector
  ) throws -> Film {
    let path = folder.map { Paths.joined($0, "hands-\(seed)") }
    if let path, let (recorded, truth) = try RecordedFilm.read(at: path) {
      guard let rate = truth["framesPerSecond"]?.integer, let actions = truth["actions"]?.array
      else { throw WrongResult("\(path) is no recorded film of hands") }
      return follow(
        recorded, seed: seed, framesPerSecond: rate,
        actions: actions.compactMap { (json) in
          guard let pair = json.array, pair.count == 2, let frame = pair[0].integer,
            let name = pair[1].string,
            let action = HandFilm.Action(rawValue: name)
          else { return nil }
          return (frame, action)
        })
    }
    let film = try HandFilm(seed: seed, detector: detector)
    try path.map {
      try film.film.write(
        to: $0,
        truth: [
          .init(key: "framesPerSecond", value: JSONValue(film.framesPerSecond)),
          .init(
            key: "actions",
            value: .array(
              film.actions.map {
                .array([JSONValue($0.frame), .string($0.action.rawValue)])
              })),
        ])
    }
    return follow(
      film.film, seed: seed, framesPerSecond: film.framesPerSecond, actions: film.actions)
  }

  private static func follow(
    _ recorded: RecordedFilm, seed: UInt64, framesPerSecond: Int,
    actions: [(frame: Int, action: HandFilm.Action)]
  ) -> Film {
    var film = Film(
      seed: seed, framesPerSecond: framesPerSecond, actions: actions,
      frameCount: recorded.frames.count)
    var follower = RollFollower()
    for (index, frame) in recorded.frames.enumerated() {
      let events = recorded.picture(ofFrame: index).withFrame { (picture) in
        follower.follow(picture, at: .nanoseconds(index * 1_000_000_000 / framesPerSecond)) {
          (_) in frame.observations
        }
      }
      for event in events {
        switch event {
        case .rollStarted: film.told.append((index, nil))
        case .rollEnded(let roll): film.told.append((index, roll.values))
        default: break
        }
      }
    }
    return film
  }

  var table: Table {
    let minutes = films.reduce(0) { $0 + Double($1.frameCount) / Double($1.framesPerSecond) } / 60
    var table = Table(
      "\(films.count) films from seed \(films[0].seed) on, \(Decimals.text(minutes, 1)) minutes in all, 480 x 360, at "
        + "10, 15 and 30 frames a second,\nin which nothing is thrown",
      [
        .init("action", "what happens"), .init("count", "times"),
        .init("began", "rolls begun"), .init("told", "rolls told"),
      ])
    for action in HandFilm.Action.allCases {
      let told = films.flatMap { (film) in
        film.told.filter { film.action(at: $0.frame) == action }
      }
      table.append(
        .text(action.rawValue),
        .count(films.reduce(0) { $0 + $1.actions.count { $0.action == action } }),
        .count(told.count { $0.values == nil }), .count(told.count { $0.values != nil }))
    }
    return table
  }

  /// A line for each roll that began or was told.
  var note: String {
    films.flatMap { (film) in
      film.told.map { (told) in
        "film \(film.seed), \(film.framesPerSecond)/s, frame \(told.frame): "
          + (told.values.map { "told \($0)" } ?? "begun")
          + (film.action(at: told.frame).map { ", " + $0.rawValue } ?? "")
      }
    }.joined(separator: "\n")
  }
}

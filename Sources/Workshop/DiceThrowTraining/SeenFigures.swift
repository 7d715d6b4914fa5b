internal import DiceThrowFilms
internal import DiceGeometry
internal import DiceNumerics
public import DiceParallel
internal import DicePoses
internal import DiceTraining
public import ThrowVisionKit

/// Drawn figures whose joints are those that a detector finds in their films: with its mistakes, which last and swap
/// sides.
public struct SeenFigures: Sendable {
  private let windows: [FigureAction: [ThrowWindow]]

  /// What was seen of the films of an action.
  func windows(_ action: FigureAction) -> [ThrowWindow] { windows[action] ?? [] }

  /// The number of films of which something was seen.
  public var count: Int { windows.values.reduce(0) { $0 + $1.count } }

  /// Draws films, finds the joints in their frames and follows them.
  ///
  /// - Parameters:
  ///   - countOfEach: how many films of each action.
  ///   - detector: what finds joints.
  ///   - seed: what decides who it is, what is done and who looks.
  ///   - pool: threads, each with a film of its own.
  ///   - progress: called now and then with how many films there are, and how many there will be; where it returns
  ///     false there will be no more.
  /// - Throws: what the detector throws.
  public init(
    countOfEach: Int, detector: PoseDetector, seed: UInt64 = 1, pool: WorkerPool,
    progress: (Int, Int) -> Bool = { (_, _) in true }
  ) throws(PoseDetectorError) {
    let actions = FigureAction.allCases
    let total = countOfEach * actions.count
    var windows: [FigureAction: [ThrowWindow]] = [:]
    for first in stride(from: 0, to: total, by: Self.groupSize) {
      let found = pool.map(count: min(Self.groupSize, total - first)) { (place) in
        let index = first + place
        do throws(PoseDetectorError) {
          var random = TrainingRandom(seed, UInt64(index))
          return Result<ThrowWindow?, PoseDetectorError>.success(
            try Self.window(actions[index % actions.count], detector, using: &random))
        } catch { return .failure(error) }
      }
      for (place, result) in found.enumerated() {
        guard let window = try result.get() else { continue }
        windows[actions[(first + place) % actions.count], default: []].append(window)
      }
      if !progress(first + found.count, total) { break }
    }
    self.windows = windows
  }

  /// Films that are drawn between two calls of `progress`.
  private static let groupSize = 64

  /// What is seen of a new film; nil where the figure is behind the camera.
  private static func window(
    _ action: FigureAction, _ detector: PoseDetector, using random: inout TrainingRandom
  ) throws(PoseDetectorError) -> ThrowWindow? {
    let film = FigureFilm(action, using: &random)
    let renderer = FigureFilmRenderer(film, using: &random)
    guard var tracker = try? PoseTracker() else { return nil }
    var poses: [Pose] = []
    var people: [DetectedPerson] = []
    for frame in 0..<film.frameCount {
      let image = renderer.frame(frame)
      if people.isEmpty {
        guard let truth = DetectedPerson(outlining: film.pose(frame: frame)) else { return nil }
        people = try detector.pose(in: image, of: truth.boundingBox).map { [$0] } ?? []
      } else {
        people = try detector.detect(in: image, following: people)
      }
      let time = Duration.seconds(Double(frame) / film.framesPerSecond)
      guard (try? tracker.update(with: people, at: time)) != nil else { return nil }
      // A tracker tells of nobody until the person has entered.
      poses.append((tracker.people.first?.pose ?? people.first?.pose) ?? Pose())
    }
    return ThrowWindow(
      PoseSequence(
        id: "", framesPerSecond: film.framesPerSecond, width: renderer.camera.width,
        height: renderer.camera.height, poses: poses, label: action.rawValue),
      release: film.releaseFrame)
  }
}

import DiceThrowFilms
import DiceParallel
import DicePoses
@testable import DiceTraining
import TestSupport
import Testing
import ThrowVisionKit

@testable import DiceThrowTraining

@Suite struct SeenFiguresTests {
  @Test func figuresAreSeenAboutWhereTheyAre() throws {
    let detector = try PoseDetector()
    let pool = WorkerPool(threadCount: 2)
    let seen = try SeenFigures(countOfEach: 1, detector: detector, seed: 5, pool: pool)
    #expect((2...4).contains(seen.count))
    var (near, all) = (0, 0)
    for (index, action) in FigureAction.allCases.enumerated() {
      var random = TrainingRandom(5, UInt64(index))
      let film = FigureFilm(action, using: &random)
      for window in seen.windows(action) {
        expectEqual(window.poses.count, film.frameCount)
        expectEqual(window.framesPerSecond, film.framesPerSecond)
        if let release = film.releaseFrame { expectEqual(window.release, release) }
        for (frame, pose) in window.poses.enumerated() {
          let truth = film.pose(frame: frame)
          let size = try #require(DetectedPerson(outlining: truth)?.boundingBox.height)
          for joint in [Joint.leftShoulder, .rightShoulder, .leftHip, .rightHip, .neck] {
            guard let place = pose[joint], let exact = truth[joint] else { continue }
            all += 1
            let out = place.location.squaredDistance(to: exact.location).squareRoot()
            if out < 0.1 * size { near += 1 }
          }
        }
      }
    }
    #expect(all > 200 && 10 * near > 8 * all, "\(near) of \(all)")
    // It stops where it is told to.
    var calls: [[Int]] = []
    let stopped = try SeenFigures(countOfEach: 1, detector: detector, seed: 5, pool: pool) {
      calls.append([$0, $1])
      return false
    }
    #expect(calls == [[4, 4]] && stopped.count == seen.count)
    // Threads and repetition change nothing.
    let again = try SeenFigures(
      countOfEach: 1, detector: detector, seed: 5, pool: WorkerPool(threadCount: 1))
    #expect(
      again.windows(.overhand).first?.poses == seen.windows(.overhand).first?.poses
        && again.count == seen.count)
  }

  @Test func theyAreHalfOfTheFigures() throws {
    let seen = try SeenFigures(
      countOfEach: 1, detector: try PoseDetector(), seed: 5, pool: WorkerPool(threadCount: 2))
    let labels = FigureAction.allCases.map(\.rawValue)
    let dataset = try ActionDataset([], labels: labels)
    // Windows as they are, but for sides that are swapped now and then.
    var plain = PoseDistortion()
    (plain.cut, plain.streamShare, plain.rotation, plain.stretch) = (0, 0, 0, 0)
    (plain.noise, plain.offset, plain.outlierShare, plain.gapShare) = (0, 0, 0, 0)
    let task = try ActionTask(dataset, usesFigures: true, seen: seen, distortion: plain)
    #expect(
      task.identity
        != (try ActionTask(dataset, usesFigures: true, distortion: plain)).identity)
    /// What the windows of an action look like, and in a mirror.
    func looks(_ action: FigureAction) -> [[Float]] {
      var features = ActionFeatures()
      return seen.windows(action).flatMap { (window) -> [[Float]] in
        let poses = window.poses.enumerated().map { TimedPose(time: Double($0), pose: $1) }
        guard features.take(poses[...]) else { return [] }
        return [false, true].map {
          features.measure(isMirrored: $0)
          return features.values
        }
      }
    }
    let known = FigureAction.allCases.map { looks($0) }
    var (count, seenCount) = (0, 0)
    for seed in 0..<400 as Range<UInt64> {
      let map = BatchMap(
        sampleCount: 1, height: 1, width: 1, channelCount: ActionFeatures.count)
      let input = SampleInput(map: map, sample: 0)
      var random = TrainingRandom(seed)
      let label = task.makeSample(
        into: [input], at: TrainingMoment(step: 1, stepCount: 10), using: &random)
      guard !known[label].isEmpty else { continue }
      count += 1
      let isSeen = known[label].contains { (values) in
        values.indices.allSatisfy { (input[0, 0, $0] - values[$0]).magnitude < 1e-3 }
      }
      if isSeen { seenCount += 1 }
    }
    // Half of them, but for those with swapped sides.
    #expect(
      count >= 180 && (0.38...0.58).contains(Double(seenCount) / Double(count)),
      "\(seenCount) of \(count)")
  }
}

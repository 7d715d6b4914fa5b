import DiceFigures
import DiceParallel
import DicePoses
import DiceTraining
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
        #expect(window.poses.count == film.frameCount)
        #expect(window.framesPerSecond == film.framesPerSecond)
        if let release = film.releaseFrame { #expect(window.release == release) }
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

  @Test func theyAreLearntFromAsFiguresAre() throws {
    let seen = try SeenFigures(
      countOfEach: 1, detector: try PoseDetector(), seed: 5, pool: WorkerPool(threadCount: 2))
    let dataset = try ActionDataset(
      [], labels: ["overhand", "underhand", "underleg", "none"])
    let task = try ActionTask(dataset, usesFigures: true, seen: seen)
    let without = try ActionTask(dataset, usesFigures: true)
    #expect(task.identity != without.identity)
  }
}

import DiceThrowFilms
import DiceGeometry
import DicePoses
import Testing

/// What smoothing does to the joints of figures that throw, with noise as a network's joints have it.
@Suite struct PoseSmoothingTests {
  /// What was measured, in torso lengths but for the delay.
  struct Outcome {
    /// How much resting joints jump from frame to frame: the root mean square.
    var jitter = (raw: 0.0, smooth: 0.0)
    /// How far joints are from the truth: the root mean square.
    var error = (raw: 0.0, smooth: 0.0)
    /// By how many seconds the throwing wrist comes late, around its greatest speed.
    var delay = 0.0
  }

  static func measure(
    _ smoothing: PoseTracker.Smoothing, deviation: Double = 0.04, rate: Double = 30,
    count: Int = 60
  ) throws -> Outcome {
    var random = Counter(state: 7)
    var outcome = Outcome()
    var (rests, places, delays) = (0.0, 0.0, [Double]())
    func normal() -> Double {
      (0..<4).reduce(-2.0) { (sum, _) in sum + Double(random.next() >> 11) * 0x1p-53 } * 1.732
    }
    let joints: [Joint] = [
      .leftShoulder, .rightShoulder, .leftWrist, .rightWrist, .leftKnee, .rightKnee,
    ]
    for index in 0..<count {
      let action: FigureAction = [.overhand, .underhand, .underleg][index % 3]
      let motion = action.motion(using: &random)
      let camera = FigureCamera(azimuth: Double(index * 77 % 360), elevation: 5)
      let figure = ArticulatedFigure()
      var configuration = PoseTracker.Configuration()
      configuration.smoothing = smoothing
      var tracker = try PoseTracker(configuration)
      let wrist = motion.hand ?? .rightWrist
      var (truths, smooths) = ([PixelPoint](), [PixelPoint]())
      var last: (raw: Pose, smooth: Pose)?
      // A second of rest, the movement, and a second of rest.
      let frames = Int((motion.duration + 2) * rate)
      let torso = camera.focalLength * figure.trunk / camera.distance
      for frame in 0..<frames {
        let truth = camera.pose(
          of: figure.skeleton(motion.posture(at: Double(frame) / rate - 1)))
        var raw = truth
        for joint in raw.joints {
          guard let point = raw[joint]?.location else { continue }
          raw[joint] = Pose.Point(
            PixelPoint(
              x: point.x + deviation * torso * normal(), y: point.y + deviation * torso * normal()),
            confidence: 0.9)
        }
        let box = BoundingBox(midX: 320, midY: 240, width: torso * 2, height: torso * 3.6)
        try tracker.update(
          with: [DetectedPerson(boundingBox: box, confidence: 1, pose: raw)],
          at: .seconds(Double(frame) / rate))
        guard let smooth = tracker.player?.pose else { continue }
        for joint in joints {
          guard let now = truth[joint], let seen = raw[joint], let steady = smooth[joint] else {
            continue
          }
          outcome.error.raw += now.location.squaredDistance(to: seen.location)
          outcome.error.smooth += now.location.squaredDistance(to: steady.location)
          places += 1
          guard Double(frame) < 0.9 * rate, Double(frame) > 0.4 * rate, let last,
            let before = last.raw[joint], let steadyBefore = last.smooth[joint]
          else { continue }
          outcome.jitter.raw += seen.location.squaredDistance(to: before.location)
          outcome.jitter.smooth += steady.location.squaredDistance(to: steadyBefore.location)
          rests += 1
        }
        if let now = truth[wrist]?.location, let steady = smooth[wrist]?.location {
          truths.append(now)
          smooths.append(steady)
        }
        last = (raw, smooth)
      }
      delays.append(delay(of: smooths, after: truths, rate: rate))
    }
    let torso = 800 * 0.5 / 5.0
    outcome.error = (
      (outcome.error.raw / places).squareRoot() / torso,
      (outcome.error.smooth / places).squareRoot() / torso
    )
    outcome.jitter = (
      (outcome.jitter.raw / rests).squareRoot() / torso,
      (outcome.jitter.smooth / rests).squareRoot() / torso
    )
    outcome.delay = delays.sorted()[delays.count / 2]
    return outcome
  }

  /// The shift in seconds with which the smoothed places fit the true ones best, in the ten frames around
  /// the greatest speed.
  private static func delay(
    of smooth: [PixelPoint], after truth: [PixelPoint], rate: Double
  ) -> Double {
    var fastest = (speed: 0.0, frame: 0)
    for frame in 1..<truth.count {
      let speed = truth[frame].squaredDistance(to: truth[frame - 1])
      if speed > fastest.speed { fastest = (speed, frame) }
    }
    func place(_ frame: Double) -> PixelPoint {
      let index = min(max(Int(frame), 0), truth.count - 2)
      let share = frame - Double(index)
      return PixelPoint(
        x: truth[index].x + (truth[index + 1].x - truth[index].x) * share,
        y: truth[index].y + (truth[index + 1].y - truth[index].y) * share)
    }
    var best = (sum: Double.infinity, shift: 0.0)
    for step in -20...60 {
      let shift = Double(step) / 20
      var sum = 0.0
      for frame in max(0, fastest.frame - 5)..<min(truth.count, fastest.frame + 5) {
        sum += smooth[frame].squaredDistance(to: place(Double(frame) - shift))
      }
      if sum < best.sum { best = (sum, shift) }
    }
    return best.shift / rate
  }

  @Test func restingJointsJumpLessAndFastOnesComeNoLater() throws {
    for rate in [30.0, 60] {
      let outcome = try Self.measure(PoseTracker.Smoothing(), rate: rate, count: 30)
      print(
        "smoothing at \(rate) frames a second: jitter \(outcome.jitter), error \(outcome.error), "
          + "delay \(outcome.delay) s")
      #expect(outcome.jitter.smooth < 0.35 * outcome.jitter.raw)
      #expect(outcome.error.smooth < 0.9 * outcome.error.raw)
      #expect(outcome.delay.magnitude <= 0.005)
    }
  }

  @Test func aPlainLowPassLagsWhereThisDoesNot() throws {
    var plain = PoseTracker.Smoothing()
    plain.cutoffBySpeed = 0
    plain.lead = 0
    let outcome = try Self.measure(plain, count: 15)
    print(
      "a plain low-pass: jitter \(outcome.jitter), error \(outcome.error), delay \(outcome.delay) s"
    )
    #expect(outcome.delay > 0.03)
  }
}

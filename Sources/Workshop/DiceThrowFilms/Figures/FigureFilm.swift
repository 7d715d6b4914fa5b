public import DicePoses
internal import DiceGeometry

/// A drawn figure that does something before a drawn camera.
public struct FigureFilm: Hashable, Sendable {
  /// What the figure does.
  public let action: FigureAction
  /// Whom the limbs belong to.
  public let figure: ArticulatedFigure
  /// How they move.
  public let motion: FigureMotion
  /// Who looks.
  public let camera: FigureCamera
  /// Frames in a second.
  public let framesPerSecond: Double

  /// Draws limbs, motion, camera and frame rate.
  public init(_ action: FigureAction, using random: inout some RandomNumberGenerator) {
    self.action = action
    var figure = ArticulatedFigure()
    let parts: [WritableKeyPath<ArticulatedFigure, Double>] = [
      \.halfHips, \.halfShoulders, \.trunk, \.neck, \.headRadius, \.upperArm, \.forearm, \.thigh,
      \.shin,
    ]
    let size = 1 + 0.08 * random.normal()
    for part in parts { figure[keyPath: part] *= size * (1 + 0.06 * random.normal()) }
    self.figure = figure
    motion = action.motion(using: &random)
    let distance = random.between(3, 10)
    let height = [240, 360, 480, 720][Int(random.next() % 4)]
    camera = FigureCamera(
      azimuth: random.between(0, 360), elevation: random.between(-5, 25),
      roll: 2 * random.normal(), distance: distance,
      focalLength: random.between(0.3, 0.9) * Double(height) / 1.9 * distance,
      target: SIMD3(random.between(-0.3, 0.5), random.between(-0.4, 0.4), 0.9),
      width: height * 16 / 9, height: height)
    framesPerSecond = [15.0, 24, 25, 30, 30, 50, 60][Int(random.next() % 7)]
  }

  /// The number of frames, 2 at least.
  public var frameCount: Int { max(2, Int(motion.duration * framesPerSecond) + 1) }

  /// When a thing leaves the hand, as a number of frames; nil where nothing is thrown.
  public var releaseFrame: Double? { motion.release.map { $0 * framesPerSecond } }

  /// The joints in a frame, in metres.
  public func skeleton(frame: Int) -> Skeleton {
    figure.skeleton(motion.posture(at: Double(frame) / framesPerSecond))
  }

  /// The joints in a frame as the camera sees them, hidden or not.
  public func pose(frame: Int) -> Pose { camera.pose(of: skeleton(frame: frame)) }

  /// The joints of all frames as the camera sees them, labelled with the action.
  public func sequence(id: String) -> PoseSequence {
    PoseSequence(
      id: id, framesPerSecond: framesPerSecond, width: camera.width, height: camera.height,
      poses: (0..<frameCount).map { pose(frame: $0) },
      label: action.rawValue)
  }
}

internal import DiceNumerics

/// How a camera in somebody's hand turns: slow drift and a finer tremor.
///
/// The camera turns about its lens and does not move, so that a picture is a bent copy of every
/// other one, as it nearly is with a real hand. Lengths in pixels count for a picture whose longer
/// side is 640 pixels and grow with it.
struct CameraSway: Hashable, Sendable {
  private struct Wave: Hashable, Sendable {
    var frequency: Float
    var phase: Float
    /// In pixels.
    var amplitude: Vector2
  }

  private var waves: [Wave] = []
  /// In turns.
  private var rollAmplitude: Float = 0
  private var rollFrequency: Float = 0.4
  private var rollPhase: Float = 0

  /// A camera that stands still.
  static let none = CameraSway()

  private init() {}

  /// - Parameters:
  ///   - speed: the most that the picture moves, in pixels a second.
  init(speed: Float, _ random: inout SceneRandom) {
    guard speed > 0 else { return }
    func add(_ share: Float, _ low: Float, _ high: Float, _ widest: Float) {
      let angle = random.unit()
      let direction = Vector2(cosineOfTurns(angle), sineOfTurns(angle))
      // Fast enough to stay near its place.
      let frequency = max(random.number(low, high), speed * share / (6.2831853 * widest))
      let amplitude = speed * share / (6.2831853 * frequency)
      waves.append(
        Wave(frequency: frequency, phase: random.unit(), amplitude: direction * amplitude))
    }
    add(0.5, 0.25, 0.5, 12)
    add(0.25, 0.6, 1.1, 5)
    add(0.25, 4, 9, 1)
    rollAmplitude = random.number(0, 0.0009)
    rollFrequency = random.number(0.2, 0.6)
    rollPhase = random.unit()
  }

  /// The shift of the picture's middle in pixels and the turn of the picture in turns.
  private func shift(at time: Double) -> (middle: Vector2, roll: Float) {
    func turns(_ frequency: Float, _ phase: Float) -> Float {
      let whole = Double(frequency) * time
      return Float(whole - whole.rounded(.down)) + phase
    }
    var middle = Vector2.zero
    for wave in waves { middle += wave.amplitude * sineOfTurns(turns(wave.frequency, wave.phase)) }
    return (middle, rollAmplitude * sineOfTurns(turns(rollFrequency, rollPhase)))
  }

  /// How far a pixel moves at most, for a picture of some size.
  func reach(width: Int, height: Int) -> Float {
    var sum: Float = 0
    for wave in waves { sum += length(wave.amplitude) }
    let corner = length(Vector2(Float(width), Float(height)) * 0.5)
    return sum * CameraSway.scale(width, height) + rollAmplitude * 6.2831853 * corner
  }

  /// How far a pixel moves between two times, for a picture of some size.
  func way(from start: Double, to end: Double, width: Int, height: Int) -> Float {
    length(shift(at: end).middle - shift(at: start).middle) * CameraSway.scale(width, height)
  }

  private static func scale(_ width: Int, _ height: Int) -> Float {
    Float(max(width, height)) / 640
  }

  /// A camera turned as the hand turns it at a time.
  func turned(_ camera: Camera, at time: Double) -> Camera {
    let (middle, roll) = shift(at: time)
    let focal = max(camera.focal, 0.05) * 640
    let pan = Rotation.turn(about: camera.down, turns: middle.x / focal * 0.15915494)
    let tilt = Rotation.turn(about: camera.right, turns: -middle.y / focal * 0.15915494)
    let spin = Rotation.turn(about: camera.forward, turns: roll)
    let turn = pan.after(tilt.after(spin))
    var result = camera
    result.right = turn.toWorld(camera.right)
    result.down = turn.toWorld(camera.down)
    result.forward = turn.toWorld(camera.forward)
    return result
  }
}

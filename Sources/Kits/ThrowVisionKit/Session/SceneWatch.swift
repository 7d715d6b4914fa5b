internal import DiceImaging
internal import DiceRegistration

/// Tells from the frames whether the camera stands still, by the rule of a game.
///
/// Stability is found by registering whole pictures, in which someone who walks may look like a moving camera.
/// So it is only given up when points with strong edges have moved, too, from where they were.
struct SceneWatch: Sendable {
  /// Shifts of less confidence are not known.
  private static let minimumConfidence: Float = 0.1

  private let rule: ThrowRules.Stability
  private var registration: ImageRegistration?
  private var plane: [UInt8] = []
  private var shifts: [SIMD2<Double>] = []
  private var stability: SceneStability?
  /// Whether the scene is stable; it stays so until the camera has clearly moved.
  private(set) var isStable = false
  /// Where the picture lay when the scene became stable.
  private var anchor = SIMD2<Double>.zero

  init(_ rule: ThrowRules.Stability) throws(ThrowSessionError) {
    self.rule = rule
    guard case .still(let pixels) = rule else { return }
    var configuration = SceneStability.Configuration()
    configuration.duration = .seconds(1)
    configuration.distance = pixels
    configuration.minimumConfidence = Self.minimumConfidence
    do { stability = try SceneStability(configuration: configuration) } catch {
      throw .valueOutOfRange(name: "stability.pixels", value: pixels, range: 0...1000)
    }
  }

  /// Takes a frame whose sides are 32 at least, and where its picture lies against the first one's.
  mutating func update(
    with frame: borrowing RawFrame, shift: SIMD2<Double>, at time: Duration
  ) throws(ThrowSessionError) {
    let (columns, rows) = (Self.side(frame.width, 128), Self.side(frame.height, 64))
    let motion: CameraMotion
    do throws(ImageRegistrationError) {
      if registration == nil {
        registration = try ImageRegistration(width: columns, height: rows)
        plane = [UInt8](repeating: 0, count: columns * rows)
      }
      frame.reduceLuminance(into: &plane, columns: columns, rows: rows)
      motion =
        try registration?.update(
          luminance: plane, pixelsPerColumn: Double(frame.width) / Double(columns),
          pixelsPerRow: Double(frame.height) / Double(rows)) ?? .zero
    } catch { throw .registration(error) }
    switch rule {
    case .still(let pixels):
      stability?.update(motion, at: time)
      guard let stability else { return }
      let moved = stability.displacement
      let distance = (moved.x * moved.x + moved.y * moved.y).squareRoot()
      decide(stability.isStill, moves: distance > 2 * pixels, limit: pixels, shift)
    case .shifts(let count, let limit):
      if motion.confidence >= Self.minimumConfidence {
        shifts.append(SIMD2(motion.x, motion.y))
        if shifts.count > count { shifts.removeFirst() }
      }
      let sum = shifts.reduce(SIMD2.zero, +)
      let distance = sum.x.magnitude + sum.y.magnitude
      decide(
        shifts.count >= count && distance < limit, moves: distance > 2 * limit, limit: limit, shift)
    }
  }

  private mutating func decide(
    _ isStill: Bool, moves: Bool, limit: Double, _ shift: SIMD2<Double>
  ) {
    guard isStable else {
      if isStill { (isStable, anchor) = (true, shift) }
      return
    }
    let out = shift - anchor
    let distance = (out * out).sum().squareRoot()
    if distance > 2 * limit || moves && distance > limit { isStable = false }
  }

  /// The greatest power of two up to a side and a limit, 32 at least.
  private static func side(_ length: Int, _ limit: Int) -> Int {
    var side = 32
    while side * 2 <= min(length, limit) { side *= 2 }
    return side
  }
}

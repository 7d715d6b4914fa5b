/// Keeps the sum of all the camera's motions since the first frame.
struct ShakeFollower: Sendable {
  /// The picture's place against that of the first frame.
  private(set) var shift = ShakeEstimator.Shift()

  private var estimator = ShakeEstimator()
  private var hasKey = false
  private var keyShift = ShakeEstimator.Shift()
  private var keyTime = 0.0
  private var last = ShakeEstimator.Shift()

  /// Measures where a frame is.
  ///
  /// - Returns: false where the scene is another one: a cut, or a motion too fast to follow.
  mutating func update(_ plane: ReducedPlane, at time: Double) -> Bool {
    guard hasKey else {
      setKey(plane, at: time)
      return true
    }
    guard estimator.isUsable else {
      // Nothing to see: a still camera is as good a guess as any.
      setKey(plane, at: time)
      return true
    }
    guard let found = estimator.shift(of: plane, near: last), found.residual < 480 else {
      setKey(plane, at: time)
      return false
    }
    last = found
    shift.x = keyShift.x + found.x
    shift.y = keyShift.y + found.y
    shift.brightness = keyShift.brightness + found.brightness
    if abs(found.x) > 10 || abs(found.y) > 10 || time - keyTime > 1 { setKey(plane, at: time) }
    return true
  }

  private mutating func setKey(_ plane: ReducedPlane, at time: Double) {
    estimator.setKey(plane)
    keyShift = shift
    keyTime = time
    last = ShakeEstimator.Shift()
    hasKey = true
  }
}

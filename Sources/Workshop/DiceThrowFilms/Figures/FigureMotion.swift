public import DicePoses

/// Postures over time: key frames, and smooth ways between them.
public struct FigureMotion: Hashable, Sendable {
  /// A posture at a time.
  public struct Key: Hashable, Sendable {
    /// When, in seconds.
    public var time: Double
    /// How the figure stands then.
    public var posture: Posture

    /// A posture at a time.
    public init(_ time: Double, _ posture: Posture) {
      self.time = time
      self.posture = posture
    }
  }

  /// The postures; their times ascend, and there is one.
  public let keys: [Key]
  /// When a thing leaves the hand; nil where nothing is thrown.
  public let release: Double?
  /// The wrist of the hand that throws; nil where nothing is thrown.
  public let hand: Joint?

  /// A motion through some postures.
  ///
  /// - Precondition: there is a key, and the times ascend.
  public init(_ keys: [Key], release: Double? = nil, hand: Joint? = nil) {
    precondition(!keys.isEmpty, "a motion has a posture")
    precondition(
      zip(keys, keys.dropFirst()).allSatisfy { $0.time < $1.time }, "times of keys ascend")
    self.keys = keys
    self.release = release
    self.hand = hand
  }

  /// The time of the last key.
  public var duration: Double { keys[keys.count - 1].time }

  /// The posture at a time; the first or the last one outside the keys.
  ///
  /// Between keys the numbers follow cubics with the slopes of Catmull and Rom, for uneven times.
  public func posture(at time: Double) -> Posture {
    guard let next = keys.firstIndex(where: { $0.time > time }) else {
      return keys[keys.count - 1].posture
    }
    guard next > 0 else { return keys[0].posture }
    let (from, to) = (keys[next - 1], keys[next])
    let span = to.time - from.time
    let t = (time - from.time) / span
    let before = keys[max(0, next - 2)]
    let after = keys[min(keys.count - 1, next + 1)]
    let (first, second) = (to.time - before.time, after.time - from.time)
    return from.posture.changed { (angle) in
      let (start, end) = (from.posture[angle], to.posture[angle])
      let startSlope = (end - before.posture[angle]) / first * span
      let endSlope = (after.posture[angle] - start) / second * span
      let (square, cube) = (t * t, t * t * t)
      return start * (2 * cube - 3 * square) + end * (3 * square - 2 * cube)
        + startSlope * (cube - 2 * square + t) + endSlope * (cube - square)
    }
  }

  /// The motion of the figure in a mirror.
  public var mirrored: FigureMotion {
    FigureMotion(
      keys.map { Key($0.time, $0.posture.mirrored) }, release: release, hand: hand?.mirrored)
  }
}

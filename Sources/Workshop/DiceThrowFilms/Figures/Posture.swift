/// How a figure stands: the angles of its joints in degrees, and where it is in metres.
///
/// All numbers are 0 for a figure that stands upright with hanging arms and looks along the x axis.
public struct Posture: Hashable, Sendable {
  /// What can be set.
  public enum Angle: Int, CaseIterable, Hashable, Sendable {
    /// The whole figure to its left.
    case turn = 0
    /// The trunk forwards.
    case pitch = 1
    /// The trunk to the figure's left.
    case tilt = 2
    /// The shoulders to the figure's left, against the hips.
    case twist = 3
    /// The head forwards.
    case nod = 4
    /// Metres along the x axis.
    case forward = 5
    /// Metres along the y axis, to the figure's left at first.
    case sideways = 6
    /// Metres above the ground, of the lower foot.
    case lift = 7
    /// The left upper arm forwards: 90 is level, 180 up; negative is backwards.
    case leftArmRaise = 8
    /// The right upper arm forwards.
    case rightArmRaise = 9
    /// The left upper arm outwards, away from the body; negative is across it.
    case leftArmSpread = 10
    /// The right upper arm outwards.
    case rightArmSpread = 11
    /// The left elbow: 0 is straight.
    case leftElbow = 12
    /// The right elbow.
    case rightElbow = 13
    /// The left thigh forwards.
    case leftLegRaise = 14
    /// The right thigh forwards.
    case rightLegRaise = 15
    /// The left thigh outwards.
    case leftLegSpread = 16
    /// The right thigh outwards.
    case rightLegSpread = 17
    /// The left knee: 0 is straight.
    case leftKnee = 18
    /// The right knee.
    case rightKnee = 19
  }

  private var values = SIMD32<Double>(repeating: 0)

  /// A figure that stands upright with hanging arms.
  public init() {}

  /// An upright figure but for the angles given.
  public init(_ angles: [Angle: Double]) {
    for (angle, value) in angles { self[angle] = value }
  }

  /// One number, in degrees or metres.
  public subscript(angle: Angle) -> Double {
    get { values[angle.rawValue] }
    set { values[angle.rawValue] = newValue }
  }

  /// This posture with some numbers set.
  public func with(_ angles: [Angle: Double]) -> Posture {
    var result = self
    for (angle, value) in angles { result[angle] = value }
    return result
  }

  /// The posture between this one (0) and another (1).
  public func mixed(with other: Posture, share: Double) -> Posture {
    var result = self
    result.values += (other.values - values) * share
    return result
  }

  /// Every number with `change` added to it.
  package func changed(_ change: (Angle) -> Double) -> Posture {
    var result = self
    for angle in Angle.allCases { result[angle] += change(angle) }
    return result
  }

  /// The posture of the figure in a mirror.
  public var mirrored: Posture {
    var result = self
    for angle in [Angle.turn, .tilt, .twist, .sideways] { result[angle] = -self[angle] }
    for left in stride(from: Angle.leftArmRaise.rawValue, to: Angle.allCases.count, by: 2) {
      result.values[left] = values[left + 1]
      result.values[left + 1] = values[left]
    }
    return result
  }
}

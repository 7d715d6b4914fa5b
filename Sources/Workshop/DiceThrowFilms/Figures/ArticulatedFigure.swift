public import DicePoses
internal import DiceNumerics

/// A person of rigid limbs, whose joints are known exactly.
///
/// The world is in metres: x points to where the figure looks at first, y to its left and z up, and the
/// ground is at z = 0.
public struct ArticulatedFigure: Hashable, Sendable {
  /// Half the distance between the joints of the hips.
  public var halfHips = 0.10
  /// Half the distance between the joints of the shoulders.
  public var halfShoulders = 0.18
  /// From the hips' middle to the shoulders'.
  public var trunk = 0.50
  /// From the shoulders' middle to the head's.
  public var neck = 0.25
  /// From the head's middle to an ear, and nearly to the nose.
  public var headRadius = 0.09
  /// From shoulder to elbow.
  public var upperArm = 0.30
  /// From elbow to wrist.
  public var forearm = 0.26
  /// From hip to knee.
  public var thigh = 0.44
  /// From knee to ankle.
  public var shin = 0.42
  /// From the ground to an ankle.
  public var ankleHeight = 0.08

  /// An adult of 1.8 m.
  public init() {}

  /// The places of all joints in a posture: the lower foot stands ``Posture/Angle/lift`` above the ground.
  public func skeleton(_ posture: Posture) -> Skeleton {
    var skeleton = Skeleton()
    let hips = Frame().turned(posture[.turn])
    let trunkFrame = hips.pitched(posture[.pitch]).tilted(posture[.tilt])
    let shoulders = trunkFrame.turned(posture[.twist])
    let root = SIMD3<Double>()
    let neckPlace = trunkFrame.up * trunk
    skeleton[.root] = root
    skeleton[.neck] = neckPlace
    let headFrame = trunkFrame.turned(posture[.twist] / 2).pitched(posture[.nod])
    let head = neckPlace + headFrame.up * neck
    skeleton[.head] = head
    skeleton[.nose] = head + headFrame.forward * headRadius * 1.1 - headFrame.up * headRadius * 0.2
    for (eye, ear, side) in [
      (Joint.leftEye, Joint.leftEar, 1.0), (.rightEye, .rightEar, -1),
    ] {
      let outwards = headFrame.left * side
      skeleton[eye] =
        head + headFrame.forward * headRadius * 0.9 + outwards * headRadius * 0.35
        + headFrame.up * headRadius * 0.2
      skeleton[ear] = head + outwards * headRadius * 0.9
    }
    placeArm(
      [.leftShoulder, .leftElbow, .leftWrist], from: neckPlace, side: 1, in: shoulders,
      raise: posture[.leftArmRaise], spread: posture[.leftArmSpread],
      bend: posture[.leftElbow], &skeleton)
    placeArm(
      [.rightShoulder, .rightElbow, .rightWrist], from: neckPlace, side: -1, in: shoulders,
      raise: posture[.rightArmRaise], spread: posture[.rightArmSpread],
      bend: posture[.rightElbow], &skeleton)
    placeLeg(
      [.leftHip, .leftKnee, .leftAnkle], side: 1, in: hips, raise: posture[.leftLegRaise],
      spread: posture[.leftLegSpread], bend: posture[.leftKnee], &skeleton)
    placeLeg(
      [.rightHip, .rightKnee, .rightAnkle], side: -1, in: hips,
      raise: posture[.rightLegRaise], spread: posture[.rightLegSpread],
      bend: posture[.rightKnee], &skeleton)
    let lowest = min(skeleton[.leftAnkle].z, skeleton[.rightAnkle].z)
    skeleton.move(
      by: SIMD3(
        posture[.forward], posture[.sideways], ankleHeight + posture[.lift] - lowest))
    return skeleton
  }

  private func placeArm(
    _ joints: [Joint], from neck: SIMD3<Double>, side: Double, in frame: Frame, raise: Double,
    spread: Double, bend: Double, _ skeleton: inout Skeleton
  ) {
    let shoulder = neck + frame.left * (side * halfShoulders)
    let limb = frame.limb(raise: raise, spread: spread, side: side, bend: bend)
    skeleton[joints[0]] = shoulder
    skeleton[joints[1]] = shoulder + limb.upper * upperArm
    skeleton[joints[2]] = skeleton[joints[1]] + limb.lower * forearm
  }

  private func placeLeg(
    _ joints: [Joint], side: Double, in frame: Frame, raise: Double, spread: Double,
    bend: Double, _ skeleton: inout Skeleton
  ) {
    let hip = frame.left * (side * halfHips)
    let limb = frame.limb(raise: raise, spread: spread, side: side, bend: -bend)
    skeleton[joints[0]] = hip
    skeleton[joints[1]] = hip + limb.upper * thigh
    skeleton[joints[2]] = skeleton[joints[1]] + limb.lower * shin
  }
}

/// The places of a figure's joints, in metres.
public struct Skeleton: Hashable, Sendable {
  private var places = [SIMD3<Double>](repeating: SIMD3(), count: Joint.allCases.count)

  /// A skeleton with all joints in one place.
  init() {}

  /// The place of a joint.
  public internal(set) subscript(joint: Joint) -> SIMD3<Double> {
    get { places[Int(joint.rawValue)] }
    set { places[Int(joint.rawValue)] = newValue }
  }

  mutating func move(by offset: SIMD3<Double>) {
    for index in places.indices { places[index] += offset }
  }
}

/// Three directions at right angles.
struct Frame {
  var forward = SIMD3<Double>(1, 0, 0)
  var left = SIMD3<Double>(0, 1, 0)
  var up = SIMD3<Double>(0, 0, 1)

  /// Turned to the left around its own upward direction.
  func turned(_ degrees: Double) -> Frame {
    let (sine, cosine) = sineAndCosine(degrees: degrees)
    return Frame(
      forward: forward * cosine + left * sine, left: left * cosine - forward * sine, up: up)
  }

  /// Turned forwards around its own left direction.
  func pitched(_ degrees: Double) -> Frame {
    let (sine, cosine) = sineAndCosine(degrees: degrees)
    return Frame(
      forward: forward * cosine - up * sine, left: left, up: up * cosine + forward * sine)
  }

  /// Turned to its left around its own forward direction.
  func tilted(_ degrees: Double) -> Frame {
    let (sine, cosine) = sineAndCosine(degrees: degrees)
    return Frame(forward: forward, left: left * cosine - up * sine, up: up * cosine + left * sine)
  }

  /// The directions of the two parts of an arm, or of a leg, whose bend is negative.
  func limb(
    raise: Double, spread: Double, side: Double, bend: Double
  ) -> (upper: SIMD3<Double>, lower: SIMD3<Double>) {
    let (sineOfRaise, cosineOfRaise) = sineAndCosine(degrees: raise)
    let (sineOfSpread, cosineOfSpread) = sineAndCosine(degrees: spread)
    let upper =
      (forward * sineOfRaise - up * cosineOfRaise) * cosineOfSpread
      + left * (side * sineOfSpread)
    // Where raising would bring it.
    let onwards = forward * cosineOfRaise + up * sineOfRaise
    let (sineOfBend, cosineOfBend) = sineAndCosine(degrees: bend)
    return (upper, upper * cosineOfBend + onwards * sineOfBend)
  }
}

/// Sine and cosine of any angle.
func sineAndCosine(degrees: Double) -> (sine: Double, cosine: Double) {
  sineAndCosine(turns: (degrees / 360).truncatingRemainder(dividingBy: 1))
}

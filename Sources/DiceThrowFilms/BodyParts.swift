internal import DiceFigures
internal import DicePoses

/// A limb: all that is nearer than a radius to a line, the radius changing along it.
struct Limb {
  var start: SIMD3<Double>
  var end: SIMD3<Double>
  var startRadius: Double
  var endRadius: Double
  var color: SIMD3<Double>
}

/// A figure's body as limbs.
enum BodyParts {
  private static let skin = SIMD3(206.0, 158, 128)
  private static let shirt = SIMD3(178.0, 44, 52)
  private static let trousers = SIMD3(52.0, 62, 92)
  private static let shoes = SIMD3(232.0, 232, 226)
  private static let hair = SIMD3(66.0, 46, 34)

  /// The limbs of a skeleton, in clothes.
  static func limbs(of skeleton: Skeleton) -> [Limb] {
    var limbs: [Limb] = []
    func add(
      _ start: SIMD3<Double>, _ end: SIMD3<Double>, _ first: Double, _ second: Double,
      _ color: SIMD3<Double>
    ) {
      limbs.append(
        Limb(start: start, end: end, startRadius: first, endRadius: second, color: color))
    }
    let (left, right) = (skeleton[.leftHip], skeleton[.rightHip])
    let (neck, root, head) = (skeleton[.neck], skeleton[.root], skeleton[.head])
    // The trunk.
    let shoulders = (skeleton[.leftShoulder] - skeleton[.rightShoulder]) * 0.3
    let down = (root - neck).unit
    for side in [-1.0, 0, 1] {
      add(
        neck + shoulders * side + down * 0.06, root + (left - right) * (0.3 * side), 0.12, 0.115,
        shirt)
    }
    add(skeleton[.leftShoulder], skeleton[.rightShoulder], 0.065, 0.065, shirt)
    add(left, right, 0.10, 0.10, trousers)
    // Head and hair.
    add(neck, head, 0.05, 0.05, skin)
    let face = (skeleton[.nose] - head).unit
    let crown = (head - neck).unit
    add(head - crown * 0.02, head + crown * 0.03, 0.095, 0.095, skin)
    add(head + crown * 0.06 - face * 0.03, head - crown * 0.01 - face * 0.045, 0.088, 0.085, hair)
    add(head + face * 0.09, head + face * 0.1, 0.02, 0.015, skin)
    for (shoulder, elbow, wrist) in [
      (Joint.leftShoulder, Joint.leftElbow, Joint.leftWrist),
      (.rightShoulder, .rightElbow, .rightWrist),
    ] {
      let (upper, middle, lower) = (skeleton[shoulder], skeleton[elbow], skeleton[wrist])
      add(upper, upper + (middle - upper) * 0.6, 0.06, 0.055, shirt)
      add(upper + (middle - upper) * 0.6, middle, 0.045, 0.04, skin)
      add(middle, lower, 0.042, 0.032, skin)
      add(lower, lower + (lower - middle).unit * 0.09, 0.042, 0.036, skin)
    }
    let forward = (left - right).cross(SIMD3(0, 0, 1)).unit
    for (hip, knee, ankle) in [
      (Joint.leftHip, Joint.leftKnee, Joint.leftAnkle), (.rightHip, .rightKnee, .rightAnkle),
    ] {
      let (upper, middle, lower) = (skeleton[hip], skeleton[knee], skeleton[ankle])
      add(upper, middle, 0.088, 0.062, trousers)
      add(middle, lower, 0.06, 0.045, trousers)
      add(
        lower - SIMD3(0, 0, 0.03), lower + forward * 0.16 - SIMD3(0, 0, 0.04), 0.045, 0.038, shoes)
    }
    return limbs
  }
}

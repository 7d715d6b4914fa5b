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
  /// The limbs of a skeleton, in clothes.
  static func limbs(of skeleton: Skeleton, in outfit: Outfit = Outfit()) -> [Limb] {
    var limbs: [Limb] = []
    func add(
      _ start: SIMD3<Double>, _ end: SIMD3<Double>, _ first: Double, _ second: Double,
      _ color: SIMD3<Double>
    ) {
      limbs.append(
        Limb(
          start: start, end: end, startRadius: first * outfit.girth,
          endRadius: second * outfit.girth, color: color))
    }
    /// Two bones, which cloth covers from the first joint on; `share` counts in bones.
    func addClothed(
      _ joints: [SIMD3<Double>], _ share: Double, _ color: SIMD3<Double>,
      cloth: [(from: Double, to: Double)], skin: [(from: Double, to: Double)]
    ) {
      for bone in 0..<2 {
        let (start, along) = (joints[bone], joints[bone + 1] - joints[bone])
        let end = min(1, max(0, share - Double(bone)))
        func radius(_ range: (from: Double, to: Double), _ at: Double) -> Double {
          range.from + (range.to - range.from) * at
        }
        if end > 0 {
          add(start, start + along * end, cloth[bone].from, radius(cloth[bone], end), color)
        }
        if end < 1 {
          add(
            start + along * end, start + along, radius(skin[bone], end), skin[bone].to, outfit.skin)
        }
      }
    }
    let (left, right) = (skeleton[.leftHip], skeleton[.rightHip])
    let (neck, root, head) = (skeleton[.neck], skeleton[.root], skeleton[.head])
    // The trunk.
    let shoulders = (skeleton[.leftShoulder] - skeleton[.rightShoulder]) * 0.3
    let down = (root - neck).unit
    for side in [-1.0, 0, 1] {
      add(
        neck + shoulders * side + down * 0.06, root + (left - right) * (0.3 * side), 0.12, 0.115,
        outfit.shirt)
    }
    add(skeleton[.leftShoulder], skeleton[.rightShoulder], 0.065, 0.065, outfit.shirt)
    add(left, right, 0.10, 0.10, outfit.trousers)
    // Head and hair.
    add(neck, head, 0.05, 0.05, outfit.skin)
    let face = (skeleton[.nose] - head).unit
    let crown = (head - neck).unit
    add(head - crown * 0.02, head + crown * 0.03, 0.095, 0.095, outfit.skin)
    add(
      head + crown * 0.06 - face * 0.03, head - crown * 0.01 - face * 0.045, 0.088, 0.085,
      outfit.hair)
    add(head + face * 0.09, head + face * 0.1, 0.02, 0.015, outfit.skin)
    for (shoulder, elbow, wrist) in [
      (Joint.leftShoulder, Joint.leftElbow, Joint.leftWrist),
      (.rightShoulder, .rightElbow, .rightWrist),
    ] {
      let (upper, middle, lower) = (skeleton[shoulder], skeleton[elbow], skeleton[wrist])
      addClothed(
        [upper, middle, lower], outfit.sleeves, outfit.shirt,
        cloth: [(0.06, 0.0517), (0.05, 0.04)], skin: [(0.0525, 0.04), (0.042, 0.032)])
      add(lower, lower + (lower - middle).unit * 0.09, 0.042, 0.036, outfit.skin)
    }
    let forward = (left - right).cross(SIMD3(0, 0, 1)).unit
    for (hip, knee, ankle) in [
      (Joint.leftHip, Joint.leftKnee, Joint.leftAnkle), (.rightHip, .rightKnee, .rightAnkle),
    ] {
      let (upper, middle, lower) = (skeleton[hip], skeleton[knee], skeleton[ankle])
      addClothed(
        [upper, middle, lower], outfit.trouserLegs, outfit.trousers,
        cloth: [(0.088, 0.062), (0.06, 0.045)], skin: [(0.078, 0.056), (0.056, 0.038)])
      add(
        lower - SIMD3(0, 0, 0.03), lower + forward * 0.16 - SIMD3(0, 0, 0.04), 0.045, 0.038,
        outfit.shoes)
    }
    return limbs
  }
}

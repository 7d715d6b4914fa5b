/// A point of the body: the 17 key points of COCO, the head's middle, and two middles of joints.
///
/// Left and right are the person's own: seen from the front, `leftWrist` is on the right of the picture.
public enum Joint: UInt8, CaseIterable, Hashable, Sendable {
  /// The tip of the nose.
  case nose = 0
  /// The person's left eye.
  case leftEye = 1
  /// The person's right eye.
  case rightEye = 2
  /// The person's left ear.
  case leftEar = 3
  /// The person's right ear.
  case rightEar = 4
  /// The person's left shoulder.
  case leftShoulder = 5
  /// The person's right shoulder.
  case rightShoulder = 6
  /// The person's left elbow.
  case leftElbow = 7
  /// The person's right elbow.
  case rightElbow = 8
  /// The person's left wrist.
  case leftWrist = 9
  /// The person's right wrist.
  case rightWrist = 10
  /// The person's left hip.
  case leftHip = 11
  /// The person's right hip.
  case rightHip = 12
  /// The person's left knee.
  case leftKnee = 13
  /// The person's right knee.
  case rightKnee = 14
  /// The person's left ankle.
  case leftAnkle = 15
  /// The person's right ankle.
  case rightAnkle = 16
  /// The middle between the shoulders.
  case neck = 17
  /// The middle between the hips.
  case root = 18
  /// The middle of the head.
  case head = 19

  /// COCO's key points in its order.
  public static let coco: [Joint] = Array(allCases.prefix(17))

  /// The name, as in JSON: `"leftWrist"`.
  public var name: String { Self.names[Int(rawValue)] }

  private static let names = [
    "nose", "leftEye", "rightEye", "leftEar", "rightEar", "leftShoulder", "rightShoulder",
    "leftElbow", "rightElbow", "leftWrist", "rightWrist", "leftHip", "rightHip", "leftKnee",
    "rightKnee", "leftAnkle", "rightAnkle", "neck", "root", "head",
  ]

  /// The same joint of the other side; the joint itself where it has no side.
  public var mirrored: Joint {
    guard (1...16).contains(rawValue) else { return self }
    return Self.allCases[Int(rawValue % 2 == 1 ? rawValue + 1 : rawValue - 1)]
  }

  /// The joint of a name in one of the usual spellings; nil where there is none.
  ///
  /// Only letters count, large and small alike, and the side may stand first or last:
  /// `"leftWrist"`, `"left_wrist"`, `"Wrist Left"` and `"l_wrist"` are one.
  public init?(name: String) {
    guard let letters = Self.letters(of: name) else { return nil }
    for (joint, spellings) in zip(Self.allCases, Self.spellings)
    where spellings.contains(where: { $0.utf8.elementsEqual(letters) }) {
      self = joint
      return
    }
    return nil
  }

  /// The letters of a name, which alone count, as small ones; nil for a long name.
  static func letters(of name: String) -> [UInt8]? {
    guard name.utf8.count <= 64 else { return nil }
    return name.utf8.map { $0 | 0x20 }.filter { $0 >= 0x61 && $0 <= 0x7A }
  }

  private static let spellings: [[String]] = allCases.map { (joint) in
    let name = joint.name
    for side in ["left", "right"] where name.hasPrefix(side) {
      let part = name.dropFirst(side.utf8.count).lowercased()
      return [side + part, part + side, String(side.prefix(1)) + part]
    }
    switch joint {
    case .root: return ["root", "pelvis", "midhip", "hips"]
    case .neck: return ["neck", "midshoulder"]
    default: return [name]
    }
  }
}

extension Joint: CustomStringConvertible {
  /// The name.
  public var description: String { name }
}

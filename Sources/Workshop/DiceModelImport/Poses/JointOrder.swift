/// The orders in which networks usually give joints.
public enum JointOrder: String, CaseIterable, Hashable, Sendable {
  /// The 17 of COCO: nose, eyes, ears, shoulders, elbows, wrists, hips, knees, ankles, each the left one first.
  case coco
  /// The 16 of MPII: from the right ankle to the left one, pelvis, thorax, upper neck, top of the head, from the right
  /// wrist to the left one.
  case mpii
  /// The 14 of Leeds Sports Pose: from the right ankle to the left one, from the right wrist to the left one, neck, top
  /// of the head.
  case lsp
  /// The 14 of AI Challenger as convolutional pose machines have them: top of the head, neck; right shoulder, elbow,
  /// wrist, the left ones, right hip, knee, ankle, the left ones.
  case cpm
  /// The 33 of BlazePose.
  case blazepose

  /// The names of the joints.
  public var names: [String] {
    switch self {
    case .coco:
      ["nose"]
        + ["Eye", "Ear", "Shoulder", "Elbow", "Wrist", "Hip", "Knee", "Ankle"].flatMap {
          ["left\($0)", "right\($0)"]
        }
    case .mpii: Self.legs + ["root", "neck", "upperNeck", "topOfHead"] + Self.arms
    case .lsp: Self.legs + Self.arms + ["neck", "topOfHead"]
    case .cpm:
      ["topOfHead", "neck"]
        + [["Shoulder", "Elbow", "Wrist"], ["Hip", "Knee", "Ankle"]].flatMap { (limb) in
          ["right", "left"].flatMap { (side) in limb.map { "\(side)\($0)" } }
        }
    case .blazepose:
      [
        "nose", "leftEyeInner", "leftEye", "leftEyeOuter", "rightEyeInner", "rightEye",
        "rightEyeOuter", "leftEar", "rightEar", "mouthLeft", "mouthRight",
      ]
        + ["Shoulder", "Elbow", "Wrist", "Pinky", "Index", "Thumb", "Hip", "Knee", "Ankle"].flatMap
      {
        ["left\($0)", "right\($0)"]
      } + ["leftHeel", "rightHeel", "leftFootIndex", "rightFootIndex"]
    }
  }

  private static let legs = [
    "rightAnkle", "rightKnee", "rightHip", "leftHip", "leftKnee", "leftAnkle",
  ]
  private static let arms = [
    "rightWrist", "rightElbow", "rightShoulder", "leftShoulder", "leftElbow", "leftWrist",
  ]
}

/// A family of networks that find the joints of one person, by what their exported models take and give.
public enum PoseKind: String, CaseIterable, Hashable, Sendable {
  /// SimpleBaseline, HRNet, ViTPose, convolutional pose machines: a map for each joint, `[joints, rows, columns]` or
  /// `[rows, columns, joints]`.
  case heatmaps
  /// RTMPose and other networks of SimCC: `[1, joints, width * n]` and `[1, joints, height * n]`.
  case simcc
  /// MoveNet for one person: `[1, 1, 17, 3]` of y, x and score, shares of the picture's sides.
  case movenet
  /// Google's PoseNet: heatmaps behind a sigmoid and offsets, twice as many channels, of y and then of x.
  case posenet
  /// BlazePose: five numbers for each of 33 joints, and perhaps for six more points, in pixels; the fourth number is
  /// the visibility before a sigmoid.
  case blazepose
  /// YOLO v8 and later for poses: `[1, 5 + 3 * joints, boxes]`.
  case yolo

  /// How the makers of these models scale samples.
  var samples: PoseOptions.Samples {
    switch self {
    case .heatmaps, .simcc: .imageNet
    case .movenet: .bytes
    case .posenet: .signed
    case .blazepose, .yolo: .shares
    }
  }

  /// The order of joints where all models of the family have the same.
  var joints: [String]? {
    switch self {
    case .heatmaps, .simcc: nil
    case .movenet, .posenet, .yolo: JointOrder.coco.names
    case .blazepose: JointOrder.blazepose.names
    }
  }
}

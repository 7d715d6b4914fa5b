internal import DiceDetectorHeads
public import DiceWeights

/// A family of object detectors, by what its exported models take and give.
public enum DetectorKind: String, CaseIterable, Hashable, Sendable {
  /// YOLO v5 and v7: a list of decoded boxes with an objectness, `[1, boxes, 5 + classes]`.
  case yolov5
  /// YOLO v8, v9, v11 and v12: a list of decoded boxes, `[1, 4 + classes, boxes]`.
  case yolov8
  /// The same before decoding: a map for each scale, `[1, 64 + classes, rows, columns]`.
  case yolov8Maps = "yolov8-maps"
  /// Models that suppress boxes themselves, YOLOv10 for instance: `[1, results, 6]`.
  case results
  /// Decoded boxes and their scores apart: `[1, boxes, 4]`, corners in pixels, and `[1, boxes, classes]`. So
  /// are exports of Ultralytics' that suppress boxes or take the best ones (`nms=True`, `end2end=True`),
  /// whose choice is left out.
  case yolov8Lists = "yolov8-lists"
  /// YOLOX: boxes as offsets in cells, `[1, boxes, 5 + classes]`.
  case yolox
  /// NanoDet-Plus: `[1, cells, classes + 4 * 8]`.
  case nanodet
  /// FastestDet: `[1, 5 + classes, rows, columns]`.
  case fastestdet
  /// SSD with decoded boxes: `[1, boxes, 4]`, corners as shares, and `[1, boxes, 1 + classes]`, a background
  /// and the classes behind a softmax.
  case ssd

  /// How the makers of these models bring pictures to them.
  var imageRules: ImageRules {
    switch self {
    case .yolov5, .yolov8, .yolov8Maps, .yolov8Lists, .results: ImageRules()
    case .yolox: ImageRules(channelOrder: .bgr, scales: SIMD3(repeating: 1))
    case .nanodet:
      ImageRules(
        channelOrder: .bgr, scales: 1 / Self.deviations, biases: -Self.means / Self.deviations,
        cropAndScale: .scaleFill)
    case .fastestdet: ImageRules(channelOrder: .bgr, cropAndScale: .scaleFill)
    case .ssd:
      ImageRules(
        scales: SIMD3(repeating: 1 / 128), biases: SIMD3(repeating: -127 / 128),
        cropAndScale: .scaleFill)
    }
  }

  /// Blue, green and red of ImageNet's pictures.
  private static let means = SIMD3<Float>(103.53, 116.28, 123.675)
  private static let deviations = SIMD3<Float>(57.375, 57.12, 58.395)

  /// The makers' thresholds and suppression.
  var rule: SuppressionRule {
    switch self {
    case .yolov5: SuppressionRule(overlapThreshold: 0.45, maximumCount: 1000)
    case .yolov8, .yolov8Maps, .yolov8Lists: SuppressionRule(overlapThreshold: 0.7)
    case .results: SuppressionRule(competition: .none)
    case .yolox: SuppressionRule(confidenceThreshold: 0.3)
    case .nanodet: SuppressionRule(overlapThreshold: 0.6, confidenceThreshold: 0.35)
    case .fastestdet: SuppressionRule(competition: .acrossClasses, confidenceThreshold: 0.65)
    case .ssd: SuppressionRule(confidenceThreshold: 0.4)
    }
  }
}

/// What to make of a model that finds objects.
public struct DetectorOptions: Hashable, Sendable {
  /// The family; nil recognises it where the model allows.
  public var kind: DetectorKind?
  /// The names of the classes, by class index; empty takes the model's own.
  public var labels: [String]
  /// How pictures are brought to the input's size; nil takes the makers' way.
  public var cropAndScale: ImageRules.CropAndScale?
  /// The order of a picture's channels; nil takes the makers'.
  public var channelOrder: ImageRules.ChannelOrder?

  /// Groups the options.
  public init(
    kind: DetectorKind? = nil, labels: [String] = [],
    cropAndScale: ImageRules.CropAndScale? = nil,
    channelOrder: ImageRules.ChannelOrder? = nil
  ) {
    self.kind = kind
    self.labels = labels
    self.cropAndScale = cropAndScale
    self.channelOrder = channelOrder
  }
}

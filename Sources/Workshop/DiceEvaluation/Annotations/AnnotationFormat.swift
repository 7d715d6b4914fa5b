/// A format in which programs exchange what people marked in pictures.
public enum AnnotationFormat: String, CaseIterable, Hashable, Sendable {
  /// Create ML's JSON: one file, boxes by their centre in pixels.
  case createML = "createml"
  /// COCO's JSON (instances): one file, boxes by their upper left corner in pixels.
  case coco
  /// YOLO's text files: one for each picture, boxes by their centre as shares of the picture.
  case yolo
  /// Pascal VOC's XML: one file for each picture, boxes by two corners in pixels.
  case pascalVOC = "voc"

  /// The format's name.
  public var name: String {
    switch self {
    case .createML: "Create ML"
    case .coco: "COCO"
    case .yolo: "YOLO"
    case .pascalVOC: "Pascal VOC"
    }
  }
}

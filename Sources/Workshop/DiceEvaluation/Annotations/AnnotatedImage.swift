public import DiceGeometry

/// A picture's file name and what a person marked in it.
public struct AnnotatedImage: Hashable, Sendable {
  /// The file's name, relative to the folder of pictures, with `/` between folders.
  public var fileName: String
  /// The marked objects in their order in the file; none for a picture without any.
  public var objects: [AnnotatedObject]
  /// Columns of the upright picture; nil where the annotations do not say.
  public var width: Int?
  /// Rows of the upright picture; nil where the annotations do not say.
  public var height: Int?

  /// A picture with its objects.
  public init(
    fileName: String, objects: [AnnotatedObject], width: Int? = nil, height: Int? = nil
  ) {
    self.fileName = fileName
    self.objects = objects
    self.width = width
    self.height = height
  }
}

/// A marked object: what it is and where.
public struct AnnotatedObject: Hashable, Sendable {
  /// What it is; for a die the value on top, `"1"` to `"6"`.
  public var label: String
  /// Where it is, in pixels of the upright picture, origin at the top left.
  public var boundingBox: BoundingBox

  /// How far the numeral that counts is turned in the picture, clockwise from upright, in degrees;
  /// nil where nothing is said, as on dice with pips.
  public var angle: Double?

  /// An object with its box.
  public init(label: String, boundingBox: BoundingBox, angle: Double? = nil) {
    self.label = label
    self.boundingBox = boundingBox
    self.angle = angle
  }
}

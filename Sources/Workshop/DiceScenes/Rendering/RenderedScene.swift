public import DiceGeometry
public import DiceImaging

/// A picture of a scene with what is to be found in it.
public struct RenderedScene: Hashable, Sendable {
  /// The picture, in RGB; a gray camera gives three equal samples for each pixel.
  public var image: PixelImage
  /// The dice of which some of the top face can be seen, in the order in which they were laid.
  public var dice: [DieTruth]
  /// The game pieces of which something can be seen, in the order in which they were laid.
  public var pieces: [PieceTruth]

  /// A picture with its ground truth.
  public init(image: PixelImage, dice: [DieTruth], pieces: [PieceTruth] = []) {
    self.image = image
    self.dice = dice
    self.pieces = pieces
  }
}

/// What is true of one die in a picture.
///
/// Boxes are in pixels with the origin at the top-left corner of the picture, enclose what can be
/// *seen* (not what lies behind something else or beyond the border) and lie inside the picture.
public struct DieTruth: Hashable, Sendable {
  /// The value of the face whose normal points up, 1 to 6.
  public var value: Int
  /// The tight box of the visible part of the top face.
  ///
  /// The face ends where its rounded edge has turned by 45 degrees.
  public var topFace: BoundingBox
  /// The tight box of the visible part of the die's outline.
  public var wholeDie: BoundingBox
  /// The share of the top face that can be seen, above 0 and at most 1.
  ///
  /// What is hidden by another thing or lies beyond the border of the picture is missing. Strips of
  /// the rounded edge that face away from the camera do not count.
  public var visibility: Double
  /// How well the picture shows the value; nil where no picture was drawn.
  public var legibility: Legibility?
  /// What is drawn on the top face, as `star`; nil on dice with pips or numerals.
  public var symbol: String?

  /// The truth about one die.
  public init(
    value: Int, topFace: BoundingBox, wholeDie: BoundingBox, visibility: Double,
    legibility: Legibility? = nil, symbol: String? = nil
  ) {
    self.value = value
    self.topFace = topFace
    self.wholeDie = wholeDie
    self.visibility = visibility
    self.legibility = legibility
    self.symbol = symbol
  }
}

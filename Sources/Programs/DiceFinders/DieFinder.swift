package import DiceCodecs
package import DiceCommandLine
package import DiceGeometry
package import DiceImaging
package import DiceRolls
package import DiceVisionKit

/// What finds dice in pictures: the library's detector, or a test's own.
package protocol DieFinder {
  /// The network that is used.
  var network: ReportedNetwork { get }

  /// The longer side, in pixels, that suffices at first for pictures in JPEG files; nil where they are
  /// decoded as stored.
  func decodedSide(_ request: FinderRequest) -> Int?

  /// The dice of a picture that may be smaller than in its file, in pixels of the one in its file; nil
  /// where it has to be decoded in full.
  ///
  /// - Throws: `ToolError.failure`, as the others.
  func dice(
    inReduced picture: ReducedImage, subject: String, _ request: FinderRequest
  ) throws(ToolError) -> PictureReading?

  /// The dice of a picture from left to right.
  ///
  /// - Throws: `ToolError.failure`, whose sentence is the broken rule and whose subject is
  ///   `subject`.
  func dice(
    in image: PixelImage, subject: String, _ request: FinderRequest
  ) throws(ToolError) -> PictureReading

  /// The dice of a frame of a film.
  func dice(
    inFrame frame: StoredFrame, subject: String, _ request: FinderRequest
  ) throws(ToolError) -> PictureReading

  /// How the reading of a picture comes about.
  ///
  /// - Throws: `ToolError.failure`, as `dice`.
  func explain(
    _ image: PixelImage, subject: String, _ request: FinderRequest
  ) throws(ToolError) -> DetectionExplanation

  /// Teaches a face by a picture of a die that shows it.
  ///
  /// - Returns: where the die was seen, in pixels of the upright picture.
  /// - Throws: `ToolError.failure`, as `dice`; the set is then as before.
  func teach(
    _ face: String, value: Int?, by image: PixelImage, subject: String, to faces: inout FaceSet
  ) throws(ToolError) -> BoundingBox
}

extension DieFinder {
  package func decodedSide(_ request: FinderRequest) -> Int? { nil }

  package func dice(
    inReduced picture: ReducedImage, subject: String, _ request: FinderRequest
  ) throws(ToolError) -> PictureReading? {
    try dice(in: picture.image, subject: subject, request)
      .enlarged(picture, orientation: request.orientation)
  }

  /// The dice of a picture, in pixels of the one in its file, which is decoded as far as they need it.
  ///
  /// - Parameters:
  ///   - source: where the picture comes from.
  ///   - reader: what reads it.
  ///   - keepsAlpha: whether alpha is of use.
  /// - Returns: the picture as it was decoded last, and its dice.
  /// - Throws: `ToolError.file` or `.failure`, which names the source and the broken rule.
  package func dice(
    of source: PictureSource, by reader: PictureReader, keepsAlpha: Bool = false,
    _ request: FinderRequest
  ) throws(ToolError) -> (picture: PictureReader.Picture, reading: PictureReading) {
    var picture = try reader.read(
      source, longerSide: decodedSide(request), keepsAlpha: keepsAlpha)
    if let reading = try dice(inReduced: picture.reduced, subject: source.name, request) {
      return (picture, reading)
    }
    try reader.decodeInFull(&picture, of: source, keepsAlpha: keepsAlpha)
    return (picture, try dice(in: picture.image, subject: source.name, request))
  }

  package func dice(
    inFrame frame: StoredFrame, subject: String, _ request: FinderRequest
  ) throws(ToolError) -> PictureReading {
    try dice(in: frame.makeImage(), subject: subject, request)
  }

  package func explain(
    _ image: PixelImage, subject: String, _ request: FinderRequest
  ) throws(ToolError) -> DetectionExplanation {
    throw .failure(subject: subject, sentence: "This detector does not explain itself.")
  }

  package func teach(
    _ face: String, value: Int?, by image: PixelImage, subject: String, to faces: inout FaceSet
  ) throws(ToolError) -> BoundingBox {
    throw .failure(subject: subject, sentence: "This detector cannot be taught faces.")
  }
}

/// The size of a network's input in pixels.
package struct InputSize: Hashable, Sendable {
  /// Columns, a multiple of 32.
  package var width: Int
  /// Rows, a multiple of 32.
  package var height: Int

  /// A size in pixels.
  package init(width: Int, height: Int) {
    self.width = width
    self.height = height
  }
}

/// Which boxes compete where they overlap.
package enum SuppressionChoice: Hashable, Sendable {
  /// All: a die shows one value.
  case acrossClasses
  /// Those of the same value.
  case perClass
  /// All, and the losers lose confidence instead of being dropped.
  case soft
}

/// Whether a picture is looked at once, or again in tiles where that pays.
package enum TilingChoice: Hashable, Sendable {
  /// Once.
  case none
  /// Again, enlarged, where dice are small.
  case automatic
}

/// Whether dice are classified once more, each by itself.
package enum SecondStageChoice: Hashable, Sendable {
  /// With the library's own detectors.
  case automatic
  /// Not.
  case none
  /// With the library's second stage.
  case bundled
  /// With the second stage in a weight file.
  case file(String)

  /// The choice that a text stands for: `automatic`, `none`, `bundled` or a path.
  package init(_ text: String) {
    switch text {
    case "automatic": self = .automatic
    case "none": self = .none
    case "bundled": self = .bundled
    default: self = .file(text)
    }
  }
}

/// How much of the resolution of JPEG files is decoded.
package enum ResolutionChoice: Hashable, Sendable {
  /// All where it may be of use.
  case automatic
  /// All.
  case full
  /// As little as leaves so many pixels along the longer side.
  case longerSide(Int)
}

/// How to prepare a detector.
package struct FinderOptions: Hashable, Sendable {
  /// The weight file, or the name of one of the library's; nil for its standard one.
  package var weights: String?
  /// A weight file to use in place of that; nil for none.
  package var weightBytes: [UInt8]?
  /// A second stage's weight file to use in place of `secondStage`; nil for none.
  package var secondStageBytes: [UInt8]?
  /// The size of the network's input; nil for that of the weights.
  package var inputSize: InputSize?
  /// How pictures are brought to that size; nil for the way of the weights.
  package var cropAndScale: CropAndScale?
  /// Whether pictures with small dice are looked at again.
  package var tiling: TilingChoice
  /// Whether dice are classified once more.
  package var secondStage: SecondStageChoice
  /// Which stages of the pipeline are at work.
  package var stages: PipelineStages
  /// Which boxes compete where they overlap.
  package var suppression: SuppressionChoice
  /// The same where the call says it; nil where it does not.
  package var givenSuppression: SuppressionChoice?
  /// What the networks compute with.
  package var precision: PrecisionChoice
  /// How much of the resolution of JPEG files is decoded.
  package var resolution: ResolutionChoice
  /// The kinds of dice that count; nil for all.
  package var kinds: Set<DieKind>?
  /// The file with taught faces; nil for the faces of the weights.
  package var faces: String?
  /// Faces to use in place of those; nil for none.
  package var faceSet: FaceSet?
  /// The threads; nil for one on each processor.
  package var threadCount: Int?

  /// Options, the usual ones where none are given.
  package init(
    weights: String? = nil, weightBytes: [UInt8]? = nil, secondStageBytes: [UInt8]? = nil,
    inputSize: InputSize? = nil, cropAndScale: CropAndScale? = nil,
    tiling: TilingChoice = TilingChoice.automatic,
    secondStage: SecondStageChoice = SecondStageChoice.automatic,
    stages: PipelineStages = PipelineStages(),
    suppression: SuppressionChoice = SuppressionChoice.acrossClasses,
    givenSuppression: SuppressionChoice? = nil, precision: PrecisionChoice = PrecisionChoice.single,
    resolution: ResolutionChoice = ResolutionChoice.automatic, kinds: Set<DieKind>? = nil,
    faces: String? = nil, threadCount: Int? = nil
  ) {
    self.weights = weights
    self.weightBytes = weightBytes
    self.secondStageBytes = secondStageBytes
    self.inputSize = inputSize
    self.cropAndScale = cropAndScale
    self.tiling = tiling
    self.secondStage = secondStage
    self.stages = stages
    self.suppression = suppression
    self.givenSuppression = givenSuppression
    self.precision = precision
    self.resolution = resolution
    self.kinds = kinds
    self.faces = faces
    self.threadCount = threadCount
  }
}

/// What the networks compute with.
package enum PrecisionChoice: Hashable, Sendable {
  /// Floats.
  case single
  /// bfloat16 numbers where the processor has units for them.
  case bfloat16
  /// 8-bit integers.
  case int8
}

/// What to look for in a picture.
package struct FinderRequest: Hashable, Sendable {
  /// How the picture is turned; nil where it knows itself.
  package var orientation: ImageOrientation?
  /// Where to look; nil for the whole picture.
  package var regionOfInterest: NormalizedRect?
  /// The lowest confidence.
  package var confidence: Double
  /// The greatest overlap of two dice.
  package var intersectionOverUnion: Double

  /// A request.
  package init(
    orientation: ImageOrientation? = nil, regionOfInterest: NormalizedRect? = nil,
    confidence: Double, intersectionOverUnion: Double
  ) {
    self.orientation = orientation
    self.regionOfInterest = regionOfInterest
    self.confidence = confidence
    self.intersectionOverUnion = intersectionOverUnion
  }
}

/// A die that was found.
package struct FoundDie: Hashable, Sendable {
  /// The label of the likeliest class.
  package var label: String
  /// The number on the die: the label where it is one, else the index of the class plus 1.
  package var value: Int
  /// How sure, 0...1.
  package var confidence: Double
  /// Where, in pixels of the upright picture, origin at the top left.
  package var boundingBox: BoundingBox

  /// What the die may show with its probability, the likeliest first; empty for a face that was not
  /// taught, and nil where only the value is known.
  package var alternatives: [ValueProbability]?

  /// A die that was found.
  package init(
    label: String, value: Int, confidence: Double, boundingBox: BoundingBox,
    alternatives: [ValueProbability]? = nil
  ) {
    self.label = label
    self.value = value
    self.confidence = confidence
    self.boundingBox = boundingBox
    self.alternatives = alternatives
  }

  /// The kind of die, where the label names one: `d20-17`.
  package var namedKind: DieKind? {
    label.utf8.first == UInt8(ascii: "d") ? DieFace(label: label)?.kind : nil
  }

  /// Whether the label says something else than the value.
  package var hasOtherLabel: Bool { label != "\(value)" }
}

/// What was found in a picture.
package struct PictureReading: Hashable, Sendable {
  /// How long a part of the work took.
  package struct Timing: Hashable, Sendable {
    /// The part, as one word.
    package var name: String
    /// Its time.
    package var seconds: Double

    /// The time of a part.
    package init(name: String, seconds: Double) {
      self.name = name
      self.seconds = seconds
    }
  }

  /// Columns of the upright picture.
  package var width: Int
  /// Rows of the upright picture.
  package var height: Int
  /// The dice from left to right.
  package var dice: [FoundDie]
  /// The parts of the work in their order.
  package var timings: [Timing]
  /// Whether labels are words: no dice, but objects of other kinds.
  package var namesObjects: Bool
  /// Whether labels are those of taught faces.
  package var namesFaces: Bool

  /// What was found in a picture of this size.
  package init(
    width: Int, height: Int, dice: [FoundDie], timings: [Timing] = [], namesObjects: Bool = false,
    namesFaces: Bool = false
  ) {
    self.width = width
    self.height = height
    self.dice = dice
    self.timings = timings
    self.namesObjects = namesObjects
    self.namesFaces = namesFaces
  }

  /// What a result is called for people: its label, or its value.
  package func name(of die: FoundDie) -> String {
    namesObjects || namesFaces ? die.label : "\(die.value)"
  }

  /// The sum of the values.
  package var sum: Int { dice.map(\.value).saturatingSum }

  /// What was found in a picture as it was decoded, as found in the picture in its file.
  package func enlarged(_ picture: ReducedImage, orientation: ImageOrientation? = nil)
    -> PictureReading
  {
    guard picture.isReduced else { return self }
    var result = self
    (result.width, result.height) = picture.uprightSize(orientation)
    for index in dice.indices {
      result.dice[index].boundingBox = picture.fullBox(
        dice[index].boundingBox, orientation: orientation)
    }
    return result
  }
}

internal import DiceReports
internal import DiceGeometry
internal import DiceImaging
internal import DiceCodecs
internal import DiceVisionKit

/// What finds dice in pictures: the library's detector, or a test's own.
protocol DieFinder {
  /// The network that is used.
  var network: ReportedNetwork { get }

  /// The longer side, in pixels, that suffices for pictures in JPEG files; nil where they are decoded as
  /// stored.
  func decodedSide(_ request: FinderRequest) -> Int?

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
}

extension DieFinder {
  func decodedSide(_ request: FinderRequest) -> Int? { nil }

  func dice(
    inFrame frame: StoredFrame, subject: String, _ request: FinderRequest
  ) throws(ToolError) -> PictureReading {
    try dice(in: frame.makeImage(), subject: subject, request)
  }

  func explain(
    _ image: PixelImage, subject: String, _ request: FinderRequest
  ) throws(ToolError) -> DetectionExplanation {
    throw .failure(subject: subject, sentence: "This detector does not explain itself.")
  }
}

/// The size of a network's input in pixels.
struct InputSize: Hashable, Sendable {
  /// Columns, a multiple of 32.
  var width: Int
  /// Rows, a multiple of 32.
  var height: Int
}

/// Which boxes compete where they overlap.
enum SuppressionChoice: Hashable, Sendable {
  /// All: a die shows one value.
  case acrossClasses
  /// Those of the same value.
  case perClass
  /// All, and the losers lose confidence instead of being dropped.
  case soft
}

/// Whether a picture is looked at once, or again in tiles where that pays.
enum TilingChoice: Hashable, Sendable {
  /// Once.
  case none
  /// Again, enlarged, where dice are small.
  case automatic
}

/// Whether dice are classified once more, each by itself.
enum SecondStageChoice: Hashable, Sendable {
  /// With the library's own detectors.
  case automatic
  /// Not.
  case none
  /// With the library's second stage.
  case bundled
  /// With the second stage in a weight file.
  case file(String)

  /// The choice that a text stands for: `automatic`, `none`, `bundled` or a path.
  init(_ text: String) {
    switch text {
    case "automatic": self = .automatic
    case "none": self = .none
    case "bundled": self = .bundled
    default: self = .file(text)
    }
  }
}

/// How much of the resolution of JPEG files is decoded.
enum ResolutionChoice: Hashable, Sendable {
  /// All where it may be of use.
  case automatic
  /// All.
  case full
  /// As little as leaves so many pixels along the longer side.
  case longerSide(Int)
}

/// How to prepare a detector.
struct FinderOptions: Hashable, Sendable {
  /// The weight file, or the name of one of the library's; nil for its standard one.
  var weights: String?
  /// A weight file to use in place of that; nil for none.
  var weightBytes: [UInt8]?
  /// A second stage's weight file to use in place of `secondStage`; nil for none.
  var secondStageBytes: [UInt8]?
  /// The size of the network's input; nil for that of the weights.
  var inputSize: InputSize?
  /// How pictures are brought to that size; nil for the way of the weights.
  var cropAndScale: CropAndScale?
  /// Whether pictures with small dice are looked at again.
  var tiling = TilingChoice.automatic
  /// Whether dice are classified once more.
  var secondStage = SecondStageChoice.automatic
  /// Which stages of the pipeline are at work.
  var stages = PipelineStages()
  /// Which boxes compete where they overlap.
  var suppression = SuppressionChoice.acrossClasses
  /// The same where the call says it; nil where it does not.
  var givenSuppression: SuppressionChoice?
  /// What the networks compute with.
  var precision = PrecisionChoice.single
  /// How much of the resolution of JPEG files is decoded.
  var resolution = ResolutionChoice.automatic
  /// The threads; nil for one on each processor.
  var threadCount: Int?
}

/// What the networks compute with.
enum PrecisionChoice: Hashable, Sendable {
  /// Floats.
  case single
  /// bfloat16 numbers where the processor has units for them.
  case bfloat16
}

/// What to look for in a picture.
struct FinderRequest: Hashable, Sendable {
  /// How the picture is turned; nil where it knows itself.
  var orientation: ImageOrientation?
  /// Where to look; nil for the whole picture.
  var regionOfInterest: NormalizedRect?
  /// The lowest confidence.
  var confidence: Double
  /// The greatest overlap of two dice.
  var intersectionOverUnion: Double
}

/// A die that was found.
struct FoundDie: Hashable, Sendable {
  /// The label of the likeliest class.
  var label: String
  /// The number on the die: the label where it is one, else the index of the class plus 1.
  var value: Int
  /// How sure, 0...1.
  var confidence: Double
  /// Where, in pixels of the upright picture, origin at the top left.
  var boundingBox: BoundingBox

  /// The values the die may show with their probabilities, the likeliest first; empty where only the
  /// value is known.
  var alternatives: [Alternative] = []

  /// A value and how likely it is, given that there is a die.
  struct Alternative: Hashable, Sendable {
    var value: Int
    var probability: Double
  }

  /// Whether the label says something else than the value.
  var hasOtherLabel: Bool { label != "\(value)" }
}

/// What was found in a picture.
struct PictureReading: Hashable, Sendable {
  /// How long a part of the work took.
  struct Timing: Hashable, Sendable {
    /// The part, as one word.
    var name: String
    /// Its time.
    var seconds: Double
  }

  /// Columns of the upright picture.
  var width: Int
  /// Rows of the upright picture.
  var height: Int
  /// The dice from left to right.
  var dice: [FoundDie]
  /// The parts of the work in their order.
  var timings: [Timing] = []
  /// Whether labels are words: no dice, but objects of other kinds.
  var namesObjects = false

  /// What a result is called for people: its label, or its value.
  func name(of die: FoundDie) -> String { namesObjects ? die.label : "\(die.value)" }

  /// The sum of the values.
  var sum: Int { dice.reduce(0) { $0 + $1.value } }

  /// What was found in a picture as it was decoded, as found in the picture in its file.
  func enlarged(_ picture: ReducedImage, orientation: ImageOrientation? = nil) -> PictureReading {
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

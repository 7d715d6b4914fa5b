internal import DiceGeometry
internal import DiceImaging
internal import DiceVisionKit

/// What finds dice in pictures: the library's detector, or a test's own.
protocol DieFinder {
  /// The network that is used.
  var network: FinderNetwork { get }

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

/// What a result must say of the network that gave it.
struct FinderNetwork: Hashable, Sendable {
  /// The network's name.
  var name: String
  /// The checksum of its weight file.
  var checksum: UInt64
  /// The class labels.
  var labels: [String]
  /// The lowest confidence that the weights recommend.
  var confidence: Double
  /// The overlap that the weights recommend.
  var intersectionOverUnion: Double
  /// Columns of the network's input.
  var inputWidth: Int
  /// Rows of the network's input.
  var inputHeight: Int
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

/// Whether a picture is looked at once, or again where that pays.
enum ZoomChoice: Hashable, Sendable {
  /// Once.
  case none
  /// Again, closer, where dice are small.
  case automatic
}

/// Whether dice are read once more, each on its own.
enum ReaderChoice: Hashable, Sendable {
  /// With the library's own detectors.
  case automatic
  /// Not.
  case none
  /// With the library's reader.
  case bundled
  /// With the reader in a weight file.
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
  /// A reader's weight file to use in place of `reader`; nil for none.
  var readerBytes: [UInt8]?
  /// The size of the network's input; nil for that of the weights.
  var inputSize: InputSize?
  /// How pictures are brought to that size; nil for the way of the weights.
  var cropAndScale: CropAndScale?
  /// Whether small dice are looked at again.
  var zoom = ZoomChoice.automatic
  /// Whether dice are read once more.
  var reader = ReaderChoice.automatic
  /// Which boxes compete where they overlap.
  var suppression = SuppressionChoice.acrossClasses
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

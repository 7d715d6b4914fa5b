package import DiceDetection

/// The tuned numbers of the pipeline, which belong to the weights that they were chosen with.
///
/// A profile can be written down as named numbers (``values``) and read again
/// (``init(values:)``): ``fields`` lists their names and ranges.
package struct PipelineProfile: Hashable, Sendable {
  /// When a picture is looked at again, enlarged, in tiles.
  package var tiling = Tiling()
  /// Which proposals the second-stage classifier sees, and how.
  package var crops = Crops()
  /// How the detector's scores (second) and the second-stage classifier's (first) are fused.
  package var fusion = ScoreFusion(
    objectnessWeight: 0.5, classWeight: 0.75, objectnessMargin: 0.001, leastProbability: 0.0001)
  /// How the second stage's scores (first) and those of a reader of numerals (second) are fused.
  package var reading = ScoreFusion(
    objectnessWeight: 0.5, classWeight: 0.5, objectnessMargin: 0.001, leastProbability: 0.0001)
  /// How readings count for each other.
  package var rescoring = Rescoring()
  /// How taught faces are told.
  package var faces = Faces()

  /// The profile of the bundled weights.
  package init() {}

  /// The profile of the bundled weights.
  package static let bundled = PipelineProfile()

  /// The numbers of ``TiledInference``.
  ///
  /// Sides are lengths of the longer side of a box, in pixels of a network's input; scales are
  /// input pixels for each pixel of the picture.
  package struct Tiling: Hashable, Sendable {
    /// Proposals of at least this confidence say where dice may be, and how large.
    package var proposalConfidence: Float = 0.1
    /// Where no proposal is as sure as this, nothing has been seen that a pass could be led by.
    package var sureConfidence: Float = 0.3
    /// Of the proposals' sides this quantile is the one that counts: a quarter of the dice is
    /// smaller.
    package var sideQuantile = 0.25
    /// Dice with at least this side need no tiles.
    package var readableSide = 30.0
    /// The side that tiles shall give to dice.
    package var wantedSide = 42.0
    /// Dice that would have a longer side in tiles are better seen in the pass before.
    package var greatestSide = 150.0
    /// The greatest scale.
    package var greatestScale = 1.25
    /// Tiles that enlarge by less are not worth their time.
    package var leastGain = 1.3
    /// By how much more a picture in which nothing was seen is enlarged for one more pass.
    package var blindGain = 2.0
    /// Where no pass has seen anything sure, one more is worth its time if the last one's scale was
    /// below this.
    package var blindScale = 0.25
    /// The most tiled passes over a picture.
    package var greatestPassCount = 3
    /// The most of them that are led by proposals.
    package var greatestLedPassCount = 2
    /// The longest side of a tile's input; a multiple of 32.
    package var tileSide = 832
    /// By how much neighbouring tiles overlap in pixels of the input: a die of this size is whole
    /// in one of them.
    package var tileOverlap = 96
    /// The most tiles of a pass; where more would be needed, dice stay smaller.
    package var greatestTileCount = 9
    /// Where a pass is confined to the surroundings of proposals, how far these reach beyond them,
    /// in longer sides of the largest one.
    package var surroundings = 4.0
    /// The most that they reach beyond them, as a share of the picture's longer side.
    package var greatestSurroundings = 0.25
  }

  /// The numbers of crop classification.
  package struct Crops: Hashable, Sendable {
    /// Proposals of at least this confidence are classified.
    package var proposalConfidence: Float = 0.05
    /// Of proposals that overlap by more than this only the surest is classified.
    package var proposalOverlap = 0.5
    /// Where the first crop's objectness is below this, there is no die, and no second crop.
    package var secondCropObjectness: Float = 0.05
    /// Nor is there one where the first crop gives at least this confidence in a box that overlaps
    /// the proposal by `certainOverlap`.
    package var certainConfidence: Float = 0.97
    /// The intersection over union with the proposal that such a box has at least.
    package var certainOverlap = 0.8
    /// Where a reader of numerals gives a crop more than this objectness, it leaves no doubt that a numeral
    /// stands upright there, and no further turn is looked at.
    package var certainReading: Float = 0.9
  }

  /// The numbers of ``ContextualRescoring``, which has the formula.
  package struct Rescoring: Hashable, Sendable {
    /// Boxes of less confidence support nothing.
    package var leastConfidence = 0.1
    /// What the odds of a box with full support are multiplied by.
    package var greatestFactor = 1.5
    /// By how much less, as a logarithm, those of a box with none.
    package var depth = 1.5
    /// How different in size boxes may be: the spread of the square root of their sides' ratio.
    package var sizeSpread = 0.15
    /// How far away boxes may be: the distance, in sides, that halves their support.
    package var reach = 6.0
  }

  /// The numbers of ``FaceComparison``, which has the formula.
  ///
  /// `dicevision-workshop evaluate faces` measures them.
  package struct Faces: Hashable, Sendable {
    /// What the detector takes for a die with at least this confidence, whatever it shows and after
    /// contextual rescoring, is read.
    package var leastObjectness: Float = 0.05
    /// A die whose greatest likeness is below this shows no taught face.
    package var leastLikeness: Float = 0.72
    /// How much surer one more likeness makes.
    package var sharpness: Float = 20
  }
}

/// Why named numbers are no profile.
package enum PipelineProfileError: Error, Hashable, Sendable {
  /// No field has this name.
  case unknownName(String)
  /// The name stands there twice.
  case repeatedName(String)
  /// The number is not in the field's range; NaN never is.
  case outOfRange(name: String, value: Double, allowed: ClosedRange<Double>)
  /// The field takes multiples of a number only.
  case notMultiple(name: String, value: Double, of: Double)
  /// Two fields contradict each other: `rule` says what must hold.
  case contradiction(rule: String)
}

extension PipelineProfileError: CustomStringConvertible {
  /// One sentence that says what was found and what was required.
  package var description: String {
    switch self {
    case .unknownName(let name): "The profile has no number with the name \"\(name)\"."
    case .repeatedName(let name): "The profile's \"\(name)\" stands there twice."
    case .outOfRange(let name, let value, let allowed):
      "The profile's \"\(name)\" is \(value); it must be from \(allowed.lowerBound) to "
        + "\(allowed.upperBound)."
    case .notMultiple(let name, let value, let step):
      "The profile's \"\(name)\" is \(value); it must be a multiple of \(step)."
    case .contradiction(let rule): "The profile contradicts itself: \(rule)."
    }
  }
}

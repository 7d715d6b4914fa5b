package import DiceGeometry

/// How a result came about: what the networks saw, what they proposed, and what became of each
/// proposal.
package struct DetectionExplanation: Sendable {
  /// One inference pass of the detector over a part of the picture.
  package struct Pass: Sendable {
    /// Which round: 0 for the whole picture, 1 and more for tiles, of which a round may have
    /// several.
    package var round: Int
    /// What is seen, in pixels of the upright picture.
    package var region: BoundingBox
    /// From pixels of the upright picture to those of the input.
    package var uprightToInput: AffineMap
    /// The network's input: turned, cropped, scaled and padded.
    package var input: PixelImage
    /// How likely there is a die, for each cell of each head.
    package var heads: [HeadMap]
  }

  /// The objectness of a detection head's cells, row by row, each 0...1.
  package struct HeadMap: Hashable, Sendable {
    /// Columns of cells.
    package var width: Int
    /// Rows of cells.
    package var height: Int
    /// Pixels of the input from one cell to the next.
    package var stride: Int
    /// `height * width` numbers.
    package var objectness: [Float]
  }

  /// What a network says of a die.
  package struct Scores: Hashable, Sendable {
    /// How likely there is a die, 0...1.
    package var objectness: Float
    /// The probability of each class, given that there is a die.
    package var probabilities: [Float]
    /// Objectness times the probability of the likeliest class.
    package var confidence: Float
    /// The number on the die if the likeliest class is right.
    package var value: Int
  }

  /// What became of a box.
  package enum Fate: Hashable, Sendable {
    /// Tiles saw its surroundings better.
    case replacedByTiles
    /// A surer box, an index of the same list, overlaps it by this share and too much, or shows
    /// another face of its die.
    case suppressed(by: Int, overlap: Double)
    /// The result holds as many boxes as it may, or the second stage has classified as many.
    case beyondLimit
    /// The second stage classified it: an index of the classifications.
    case classified(Int)
    /// The second stage found no box there.
    case refusedBySecondStage
    /// Its confidence is below the threshold.
    case belowThreshold
    /// It is in the result: an index of the observations.
    case kept(Int)
  }

  /// A box that a pass proposes.
  package struct Proposal: Sendable {
    /// The box in pixels of the upright picture, clipped to it.
    package var boundingBox: BoundingBox
    /// What the detector says of it.
    package var scores: Scores
    /// Which pass proposes it.
    package var passIndex: Int
    /// Which head of the pass.
    package var headIndex: Int
    /// The column of its cell.
    package var column: Int
    /// The row of its cell.
    package var row: Int
    /// What became of it.
    package var fate: Fate
  }

  /// What the boxes around one make of its confidence.
  package struct Rescoring: Hashable, Sendable {
    /// How far there is another die like it nearby, 0...1.
    package var support: Double
    /// The confidence that results.
    package var confidence: Float
  }

  /// What the second stage says of a proposal.
  package struct Classification: Sendable {
    /// Which proposal it classified.
    package var proposalIndex: Int
    /// What it saw first, in pixels of the upright picture; it may reach outside.
    package var window: BoundingBox
    /// Its input then.
    package var input: PixelImage
    /// Its own scores.
    package var scores: Scores
    /// Its scores and the detector's, fused.
    package var fused: Scores
    /// What contextual rescoring makes of them, which counts; nil where another box won before.
    package var rescoring: Rescoring?
    /// Its box in pixels of the upright picture, clipped to it.
    package var boundingBox: BoundingBox
    /// What became of it; boxes are indices of the classifications.
    package var fate: Fate
  }

  /// The detector's passes in their order.
  package var passes: [Pass] = []
  /// Every box that was proposed with the least confidence that counts, pass by pass.
  package var proposals: [Proposal] = []
  /// What the second stage said; empty without one.
  package var classifications: [Classification] = []
  /// Whether there is a second stage, so that its boxes compete and not the proposals.
  package var hasSecondStage = false
  /// The least confidence of a proposal.
  package var leastConfidence: Float
  /// The thresholds of the result.
  package var thresholds: (iouThreshold: Double, confidenceThreshold: Double)
  /// The result, the same as without an explanation.
  package var result: DetectionResult
}

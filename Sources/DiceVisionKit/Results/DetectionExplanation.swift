/// How a result came about: what the networks saw, what they proposed, and what became of each
/// proposal.
package struct DetectionExplanation: Sendable {
  /// One pass of the detector over a part of the picture.
  package struct Look: Sendable {
    /// Which look: 0 for the first one, 1 and 2 for closer ones, which may have several parts.
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
  package struct Opinion: Hashable, Sendable {
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
    /// A closer look saw its surroundings better.
    case replacedByCloserLook
    /// A surer box, an index of the same list, overlaps it by this share.
    case suppressed(by: Int, overlap: Double)
    /// The result holds as many boxes as it may, or the reader has looked at as many.
    case beyondLimit
    /// The reader looked at it: an index of the readings.
    case read(Int)
    /// The reader found no box there.
    case refusedByReader
    /// Its confidence is below the threshold.
    case belowThreshold
    /// It is in the result: an index of the observations.
    case kept(Int)
  }

  /// A box that a look proposes.
  package struct Proposal: Sendable {
    /// The box in pixels of the upright picture, clipped to it.
    package var boundingBox: BoundingBox
    /// What the detector says of it.
    package var opinion: Opinion
    /// Which look proposes it.
    package var lookIndex: Int
    /// Which head of the look.
    package var headIndex: Int
    /// The column of its cell.
    package var column: Int
    /// The row of its cell.
    package var row: Int
    /// What became of it.
    package var fate: Fate
  }

  /// What the readings around one make of it.
  package struct Company: Hashable, Sendable {
    /// How far there is another die like it nearby, 0...1.
    package var share: Double
    /// The confidence in this company.
    package var confidence: Float
  }

  /// What the reader says of a proposal.
  package struct Reading: Sendable {
    /// Which proposal it read.
    package var proposalIndex: Int
    /// What the reader saw, in pixels of the upright picture; it may reach outside.
    package var window: BoundingBox
    /// The reader's input.
    package var input: PixelImage
    /// The reader's own opinion.
    package var opinion: Opinion
    /// The reader's and the detector's together.
    package var pooled: Opinion
    /// What the dice around it say, which counts; nil where another reading won before.
    package var company: Company?
    /// The reader's box in pixels of the upright picture, clipped to it.
    package var boundingBox: BoundingBox
    /// What became of it; boxes are indices of the readings.
    package var fate: Fate
  }

  /// The passes of the detector in their order.
  package var looks: [Look] = []
  /// Every box that was proposed with the least confidence that counts, look by look.
  package var proposals: [Proposal] = []
  /// What the reader saw; empty without a reader.
  package var readings: [Reading] = []
  /// Whether there is a reader, so that its readings compete and not the proposals.
  package var hasReader = false
  /// The least confidence of a proposal.
  package var leastConfidence: Float
  /// The thresholds of the result.
  package var thresholds: Thresholds
  /// The result, the same as without an explanation.
  package var result: DetectionResult
}

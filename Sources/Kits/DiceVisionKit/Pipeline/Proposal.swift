internal import DiceGeometry

/// A box that is in the running for a result, from the pass that proposes it to its observation.
struct Proposal {
  /// Which proposal of its call it is, counted from 0; it stays, whatever changes in the proposal.
  let identifier: Int
  /// The box in pixels of the upright picture, clipped to it.
  var boundingBox: BoundingBox
  /// How sure its class is, as far as stages have seen it, 0...1.
  var confidence: Double
  /// Its likeliest class.
  var classIndex: Int
  /// The place, in the workspace's list of candidates, of the scores that count.
  var candidateIndex: Int
}

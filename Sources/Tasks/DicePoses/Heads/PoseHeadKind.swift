/// The kinds of heads of other people's networks that find the joints of one person.
package enum PoseHeadKind: String, CaseIterable, Hashable, Sendable {
  /// How likely each joint lies at each place: ``HeatmapHead``.
  case heatmaps = "joint heatmaps"
  /// How far from the places of heatmaps the joints lie.
  case offsets = "joint offsets"
  /// How likely each joint lies in each column: ``JointBins``.
  case columns = "joint columns"
  /// How likely each joint lies in each row.
  case rows = "joint rows"
  /// A point for each joint: ``JointPointsHead``.
  case points = "joint points"
  /// A box, its score and a point for each joint in each row: ``PersonRowsHead``.
  case personRows = "person rows"
}

/// Where a network says that a joint is.
package struct JointPlace: Hashable, Sendable {
  /// Pixels of the network's input from its left edge.
  package var x: Float
  /// Pixels of the network's input from its upper edge.
  package var y: Float
  /// How sure that is, 0...1; 0 where a number was not finite.
  package var confidence: Float

  /// A place; one whose numbers are not all finite has no confidence, and one beyond 0...1 is limited to it.
  package init(x: Float, y: Float, confidence: Float) {
    guard x.isFinite, y.isFinite, confidence.isFinite else {
      (self.x, self.y, self.confidence) = (0, 0, 0)
      return
    }
    (self.x, self.y) = (x, y)
    self.confidence = min(max(confidence, 0), 1)
  }

  /// No place.
  package static let none = JointPlace(x: 0, y: 0, confidence: 0)
}

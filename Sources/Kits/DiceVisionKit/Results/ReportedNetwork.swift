/// What a result must say of the network that gave it.
package struct ReportedNetwork: Hashable, Sendable {
  /// The network's name.
  package var name: String
  /// The checksum of its weight file.
  package var checksum: UInt64
  /// The class labels.
  package var labels: [String]
  /// The lowest confidence that the weights recommend.
  package var confidence: Double
  /// The overlap that the weights recommend.
  package var intersectionOverUnion: Double
  /// Columns of the network's input.
  package var inputWidth: Int
  /// Rows of the network's input.
  package var inputHeight: Int

  /// A network with all of that.
  package init(
    name: String, checksum: UInt64, labels: [String], confidence: Double,
    intersectionOverUnion: Double, inputWidth: Int, inputHeight: Int
  ) {
    self.name = name
    self.checksum = checksum
    self.labels = labels
    self.confidence = confidence
    self.intersectionOverUnion = intersectionOverUnion
    self.inputWidth = inputWidth
    self.inputHeight = inputHeight
  }
}

internal import DiceThrowWeights

extension PoseDetector {
  /// A detector with the weights that come with the library.
  ///
  /// - Throws: ``PoseDetectorError/network(_:)``, where memory does not suffice for the networks.
  public init(options: Options = Options()) throws(PoseDetectorError) {
    try self.init(joints: ThrowWeights.joints, people: ThrowWeights.people, options: options)
  }

  /// A detector that finds people with the library's weights and their joints with weights of your own, those of an
  /// imported network for instance.
  ///
  /// - Parameters:
  ///   - joints: a whole weight file, from a source that need not be trusted.
  ///   - options: what counts.
  /// - Throws: the rule that the file or its network breaks.
  /// - Complexity: O(number of weights).
  public init(
    joints: [UInt8], options: Options = Options()
  ) throws(PoseDetectorError) {
    try self.init(joints: joints, people: ThrowWeights.people, options: options)
  }
}

internal import DiceThrowWeights

extension PoseDetector {
  /// A detector with the weights that come with the library.
  ///
  /// - Throws: ``PoseDetectorError/network(_:)``, where memory does not suffice for the networks.
  public init(options: Options = Options()) throws(PoseDetectorError) {
    try self.init(joints: ThrowWeights.joints, people: ThrowWeights.people, options: options)
  }
}

internal import DiceThrowWeights

extension ActionClassifier {
  /// A classifier with the weights that come with the library: overhand, underhand, underleg, none.
  ///
  /// - Throws: ``ActionClassifierError/network(_:)``, where memory does not suffice for the network.
  public init() throws(ActionClassifierError) {
    try self.init(weights: ThrowWeights.actions)
  }
}

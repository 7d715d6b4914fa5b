#if canImport(DiceGameWeights)
  internal import DiceGameWeights

  extension DigitClassifier {
    /// A classifier with the weights that come with the library.
    ///
    /// - Throws: ``DigitClassifierError/network(_:)``, where memory does not suffice for the network.
    public init() throws(DigitClassifierError) {
      try self.init(weights: GameWeights.digits)
    }
  }
#endif

#if canImport(DiceGameWeights)
  internal import DiceGameWeights

  extension PictureNumberReader {
    /// A reader with the weights that come with the library.
    ///
    /// - Throws: where memory does not suffice for the networks.
    public init() throws(DigitClassifierError) { self.init(reader: try PictureDigitReader()) }
  }

  extension PictureDigitReader {
    /// A reader with the library's weights.
    package init() throws(DigitClassifierError) {
      try self.init(
        classifier: DigitClassifier(),
        orNone: DigitOrNoneClassifier(weights: GameWeights.digitOrNone))
    }
  }
#endif

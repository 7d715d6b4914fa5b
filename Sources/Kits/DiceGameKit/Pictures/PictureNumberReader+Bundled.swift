#if canImport(DiceGameWeights)
  internal import DiceGameWeights

  extension PictureNumberReader {
    /// A reader with the weights that come with the library.
    ///
    /// - Throws: where memory does not suffice for the networks.
    public init() throws(DigitClassifierError) { self.init(reader: try PictureDigitReader()) }

    /// A reader with the weights that come with the library, but for a network that knows none.
    ///
    /// - Parameter bytes: the weight file of that network; nil for the library's.
    /// - Throws: the rule that the file or its network breaks.
    package init(digitOrNone bytes: [UInt8]?) throws(DigitClassifierError) {
      self.init(
        reader: try PictureDigitReader(
          classifier: DigitClassifier(),
          orNone: DigitOrNoneClassifier(weights: bytes ?? GameWeights.digitOrNone)))
    }
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

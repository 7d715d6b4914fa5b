#if canImport(DiceGameWeights)
  internal import DiceGameWeights

  extension NumberRecognizer {
    /// A recogniser with the weights that come with the library.
    ///
    /// - Throws: ``NumberRecognizerError/classifier(_:)``, where memory does not suffice.
    public init() throws(NumberRecognizerError) {
      do throws(DigitClassifierError) { self.init(reader: try DrawnDigitReader()) } catch {
        throw .classifier(error)
      }
    }
  }

  extension DrawnDigitReader {
    /// A reader with the library's weights.
    package init() throws(DigitClassifierError) {
      try self.init(
        classifier: DigitClassifier(), ways: PenWayClassifier(weights: GameWeights.penWays),
        orNone: DigitOrNoneClassifier(weights: GameWeights.digitOrNone))
    }
  }
#endif

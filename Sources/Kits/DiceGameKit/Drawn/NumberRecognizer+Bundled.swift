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

    /// A recogniser with the weights that come with the library, but for a network that knows none.
    ///
    /// - Parameter bytes: the weight file of that network; nil for the library's.
    /// - Throws: ``NumberRecognizerError/classifier(_:)`` with the rule that the file breaks.
    package init(digitOrNone bytes: [UInt8]?) throws(NumberRecognizerError) {
      try self.init(
        digits: GameWeights.digits, penWays: GameWeights.penWays,
        digitOrNone: bytes ?? GameWeights.digitOrNone)
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

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

    /// A recogniser with the weights that come with the library, but for some of its networks.
    ///
    /// - Parameters:
    ///   - penWays: the weight file of the network that sees the way of the pen; nil for the library's.
    ///   - digitOrNone: that of the network that knows none; nil for the library's.
    /// - Throws: ``NumberRecognizerError/classifier(_:)`` with the rule that a file breaks.
    package init(penWays: [UInt8]?, digitOrNone: [UInt8]?) throws(NumberRecognizerError) {
      try self.init(
        digits: GameWeights.digits, penWays: penWays ?? GameWeights.penWays,
        digitOrNone: digitOrNone ?? GameWeights.digitOrNone)
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

/// Reads a picture of 28 by 28 samples: how likely each digit is, and that it shows none.
package struct DigitOrNoneClassifier: Sendable {
  private let network: DigitNetwork

  /// A classifier with the weights of a file, from a source that need not be trusted.
  ///
  /// - Throws: the rule that the file or its network breaks.
  package init(weights bytes: [UInt8]) throws(DigitClassifierError) {
    network = try .ofPictures(weights: bytes, labels: DigitClassifier.digitsOrNone)
  }

  /// The probabilities of the ten digits and, at last, of none; they sum to 1.
  package func probabilities(of bitmap: DigitBitmap) throws(DigitClassifierError) -> [Float] {
    try network.probabilities(of: bitmap)
  }
}

/// Reads a drawn digit.
///
/// ```swift
/// let classifier = try DigitClassifier()
/// let prediction = try classifier.classify(bitmap)
/// print(prediction.digit, prediction.confidence)
/// ```
///
/// A classifier is a value that shares its network with its copies; any number of threads may use one
/// at once.
public struct DigitClassifier: Sendable {
  /// What a weight file for digits says under "task".
  public static let task = "digits"
  /// What a weight file for the pen's ways says under "task".
  package static let penTask = "pen ways"
  /// What a weight file that tells digits from what is none says under "task".
  package static let orNoneTask = "digit or none"
  /// The labels of the ten digits.
  package static var digits: [String] { (0..<10).map { "\($0)" } }
  /// The labels of the ten digits and, at last, of what is none.
  package static var digitsOrNone: [String] { digits + ["none"] }

  private let network: DigitNetwork

  /// A classifier with weights of your own.
  ///
  /// - Parameter bytes: a whole weight file, from a source that need not be trusted. Its network has
  ///   one input of 28 by 28 values in one channel, each a sample of 0...255 that the input's rules
  ///   scale, and one output of ten class logits, labelled "0" to "9".
  /// - Throws: the rule that the file or its network breaks.
  /// - Complexity: O(number of weights).
  public init(weights bytes: [UInt8]) throws(DigitClassifierError) {
    network = try .ofPictures(weights: bytes, labels: Self.digits)
  }

  /// Reads a picture of one digit.
  ///
  /// Some millions of multiply-adds on the caller's thread.
  ///
  /// - Throws: ``DigitClassifierError/network(_:)``, where memory does not suffice for one more call
  ///   at the same time as others.
  public func classify(_ bitmap: DigitBitmap) throws(DigitClassifierError) -> DigitPrediction {
    DigitPrediction(probabilities: try network.probabilities(of: bitmap))
  }
}

internal import DiceNetwork
internal import DiceWeights

/// Reads the way of a pen: how likely each digit is, and that it is none.
package struct PenWayClassifier: Sendable {
  private let network: DigitNetwork

  /// A classifier with the weights of a file, from a source that need not be trusted.
  ///
  /// - Throws: the rule that the file or its network breaks.
  package init(weights bytes: [UInt8]) throws(DigitClassifierError) {
    network = try DigitNetwork(
      weights: bytes,
      input: TensorShape(height: 1, width: PenPath.placeCount, channels: PenPath.channelCount),
      isPicture: false, labels: DigitClassifier.digitsOrNone)
  }

  /// The probabilities of the ten digits and, at last, of none; they sum to 1.
  package func probabilities(
    of group: InkGroup
  ) throws(DigitClassifierError) -> [Float] {
    let values = PenPath.values(of: group)
    return try network.probabilities { (region) in
      var index = 0
      for column in 0..<region.width {
        for channel in 0..<PenPath.channelCount {
          unsafe region.pointer[column * region.pixelStride + channel] = values[index]
          index += 1
        }
      }
    }
  }
}

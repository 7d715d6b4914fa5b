internal import DiceWeights

/// How much less than half a step is rounded away from a pivot, too, in steps.
struct RoundingExcess: Hashable, Sendable {
  /// Above the pivot: that much less than half a step goes up.
  var above: Float = 0
  /// Below the pivot: that much less than half a step goes down; the middle goes up where it is
  /// the negative of `above`.
  var below: Float = 0
  /// Steps from the zero point.
  var pivot: Float = 0
}

/// Which way the middle between two integers goes where operations on integers are computed in floats.
extension TFLiteLowering {
  /// What decides it where the middle is exact: more than the error of the sum.
  private static let tie: Float = 1e-3

  /// Integers are averaged, and the middle between two goes away from 0.
  func excess(_ operation: TFLiteFile.Operation) throws(LoweringFault) -> RoundingExcess {
    let tie = Self.tie
    guard ["AVERAGE_POOL_2D", "RESIZE_BILINEAR"].contains(TFLiteOperations.name(operation)),
      let input = try bytes(operation.inputs.first), try bytes(operation.outputs.first) != nil
    else { return RoundingExcess() }
    return file.tensors[operation.inputs[0]].type == .int8
      ? RoundingExcess(above: tie, below: tie, pivot: -Float(input.zeroPoints[0]))
      : RoundingExcess(above: tie, below: -tie)
  }
}

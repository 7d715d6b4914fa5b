/// The choice among boxes at the end of a file's graph.
extension TFLiteFile {
  /// What the graph chooses at its end; nil where it chooses nothing there.
  var finalChoice: FinalChoice<Int>? {
    FinalChoice(
      GraphOutline(
        inputs: inputs,
        operations: operations.map { (operation) in
          GraphOutline.Operation(
            name: TFLiteOperations.name(operation), role: Self.role(operation.code),
            reads: operation.inputs.filter { $0 >= 0 }, gives: operation.outputs)
        }, outputs: outputs))
  }

  /// The same file without the choice.
  func without(_ choice: FinalChoice<Int>) -> TFLiteFile {
    with(operations: choice.remaining.map { operations[$0] }, outputs: choice.outputs)
  }

  private static func role(_ code: Int) -> GraphOutline<Int>.Role {
    switch code {
    // TOPK_V2, WHERE and both kinds of NON_MAX_SUPPRESSION.
    case 48, 109, 120, 121: .choice
    case 36, 39, 43, 53, 56, 58, 61, 62, 63, 70, 82, 86, 87, 107: .preparation
    case 3, 4, 9, 16, 24, 27, 35, 44, 46, 52, 67, 126: .learnt
    // SHAPE and RANK.
    case 77, 110: .shape
    default: .other
    }
  }
}

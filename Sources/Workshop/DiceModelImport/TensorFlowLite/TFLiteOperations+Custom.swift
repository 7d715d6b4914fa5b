internal import DiceWeights

/// Operations that are not builtin, but common.
extension TFLiteOperations {
  static let custom: [TFLiteOperation] = [
    TFLiteOperation(
      customCode, "TFLite_Detection_PostProcess",
      "what it reads becomes outputs: encoded boxes, scores, default boxes"
    ) { (lowering, call, operation) throws(LoweringFault) in
      guard operation.inputs.count == 3, operation.outputs.count <= 8,
        operation.inputs.allSatisfy({ $0 >= 0 })
      else { throw .invalid("It has \(operation.inputs.count) operands.") }
      let detection = try TFLiteDetection(
        call.customOptions, labels: TFLiteLabels.read(lowering.file.bytes))
      let scoreCount = try call.shape(1).last ?? 0
      let heads = [
        detection.boxesHead, try detection.scoresHead(scoreCount: scoreCount),
        TFLiteDetection.defaultsHead,
      ]
      for (index, (number, head)) in zip(operation.inputs, heads).enumerated() {
        let list = try TFLiteDetection.list(
          call.input(index), width: index == 1 ? nil : 4, &lowering.builder)
        lowering.replace(
          operation.outputs, by: (lowering.file.name(number), list, head))
      }
      lowering.note(
        "Boxes are not decoded and suppressed: the outputs are what TFLite_Detection_PostProcess "
          + "reads, with heads that say what they mean.")
      return []
    },
    TFLiteOperation(customCode, "Convolution2DTransposeBias", "batch 1; known weights") {
      (lowering, call, operation) throws(LoweringFault) in
      // Padding (1 is SAME, 2 VALID), the stride of columns and that of rows, four bytes each.
      let bytes = Array(call.customOptions)
      guard bytes.count >= 12 else { throw .invalid("Its options have \(bytes.count) bytes.") }
      let numbers = (0..<3).map { (index) in
        (0..<4).reversed().reduce(0) { $0 << 8 | Int(bytes[4 * index + $1]) }
      }
      return [
        try transposedConvolution(
          &lowering, call, operation, value: 0, weights: 1, bias: 2, size: nil,
          strides: [numbers[2], numbers[1]], padding: numbers[0] - 1)
      ]
    },
  ]
}

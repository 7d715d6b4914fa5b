internal import DiceWeights

/// Operations whose results are known before the network runs.
extension ONNXOperations {
  static let knownValues: [ONNXOperation] = [
    ONNXOperation("Constant", "no texts, no sparse tensors") {
      (_, call) throws(LoweringFault) in
      let attributes = call.node.attributes
      if let tensor = attributes["value"]?.tensor { return [.constant(tensor)] }
      if let number = attributes["value_float"]?.float {
        return [.constant(ConstantTensor(shape: [], floats: [number]))]
      }
      if let number = attributes["value_int"]?.integer {
        return [.constant(ConstantTensor(shape: [], integers: [number]))]
      }
      if let numbers = attributes["value_floats"]?.floats {
        return [.constant(ConstantTensor(shape: [numbers.count], floats: numbers))]
      }
      if let numbers = attributes["value_ints"]?.integers {
        return [.constant(ConstantTensor(numbers))]
      }
      throw .unsupported("its value is no tensor of numbers")
    },
    ONNXOperation("ConstantOfShape", "a known shape") { (_, call) throws(LoweringFault) in
      guard let shape = try call.integers(0, "shape") else {
        throw .invalid("ConstantOfShape lacks its shape.")
      }
      let count = try ConstantArithmetic.count(shape)
      let value = call.node.attributes["value"]?.tensor
      guard value == nil || value?.count == 1 else {
        throw .invalid("The value of ConstantOfShape is not one number.")
      }
      if let integer = value?.integers?.first {
        return [
          .constant(
            ConstantTensor(shape: shape, integers: [Int](repeating: integer, count: count)))
        ]
      }
      return [
        .constant(
          ConstantTensor(
            shape: shape, floats: [Float](repeating: value?.scalar ?? 0, count: count)))
      ]
    },
    ONNXOperation("Shape") { (_, call) throws(LoweringFault) in
      let shape = try call.shape(0)
      func place(_ index: Int) -> Int {
        min(max(index < 0 ? index &+ shape.count : index, 0), shape.count)
      }
      let start = place(call.integer("start", default: 0))
      let end = place(call.integer("end", default: shape.count))
      return [.constant(ConstantTensor(start < end ? Array(shape[start..<end]) : []))]
    },
    ONNXOperation("Size") { (_, call) throws(LoweringFault) in
      [
        .constant(ConstantTensor(shape: [], integers: [try call.shape(0).reduce(1, *)]))
      ]
    },
    ONNXOperation("NonZero", "known numbers") { (_, call) throws(LoweringFault) in
      guard case .constant(let tensor) = try call.input(0) else {
        throw .unsupported("the number of its results depends on the picture")
      }
      let numbers = tensor.floats
      let shape = tensor.shape.isEmpty ? [1] : tensor.shape
      let places = numbers.indices.filter { numbers[$0] != 0 }
      _ = try ConstantArithmetic.count([shape.count, places.count])
      var indices: [Int] = []
      for (extent, stride) in zip(shape, ConstantTensor.strides(of: shape)) {
        indices += places.map { $0 / stride % extent }
      }
      return [.constant(ConstantTensor(shape: [shape.count, places.count], integers: indices))]
    },
    ONNXOperation("Range", "known bounds") { (_, call) throws(LoweringFault) in
      try [range(call)]
    },
  ]

  private static func range(_ call: ONNXCall) throws(LoweringFault) -> Value {
    guard let start = try call.constant(0, "start"), let limit = try call.constant(1, "limit"),
      let step = try call.constant(2, "delta"), start.count == 1, limit.count == 1,
      step.count == 1
    else { throw .invalid("Range lacks its bounds.") }
    if let start = start.integers?[0], let limit = limit.integers?[0],
      let step = step.integers?[0]
    {
      guard step != 0 else { throw .invalid("Range has the step 0.") }
      let (distance, overflow) = limit.subtractingReportingOverflow(start)
      guard !overflow, distance != .min, step != .min else {
        throw .invalid("Range from \(start) to \(limit).")
      }
      let count =
        (distance > 0) == (step > 0) ? (abs(distance) - 1) / abs(step) + 1 : 0
      let found = try ConstantArithmetic.count([distance == 0 ? 0 : count])
      return .constant(ConstantTensor((0..<found).map { start + $0 * step }))
    }
    let (first, last, delta) = (start.floats[0], limit.floats[0], step.floats[0])
    let count = (Double(last - first) / Double(delta)).rounded(.up)
    guard count.isFinite, count <= Double(ConstantArithmetic.countLimit) else {
      throw .invalid("Range from \(first) to \(last) by \(delta).")
    }
    let floats = (0..<max(0, Int(count))).map { first + Float($0) * delta }
    return .constant(ConstantTensor(shape: [floats.count], floats: floats))
  }
}

/// Operations as operator sets before 7 write them.
extension ONNXLowering {
  /// The operations whose second operand is repeated only where an attribute says so.
  private static let repeating: Set = [
    "Add", "Sub", "Mul", "Div", "Pow", "And", "Or", "Xor", "Equal", "Greater", "Less",
  ]

  /// The operands of an operation as newer operator sets want them.
  mutating func adapted(
    _ node: ONNXGraphFile.Node, _ operands: [Value?]
  ) throws(LoweringFault) -> [Value?] {
    guard file.operatorSet < 7 else { return operands }
    var operands = operands
    switch node.operation {
    case "PRelu":
      // A slope for each channel, which is the second axis.
      guard operands.count == 2, let shape = operands[0]?.shape, let slopes = operands[1],
        slopes.shape?.count == 1, shape.count > 2
      else { break }
      operands[1] = try builder.reshaped(
        slopes, to: (slopes.shape ?? []) + [Int](repeating: 1, count: shape.count - 2))
    case _ where Self.repeating.contains(node.operation):
      // The second operand lies at some axes of the first, the last ones unless it is said.
      guard node.attributes["broadcast"]?.integer == 1, let axis = node.attributes["axis"]?.integer,
        operands.count == 2, let shape = operands[0]?.shape, let second = operands[1],
        let own = second.shape, !own.isEmpty
      else { break }
      let place = axis < 0 ? axis + shape.count : axis
      guard place >= 0, place <= shape.count - own.count else {
        throw .invalid("Its axis is \(axis) for tensors of \(shape) and \(own).")
      }
      operands[1] = try builder.reshaped(
        second, to: own + [Int](repeating: 1, count: shape.count - own.count - place))
    case "BatchNormalization" where node.attributes["spatial"]?.integer == 0:
      throw .unsupported("each place has numbers of its own")
    case "Cast" where node.attributes["to"]?.integer == nil,
      "Concat" where node.attributes["axis"] == nil,
      "Pad" where node.attributes["pads"] == nil,
      "Upsample" where node.attributes["scales"] == nil,
      "Tile", "TopK":
      throw .unsupported("it is of an old operator set")
    default: break
    }
    return operands
  }
}

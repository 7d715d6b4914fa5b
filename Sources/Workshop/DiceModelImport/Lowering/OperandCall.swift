/// One operation of a graph with its operands, whatever the file's format.
protocol OperandCall {
  /// An operand that may be left out; nil where it is.
  func optional(_ index: Int) -> Value?

  /// An operand that must be there.
  func input(_ index: Int) throws(LoweringFault) -> Value
}

extension OperandCall {
  /// The shape of an operand.
  func shape(_ index: Int) throws(LoweringFault) -> [Int] {
    guard let shape = try input(index).shape else { throw .unsupported("its shape is unknown") }
    return shape
  }

  /// An operand that must be known beforehand; nil where it is left out.
  func constant(_ index: Int, _ name: String) throws(LoweringFault) -> ConstantTensor? {
    switch optional(index) {
    case .constant(let tensor): return tensor
    case nil: return nil
    default: throw .unsupported("its \(name) depends on the network's input")
    }
  }

  /// An axis, counted from the end where it is negative.
  func axis(_ axis: Int, rank: Int) throws(LoweringFault) -> Int {
    let place = axis < 0 ? axis &+ rank : axis
    guard (0..<rank).contains(place) else {
      throw .invalid("Axis \(axis) is none of a tensor with \(rank).")
    }
    return place
  }

  /// Different axes, counted from the end where they are negative.
  func axes(_ axes: [Int], rank: Int) throws(LoweringFault) -> [Int] {
    var places: [Int] = []
    for axis in axes { places.append(try self.axis(axis, rank: rank)) }
    guard Set(places).count == places.count else { throw .invalid("An axis is named twice.") }
    return places
  }
}

/// Arithmetic on what is known before the network runs, bounded in memory.
enum ConstantArithmetic {
  /// The most numbers of a tensor that is larger than those it follows from.
  static let countLimit = 1 << 22

  /// The number of positions of a shape.
  ///
  /// - Throws: `invalid` where an extent is negative, `unsupported` where there are too many.
  static func count(_ shape: [Int]) throws(LoweringFault) -> Int {
    var count = 1
    for extent in shape {
      guard extent >= 0 else { throw .invalid("A shape has the extent \(extent).") }
      let (next, overflow) = count.multipliedReportingOverflow(by: extent)
      guard !overflow, next <= countLimit else {
        throw .unsupported("a constant of the shape \(shape) is too large")
      }
      count = next
    }
    return count
  }

  /// Two tensors combined number by number.
  static func combine(
    _ first: ConstantTensor, _ second: ConstantTensor, _ floats: (Float, Float) -> Float,
    integers: (Int, Int) -> Int?
  ) throws(LoweringFault) -> ConstantTensor {
    guard let shape = ConstantTensor.broadcastShape(first.shape, second.shape) else {
      throw .invalid("Tensors of \(first.shape) and \(second.shape) cannot be combined.")
    }
    if shape != first.shape, shape != second.shape { _ = try count(shape) }
    let first = first.broadcast(to: shape)
    let second = second.broadcast(to: shape)
    if let x = first.integers, let y = second.integers {
      var results: [Int] = []
      results.reserveCapacity(x.count)
      for (x, y) in zip(x, y) {
        guard let result = integers(x, y) else {
          throw .invalid("The integers \(x) and \(y) give none that 64 bits hold.")
        }
        results.append(result)
      }
      return ConstantTensor(shape: shape, integers: results)
    }
    return ConstantTensor(shape: shape, floats: zip(first.floats, second.floats).map(floats))
  }

  /// A function of each number.
  static func map(
    _ tensor: ConstantTensor, _ function: (Float) -> Float, integers: (Int) -> Int?
  ) throws(LoweringFault) -> ConstantTensor {
    guard let values = tensor.integers else {
      return ConstantTensor(shape: tensor.shape, floats: tensor.floats.map(function))
    }
    var results: [Int] = []
    results.reserveCapacity(values.count)
    for value in values {
      guard let result = integers(value) else {
        throw .invalid("The integer \(value) gives none that 64 bits hold.")
      }
      results.append(result)
    }
    return ConstantTensor(shape: tensor.shape, integers: results)
  }
}

extension ConstantArithmetic {
  /// Tensors side by side along an axis.
  static func concatenate(
    _ tensors: [ConstantTensor], axis: Int
  ) throws(LoweringFault) -> ConstantTensor {
    var shape = tensors[0].shape
    shape[axis] = 0
    for tensor in tensors {
      guard tensor.shape.count == shape.count,
        shape.indices.allSatisfy({ $0 == axis || tensor.shape[$0] == shape[$0] })
      else { throw .invalid("Tensors of different shapes are concatenated.") }
      shape[axis] += tensor.shape[axis]
    }
    let outer = shape[..<axis].reduce(1, *)
    let inner = shape[(axis + 1)...].reduce(1, *)
    let isInteger = tensors.allSatisfy { $0.isInteger }
    func joined<Number>(_ parts: [[Number]]) -> [Number] {
      var numbers: [Number] = []
      for position in 0..<outer {
        for (part, tensor) in zip(parts, tensors) {
          let length = tensor.shape[axis] * inner
          numbers += part[position * length..<(position + 1) * length]
        }
      }
      return numbers
    }
    return isInteger
      ? ConstantTensor(shape: shape, integers: joined(tensors.map { $0.integers ?? [] }))
      : ConstantTensor(shape: shape, floats: joined(tensors.map { $0.floats }))
  }

  /// The positions of an axis that some indices name, in their order.
  static func gather(
    _ tensor: ConstantTensor, axis: Int, indices: [Int]
  ) throws(LoweringFault) -> ConstantTensor {
    for index in indices where !(0..<tensor.shape[axis]).contains(index) {
      throw .invalid("An index \(index) is not one of \(tensor.shape[axis]) positions.")
    }
    var shape = tensor.shape
    shape[axis] = indices.count
    if indices.count > tensor.shape[axis] { _ = try count(shape) }
    let inner = shape[(axis + 1)...].reduce(1, *)
    var places: [Int] = []
    for outer in 0..<shape[..<axis].reduce(1, *) {
      for index in indices {
        let start = (outer * tensor.shape[axis] + index) * inner
        places.append(contentsOf: start..<start + inner)
      }
    }
    return tensor.gathered(places, shape: shape)
  }

  /// A tensor with the numbers along some axes put together; those axes get the extent 1.
  static func reduce(
    _ tensor: ConstantTensor, axes: [Int], floats: (Float, Float) -> Float,
    integers: (Int, Int) -> Int?
  ) throws(LoweringFault) -> ConstantTensor {
    guard tensor.count > 0 else { throw .unsupported("it reduces an empty tensor") }
    var result = tensor
    for axis in axes where result.shape[axis] > 1 {
      let extent = result.shape[axis]
      let inner = result.shape[(axis + 1)...].reduce(1, *)
      var shape = result.shape
      shape[axis] = 1
      let starts = (0..<shape.reduce(1, *)).map { $0 / inner * inner * extent + $0 % inner }
      if let values = result.integers {
        var sums: [Int] = []
        for start in starts {
          var sum = values[start]
          for index in 1..<extent {
            guard let next = integers(sum, values[start + index * inner]) else {
              throw .invalid("Integers along an axis give none that 64 bits hold.")
            }
            sum = next
          }
          sums.append(sum)
        }
        result = ConstantTensor(shape: shape, integers: sums)
      } else {
        let values = result.floats
        result = ConstantTensor(
          shape: shape,
          floats: starts.map { (start) in
            (1..<extent).reduce(values[start]) { floats($0, values[start + $1 * inner]) }
          })
      }
    }
    return result
  }
}

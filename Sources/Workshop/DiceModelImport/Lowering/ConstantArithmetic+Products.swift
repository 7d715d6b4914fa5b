/// Products of matrices that are known before the network runs.
extension ConstantArithmetic {
  /// The most products of two numbers that are computed while a model is imported.
  private static let productLimit = 1 << 28

  /// The product of `[.., M, K]` and `[.., K, N]`, whose axes in front, broadcast, are `batch`; nil where
  /// there are too many products, or integers leave their range.
  ///
  /// - Precondition: The shapes fit.
  static func matrixProduct(
    _ first: ConstantTensor, _ second: ConstantTensor, batch: [Int]
  ) -> ConstantTensor? {
    let (m, k) = (first.shape[first.shape.count - 2], first.shape[first.shape.count - 1])
    let n = second.shape[second.shape.count - 1]
    var count = 1
    for extent in batch + [m, k, n] {
      let (next, overflow) = count.multipliedReportingOverflow(by: extent)
      guard !overflow, next <= productLimit else { return nil }
      count = next
    }
    // Where each matrix begins.
    func starts(_ tensor: ConstantTensor) -> [Int] {
      let own =
        [Int](repeating: 1, count: batch.count + 2 - tensor.shape.count) + tensor.shape
      let strides = ConstantTensor.strides(of: own)
      return ConstantTensor.walk(
        batch, strides: batch.indices.map { (axis) in own[axis] == 1 ? 0 : strides[axis] })
    }
    let pairs = Array(zip(starts(first), starts(second)))
    let shape = batch + [m, n]
    if let left = first.integers, let right = second.integers {
      var sums: [Int] = []
      for (a, b) in pairs {
        for row in 0..<m {
          for column in 0..<n {
            var sum = 0
            for j in 0..<k {
              let (product, isLarge) = left[a + row * k + j]
                .multipliedReportingOverflow(by: right[b + j * n + column])
              let (next, overflow) = sum.addingReportingOverflow(product)
              guard !isLarge, !overflow else { return nil }
              sum = next
            }
            sums.append(sum)
          }
        }
      }
      return ConstantTensor(shape: shape, integers: sums)
    }
    let (left, right) = (first.floats, second.floats)
    var sums: [Float] = []
    for (a, b) in pairs {
      for row in 0..<m {
        for column in 0..<n {
          var sum: Float = 0
          for j in 0..<k { sum += left[a + row * k + j] * right[b + j * n + column] }
          sums.append(sum)
        }
      }
    }
    return ConstantTensor(shape: shape, floats: sums)
  }
}

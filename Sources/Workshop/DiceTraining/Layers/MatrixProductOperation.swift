internal import DiceKernelTemplates

/// The products of two values as matrices, row by row.
///
/// `out[y, x, c] = Σ over j of first[y, x, j] * second[y, j, c]`, where columns and channels of a value
/// that is transposed are exchanged.
final class MatrixProductOperation: Operation {
  /// A value as it is read.
  private struct Operand {
    let value: Value
    let isTransposed: Bool

    func matrices(_ map: BatchMap) -> Matrices { Matrices(map, isTransposed: isTransposed) }
  }

  /// A map as matrices.
  private struct Matrices {
    let map: BatchMap
    /// Floats between numbers below each other, and beside each other.
    var down: Int
    var across: Int

    init(_ map: BatchMap, isTransposed: Bool = false) {
      self.map = map
      (down, across) = isTransposed ? (1, map.pixelStep) : (map.pixelStep, 1)
    }

    var transposed: Matrices {
      var result = self
      (result.down, result.across) = (across, down)
      return result
    }

    func start(_ row: Int, _ sample: Int) -> Address { map.row(row, of: sample) }
  }

  /// The rows and columns of the output's matrices, and what is summed over.
  private struct Size {
    let rows: Int
    let columns: Int
    let terms: Int
  }

  let output: Value
  private let first: Operand
  private let second: Operand
  private let termCount: Int

  init(
    _ first: Value, _ second: Value, transposesFirst: Bool, transposesSecond: Bool,
    to output: Value
  ) {
    self.first = Operand(value: first, isTransposed: transposesFirst)
    self.second = Operand(value: second, isTransposed: transposesSecond)
    self.output = output
    termCount = transposesFirst ? first.shape.width : first.shape.channelCount
  }

  func forward(_ pass: Pass) {
    let shape = output.shape
    let target = Matrices(output.map)
    let (a, b) = (first.matrices(first.value.map), second.matrices(second.value.map))
    let size = Size(rows: shape.width, columns: shape.channelCount, terms: termCount)
    pass.forEachSample { sample in
      for row in 0..<shape.height {
        let start = target.start(row, sample)
        for x in 0..<size.rows {
          for c in 0..<size.columns { start.store(0, at: x * target.down + c) }
        }
        Self.add(a, b, to: target, size, row, sample)
      }
    }
  }

  /// `∂first[y, x, j] = Σ over c of g[y, x, c] * second[y, j, c]` and
  /// `∂second[y, j, c] = Σ over x of first[y, x, j] * g[y, x, c]`.
  func backward(_ pass: Pass) {
    let shape = output.shape
    let gradient = Matrices(output.gradient)
    // One after the other: both may be the same value.
    if let target = first.value.gradientTarget() {
      let b = second.matrices(second.value.map).transposed
      let to = first.matrices(target.map)
      let size = Size(rows: shape.width, columns: termCount, terms: shape.channelCount)
      pass.forEachSample { sample in
        target.begin(sample)
        for row in 0..<shape.height { Self.add(gradient, b, to: to, size, row, sample) }
      }
    }
    if let target = second.value.gradientTarget() {
      let a = first.matrices(first.value.map).transposed
      let to = second.matrices(target.map)
      let size = Size(rows: termCount, columns: shape.channelCount, terms: shape.width)
      pass.forEachSample { sample in
        target.begin(sample)
        for row in 0..<shape.height { Self.add(a, gradient, to: to, size, row, sample) }
      }
    }
  }

  /// Adds the products of the matrices of a row.
  private static func add(
    _ a: Matrices, _ b: Matrices, to target: Matrices, _ size: Size, _ row: Int, _ sample: Int
  ) {
    let (left, right) = (a.start(row, sample), b.start(row, sample))
    let result = target.start(row, sample)
    for y in 0..<size.rows {
      let line = result.advanced(by: y * target.down)
      for j in 0..<size.terms {
        let factor = left.scalar(at: y * a.down + j * a.across)
        let other = right.advanced(by: j * b.down)
        for c in 0..<size.columns {
          line.store(
            line.scalar(at: c * target.across) + factor * other.scalar(at: c * b.across),
            at: c * target.across)
        }
      }
    }
  }
}

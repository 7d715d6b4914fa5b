// Two maps combined number by number.

/// How two numbers are combined.
@frozen public enum CombinationOperation {
  /// `a + b`
  case addition
  /// `a - b`
  case subtraction
  /// `a * b`
  case multiplication
  /// `a / b`
  case division
  /// `b` where it is greater, else `a`.
  case maximum
  /// `b` where it is less, else `a`.
  case minimum
  /// Whole numbers of different scales, added up.
  case requantizedSum(RequantizedSum)
}

/// Two maps that are combined number by number.
///
/// `output[y, x, c] = operation(input[y, x, c], other[y, x, c])`
///
/// Steps of zero repeat rows or columns. An operand may have a single channel, which is repeated.
@frozen @safe public struct CombinationTask {
  /// The first operand and the output.
  public var map: MapTask
  /// The first pixel of the second operand.
  public var other: Address
  /// Floats between its columns.
  public var otherColumnStep: Int
  /// Floats between its rows.
  public var otherRowStep: Int
  /// How numbers are combined.
  public var operation: CombinationOperation
  /// Whether the first operand has one channel for all.
  public var isFirstSingle: Bool
  /// Whether the second operand has one channel for all.
  public var isSecondSingle: Bool

  /// A task of the given parts.
  public init(
    map: MapTask, other: Address, otherColumnStep: Int, otherRowStep: Int,
    operation: CombinationOperation, isFirstSingle: Bool = false, isSecondSingle: Bool = false
  ) {
    self.map = map
    self.other = other
    self.otherColumnStep = otherColumnStep
    self.otherRowStep = otherRowStep
    self.operation = operation
    self.isFirstSingle = isFirstSingle
    self.isSecondSingle = isSecondSingle
  }
}

/// The rows `rows` of a combination.
@_alwaysEmitIntoClient @inline(__always)
public func combine<Vector: FloatLanes>(
  _: Vector.Type, _ task: CombinationTask, rows: Range<Int>
) {
  switch task.operation {
  case .addition: combineLanes(Vector.self, task, rows) { (a, b) in a + b }
  case .subtraction: combineLanes(Vector.self, task, rows) { (a, b) in a - b }
  case .multiplication: combineLanes(Vector.self, task, rows) { (a, b) in a * b }
  case .division: combineLanes(Vector.self, task, rows) { (a, b) in a / b }
  case .maximum: combineLanes(Vector.self, task, rows) { (a, b) in greater(a, b) }
  case .minimum: combineLanes(Vector.self, task, rows) { (a, b) in less(a, b) }
  case .requantizedSum(let factors):
    // No network of a browser has it.
    #if !arch(wasm32)
      let (first, second, sum) = (factors.factor(0), factors.factor(1), factors.factor(2))
      combineLanes(Vector.self, task, rows) { (a, b) in requantizedSum(a, b, first, second, sum) }
    #endif
  }
}

@_alwaysEmitIntoClient @inline(__always)
func combineLanes<Vector: FloatLanes>(
  _: Vector.Type, _ task: CombinationTask, _ rows: Range<Int>,
  _ operation: (Vector, Vector) -> Vector
) {
  let map = task.map
  let isPlain = !task.isFirstSingle && !task.isSecondSingle
  var row = rows.lowerBound
  while row < rows.upperBound {
    var first = map.input.advanced(by: row * map.inputRowStep)
    var second = task.other.advanced(by: row * task.otherRowStep)
    var output = map.output.advanced(by: row * map.outputRowStep)
    var column = 0
    while column < map.width {
      var channel = 0
      if isPlain {
        while channel < map.channelCount {
          output.store(
            operation(
              first.vector(at: channel, as: Vector.self),
              second.vector(at: channel, as: Vector.self)), at: channel)
          channel &+= Vector.scalarCount
        }
      } else {
        // Read before anything is written: the output may be an operand.
        let firstValue = Vector(repeating: first.scalar(at: 0))
        let secondValue = Vector(repeating: second.scalar(at: 0))
        while channel < map.channelCount {
          let a = task.isFirstSingle ? firstValue : first.vector(at: channel, as: Vector.self)
          let b = task.isSecondSingle ? secondValue : second.vector(at: channel, as: Vector.self)
          output.store(operation(a, b), at: channel)
          channel &+= Vector.scalarCount
        }
      }
      first = first.advanced(by: map.inputColumnStep)
      second = second.advanced(by: task.otherColumnStep)
      output = output.advanced(by: map.outputColumnStep)
      column &+= 1
    }
    row &+= 1
  }
}

internal import DiceWeights

/// A message `GLMClassifier`: probabilities that follow from weighted sums.
///
/// With a sum `s` for each row of weights:
///
/// - reference class: the softmax of 0 for the first class and the sums for the others
/// - one class and the rest: `sigmoid(s)` of each class over their sum; with one row of two classes as above
/// - probit, of two classes: `(1 + erf(s / sqrt(2))) / 2` for the second one
///
/// Source: `GLMClassifier.proto` of the Core ML model format.
struct CoreMLLinearClassifier {
  /// The names of the classes; empty where the model does not tell them.
  let labels: [String]
  private let rows: [[Float]]
  private let offsets: [Float]
  private let isProbit: Bool
  private let isOneAgainstRest: Bool

  static let place = "The linear classifier"

  /// The most classes.
  private static let classLimit = 65_536

  init(_ message: ProtobufMessage) throws(ModelImportError) {
    var rows: [[Float]] = []
    let messages: [ProtobufMessage]?
    let (transform, encoding): (Int, Int)
    do throws(ProtobufError) {
      messages = try message.messages(1, limit: Self.classLimit)
      for row in messages ?? [] { rows.append(try row.doubles(1).map { Float($0) }) }
      offsets = try message.doubles(2).map { Float($0) }
      transform = try message.integer(3) ?? 0
      encoding = try message.integer(4) ?? 0
      labels = try CoreMLLabels.read(message, texts: 100, integers: 101)
    } catch {
      throw .protobuf(error)
    }
    guard (0...1).contains(transform), (0...1).contains(encoding) else {
      throw .invalid(
        place: Self.place, rule: "Its transform is \(transform), its encoding \(encoding).")
    }
    (isProbit, isOneAgainstRest) = (transform == 1, encoding == 1)
    self.rows = rows
    guard let width = rows.first?.count, width > 0, rows.allSatisfy({ $0.count == width }) else {
      throw .invalid(place: Self.place, rule: "Its weights are not rows of one length.")
    }
    guard offsets.count == rows.count else {
      throw .invalid(
        place: Self.place, rule: "It has \(rows.count) rows of weights, \(offsets.count) offsets.")
    }
    guard labels.isEmpty || labels.count == classCount else {
      throw .invalid(
        place: Self.place, rule: "It has \(labels.count) labels for \(classCount) classes.")
    }
    guard !isProbit || rows.count == 1 else {
      throw .invalid(place: Self.place, rule: "Its probit has more than two classes.")
    }
  }

  /// How many classes there are.
  private var classCount: Int {
    isOneAgainstRest && rows.count > 1 ? rows.count : rows.count + 1
  }

  /// The probabilities of the classes, `[classes]`.
  ///
  /// - Parameter inputs: The numbers that are weighted, in their order, each in any shape.
  func probabilities(
    _ inputs: [Value], _ builder: inout GraphBuilder
  ) throws(LoweringFault) -> Value {
    var parts: [Value] = []
    var count = 0
    for input in inputs {
      let own = try ConstantArithmetic.count(input.shape ?? [])
      parts.append(try builder.reshaped(input, to: [own]))
      count += own
    }
    guard count == rows[0].count else {
      throw .invalid("Its rows have \(rows[0].count) weights for \(count) numbers.")
    }
    let numbers = try builder.computed(builder.concatenated(parts, axis: 0))
    if isProbit {
      let second = try builder.applied(
        [
          .linear(scale: Float(0.5).squareRoot(), offset: 0), .errorFunction,
          .linear(scale: 0.5, offset: 0.5),
        ], to: sums(numbers, &builder))
      return try builder.concatenated([builder.negated(second), second], axis: 0)
    }
    if isOneAgainstRest, rows.count > 1 {
      let shares = try builder.computed(
        builder.applied([.sigmoid], to: sums(numbers, &builder)))
      let total = try builder.reduced(shares, .sum, axes: [0])
      return try builder.combined(.division, .computed(shares), .computed(total))
    }
    let sums = try sums(numbers, withReference: true, &builder)
    return .computed(try builder.softmax(builder.computed(sums), axis: 0))
  }

  /// The weighted sums, perhaps with 0 before them.
  private func sums(
    _ numbers: ComputedValue, withReference hasReference: Bool = false,
    _ builder: inout GraphBuilder
  ) throws(LoweringFault) -> Value {
    let width = rows[0].count
    let first = hasReference ? 1 : 0
    let count = first + rows.count
    var weights = [Float](repeating: 0, count: width * count)
    for (row, numbers) in rows.enumerated() {
      for (place, number) in numbers.enumerated() {
        weights[place * count + first + row] = number
      }
    }
    let bias = [Float](repeating: 0, count: first) + offsets
    return .computed(
      try builder.dense(numbers, weights: weights, bias: bias, outputCount: count))
  }
}

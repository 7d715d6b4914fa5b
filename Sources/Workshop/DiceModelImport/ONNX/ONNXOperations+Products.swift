internal import DiceWeights

/// Products of matrices.
extension ONNXOperations {
  static func product(
    _ lowering: inout ONNXLowering, _ call: ONNXCall
  ) throws(LoweringFault) -> Value {
    let (alpha, beta) = (call.float("alpha", default: 1), call.float("beta", default: 1))
    guard case .constant(var matrix) = try call.input(1) else {
      return try productOfTensors(&lowering.builder, call, alpha, beta)
    }
    guard matrix.shape.count == 2, try call.shape(0).count == 2 else {
      throw .invalid("Gemm multiplies what is no matrix.")
    }
    if call.integer("transB", default: 0) != 0 { matrix = matrix.transposed([1, 0]) }
    var input = try call.input(0)
    if call.integer("transA", default: 0) != 0 {
      input = lowering.builder.transposed(input, [1, 0])
    }
    let count = matrix.shape[1]
    var addend = call.optional(2)
    var bias: [Float]?
    if case .constant(let tensor) = addend,
      tensor.count == count, tensor.shape.last == count || count == 1
    {
      bias = tensor.floats.map { $0 * beta }
      addend = nil
    }
    let result = Value.computed(
      try lowering.builder.dense(
        try lowering.builder.computed(input), weights: matrix.floats.map { $0 * alpha },
        bias: bias, outputCount: count))
    guard var addend else { return result }
    if beta != 1 {
      addend = try lowering.builder.combined(
        .multiplication, addend, .constant(ConstantTensor(shape: [], floats: [beta])))
    }
    return try lowering.builder.combined(.addition, result, addend)
  }

  /// Gemm where both matrices depend on the network's input.
  private static func productOfTensors(
    _ builder: inout GraphBuilder, _ call: ONNXCall, _ alpha: Float, _ beta: Float
  ) throws(LoweringFault) -> Value {
    guard try call.shape(0).count == 2, try call.shape(1).count == 2 else {
      throw .invalid("Gemm multiplies what is no matrix.")
    }
    var operands = [try call.input(0), try call.input(1)]
    for (index, name) in ["transA", "transB"].enumerated()
    where call.integer(name, default: 0) != 0 {
      operands[index] = builder.transposed(operands[index], [1, 0])
    }
    let product = try builder.applied(
      [.linear(scale: alpha, offset: 0)], to: builder.matrixProduct(operands[0], operands[1]))
    guard let addend = call.optional(2) else { return product }
    return try builder.combined(
      .addition, product, builder.applied([.linear(scale: beta, offset: 0)], to: addend))
  }

  // MARK: Einsum

  /// Sums of products along axes that letters name.
  static func summedProducts(
    _ builder: inout GraphBuilder, _ call: ONNXCall
  ) throws(LoweringFault) -> Value {
    var values: [Value] = []
    for index in call.inputs.indices { values.append(try call.input(index)) }
    let equation = call.text("equation", default: "").filter { $0 != " " }
    guard let letters = EinsumLetters(equation, ranks: values.map { $0.shape?.count ?? 0 }) else {
      throw .invalid("Its equation is \(equation).")
    }
    var operands = Array(zip(letters.operands, values))
    for (names, _) in operands where Set(names).count != names.count {
      throw .unsupported("it takes the diagonal of a tensor")
    }
    while operands.count > 1 {
      let (first, second) = (operands.removeFirst(), operands.removeFirst())
      let needed = Set(letters.result + operands.flatMap(\.0))
      operands.insert(try pairProduct(&builder, first, second, needed), at: 0)
    }
    let (names, value) = try summed(&builder, operands[0], Set(letters.result))
    var order: [Int] = []
    for name in letters.result {
      guard let place = names.firstIndex(of: name) else {
        throw .invalid("Its equation is \(equation).")
      }
      order.append(place)
    }
    return builder.transposed(value, order)
  }

  private typealias Named = (names: [Character], value: Value)

  /// Sums along the axes that are not needed.
  private static func summed(
    _ builder: inout GraphBuilder, _ operand: Named, _ needed: Set<Character>
  ) throws(LoweringFault) -> Named {
    let axes = operand.names.indices.filter { !needed.contains(operand.names[$0]) }
    if axes.isEmpty { return operand }
    let kept = operand.names.indices.filter { !axes.contains($0) }
    let shape = operand.value.shape ?? []
    let sum = try builder.summarized(operand.value, .sum, axes: axes)
    return (
      kept.map { operand.names[$0] }, try builder.reshaped(sum, to: kept.map { shape[$0] })
    )
  }

  /// The product of two operands, summed along the axes that both have and nothing else needs.
  private static func pairProduct(
    _ builder: inout GraphBuilder, _ first: Named, _ second: Named, _ needed: Set<Character>
  ) throws(LoweringFault) -> Named {
    let first = try summed(&builder, first, needed.union(second.names))
    let second = try summed(&builder, second, needed.union(first.names))
    let both = first.names.filter { second.names.contains($0) }
    let batch = both.filter { needed.contains($0) }
    let common = both.filter { !needed.contains($0) }
    let own = first.names.filter { !both.contains($0) }
    let other = second.names.filter { !both.contains($0) }
    var extents: [Character: Int] = [:]
    for operand in [first, second] {
      for (name, extent) in zip(operand.names, operand.value.shape ?? []) {
        let known = extents[name] ?? 1
        guard known == 1 || extent == 1 || known == extent else {
          throw .invalid("An axis has \(known) and \(extent) positions.")
        }
        extents[name] = max(known, extent)
      }
    }
    func arranged(_ operand: Named, _ groups: [[Character]]) throws(LoweringFault) -> Value {
      let order = groups.joined().map { (name) in operand.names.firstIndex(of: name) ?? 0 }
      let turned = try builder.expanded(
        builder.transposed(operand.value, order),
        to: groups.joined().map { (name) in extents[name] ?? 1 })
      return try builder.reshaped(
        turned, to: groups.map { $0.reduce(1) { $0 * (extents[$1] ?? 1) } })
    }
    let product = try builder.matrixProduct(
      arranged(first, [batch, own, common]), arranged(second, [batch, common, other]))
    let names = batch + own + other
    return (names, try builder.reshaped(product, to: names.map { extents[$0] ?? 1 }))
  }
}

/// The letters of an equation: one for each axis of each operand, and of the result.
private struct EinsumLetters {
  var operands: [[Character]] = []
  var result: [Character] = []

  /// Nil where the equation is none, or does not fit the ranks.
  init?(_ equation: String, ranks: [Int]) {
    let sides = equation.split(separator: "-", omittingEmptySubsequences: false)
    guard sides.count <= 2, sides.count == 1 || sides[1].first == ">" else { return nil }
    let terms = sides[0].split(separator: ",", omittingEmptySubsequences: false)
    guard terms.count == ranks.count, !ranks.isEmpty else { return nil }
    // An ellipsis stands for axes that have no letters; they get digits, aligned at the last one.
    var most = 0
    for (term, rank) in zip(terms, ranks) where term.contains(".") {
      most = max(most, rank - term.count { $0 != "." })
    }
    guard (0...9).contains(most) else { return nil }
    let digits = Array("0123456789".prefix(most))
    func letters(_ term: Substring, _ rank: Int?) -> [Character]? {
      let parts = term.split(separator: ".", omittingEmptySubsequences: false)
      guard term.allSatisfy({ $0 == "." || $0.isLetter }) else { return nil }
      if parts.count == 1 {
        return rank == nil || rank == term.count ? Array(term) : nil
      }
      guard parts.count == 4, parts[1].isEmpty, parts[2].isEmpty else { return nil }
      let count = rank.map { $0 - parts[0].count - parts[3].count } ?? most
      guard (0...most).contains(count) else { return nil }
      return Array(parts[0]) + digits.suffix(count) + Array(parts[3])
    }
    for (term, rank) in zip(terms, ranks) {
      guard let names = letters(term, rank) else { return nil }
      operands.append(names)
    }
    if sides.count == 2 {
      guard let names = letters(sides[1].dropFirst(), nil) else { return nil }
      result = names
    } else {
      var counts: [Character: Int] = [:]
      for name in operands.joined() { counts[name, default: 0] += 1 }
      let single = counts.filter { $0.value == 1 && $0.key.isLetter }.keys.sorted()
      result = digits + single
    }
    guard Set(result).count == result.count else { return nil }
  }
}

/// The choice among boxes at the end of a detector's graph, as ``ONNXChoice`` is one: suppression, the best so
/// many, those above a threshold.
struct TFLiteChoice {
  /// The graph without it.
  ///
  /// Its outputs are those that do not depend on the choice, and what the choice reads, in the order of the
  /// operations.
  let graph: TFLiteFile
  /// The choosing operations, by name, and how often each is there.
  let operations: [(name: String, count: Int)]

  /// The entry of a weight file that names the choosing operations which were left out.
  static let key = "tflite.left out"

  /// Operations that choose: TOPK_V2, WHERE and both kinds of NON_MAX_SUPPRESSION.
  private static let choices: Set = [48, 109, 120, 121]
  /// Operations that prepare a choice where nothing else reads their results: they move or compare numbers,
  /// or find the greatest.
  private static let preparations: Set = [
    36, 39, 43, 53, 56, 58, 61, 62, 63, 70, 82, 86, 87, 107,
  ]
  /// Operations with weights: what comes before them is no end of a network.
  private static let learnt: Set = [3, 4, 9, 16, 24, 27, 35, 44, 46, 52, 67, 126]

  /// Nil where the graph does not end with a choice.
  init?(_ file: TFLiteFile) {
    var computed = Set(file.inputs)
    for operation in file.operations where operation.code != 77 && operation.code != 110 {
      if operation.inputs.contains(where: { computed.contains($0) }) {
        computed.formUnion(operation.outputs)
      }
    }
    let reads = file.operations.map { (operation) in
      operation.inputs.filter { computed.contains($0) }
    }
    var isLeft = Self.behindChoices(file, reads)
    guard isLeft.contains(true),
      !file.operations.indices.contains(where: {
        isLeft[$0] && Self.learnt.contains(file.operations[$0].code)
      })
    else { return nil }
    Self.addPreparations(file, reads, &isLeft)

    let left = file.operations.indices.filter { isLeft[$0] }
    let gone = Set(left.flatMap { file.operations[$0].outputs })
    var outputs = file.outputs.filter { !gone.contains($0) }
    guard outputs.count < file.outputs.count else { return nil }
    let needed = Set(left.flatMap { reads[$0] }).subtracting(outputs)
    for index in file.operations.indices where !isLeft[index] {
      for number in file.operations[index].outputs where needed.contains(number) {
        outputs.append(number)
      }
    }
    guard !outputs.isEmpty else { return nil }
    graph = file.with(
      operations: file.operations.indices.filter { !isLeft[$0] }.map { file.operations[$0] },
      outputs: outputs)
    var counts: [String: Int] = [:]
    for index in left where Self.choices.contains(file.operations[index].code) {
      counts[TFLiteOperations.name(file.operations[index]), default: 0] += 1
    }
    operations = counts.keys.sorted().map { ($0, counts[$0] ?? 0) }
  }

  /// A sentence for the user.
  var note: String {
    let names = operations.map { (name, count) in
      "\(name) (\(count) \(count == 1 ? "place" : "places"))"
    }
    return "The choice among boxes at the end was left out: \(names.joined(separator: ", ")). "
      + "The outputs are what it reads."
  }

  /// Whether each operation is a choice, or depends on one.
  private static func behindChoices(_ file: TFLiteFile, _ reads: [[Int]]) -> [Bool] {
    var numbers: Set<Int> = []
    return file.operations.indices.map { (index) in
      let operation = file.operations[index]
      let chooses = choices.contains(operation.code) && !reads[index].isEmpty
      guard chooses || operation.inputs.contains(where: { numbers.contains($0) }) else {
        return false
      }
      numbers.formUnion(operation.outputs)
      return true
    }
  }

  /// Adds operations whose results only choices read.
  private static func addPreparations(
    _ file: TFLiteFile, _ reads: [[Int]], _ isLeft: inout [Bool]
  ) {
    // What the operations that stay read, and the graph gives.
    var kept = Set(file.outputs)
    for index in file.operations.indices.reversed() {
      let operation = file.operations[index]
      if !isLeft[index] {
        isLeft[index] =
          preparations.contains(operation.code) && !reads[index].isEmpty
          && !operation.outputs.contains { kept.contains($0) }
      }
      if !isLeft[index] { kept.formUnion(reads[index]) }
    }
  }
}

import DiceModelImport
import DiceWeights

/// TensorFlow Lite models: what is imported can be written and read.
enum Target {
  static func run(_ bytes: [UInt8]) {
    do throws(ModelImportError) {
      let model = try ModelImporter.importTensorFlowLite(bytes)
      // What is legal may be large: a repeated constant.
      guard model.tensors.reduce(0, { $0 + $1.count }) < 1 << 18 else { return }
      do throws(WeightFileError) {
        let file = try WeightFile(bytes: model.weightFile())
        require(
          ModelTensor.inputs(of: file.description) == model.inputs, "inputs are remembered")
        require(
          ModelTensor.outputs(of: file.description, shapes: file.shapes) == model.outputs,
          "outputs are remembered")
      } catch {
        fatalError("broken promise: an imported model is legal: \(error)")
      }
    } catch {
      require(!error.description.isEmpty, "an error is a sentence")
    }
  }

  /// The most that a seed has.
  private static let byteLimit = 2400

  static func seeds() -> [[UInt8]] {
    // Each operation behind an input, with operands and options that many have.
    var seeds: [[UInt8]] = []
    for code in 0...161 {
      for kind in Operands.allCases {
        for type in [0, 9] { seeds.append(model([(code, kind)], type: type)) }
      }
    }
    seeds.append(model([(3, .weights), (19, .none), (17, .none), (9, .matrix)], type: 3))
    seeds.append(model([(38, .blocks), (3, .weights), (37, .crops)], type: 0))
    seeds.append(graphs)
    return seeds.filter { $0.count <= byteLimit }
  }

  /// A variable that begins with the numbers of a second graph, and a choice of a third one.
  private static var graphs: [UInt8] {
    let name = Table([1: .text("v")])
    var model = TFLiteModel()
    let x = model.input("x", [1, 2])
    let flag = model.tensor("flag", [1], type: 6, data: [1])
    let (handle, old) = (model.tensor("h", [], type: 13), model.tensor("old", [1, 2]))
    let (sum, result) = (model.tensor("sum", [1, 2]), model.tensor("y", [1, 2]))
    model.operation(142, [], [handle], name)
    model.operation(129, [], [], Table([0: .integer(1)]))
    model.operation(143, [handle], [old])
    model.operation(0, [x, old], [sum], Table([0: .byte(0)]))
    model.operation(144, [handle, sum], [])
    model.operation(118, [flag, sum], [result], Table([0: .integer(2), 1: .integer(1)]))
    var start = TFLiteModel()
    let own = start.tensor("h", [], type: 13)
    start.operation(142, [], [own], name)
    start.operation(144, [own, start.floats([1, 2], [0, 0])], [])
    var branch = TFLiteModel()
    let (value, negated) = (branch.input("x", [1, 2]), branch.tensor("n", [1, 2]))
    branch.operation(59, [value], [negated])
    return model.bytes(outputs: [result], others: [(start, []), (branch, [negated])])
  }

  private enum Operands: CaseIterable {
    case none, weights, matrix, scalar, vector, pair, bounds, transposed, split, blocks, crops
  }

  private static func model(_ operations: [(code: Int, kind: Operands)], type: Int) -> [UInt8] {
    var model = TFLiteModel()
    let scales: [Float] = type == 0 ? [] : [0.5]
    let zeros = type == 0 ? [] : [1]
    var value = model.input("x", [1, 4, 4, 2], type: type, scales: scales, zeros: zeros)
    for (index, (code, kind)) in operations.enumerated() {
      func weights(_ shape: [Int]) -> Int {
        let count = shape.reduce(1, *)
        return type == 0
          ? model.floats(shape, [Float](repeating: 0.5, count: count))
          : model.tensor(
            "w", shape, type: type, data: [UInt8](repeating: 3, count: count), scales: scales,
            zeros: zeros)
      }
      let inputs: [Int]
      switch kind {
      case .none: inputs = [value]
      case .weights: inputs = [value, weights([2, 2, 2, 2])]
      case .matrix: inputs = [value, weights([3, 32])]
      case .scalar: inputs = [value, model.integers([1])]
      case .vector: inputs = [value, model.integers([1, 4, 4, 2])]
      case .pair: inputs = [value, value, value]
      case .bounds:
        inputs = [
          value, model.integers([0, 1, 0, 0]), model.integers([1, 2, 4, 1]),
          model.integers([1, 1, 2, 1]),
        ]
      case .transposed:
        inputs = [model.integers([1, 8, 8, 2]), weights([2, 2, 2, 2]), value]
      case .split: inputs = [model.integers([3]), value]
      case .blocks: inputs = [value, model.integers([2, 2]), model.integers([0, 0, 0, 0])]
      case .crops: inputs = [value, model.integers([2, 2]), model.integers([0, 0, 0, 0])]
      }
      let result = model.tensor("\(index)", [], type: type, scales: scales, zeros: zeros)
      // Fields of one byte read the first of these.
      let options = Table(
        Dictionary(uniqueKeysWithValues: (0..<6).map { ($0, Table.Field.integer(1)) }))
      model.operation(code, inputs, [result], options)
      value = result
    }
    return model.bytes(outputs: [value])
  }
}

import DiceModelImport
import DiceWeights

/// ONNX models and `.npy` files: what is imported can be written and read.
enum Target {
  static func run(_ bytes: [UInt8]) {
    do throws(NumPyArrayError) {
      let array = try NumPyArray(bytes)
      require(array.shape.reduce(1, *) == array.numbers.count, "a number for each position")
    } catch {
      require(error.description.hasSuffix("."), "an error is a sentence")
    }
    do throws(ModelImportError) {
      let model = try ModelImporter.importONNX(bytes)
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

  static func seeds() -> [[UInt8]] { models.map { Message.model($0) } + graphs }

  /// Models with functions, choices, loops and sequences.
  private static var graphs: [[UInt8]] {
    func node(
      _ operation: String, _ inputs: [String], _ outputs: [String], domain: String = "",
      attributes: [[UInt8]] = []
    ) -> [UInt8] {
      inputs.flatMap { Message.text(1, $0) } + outputs.flatMap { Message.text(2, $0) }
        + Message.text(4, operation) + Message.text(7, domain)
        + attributes.flatMap { Message.bytes(5, $0) }
    }
    func graph(
      _ name: String, _ nodes: [[UInt8]], inputs: [String] = [], outputs: [String]
    ) -> [UInt8] {
      Message.text(1, name)
        + Message.bytes(
          6,
          nodes.flatMap { Message.bytes(1, $0) }
            + inputs.flatMap { Message.bytes(11, Message.text(1, $0)) }
            + outputs.flatMap { Message.bytes(12, Message.text(1, $0)) })
    }
    func model(_ nodes: [[UInt8]], functions: [[UInt8]] = []) -> [UInt8] {
      Message.model([], more: nodes.flatMap { Message.bytes(1, $0) }, output: "y")
        + functions.flatMap { Message.bytes(25, $0) }
    }
    func function(_ name: String, _ nodes: [[UInt8]]) -> [UInt8] {
      Message.text(1, name) + Message.text(4, "a") + Message.text(5, "b")
        + nodes.flatMap { Message.bytes(7, $0) } + Message.text(10, "local")
        + Message.bytes(11, Message.text(1, "slope") + [21, 0, 0, 0, 63])
    }
    let slope = Message.text(1, "alpha") + Message.text(21, "slope")
    let counted = [node("Identity", ["goes"], ["same"]), node("Add", ["state", "x"], ["next"])]
    return [
      model(
        [node("f", ["x"], ["t"], domain: "local"), node("g", ["t"], ["y"], domain: "local")],
        functions: [
          function("f", [node("LeakyRelu", ["a"], ["b"], attributes: [slope])]),
          function(
            "g",
            [node("f", ["a"], ["c"], domain: "local"), node("f", ["c"], ["b"], domain: "local")]),
        ]),
      model([
        node("ReduceMax", ["x"], ["m"]),
        node(
          "If", ["m"], ["y"],
          attributes: [
            graph("then_branch", [node("Neg", ["x"], ["a"])], outputs: ["a"]),
            graph("else_branch", [node("Abs", ["x"], ["a"])], outputs: ["a"]),
          ]),
      ]),
      model([
        node(
          "Loop", ["i", "", "x"], ["z", "y"],
          attributes: [
            graph(
              "body", counted, inputs: ["step", "goes", "state"],
              outputs: ["same", "next", "next"])
          ])
      ]),
      model([
        node(
          "Scan", ["r", "x"], ["z", "y"],
          attributes: [
            Message.text(1, "num_scan_inputs") + Message.integer(3, 1),
            graph(
              "body", [node("Neg", ["row"], ["next"])], inputs: ["state", "row"],
              outputs: ["state", "next"]),
          ])
      ]),
      model([
        node("SplitToSequence", ["x"], ["parts"]), node("SequenceAt", ["parts", "i"], ["part"]),
        node("SequenceInsert", ["parts", "part", "i"], ["longer"]),
        node("SequenceErase", ["longer", "i"], ["shorter"]),
        node("ConcatFromSequence", ["shorter"], ["y"]),
      ]),
    ]
  }

  /// Operations with their inputs and integers as attributes.
  private static let models: [[(String, [String], [(String, [Int])])]] = [
    [("Conv", ["x", "w"], [("pads", [1, 1, 1, 1])]), ("Relu", ["0"], [])],
    [
      ("MaxPool", ["x"], [("kernel_shape", [2, 2]), ("strides", [2, 2])]), ("Flatten", ["0"], []),
    ],
    [
      ("Reshape", ["x", "s"], []), ("Transpose", ["0"], [("perm", [1, 0])]), ("Softmax", ["1"], []),
    ],
    [("Shape", ["x"], []), ("Gather", ["0", "i"], []), ("Expand", ["x", "0"], [])],
    [("Concat", ["x", "w2"], [("axis", [2])]), ("Split", ["0"], [("axis", [1])])],
    [("Slice", ["x", "i", "s"], []), ("Pad", ["x", "p"], []), ("Tile", ["x", "p"], [])],
    [("Range", ["i", "s", "i"], []), ("ConstantOfShape", ["s"], []), ("Add", ["1", "x"], [])],
    [("ConvTranspose", ["x", "w"], [("strides", [2, 2])]), ("GlobalAveragePool", ["0"], [])],
    [("DepthToSpace", ["x"], [("blocksize", [1])]), ("ReduceMean", ["x"], [("axes", [1])])],
    [("Resize", ["x", "", "", "r"], []), ("MatMul", ["x", "x"], []), ("Erf", ["x"], [])],
    [
      ("FusedConv", ["x", "w"], [("pads", [1, 1, 1, 1])]), ("NonZero", ["r"], []),
      ("IsInf", ["x"], []), ("IsNaN", ["x"], []),
    ],
    [
      ("FusedMatMul", ["x", "x"], [("transB", [1])]),
      ("SkipLayerNormalization", ["0", "x", "r"], []),
      ("BiasGelu", ["x", "x"], []), ("QuickGelu", ["2"], []),
    ],
    [
      ("Squeeze", ["x"], []), ("MultiHeadAttention", ["0", "0", "0"], [("num_heads", [2])]),
      ("Attention", ["1", "w2"], [("num_heads", [1]), ("unidirectional", [1])]),
    ],
  ]

  /// Operations of the domain of ONNX Runtime.
  private static let runtimes: Set = [
    "FusedConv", "FusedMatMul", "SkipLayerNormalization", "BiasGelu", "QuickGelu",
    "MultiHeadAttention", "Attention",
  ]

  /// Writes messages of protocol buffers.
  private enum Message {
    static func varint(_ value: Int) -> [UInt8] {
      var rest = UInt64(bitPattern: Int64(value))
      var bytes: [UInt8] = []
      while rest >= 0x80 {
        bytes.append(UInt8(truncatingIfNeeded: rest) | 0x80)
        rest >>= 7
      }
      return bytes + [UInt8(rest)]
    }

    static func integer(_ field: Int, _ value: Int) -> [UInt8] {
      varint(field << 3) + varint(value)
    }

    static func bytes(_ field: Int, _ content: [UInt8]) -> [UInt8] {
      varint(field << 3 | 2) + varint(content.count) + content
    }

    static func text(_ field: Int, _ text: String) -> [UInt8] { bytes(field, Array(text.utf8)) }

    /// - Parameters:
    ///   - more: Fields of the graph that come behind the operations.
    ///   - output: The graph's output; the last operation's where it is left out.
    static func model(
      _ nodes: [(String, [String], [(String, [Int])])], more: [UInt8] = [], output: String? = nil
    ) -> [UInt8] {
      var graph: [UInt8] = []
      for (index, (operation, inputs, attributes)) in nodes.enumerated() {
        var node = inputs.flatMap { text(1, $0) } + text(2, "\(index)") + text(4, operation)
        if runtimes.contains(operation) { node += text(7, "com.microsoft") }
        for (name, numbers) in attributes {
          let single = numbers.count == 1 && name != "axes"
          node += bytes(
            5,
            text(1, name)
              + (single ? integer(3, numbers[0]) : numbers.flatMap { integer(8, $0) }))
        }
        graph += bytes(1, node)
      }
      graph += more
      for (name, shape) in [("w", [2, 2, 3, 3]), ("w2", [1, 2, 1, 4])] {
        let count = shape.reduce(1, *)
        graph += bytes(
          5,
          shape.flatMap { integer(1, $0) } + integer(2, 1) + text(8, name)
            + bytes(9, [UInt8](repeating: 0x3F, count: 4 * count)))
      }
      for (name, numbers) in [
        ("s", [4, 8]), ("i", [1]), ("p", [0, 0, 1, 1, 0, 0, 1, 1]), ("r", [1, 2, 8, 8]),
      ] {
        graph += bytes(
          5,
          integer(1, numbers.count) + integer(2, 7) + text(8, name)
            + numbers.flatMap { integer(7, $0) })
      }
      let extents = [1, 2, 4, 4].flatMap { bytes(1, integer(1, $0)) }
      let type = bytes(2, bytes(1, integer(1, 1) + bytes(2, extents)))
      graph += bytes(11, text(1, "x") + type)
      graph += bytes(12, text(1, output ?? "\(nodes.count - 1)"))
      return bytes(7, graph) + bytes(8, integer(2, 17))
    }
  }
}

import DiceModelImport
import DiceWeights

/// Core ML models: what is imported can be written and read.
enum Target {
  static func run(_ bytes: [UInt8]) {
    do throws(ModelImportError) {
      let model = try ModelImporter.importCoreML(bytes)
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

  static func seeds() -> [[UInt8]] {
    // Each kind of layer alone, with parameters that many have.
    var seeds: [[UInt8]] = []
    for (field, parameters) in layers {
      seeds.append(model([(field, parameters)], shape: [2, 4, 4], isExact: field >= 600))
    }
    seeds.append(
      model(
        [(100, convolution), (130, bytes(10, [])), (120, [])], shape: [2, 6, 6], isExact: false)
    )
    seeds.append(model([(1065, []), (1145, [])], shape: [2, 3], isExact: true))
    let suppression = text(200, "x") + text(201, "1") + bytes(100, text(1, "a"))
    let network = model([(600, [])], shape: [2, 4], isExact: true)
    seeds.append(
      integer(1, 4) + bytes(2, [])
        + bytes(202, bytes(1, network) + bytes(1, integer(1, 4) + bytes(610, suppression))))
    return seeds
  }

  private static let weights = bytes(1, [UInt8](repeating: 0x3F, count: 4 * 36))

  private static let convolution =
    integer(1, 2) + integer(2, 2) + bytes(20, [3, 3]) + bytes(51, []) + bytes(90, weights)

  private static let four = bytes(1, [UInt8](repeating: 0x3F, count: 4 * 2))

  private static let layers: [(Int, [UInt8])] = [
    (100, convolution), (100, convolution + integer(60, 1)), (120, integer(60, 1)),
    (120, bytes(10, [2, 2]) + bytes(32, bytes(10, [1, 1]))),
    (
      140,
      integer(1, 32) + integer(2, 2) + bytes(20, bytes(2, [UInt8](repeating: 0x30, count: 128)))
    ),
    (160, integer(1, 2) + [15, 16, 17, 18].flatMap { bytes($0, four) }),
    (160, integer(1, 2) + integer(5, 1) + [15, 16].flatMap { bytes($0, four) }),
    (165, integer(2, 1)), (170, []), (175, []), (180, integer(3, 3) + integer(4, 0)),
    (190, bytes(1, bytes(10, integer(1, 1)) + bytes(10, integer(2, 1)))),
    (200, bytes(3, []) + bytes(10, bytes(10, integer(1, 1)) + bytes(10, integer(2, 1)))),
    (210, bytes(1, [2, 2]) + integer(5, 1)), (211, bytes(1, [3, 5]) + bytes(2, integer(1, 3))),
    (220, integer(1, 7)), (230, []), (245, bytes(1, [2]) + bytes(2, four)), (270, []),
    (280, integer(1, 2)), (300, bytes(1, [4, 4, 2]) + integer(2, 1)), (301, integer(1, 1)),
    (310, bytes(1, [0, 3, 1, 2])), (320, []), (330, integer(1, 1)), (340, integer(1, 2)),
    (345, integer(2, 2)), (350, integer(2, 3)), (660, integer(3, 0)), (680, []), (710, []),
    (740, []), (790, []), (795, []), (815, []), (885, []), (920, bytes(1, [1, 2])), (925, []),
    (950, []), (960, bytes(1, [0, 1, 1])), (975, integer(1, 1) + bytes(3, [4])),
    (980, integer(2, 1)), (985, bytes(1, [2, 0, 1])),
    (995, bytes(1, [0, 1, 0]) + bytes(3, [2, 3, 4]) + bytes(5, [1, 1, 2])),
    (1005, integer(1, 1) + integer(2, 2) + integer(3, 1)), (1015, integer(2, 1)), (1025, []),
    (1045, integer(5, 4) + integer(6, 2) + bytes(8, bytes(1, [UInt8](repeating: 0x3F, count: 32)))),
    (1105, bytes(1, [2, 2, 4, 4])), (1120, integer(2, 1)), (1125, integer(1, 0)), (1130, []),
    (1140, bytes(1, [4, 8])), (1155, bytes(2, [0, 1, 1, 0, 0, 2])), (1270, integer(3, 1)),
    (1275, integer(1, 1)), (1315, integer(1, 1)), (1350, bytes(1, [4])), (1450, integer(1, 3)),
    (1455, integer(1, 1)), (1460, []),
    (290, bytes(1, [1, 1, 2]) + bytes(2, quantized)), (410, []),
  ]

  private static let quantized =
    bytes(30, [0xA5]) + bytes(40, integer(1, 4) + bytes(101, bytes(1, [0, 0, 0x80, 0x3F])))

  // MARK: Messages

  private static func varint(_ value: Int) -> [UInt8] {
    var rest = UInt64(bitPattern: Int64(value))
    var bytes: [UInt8] = []
    while rest >= 0x80 {
      bytes.append(UInt8(truncatingIfNeeded: rest) | 0x80)
      rest >>= 7
    }
    return bytes + [UInt8(rest)]
  }

  private static func integer(_ field: Int, _ value: Int) -> [UInt8] {
    varint(field << 3) + varint(value)
  }

  private static func bytes(_ field: Int, _ content: [UInt8]) -> [UInt8] {
    varint(field << 3 | 2) + varint(content.count) + content
  }

  private static func text(_ field: Int, _ text: String) -> [UInt8] {
    bytes(field, Array(text.utf8))
  }

  private static func model(
    _ layers: [(Int, [UInt8])], shape: [Int], isExact: Bool
  ) -> [UInt8] {
    func feature(_ name: String, _ shape: [Int]) -> [UInt8] {
      text(1, name) + bytes(3, bytes(5, shape.flatMap { integer(1, $0) }))
    }
    var network: [UInt8] = []
    for (index, (field, parameters)) in layers.enumerated() {
      let inputs = index == 0 ? ["x"] : ["x", "\(index)"]
      network += bytes(
        1, inputs.flatMap { text(2, $0) } + text(3, "\(index + 1)") + bytes(field, parameters))
    }
    if isExact { network += integer(5, 1) }
    let description = bytes(1, feature("x", shape)) + bytes(10, feature("\(layers.count)", []))
    return integer(1, 5) + bytes(2, description) + bytes(500, network)
  }
}

import DiceExport
import DiceModelImport
import DiceNetwork
import DiceWeights
import TestSupport
import Testing

/// Networks that go through an ONNX model and back.
@Suite struct ONNXRoundTripTests {
  /// The greatest difference of the outputs, over their greatest magnitude or 1.
  private static func difference(_ entry: ExportCase) throws -> Float {
    let model = try ModelImporter.importONNX(ONNXModel.encode(entry.file))
    let back = try WeightFile(bytes: model.weightFile())
    var source = entry.source
    let shapes = entry.file.shapes.inputs
    let numbers = source.values(of: shapes)
    let right = try referenceOutputs(of: entry.file, shapes: shapes, numbers)
    let runner = try NetworkRunner(NetworkPlan(back, kernels: .reference))
    for (index, tensor) in model.inputs.enumerated() {
      let own = try #require(
        entry.file.description.inputs.firstIndex { $0.name == tensor.name })
      // [1, C, H, W]
      let (area, channels) = (shapes[own].height * shapes[own].width, shapes[own].channels)
      var turned = numbers[own]
      for place in turned.indices {
        turned[place % channels * area + place / channels] = numbers[own][place]
      }
      runner.setInput(index, tensor.valueNumbers(ofTensor: turned))
    }
    runner.run()
    var worst: Float = 0
    for (index, map) in right.enumerated() {
      let found = model.outputs[index].tensorNumbers(ofValue: runner.output(index).values)
      let area = map.height * map.width
      let scale = map.values.reduce(1) { max($0, abs($1)) }
      expectEqual(model.outputs[index].shape, [1, map.channelCount, map.height, map.width])
      for place in map.values.indices {
        let other = found[place % map.channelCount * area + place / map.channelCount]
        worst = max(worst, abs(other - map.values[place]) / scale)
      }
    }
    return worst
  }

  @Test func everyKindOfLayerComesBackWithItsOutputs() throws {
    var kinds: Set<String> = []
    var refusals: [String: Int] = [:]
    for entry in try ExportCase.all() {
      let kind = String(entry.name.prefix { $0 != "-" })
      do {
        let worst = try Self.difference(entry)
        #expect(worst < 1e-4, "\(entry.name): \(worst)")
        kinds.insert(kind)
      } catch {
        refusals["\(error)", default: 0] += 1
      }
    }
    #expect(kinds.isSuperset(of: RandomLayer.allCases.map(\.rawValue)), "\(kinds)")
    #expect(refusals.isEmpty, "\(refusals)")
  }
}

import DiceExport
import DiceModelImport
import DiceNetwork
import DiceWeights
import TestSupport
import Testing

/// Networks that go through a Core ML model and back.
@Suite struct CoreMLModelTests {
  /// The greatest difference of the outputs, over their greatest magnitude or 1.
  private static func difference(_ entry: ExportCase) throws -> Float {
    let model = try ModelImporter.importCoreML(CoreMLModel.encode(entry.file))
    let back = try WeightFile(bytes: model.weightFile())
    var source = entry.source
    let shapes = entry.file.shapes.inputs
    let numbers = source.values(of: shapes)
    let right = try referenceOutputs(of: entry.file, shapes: shapes, numbers)
    let runner = try NetworkRunner(NetworkPlan(back, kernels: .reference))
    for (index, tensor) in model.inputs.enumerated() {
      let own = try #require(
        entry.file.description.inputs.firstIndex { $0.name == tensor.name })
      let rules = entry.file.description.inputs[own].imageRules
      if let rules, let others = back.description.inputs[index].imageRules {
        // The samples are the same; the scaling may have become a layer.
        let channels = shapes[own].channels
        let values = numbers[own].enumerated().map { (place, number) in
          let channel = place % channels
          let sample = (number - rules.biases[channel]) / rules.scales[channel]
          return sample * others.scales[channel] + others.biases[channel]
        }
        runner.setInput(index, values)
      } else {
        runner.setInput(index, value(tensor, shapes[own], numbers[own]))
      }
    }
    runner.run()
    var worst: Float = 0
    for (index, map) in right.enumerated() {
      let found = model.outputs[index].tensorNumbers(ofValue: runner.output(index).values)
      // [1, C, H, W]
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

  /// Numbers `[H, W, C]` as the value of an input whose tensor is `[1, C, H, W]`.
  private static func value(
    _ tensor: ModelTensor, _ shape: TensorShape, _ numbers: [Float]
  ) -> [Float] {
    let area = shape.height * shape.width
    var turned = numbers
    for place in numbers.indices {
      turned[place % shape.channels * area + place / shape.channels] = numbers[place]
    }
    return tensor.valueNumbers(ofTensor: turned)
  }

  @Test func everyKindOfLayerComesBackWithItsOutputs() throws {
    var count = 0
    var refused = 0
    for entry in try ExportCase.all() {
      do {
        let worst = try Self.difference(entry)
        #expect(worst < 1e-4, "\(entry.name): \(worst)")
        count += 1
      } catch CoreMLExportError.rearrangementRank {
        refused += 1
      } catch {
        Issue.record("\(entry.name): \(error)")
      }
    }
    #expect(count > 300 && refused < 40, "\(count), \(refused) refused")
  }

  @Test func equalFilesGiveEqualModels() throws {
    let entry = try #require(try ExportCase.all().first)
    try expectEqual(CoreMLModel.encode(entry.file), CoreMLModel.encode(entry.file))
  }
}

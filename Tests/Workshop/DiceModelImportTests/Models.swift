import DiceModelImport
import DiceNetwork
import DiceWeights
import Foundation
import Testing
import TestSupport

/// Models that others made, with inputs and what independent runtimes answer.
enum Models {
  static let folder = Fixtures.models

  /// What a skipped test says.
  static let absence: Comment = "shared/models is not there"

  static func bytes(_ name: String) throws -> [UInt8] {
    [UInt8](try Data(contentsOf: #require(folder).appending(path: name)))
  }

  static func array(_ name: String) throws -> NumPyArray {
    try NumPyArray(bytes(name))
  }
}

/// Runs an imported model with the plain kernels.
func run(_ model: ImportedModel, _ inputs: [[Float]]) throws -> [[Float]] {
  let file = try WeightFile(bytes: model.weightFile())
  let runner = try NetworkRunner(NetworkPlan(file))
  for (index, numbers) in inputs.enumerated() {
    runner.setInput(index, model.inputs[index].valueNumbers(ofTensor: numbers))
  }
  runner.run()
  return model.outputs.indices.map { (index) in
    model.outputs[index].tensorNumbers(ofValue: runner.output(index).values)
  }
}

/// The greatest difference over the greatest magnitude of what is right.
func difference(_ found: [Float], _ right: [Float]) -> Float {
  guard found.count == right.count else { return .infinity }
  let scale = right.reduce(0) { max($0, abs($1)) }
  return zip(found, right).reduce(0) { max($0, abs($1.0 - $1.1)) }
    / max(scale, .leastNormalMagnitude)
}

import DiceWeights
import BenchmarkSupport
import DiceFiles
import DiceKernels
import DiceVisionKit

/// Where and with what the measurements are made.
struct Surroundings {
  let date: String
  let machine: String
  let commit: String
  let network: String
  let kernels: String
  let rounds: Int

  static func current(_ settings: Settings) -> Surroundings {
    let description = (try? WeightFile(bytes: DiceDetector.bundledWeights)).map { file in
      let shape = file.description.inputs[0].shape
      return "\(file.description.name), \(shape.width)x\(shape.height)"
    }
    return Surroundings(
      date: Process.date, machine: Machine.name, commit: Machine.commit,
      network: description ?? "?", kernels: KernelImplementation.best.rawValue,
      rounds: settings.rounds)
  }

  var text: String {
    "\(date), \(machine), commit \(commit)\n\(network), \(kernels) kernels, \(rounds) rounds"
  }

  var json: [JSONObject.Member] {
    [
      .init(key: "date", value: .string(date)),
      .init(key: "machine", value: .string(machine)),
      .init(key: "commit", value: .string(commit)),
      .init(key: "network", value: .string(network)),
      .init(key: "kernels", value: .string(kernels)),
      .init(key: "rounds", value: JSONValue(rounds)),
    ]
  }
}

import DiceFiles
import DiceKernels
import DiceParallel
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
    let commit = Process.output(of: ["git", "describe", "--always", "--dirty", "--abbrev=10"])
    let description = (try? WeightFile(bytes: DiceDetector.bundledWeights)).map { file in
      "\(file.description.name), \(file.description.input.width)x\(file.description.input.height)"
    }
    return Surroundings(
      date: Process.date, machine: machine,
      commit: commit.map { String(decoding: $0.prefix { $0 != 0x0A }, as: UTF8.self) } ?? "?",
      network: description ?? "?", kernels: KernelImplementation.best.rawValue,
      rounds: settings.rounds)
  }

  private static var machine: String {
    let count = "\(WorkerPool.processorCount) processors"
    guard let bytes = try? FileSystem.readFile(at: "/proc/cpuinfo", byteLimit: 1 << 24) else {
      return count
    }
    for line in String(decoding: bytes, as: UTF8.self).split(separator: "\n")
    where line.hasPrefix("model name") {
      guard let colon = line.firstIndex(of: ":") else { break }
      return "\(line[line.index(after: colon)...].drop { $0 == " " }), \(count)"
    }
    return count
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

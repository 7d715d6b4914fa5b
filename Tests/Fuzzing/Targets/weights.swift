import DiceKernels
import DiceNetwork
import DiceWeights

/// Weight files: what is read is written again, planned, and run where it is small.
///
/// Size and checksum are repaired, so that changes get past them.
enum Target {
  static func run(_ bytes: [UInt8]) {
    var bytes = bytes
    if bytes.count >= 64 {
      overwrite(&bytes, at: 16, with: UInt64(bytes.count))
      overwrite(&bytes, at: 24, with: XXHash64.hash(bytes, zeroed: 24))
    }
    do throws(WeightFileError) {
      let file = try WeightFile(bytes: bytes)
      require(!file.summary().isEmpty, "a summary")
      writeAgain(file)
      runNetwork(file)
    } catch {
      require(error.description.hasSuffix("."), "an error is a sentence")
    }
  }

  static func writeAgain(_ file: WeightFile) {
    let tensors = file.tensors.indices.map { file.floats(of: $0) }
    do throws(WeightFileError) {
      let again = try WeightFile(
        bytes: WeightFile.encode(
          description: file.description, tensors: tensors,
          storages: file.tensors.map { $0.storage }))
      require(again.description == file.description, "what is written is read back")
    } catch {
      fatalError("broken promise: what was read can be written: \(error)")
    }
  }

  static func runNetwork(_ file: WeightFile) {
    guard file.multiplyAddCount(width: 32, height: 32) < 2_000_000 else { return }
    do throws(NetworkError) {
      let plan = try NetworkPlan(file, kernels: .automatic)
      let runner = try NetworkRunner(plan, width: 32, height: 32)
      let channelCount = file.description.input.channelCount
      runner.setInput((0..<32 * 32 * channelCount).map { Float($0 % 7) - 3 })
      runner.run()
      var candidates = CandidateList()
      runner.decode(into: &candidates, confidenceThreshold: 0.1)
    } catch {
      require(error.description.hasSuffix("."), "an error is a sentence")
    }
  }

  static func seeds() -> [[UInt8]] {
    fixtures("Fixtures/golden/weights", suffix: ".dvweights", byteLimit: 4096)
      + fixtures("Fixtures/invalid/weights", suffix: ".dvweights", byteLimit: 4096)
  }
}

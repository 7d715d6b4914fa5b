import DiceNumerics
import DiceKernels
import DiceNetwork
import DiceWeights

/// Networks out of weight files: planned, and run where they are small.
///
/// Size and checksum are repaired, so that changes get past them.
enum Target {
  static func run(_ bytes: [UInt8]) {
    var bytes = bytes
    if bytes.count >= 64 {
      overwrite(&bytes, at: 16, with: UInt64(bytes.count))
      overwrite(&bytes, at: 24, with: XXHash64.hash(bytes, zeroed: 24))
    }
    guard let file = try? WeightFile(bytes: bytes), isSmall(file.shapes) else { return }
    do throws(NetworkError) {
      try check(NetworkPlan(file, kernels: .automatic), file)
      try checkIntegers(file, bytes)
    } catch {
      require(error.description.hasSuffix("."), "an error is a sentence")
    }
  }

  /// The network with 8-bit integers, for ranges of any finite numbers.
  private static func checkIntegers(
    _ file: WeightFile, _ bytes: [UInt8]
  ) throws(NetworkError) {
    var description = file.description
    var place = 0
    func number() -> Float {
      var bits: UInt32 = 0
      for _ in 0..<4 {
        bits = bits << 8 | UInt32(bytes[place % bytes.count])
        place += 7
      }
      let number = Float(bitPattern: bits)
      return number.isFinite ? number : 0
    }
    let count = description.inputs.count + description.layers.count
    description.profile =
      ActivationRanges(
        least: (0..<count).map { _ in number() }, greatest: (0..<count).map { _ in number() }
      ).profile
    try check(
      NetworkPlan(
        description: description, tensors: file.tensors.indices.map(file.floats),
        precision: .int8), file)
  }

  private static func check(_ plan: NetworkPlan, _ file: WeightFile) throws(NetworkError) {
    let runner = try NetworkRunner(plan)
    for (index, shape) in runner.shapes.inputs.enumerated() {
      runner.setInput(index, (0..<shape.elementCount).map { Float($0 % 7) - 3 })
    }
    runner.run()
    for (index, output) in file.description.outputs.enumerated() {
      let shape = file.shapes.layers[output.layer]
      let map = runner.output(index)
      require(
        map.height == shape.height && map.width == shape.width
          && map.channelCount == shape.channels, "an output has its shape")
    }
  }

  /// Whether a run takes milliseconds.
  static func isSmall(_ shapes: NetworkShapes) -> Bool {
    var count = shapes.multiplyAddCount
    for shape in shapes.inputs + shapes.layers {
      count = min(count, 1 << 40) + Int64(shape.elementCount)
    }
    return count < 300_000
  }

  static func seeds() -> [[UInt8]] {
    fixtures("Fixtures/golden/weights", suffix: ".dvweights", byteLimit: 8192)
      + fixtures("Fixtures/invalid/weights", suffix: ".dvweights", byteLimit: 8192)
  }
}

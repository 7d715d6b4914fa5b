import DiceNumerics
import DiceWeights

/// Weight files: what is read is described, written again, and asked for other sizes.
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
      resize(file)
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
      if file.minorVersion == 0 {
        let same = try file.with(description: file.description)
        require(same.bytes == file.bytes, "a network has one encoding")
      }
    } catch {
      fatalError("broken promise: what was read can be written: \(error)")
    }
  }

  /// The smallest sizes and larger ones, where the inputs are resizable.
  static func resize(_ file: WeightFile) {
    for factor in [1, 2, 5] {
      let side = file.shapes.sizeMultiple * factor
      let inputs = file.description.inputs.map { input in
        input.isResizable
          ? TensorShape(height: side, width: 2 * side, channels: input.shape.channels)
          : input.shape
      }
      do throws(WeightFileError) {
        let shapes = try file.shapes(inputs: inputs)
        require(shapes.tensors == file.shapes.tensors, "tensors keep their shapes")
        require(shapes.inputs == inputs, "inputs are those that were asked for")
      } catch {
        require(error.description.hasSuffix("."), "an error is a sentence")
      }
    }
  }

  static func seeds() -> [[UInt8]] {
    fixtures("Fixtures/golden/weights", suffix: ".dvweights", byteLimit: 8192)
      + fixtures("Fixtures/invalid/weights", suffix: ".dvweights", byteLimit: 8192)
  }
}

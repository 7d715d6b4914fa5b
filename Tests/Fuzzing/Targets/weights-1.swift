import DiceExport
import DiceWeights

/// Weight files of format version 1, which are converted.
///
/// Size and checksum are repaired, so that changes get past them.
enum Target {
  static func run(_ bytes: [UInt8]) {
    var bytes = bytes
    if bytes.count >= 64 {
      overwrite(&bytes, at: 16, with: UInt64(bytes.count))
      overwrite(&bytes, at: 24, with: XXHash64.hash(bytes, zeroed: 24))
    }
    do throws(VersionOneError) {
      let file = try VersionOneWeights.converted(bytes)
      require(file.description.outputs.allSatisfy { $0.head != nil }, "outputs are heads")
    } catch {
      require(error.description.hasSuffix("."), "an error is a sentence")
    }
  }

  static func seeds() -> [[UInt8]] {
    fixtures("Fixtures/version-1/weights", suffix: ".dvweights", byteLimit: 4096)
      + fixtures("Fixtures/version-1/invalid", suffix: ".dvweights", byteLimit: 4096)
  }
}

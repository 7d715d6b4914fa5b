package import DiceCommandLine
internal import DiceThrowWeights
package import DiceWeights
package import ThrowVisionKit

/// What the commands about poses share.
package enum PoseArguments {
  package static let joints = ValueOption.text(
    "joints", "FILE", "The weight file of the network that finds joints.", default: "the library's")
  package static let people = ValueOption.text(
    "people", "FILE", "The weight file of the network that finds people.", default: "the library's")
  package static let confidence = ValueOption.number(
    "confidence", "SHARE", in: 0...1, "The least confidence of a person.",
    default: "\(PoseDetector.Options().personConfidence)")
  package static let mirror = Switch(
    "mirror", "Looks at the mirror image of each person, too: a little better, for twice the work.")

  /// A weight file.
  package static func weightFile(_ path: String) throws(ToolError) -> WeightFile {
    try WeightSource.file(WeightSource.bytes(at: path), path)
  }

  /// The weights that find joints.
  package static func jointWeights(_ arguments: ParsedArguments) throws(ToolError) -> [UInt8] {
    guard let path = arguments[joints] else { return ThrowWeights.joints }
    return try WeightSource.bytes(at: path)
  }

  /// The detector that the arguments ask for.
  package static func detector(_ arguments: ParsedArguments) throws(ToolError) -> PoseDetector {
    var options = PoseDetector.Options()
    if let confidence = arguments[confidence] { options.personConfidence = Float(confidence) }
    options.usesMirror = arguments.contains(mirror)
    let jointBytes = try jointWeights(arguments)
    let peopleBytes = try arguments[people].map { (path) throws(ToolError) in
      try WeightSource.bytes(at: path)
    }
    do throws(PoseDetectorError) {
      return try PoseDetector(
        joints: jointBytes, people: peopleBytes ?? ThrowWeights.people, options: options)
    } catch {
      throw .failure(
        subject: arguments[joints] ?? arguments[people] ?? "weights", sentence: "\(error)")
    }
  }
}

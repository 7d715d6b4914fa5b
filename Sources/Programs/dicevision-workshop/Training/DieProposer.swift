internal import DiceCommandLine
internal import DiceGeometry
internal import DiceImaging
internal import DiceVisionKit

/// Says where in pictures something looks like a die to a detector, however faintly.
///
/// What a second-stage classifier learns to tell apart: dice, and whatever the detector mistakes for them.
struct DieProposer {
  /// The least confidence of a proposal.
  private static let confidence: Float = 0.02

  private let detector: DiceDetector

  /// - Parameter path: the detector's weight file, or the name of the library's; nil for the standard
  ///   detector.
  init(weights path: String?, _ environment: Environment) throws(ToolError) {
    let path = path ?? WeightSource.Name.standard.rawValue
    let bundled = try WeightSource.bundled(path, environment)
    let bytes = if let bundled { bundled } else { try WeightSource.bytes(at: path) }
    do throws(DetectorError) {
      detector = try DiceDetector(
        weights: bytes,
        configuration: DiceDetector.Configuration(secondStage: .none, threadCount: 1))
    } catch {
      throw .failure(subject: path, sentence: "\(error)")
    }
  }

  /// The boxes in a picture, in its pixels.
  func proposals(in image: PixelImage) -> [BoundingBox] {
    let thresholds = Thresholds(iouThreshold: 0.45, confidenceThreshold: Self.confidence)
    guard let result = try? detector.detect(in: image, thresholds: thresholds) else { return [] }
    return result.observations.map(\.boundingBox)
  }
}

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

  /// - Parameter path: the detector's weight file; nil for the library's.
  init(weights path: String?) throws(ToolError) {
    do throws(DetectorError) {
      let weights = path ?? DiceDetector.Model.standard.rawValue
      let configuration = DiceDetector.Configuration(secondStage: .none, threadCount: 1)
      if let model = DiceDetector.Model(rawValue: weights) {
        detector = try DiceDetector(model, configuration: configuration)
      } else {
        detector = try DiceDetector(weightsAt: weights, configuration: configuration)
      }
    } catch {
      throw .failure(subject: path ?? "the library's weights", sentence: "\(error)")
    }
  }

  /// The boxes in a picture, in its pixels.
  func proposals(in image: PixelImage) -> [BoundingBox] {
    let thresholds = Thresholds(iouThreshold: 0.45, confidenceThreshold: Self.confidence)
    guard let result = try? detector.detect(in: image, thresholds: thresholds) else { return [] }
    return result.observations.map(\.boundingBox)
  }
}

internal import DiceGeometry
internal import DiceImaging
public import ThrowVisionKit

/// People in photos whom the labels do not name.
///
/// A photo of which one person is labelled often shows others, in the background or beside. A finder that learns
/// that they are nobody misses people like them. So a joint network looks everywhere in the photo, at several
/// sizes; where it is sure of the joints there is somebody, and where it is not quite, nothing is to be learnt.
public struct UnlabelledPeople: Sendable {
  /// Somebody.
  struct Found: Sendable {
    /// The joints that are known and the outline, in pixels of the photo.
    var body: PeoplePhoto.Body
    /// The mean confidence of the surest joints, 0...1.
    var confidence: Float

    /// Whether it is somebody, and not only may be.
    var isSure: Bool { confidence >= UnlabelledPeople.sureConfidence }
  }

  /// From this confidence on it is somebody.
  static let sureConfidence: Float = 0.72
  /// From this confidence on it may be somebody.
  static let doubtfulConfidence: Float = 0.4
  /// Joints that are less sure are not known.
  private static let jointConfidence: Float = 0.35
  /// Heights that are looked at, in shares of the photo's.
  private static let heights = [1.1, 0.75, 0.52, 0.36]
  /// How far apart two looks are, in shares of the height.
  private static let step = 0.4
  /// The fewest pixels of a person's height.
  private static let leastHeight = 32.0

  private let estimator: PoseEstimator

  /// What looks for people with a weight file for joints.
  public init(jointWeights: [UInt8]) throws(PoseDetectorError) {
    estimator = try PoseEstimator(weights: jointWeights)
  }

  /// The people in a photo who are not among those that are labelled, most confident first.
  ///
  /// - Parameter labelled: the outlines of the labelled people, in pixels of the photo.
  func find(
    in image: PixelImage, besides labelled: [BoundingBox]
  ) throws(PoseDatasetError) -> [Found] {
    var found: [Found] = []
    for window in Self.windows(width: image.width, height: image.height)
    where labelled.allSatisfy({ window.clipped(to: $0).area <= 0.5 * window.area }) {
      let reading: PoseReading?
      do throws(PoseDetectorError) {
        reading = try image.withFrame { (frame) throws(PoseDetectorError) in
          try estimator.read(frame, orientation: .up, box: window, usesMirror: false)
        }
      } catch { throw .network("\(error)") }
      guard let reading, reading.confidence >= Self.doubtfulConfidence,
        let box = reading.box(confidenceAtLeast: Self.jointConfidence),
        box.height >= Self.leastHeight / 2,
        labelled.allSatisfy({ box.clipped(to: $0).area <= 0.3 * box.area })
      else { continue }
      let places: [PixelPoint?] = PoseHead.labels.indices.map {
        let (location, confidence) = reading[$0]
        return confidence >= Self.jointConfidence ? location : nil
      }
      found.append(
        Found(
          body: PeoplePhoto.Body(places: places, box: box), confidence: reading.confidence))
    }
    found.sort { $0.confidence > $1.confidence }
    var kept: [Found] = []
    for one in found {
      let isNew = kept.allSatisfy {
        let shared = one.body.box.clipped(to: $0.body.box).area
        return shared <= 0.5 * min(one.body.box.area, $0.body.box.area)
      }
      if isNew { kept.append(one) }
    }
    return kept
  }

  /// The boxes that are looked at.
  static func windows(width: Int, height: Int) -> [BoundingBox] {
    var windows: [BoundingBox] = []
    for share in heights {
      let side = share * Double(height)
      guard side >= leastHeight else { continue }
      func middles(_ length: Int) -> [Double] {
        // Evenly, so that the first and the last lie half a step from the edge.
        let count = max(1, Int((Double(length) / (step * side)).rounded()))
        return (0..<count).map { (Double($0) + 0.5) / Double(count) * Double(length) }
      }
      for y in middles(height) {
        for x in middles(width) {
          windows.append(BoundingBox(midX: x, midY: y, width: 0.4 * side, height: side))
        }
      }
    }
    return windows
  }
}

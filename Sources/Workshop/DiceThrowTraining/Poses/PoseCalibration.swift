internal import DiceTraining
public import DiceWeights
internal import ThrowVisionKit

/// Makes confidences of joints the shares of joints that are near their labels.
public enum PoseCalibration {
  /// A weight file whose confidences fit what was measured with it before.
  ///
  /// For each joint, `sigmoid(slope * ln(mass / (1 - mass)) + offset)` is fitted to whether the joint was
  /// near its label, by Newton's method for the least surprise; a little pull to a slope of 1 and an offset
  /// of 0 holds where there are few.
  ///
  /// - Parameters:
  ///   - file: the weights, with slopes of 1 and offsets of 0.
  ///   - accuracy: what was measured with them on people whom the network has not learnt from.
  ///   - storage: how the numbers are stored.
  public static func calibrated(
    _ file: WeightFile, by accuracy: PoseAccuracy, storage: WeightStorage
  ) throws(WeightFileError) -> [UInt8] {
    var constants = PoseConstants()
    if let found = try? PoseConstants(file.description.profile) {
      constants.cropScale = found.cropScale
    }
    for joint in PoseHead.labels.indices {
      let own = accuracy.readings.filter { $0.joint == joint && $0.distance != nil }
      let fit = fit(own.map { (mass: $0.confidence, isNear: $0.isNear) })
      constants.slopes[joint] = fit.slope
      constants.offsets[joint] = fit.offset
    }
    var description = file.description
    description.profile = constants.profile
    return try WeightFile.encode(
      description: description, tensors: file.shapes.tensors.indices.map { file.floats(of: $0) },
      storage: storage)
  }

  /// The slope and offset of least surprise.
  package static func fit(_ samples: [(mass: Float, isNear: Bool)]) -> (slope: Float, offset: Float)
  {
    var (slope, offset) = (1.0, 0.0)
    let points = samples.map { (sample) in
      let share = min(max(sample.mass, 1e-4), 1 - 1e-4)
      return (x: Double(naturalLogarithm(share / (1 - share))), y: sample.isNear ? 1.0 : 0)
    }
    for _ in 0..<25 {
      // The pull counts as one sample.
      var (g0, g1) = (offset, slope - 1)
      var (h00, h01, h11) = (1.0, 0.0, 1.0)
      for point in points {
        let p = Double(logistic(Float(slope * point.x + offset)))
        let weight = p * (1 - p)
        g0 += p - point.y
        g1 += (p - point.y) * point.x
        h00 += weight
        h01 += weight * point.x
        h11 += weight * point.x * point.x
      }
      let determinant = h00 * h11 - h01 * h01
      guard determinant > 1e-12 else { break }
      offset -= (h11 * g0 - h01 * g1) / determinant
      slope -= (h00 * g1 - h01 * g0) / determinant
      slope = min(max(slope, 0.05), 20)
      offset = min(max(offset, -20), 20)
    }
    return (Float(slope), Float(offset))
  }
}

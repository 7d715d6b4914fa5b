internal import DiceGeometry
internal import DiceVisionTraining
internal import ThrowVisionKit

/// About what a person covers in a sample: all that is near to the bones between labelled joints.
struct BodyShape: Sendable {
  /// A bone: its ends, and how far its flesh reaches, in shares of the trunk.
  private struct Bone: Sendable {
    var from: SIMD2<Float>
    var along: SIMD2<Float>
    /// 1 over the bone's squared length.
    var inverse: Float
    var radius: Float
  }

  /// Joints that flesh lies between, by index of the labels, how far it reaches to each side, in trunks, and how far
  /// beyond the second one, in shares of the bone.
  private static let bones: [(first: Int, second: Int, radius: Float, beyond: Float)] = [
    (12, 13, 0.3, 0.1), (12, 0, 0.22, 0), (12, 1, 0.22, 0), (0, 6, 0.25, 0),
    (1, 7, 0.25, 0), (0, 7, 0.25, 0), (1, 6, 0.25, 0), (6, 7, 0.25, 0),
    (0, 2, 0.17, 0), (1, 3, 0.17, 0), (2, 4, 0.15, 0.3), (3, 5, 0.15, 0.3),
    (6, 8, 0.22, 0), (7, 9, 0.22, 0), (8, 10, 0.17, 0.2), (9, 11, 0.17, 0.2),
  ]
  /// How wide the edge is, in trunks.
  private static let edge: Float = 0.1
  /// The fewest bones of a shape.
  private static let leastCount = 8

  private var bones: [Bone] = []
  /// In pixels of the sample.
  private let edge: Float
  /// What the shape covers, in pixels of the sample.
  private(set) var box: BoundingBox

  /// The shape of a person at a placement; nil where few joints are labelled.
  ///
  /// - Parameter places: where the joints are, in pixels of the photo.
  init?(of places: [PixelPoint?], at placement: Placement) {
    let points: [SIMD2<Float>?] = places.map { (place) in
      guard let place else { return nil }
      let shown = placement.transform(place.x, place.y)
      return SIMD2(Float(shown.x), Float(shown.y))
    }
    let known = points.compactMap { $0 }
    guard let first = known.first else { return nil }
    var (low, high) = (first, first)
    for point in known {
      (low, high) = (pointwiseMin(low, point), pointwiseMax(high, point))
    }
    func length(_ first: Int, _ second: Int) -> Float {
      guard let from = points[first], let to = points[second] else { return 0 }
      return ((to - from) * (to - from)).sum().squareRoot()
    }
    // A trunk that points towards the camera is shorter.
    let trunk = max(
      length(0, PoseHead.rightHip), length(1, PoseHead.leftHip), 0.22 * (high - low).max())
    edge = Self.edge * trunk
    guard trunk >= 1 else { return nil }
    var reach: Float = 0
    for bone in Self.bones {
      guard let from = points[bone.first], let to = points[bone.second] else { continue }
      let along = (to - from) * (1 + bone.beyond)
      bones.append(
        Bone(
          from: from, along: along, inverse: 1 / max(1e-3, (along * along).sum()),
          radius: bone.radius * trunk))
      reach = max(reach, bone.radius * trunk)
    }
    guard bones.count >= Self.leastCount else { return nil }
    reach += edge + 0.3 * trunk
    box = BoundingBox(
      minX: Double(low.x - reach), minY: Double(low.y - reach), maxX: Double(high.x + reach),
      maxY: Double(high.y + reach))
  }

  /// How much of what is seen at a place of the sample is the person, 0...1.
  func opacity(x: Float, y: Float) -> Float {
    var most: Float = 0
    let place = SIMD2(x, y)
    for bone in bones {
      let offset = place - bone.from
      let share = min(1, max(0, (offset * bone.along).sum() * bone.inverse))
      let apart = offset - bone.along * share
      let distance = (apart * apart).sum().squareRoot()
      most = max(most, (bone.radius + edge - distance) / edge)
      if most >= 1 { return 1 }
    }
    return most
  }

  /// The places of a sample that the shape may cover; nil for none.
  func tile(width: Int, height: Int) -> MosaicTile? {
    let clipped = box.clipped(
      to: BoundingBox(x: 0, y: 0, width: Double(width), height: Double(height)))
    guard clipped.width >= 1, clipped.height >= 1 else { return nil }
    return MosaicTile(
      columns: Int(clipped.minX)..<min(width, Int(clipped.maxX) + 1),
      rows: Int(clipped.minY)..<min(height, Int(clipped.maxY) + 1))
  }
}

extension SampleCanvas {
  /// Draws a person, without what is around, over what the sample holds.
  func blend(
    _ picture: TrainingPicture, of shape: BodyShape, at placement: Placement, _ change: ColorChange
  ) {
    guard let tile = shape.tile(width: input.width, height: input.height) else { return }
    blend(picture, at: placement, in: tile, change) { (row, column) in
      shape.opacity(x: Float(column) + 0.5, y: Float(row) + 0.5)
    }
  }
}

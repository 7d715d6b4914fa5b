internal import DiceGeometry
internal import DicePoses
internal import DiceTraining
internal import DiceVisionTraining
internal import ThrowVisionKit

/// A person of whom only what lies on one side of a line is shown: cut off by a photo's edge, or behind a table.
struct PersonPart: Sendable {
  /// What is seen on the other side of the line.
  enum Beyond: CaseIterable, Sendable {
    /// The padding around a photo.
    case nothing
    /// Something in front.
    case thing
    /// The photo itself: only the box is that of a part.
    case photo
  }

  /// The box around the joints that are shown and the points in which bones cross the line.
  let box: BoundingBox
  let beyond: Beyond

  /// A point of the line, and the direction towards what is shown.
  private let origin: PixelPoint
  private let direction: (x: Double, y: Double)

  /// The fewest labelled joints of a part.
  private static let leastCount = 4

  /// Bones between joints, by index of the labels.
  private static let bones = [
    (12, 13), (12, 0), (12, 1), (0, 2), (1, 3), (2, 4), (3, 5), (0, 6), (1, 7), (6, 7), (6, 8),
    (7, 9),
    (8, 10), (9, 11),
  ]

  /// A random part; nil where a line leaves too few joints.
  ///
  /// - Parameter places: where the joints are, in pixels of the photo; nil for those that are not labelled.
  init?(of places: [PixelPoint?], using random: inout TrainingRandom) {
    let angle = Double(random.between(-.pi, .pi))
    var direction = (x: Double(cosine(Float(angle))), y: Double(sine(Float(angle))))
    if random.chance(0.75), let along = Self.trunk(places) {
      // Mostly the upper part, now and then the lower one.
      let sign: Double = random.chance(0.85) ? 1 : -1
      direction = (sign * along.x, sign * along.y)
    }
    let heights = places.map { $0.map { $0.x * direction.x + $0.y * direction.y } }
    let known = heights.compactMap { $0 }
    guard let lowest = known.min(), let highest = known.max() else { return nil }
    let level = lowest + (highest - lowest) * Double(random.between(0.08, 0.65))
    guard known.count(where: { $0 >= level }) >= Self.leastCount else { return nil }
    self.direction = direction
    origin = PixelPoint(x: level * direction.x, y: level * direction.y)
    beyond = random.chance(0.6) ? .nothing : random.chance(0.5) ? .thing : .photo
    var shown: [PixelPoint?] = zip(places, heights).map { (place, height) in
      height.map { $0 >= level } == true ? place : nil
    }
    for (first, second) in Self.bones {
      guard let from = places[first], let to = places[second], let low = heights[first],
        let high = heights[second], (low < level) != (high < level)
      else { continue }
      let share = (level - low) / (high - low)
      shown.append(
        PixelPoint(x: from.x + share * (to.x - from.x), y: from.y + share * (to.y - from.y)))
    }
    guard let box = PoseDataset.Person(path: "", image: "", places: shown).jointBox else {
      return nil
    }
    self.box = box
  }

  /// The direction from the hips to the neck, of length 1.
  private static func trunk(_ places: [PixelPoint?]) -> (x: Double, y: Double)? {
    guard let neck = places[PoseHead.neck],
      let hip = places[PoseHead.leftHip] ?? places[PoseHead.rightHip]
    else { return nil }
    let other = places[PoseHead.rightHip] ?? hip
    let (x, y) = (neck.x - (hip.x + other.x) / 2, neck.y - (hip.y + other.y) / 2)
    let length = (x * x + y * y).squareRoot()
    return length > 1 ? (x / length, y / length) : nil
  }

  /// The middle and the longer side of a person's outline.
  ///
  /// - Parameter box: the box around the joints.
  static func crop(of box: BoundingBox) -> (center: PixelPoint, side: Double) {
    (box.center, max(box.width, box.height) * PoseConstants.outlineScale)
  }

  /// Whether a point of the photo lies on the side that is shown.
  func shows(_ point: PixelPoint) -> Bool {
    (point.x - origin.x) * direction.x + (point.y - origin.y) * direction.y >= 0
  }

  /// Draws what lies beyond the line.
  func hide(
    on canvas: SampleCanvas, at placement: Placement, paddingValue: UInt8,
    using random: inout TrainingRandom
  ) {
    let padding = Float(paddingValue) / 255
    let (gray, noise): (Float, Float)
    switch beyond {
    case .photo: return
    case .nothing: (gray, noise) = (padding, 0)
    case .thing: (gray, noise) = (random.unit(), random.chance(0.5) ? random.unit() * 0.5 : 0)
    }
    // The line in the sample: a point of it, another one, and which side is shown.
    let from = placement.transform(origin.x, origin.y)
    let along = placement.transform(origin.x - direction.y, origin.y + direction.x)
    let inside = placement.transform(origin.x + direction.x, origin.y + direction.y)
    var normal = (x: -(along.y - from.y), y: along.x - from.x)
    if (inside.x - from.x) * normal.x + (inside.y - from.y) * normal.y < 0 {
      normal = (-normal.x, -normal.y)
    }
    for row in 0..<canvas.input.height {
      let offset = (Double(row) + 0.5 - from.y) * normal.y
      for column in 0..<canvas.input.width
      where (Double(column) + 0.5 - from.x) * normal.x + offset < 0 {
        canvas.set(
          noise > 0 ? min(1, max(0, gray + noise * (random.unit() - 0.5))) : gray, row: row,
          column: column)
      }
    }
  }
}

internal import DiceGeometry
internal import DiceImaging
internal import DiceTraining
internal import DiceVisionTraining
internal import ThrowVisionKit

/// A photo that a finder of people learns from, with everybody in it.
final class PeoplePhoto: Sendable {
  /// Somebody in the photo.
  struct Body: Sendable {
    /// Where each joint is, in the photo's pixels; nil for those that are not known.
    var places: [PixelPoint?]
    /// The outline, in the photo's pixels.
    var box: BoundingBox

    /// Whether the neck lies above the hips, and the hips above the knees that are known.
    var isUpright: Bool {
      let hips = [PoseHead.leftHip, PoseHead.rightHip].compactMap { places[$0] }
      guard let neck = places[PoseHead.neck], !hips.isEmpty else { return false }
      let (x, y) = (
        hips.reduce(0) { $0 + $1.x } / Double(hips.count),
        hips.reduce(0) { $0 + $1.y } / Double(hips.count)
      )
      guard y - neck.y > 1.5 * abs(neck.x - x) else { return false }
      return [PoseHead.leftKnee, PoseHead.rightKnee].allSatisfy {
        places[$0].map { $0.y > y + 0.3 * (y - neck.y) } != false
      }
    }
  }

  /// The photo.
  let picture: TrainingPicture
  /// The people to learn from.
  let bodies: [Body]
  /// How many of them are labelled; they come first.
  let labelledCount: Int
  /// Where somebody may be, in the photo's pixels: nothing is learnt there.
  let doubtful: [BoundingBox]
  /// Parts of the photo without anybody.
  let surroundings: [BoundingBox]

  /// A photo with its labelled people, and those whom the labels do not name.
  ///
  /// - Parameters:
  ///   - people: the labelled people of one photo.
  ///   - others: what looks for more; nil for nothing.
  init(
    _ people: [PoseDataset.Person], besides others: UnlabelledPeople?
  ) throws(PoseDatasetError) {
    guard let path = people.first?.path else { throw .empty }
    let image = try PoseDataset.picture(at: path)
    picture = TrainingPicture(image, truths: [], isReducible: true)
    let (width, height) = (Double(image.width), Double(image.height))
    let frame = BoundingBox(x: 0, y: 0, width: width, height: height)
    var bodies: [Body] = []
    var hidden: [BoundingBox] = []
    for person in people {
      guard let joints = person.jointBox else { continue }
      let box = joints.scaledAboutCenter(by: PoseConstants.outlineScale).clipped(to: frame)
      // Labels may lie outside the photo.
      guard box.width >= 1, box.height >= 1 else { continue }
      bodies.append(Body(places: person.places, box: box))
      hidden.append(joints.scaledAboutCenter(by: 1.25).clipped(to: frame))
    }
    labelledCount = bodies.count
    var doubtful: [BoundingBox] = []
    if let others {
      for found in try others.find(in: image, besides: bodies.map(\.box)) {
        let box = found.body.box.clipped(to: frame)
        guard box.width >= 1, box.height >= 1 else { continue }
        if found.isSure {
          bodies.append(Body(places: found.body.places, box: box))
        } else {
          doubtful.append(box)
        }
        hidden.append(box)
      }
    }
    self.bodies = bodies
    self.doubtful = doubtful
    surroundings = Self.strips(of: frame, beside: hidden)
  }

  /// The parts of a frame beside the first of some boxes, as far as no other box reaches into them.
  private static func strips(
    of frame: BoundingBox, beside boxes: [BoundingBox]
  ) -> [BoundingBox] {
    guard let first = boxes.first else { return [] }
    let strips = [
      BoundingBox(minX: 0, minY: 0, maxX: first.minX, maxY: frame.maxY),
      BoundingBox(minX: first.maxX, minY: 0, maxX: frame.maxX, maxY: frame.maxY),
      BoundingBox(minX: 0, minY: 0, maxX: frame.maxX, maxY: first.minY),
      BoundingBox(minX: 0, minY: first.maxY, maxX: frame.maxX, maxY: frame.maxY),
    ]
    return strips.filter { (strip) in
      min(strip.width, strip.height) >= 16
        && boxes.allSatisfy { $0.clipped(to: strip).area <= 0.05 * $0.area }
    }
  }
}

/// A person to be pasted, with the photo.
struct PastedPerson: Sendable {
  /// The photo.
  let photo: PeoplePhoto
  /// The person, one of the photo's.
  let body: PeoplePhoto.Body
}

internal import DiceGeometry
public import DiceImaging
internal import DicePoses
internal import DiceThrowFilms
internal import DiceTraining
internal import DiceVisionTraining
internal import ThrowVisionKit

/// Drawn people to learn joints from, over pieces of pictures: postures and views that photos seldom show, and joints
/// that are known where they are hidden.
public struct FigurePeople: Sendable {
  /// The side of a drawn picture, in pixels.
  static let side = 288

  private let backgrounds: [PixelImage]

  /// Drawn people before pictures.
  ///
  /// - Throws: ``PoseDatasetError/empty`` where there is no picture.
  public init(backgrounds: [PixelImage]) throws(PoseDatasetError) {
    guard !backgrounds.isEmpty else { throw .empty }
    self.backgrounds = backgrounds
  }

  /// Somebody new.
  func person(using random: inout TrainingRandom) -> LearntPerson {
    while true {
      let picture = FigurePicture(over: piece(using: &random), using: &random)
      let places = PoseHead.joints.map { (joint) in
        joint.flatMap { Self.place(of: $0, in: picture.pose) } ?? picture.topOfHead
      }
      if let person = LearntPerson(
        TrainingPicture(picture.image, truths: [], isReducible: true), places: places)
      {
        return person
      }
    }
  }

  /// Where people would put a joint: a neck between the shoulders and the chin.
  private static func place(of joint: Joint, in pose: Pose) -> PixelPoint? {
    guard let place = pose[joint]?.location else { return nil }
    guard joint == .neck, let head = pose[.head]?.location else { return place }
    return PixelPoint(x: place.x + 0.3 * (head.x - place.x), y: place.y + 0.3 * (head.y - place.y))
  }

  /// A square piece of a picture, enlarged or reduced to ``side``.
  func piece(using random: inout TrainingRandom) -> PixelImage {
    let picture = backgrounds[random.index(backgrounds.count)]
    let length = Float(min(picture.width, picture.height)) * random.between(0.35, 1)
    let left = random.unit() * (Float(picture.width) - length)
    let top = random.unit() * (Float(picture.height) - length)
    let step = length / Float(Self.side)
    let channels = picture.format.channelCount
    var samples: [UInt8] = []
    samples.reserveCapacity(3 * Self.side * Self.side)
    for row in 0..<Self.side {
      let y = min(max(0, top + (Float(row) + 0.5) * step - 0.5), Float(picture.height - 1))
      let above = Int(y)
      let below = min(above + 1, picture.height - 1)
      for column in 0..<Self.side {
        let x = min(max(0, left + (Float(column) + 0.5) * step - 0.5), Float(picture.width - 1))
        let before = Int(x)
        let after = min(before + 1, picture.width - 1)
        let (across, down) = (x - Float(before), y - Float(above))
        for channel in 0..<3 {
          func sample(_ row: Int, _ column: Int) -> Float {
            Float(
              picture.samples[
                (row * picture.width + column) * channels + (channels == 1 ? 0 : channel)])
          }
          let upper = sample(above, before) * (1 - across) + sample(above, after) * across
          let lower = sample(below, before) * (1 - across) + sample(below, after) * across
          samples.append(UInt8(upper * (1 - down) + lower * down + 0.5))
        }
      }
    }
    return PixelImage(width: Self.side, height: Self.side, format: .rgb, samples: samples)
  }
}

internal import DiceGeometry
internal import DiceImaging
internal import DiceNumerics

/// How light a face is, on rings about its middle.
///
/// For each of 12 rings and 32 angles a map has the luminance `l` there against its mean over the
/// map: `(l - mean) / mean`, at most 1.27 and at least -1.27. The rings are ellipses with the shape of
/// the box, so that a face that is seen from the side has the map of one that is seen from above; to
/// turn a die is to move the angles.
enum FaceMap {
  /// The rings, from the middle outward.
  static let ringCount = 12
  /// The angles of a ring.
  static let angleCount = 32
  /// The numbers of a map, `[rings, angles]`.
  static let count = ringCount * angleCount
  /// How far the outermost ring is from the middle, in sides of the box.
  ///
  /// The box of a square face that is turned by 45 degrees is longer by the root of 2; the ring stays
  /// inside the face.
  static let reach: Float = 0.31
  /// How many times as large the rings are drawn to compare a face with another one, whose box may
  /// be larger or smaller for how the die is turned.
  static let scales: [Float] = [0.71, 0.84, 1, 1.19, 1.41]
  /// How far the rings' middle is moved to compare a face with another one, in sides of the box.
  ///
  /// A box encloses what can be seen of a face, with its rounded edges on one side.
  static let shifts: [Float] = [-0.08, -0.04, 0, 0.04, 0.08]
  /// What a map's greatest number is as a byte.
  static let unit: Float = 100

  /// The columns and rows of the part of a picture that maps are drawn from.
  static let patchSide = 80
  /// How many times as long as the box's longer side that part is.
  static let patchReach = 1.4

  /// The share of each ring in a map: a ring counts as its area does.
  static func weight(ofRing ring: Int) -> Float {
    (Float(ring) + 0.5) * 2 / Float(ringCount * ringCount) / Float(angleCount)
  }
}

/// Draws maps of dice; its memory is used again from die to die.
struct FaceMapper {
  private var sampler = InputSampler()
  private var samples = [UInt8](
    repeating: 0, count: FaceMap.patchSide * FaceMap.patchSide * 3)
  private var luminances = [Float](repeating: 0, count: FaceMap.patchSide * FaceMap.patchSide)
  private let directions: [SIMD2<Float>]
  /// How wide and high the box is in the patch.
  private var boxWidth: Float = 0
  private var boxHeight: Float = 0

  init() {
    directions = (0..<FaceMap.angleCount).map { (angle) in
      let turns = Float(angle) / Float(FaceMap.angleCount)
      return SIMD2(cosineOfTurns(turns), sineOfTurns(turns))
    }
  }

  /// Looks at a box; false where it has no picture.
  ///
  /// - Parameter transform: any map of the picture.
  mutating func look(
    at box: BoundingBox, in frame: borrowing RawFrame, through transform: ImageTransform
  ) -> Bool {
    let side = FaceMap.patchSide
    let longer = max(box.width, box.height)
    let window = BoundingBox(
      midX: box.midX, midY: box.midY, width: longer * FaceMap.patchReach,
      height: longer * FaceMap.patchReach)
    guard longer > 0,
      let patch = ImageTransform(
        window: window, storedWidth: transform.storedWidth, storedHeight: transform.storedHeight,
        orientation: transform.orientation, inputWidth: side, inputHeight: side)
    else { return false }
    sampler.sample(
      frame, through: patch, into: &samples, layout: .interleaved(width: side), paddingValue: 128)
    for index in 0..<side * side {
      luminances[index] =
        0.299 * Float(samples[3 * index]) + 0.587 * Float(samples[3 * index + 1])
        + 0.114 * Float(samples[3 * index + 2])
    }
    let scale = Float(side) / Float(FaceMap.patchReach)
    boxWidth = scale * Float(box.width / longer)
    boxHeight = scale * Float(box.height / longer)
    return true
  }

  /// Draws the map of what was looked at last.
  ///
  /// - Parameters:
  ///   - scale: how many times as large the rings are.
  ///   - shift: how far their middle is moved, in sides of the box.
  ///   - map: takes the numbers, `[rings, angles]`, of which it has as many as a map.
  func draw(scale: Float, shift: SIMD2<Float> = .zero, into map: inout [Float]) {
    let side = FaceMap.patchSide
    let middle = Float(side) / 2 - 0.5
    let (middleX, middleY) = (middle + shift.x * boxWidth, middle + shift.y * boxHeight)
    var mean: Float = 0
    for ring in 0..<FaceMap.ringCount {
      let radius = (Float(ring) + 0.5) / Float(FaceMap.ringCount) * FaceMap.reach * scale
      let weight = FaceMap.weight(ofRing: ring)
      for angle in 0..<FaceMap.angleCount {
        let x = middleX + directions[angle].x * radius * boxWidth
        let y = middleY + directions[angle].y * radius * boxHeight
        let (column, row) = (Int(x), Int(y))
        let (u, v) = (x - Float(column), y - Float(row))
        let place = row * side + column
        let upper = luminances[place] * (1 - u) + luminances[place + 1] * u
        let lower = luminances[place + side] * (1 - u) + luminances[place + side + 1] * u
        let luminance = upper * (1 - v) + lower * v
        map[ring * FaceMap.angleCount + angle] = luminance
        mean += luminance * weight
      }
    }
    // In the dark there is noise and nothing else.
    let factor = 1 / max(mean, 8)
    for index in 0..<FaceMap.count {
      map[index] = min(max((map[index] - mean) * factor, -1.27), 1.27)
    }
  }
}

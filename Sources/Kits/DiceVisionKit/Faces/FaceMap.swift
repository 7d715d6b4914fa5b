internal import DiceGeometry
internal import DiceImaging
internal import DiceNumerics

/// What a face looks like, on rings about its middle.
///
/// For each of 16 rings and 64 angles a map has the luminance `l` there, and how much blue and red
/// exceed it, in parts of the mean luminance of the inner 12 rings: `(l - mean) / mean`,
/// `(b - l) / mean` and `(r - l) / mean`, each from -1.27 to 1.27. The rings are ellipses with the
/// shape of the box, so that a face that is seen from the side has nearly the map of one that is seen
/// from above; to turn a die is to move the angles.
enum FaceMap {
  /// The rings, from the middle outward.
  static let ringCount = 16
  /// The angles of a ring.
  static let angleCount = 64
  /// Luminance, blue and red.
  static let channelCount = 3
  /// The numbers of a map, `[rings, angles, channels]`.
  static let count = ringCount * angleCount * channelCount
  /// How far a ring beyond the outermost one would be from the middle, in sides of the box.
  static let reach: Float = 0.46
  /// The rings whose mean luminance counts: those inside a face however it is turned.
  static let innerRingCount = 12
  /// How else maps of a die are drawn to compare it with a face: how many times as large the rings are,
  /// and how far their middle is moved, in sides of the box.
  ///
  /// A box encloses what can be seen of a face, with its rounded edges on one side, and is longer where the
  /// face is turned.
  static let views: [(scale: Float, shift: SIMD2<Float>)] = [
    (1, SIMD2(0, 0)), (0.87, SIMD2(0, 0)), (1.15, SIMD2(0, 0)),
    (1, SIMD2(0.07, 0)), (1, SIMD2(-0.07, 0)), (1, SIMD2(0, 0.07)), (1, SIMD2(0, -0.07)),
  ]
  /// What a map's greatest number is as a byte.
  static let unit: Float = 100

  /// The columns and rows of the part of a picture that maps are drawn from.
  static let patchSide = 80
  /// How many times as long as the box's longer side that part is.
  static let patchReach = 1.4
}

/// Draws maps of dice; its memory is used again from die to die.
struct FaceMapper {
  private var sampler = InputSampler()
  private var samples = [UInt8](
    repeating: 0, count: FaceMap.patchSide * FaceMap.patchSide * 3)
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
  ///   - map: takes the numbers, of which it has as many as a map.
  func draw(scale: Float, shift: SIMD2<Float>, into map: inout [Float]) {
    let side = FaceMap.patchSide
    let middle = Float(side) / 2 - 0.5
    let (middleX, middleY) = (middle + shift.x * boxWidth, middle + shift.y * boxHeight)
    var sum: Float = 0
    var weights: Float = 0
    var place = 0
    for ring in 0..<FaceMap.ringCount {
      let radius = (Float(ring) + 0.5) / Float(FaceMap.ringCount) * FaceMap.reach * scale
      // A ring counts as its area does.
      let weight = ring < FaceMap.innerRingCount ? Float(ring) + 0.5 : 0
      for direction in directions {
        let x = middleX + direction.x * radius * boxWidth
        let y = middleY + direction.y * radius * boxHeight
        let (column, row) = (Int(x), Int(y))
        let (u, v) = (x - Float(column), y - Float(row))
        let upper = 3 * (row * side + column)
        let lower = upper + 3 * side
        func sample(_ channel: Int) -> Float {
          let above =
            Float(samples[upper + channel]) * (1 - u) + Float(samples[upper + 3 + channel]) * u
          let below =
            Float(samples[lower + channel]) * (1 - u) + Float(samples[lower + 3 + channel]) * u
          return above * (1 - v) + below * v
        }
        let (red, green, blue) = (sample(0), sample(1), sample(2))
        let luminance = 0.299 * red + 0.587 * green + 0.114 * blue
        map[place] = luminance
        map[place + 1] = blue - luminance
        map[place + 2] = red - luminance
        place += 3
        sum += luminance * weight
        weights += weight
      }
    }
    let mean = max(sum / weights, 8)
    for index in stride(from: 0, to: FaceMap.count, by: 3) {
      map[index] -= mean
      for channel in index..<index + 3 {
        map[channel] = min(max(map[channel] / mean, -1.27), 1.27)
      }
    }
  }
}

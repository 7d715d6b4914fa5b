internal import DiceGameKit
internal import DiceTraining

/// How pictures of digits are varied: turned, scaled, slanted, shifted and bent a little, drawn with
/// a thicker or thinner pen.
public struct DigitDistortion: Hashable, Sendable {
  /// The greatest turn either way, in degrees.
  public var rotation: Float = 12
  /// The greatest change of size either way, as a factor less 1, along each axis by itself.
  public var scale: Float = 0.12
  /// The greatest slant either way: columns for each row.
  public var slant: Float = 0.2
  /// The greatest shift either way, in samples.
  public var shift: Float = 1.6
  /// How far smooth waves bend the picture at most, in samples.
  public var bend: Float = 1.0
  /// The share of pictures that are varied; the others are only shifted.
  public var share: Float = 0.9

  /// The variations that the library's own weights have learnt from.
  public init() {}

  /// Half as much of everything.
  var halved: DigitDistortion {
    var halved = self
    halved.rotation /= 2
    halved.scale /= 2
    halved.slant /= 2
    halved.shift /= 2
    halved.bend /= 2
    return halved
  }

  /// No variation at all.
  public static var none: DigitDistortion {
    var none = DigitDistortion()
    (none.rotation, none.scale, none.slant, none.shift, none.bend) = (0, 0, 0, 0, 0)
    none.share = 0
    return none
  }
}

/// Draws varied pictures of digits.
struct DigitSampler {
  let distortion: DigitDistortion

  /// Writes a varied picture: `side * side` numbers of 0...255.
  ///
  /// Each number is the bilinear mean of the four samples around a place of the picture; outside it
  /// is black.
  func sample(
    _ bitmap: DigitBitmap, using random: inout TrainingRandom, into values: inout [Float]
  ) {
    let side = DigitBitmap.side
    let middle = Float(side - 1) / 2
    let varies = random.chance(distortion.share)
    let angle = varies ? random.between(-1, 1) * distortion.rotation * .pi / 180 : 0
    let scaleX = varies ? 1 + random.between(-1, 1) * distortion.scale : 1
    let scaleY = varies ? 1 + random.between(-1, 1) * distortion.scale : 1
    let slant = varies ? random.between(-1, 1) * distortion.slant : 0
    let shiftX = random.between(-1, 1) * distortion.shift
    let shiftY = random.between(-1, 1) * distortion.shift
    let bend = varies ? distortion.bend : 0
    let waveX = Wave(bend, using: &random)
    let waveY = Wave(bend, using: &random)
    let (cosAngle, sinAngle) = (cosine(angle), sine(angle))
    for row in 0..<side {
      let y = Float(row) - middle - shiftY
      for column in 0..<side {
        let x = Float(column) - middle - shiftX
        let u = (cosAngle * x + sinAngle * y) / scaleX + slant * y + waveX.height(x, y)
        let v = (cosAngle * y - sinAngle * x) / scaleY + waveY.height(x, y)
        values[row * side + column] = Self.bilinear(bitmap, u + middle, v + middle)
      }
    }
  }

  /// A smooth wave over the picture.
  private struct Wave {
    var amplitude: Float
    var stepX: Float
    var stepY: Float
    var phase: Float

    init(_ bend: Float, using random: inout TrainingRandom) {
      amplitude = random.between(-1, 1) * bend
      // Half a wave to one and a half over the picture.
      let length = random.between(0.11, 0.34)
      let direction = random.between(0, 2 * .pi)
      stepX = length * cosine(direction)
      stepY = length * sine(direction)
      phase = random.between(0, 2 * .pi)
    }

    func height(_ x: Float, _ y: Float) -> Float {
      amplitude == 0 ? 0 : amplitude * sine(stepX * x + stepY * y + phase)
    }
  }

  private static func bilinear(_ bitmap: DigitBitmap, _ x: Float, _ y: Float) -> Float {
    let side = DigitBitmap.side
    let (left, top) = (x.rounded(.down), y.rounded(.down))
    let (shareX, shareY) = (x - left, y - top)
    func value(_ row: Int, _ column: Int) -> Float {
      guard row >= 0, row < side, column >= 0, column < side else { return 0 }
      return Float(bitmap.samples[row * side + column])
    }
    guard left >= -1, top >= -1, left < Float(side), top < Float(side) else { return 0 }
    let (column, row) = (Int(left), Int(top))
    let upper = value(row, column) * (1 - shareX) + value(row, column + 1) * shareX
    let lower = value(row + 1, column) * (1 - shareX) + value(row + 1, column + 1) * shareX
    return upper * (1 - shareY) + lower * shareY
  }
}

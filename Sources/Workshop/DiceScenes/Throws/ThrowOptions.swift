/// What kind of throws to draw by lot.
public struct ThrowOptions: Hashable, Sendable {
  /// How many dice are thrown at once.
  public var diceCount: ClosedRange<Int>
  /// Columns of a picture.
  public var width: Int
  /// Rows of a picture.
  public var height: Int
  /// Pictures a second.
  public var frameRate: Double
  /// How long the shutter is open, in seconds; at most as long as a picture lasts.
  public var exposureTime: ClosedRange<Double>
  /// How fast the camera in somebody's hand moves at most, in pixels from a picture to the next
  /// where the longer side is 640 pixels; 0 for a camera that stands still.
  public var cameraDrift: ClosedRange<Double>
  /// How long the empty table is seen first, in seconds.
  public var leadIn: ClosedRange<Double>
  /// How long the dice are seen at rest, in seconds.
  public var hold: ClosedRange<Double>
  /// The length of a die's edge in pixels at the middle of a picture whose longer side is 640.
  public var dieSize: ClosedRange<Double>
  /// How high the camera stands, in degrees above the table.
  public var cameraElevation: ClosedRange<Double>
  /// How far the looks may go.
  public var style: SceneOptions.Style

  /// Options with every part given; each is brought into the range that makes sense.
  ///
  /// Numbers of dice are clamped to 1 ... 6, sizes of pictures to 32 ... 4096, frame rates to
  /// 1 ... 240, exposure times to 0 ... 1, drifts to 0 ... 10 pixels, times to 0 ... 10 seconds, dice
  /// to 10 ... 90 pixels and elevations to 40 ... 90 degrees; what is NaN becomes the lower limit.
  public init(
    diceCount: ClosedRange<Int> = 1...6, width: Int = 480, height: Int = 360,
    frameRate: Double = 30, exposureTime: ClosedRange<Double> = 0.002...0.02,
    cameraDrift: ClosedRange<Double> = 1...4, leadIn: ClosedRange<Double> = 0.3...0.7,
    hold: ClosedRange<Double> = 0.8...1.4, dieSize: ClosedRange<Double> = 34...64,
    cameraElevation: ClosedRange<Double> = 48...86, style: SceneOptions.Style = .plain
  ) {
    self.diceCount = diceCount
    self.width = width
    self.height = height
    self.frameRate = frameRate
    self.exposureTime = exposureTime
    self.cameraDrift = cameraDrift
    self.leadIn = leadIn
    self.hold = hold
    self.dieSize = dieSize
    self.cameraElevation = cameraElevation
    self.style = style
  }

  /// Ordinary dice on felt, wood or stone, filmed with a hand-held camera.
  public static let plain = ThrowOptions()

  /// Dice of any make on any ground in any light, in a tray at times.
  public static let varied = ThrowOptions(style: .varied)
}

extension ThrowOptions {
  /// The same options within the limits that `init` documents.
  var limited: ThrowOptions {
    func inside(_ x: Double, _ lower: Double, _ upper: Double) -> Double {
      x >= lower ? Swift.min(x, upper) : lower
    }
    func limit(_ range: ClosedRange<Double>, _ lower: Double, _ upper: Double)
      -> ClosedRange<Double>
    {
      let a = inside(range.lowerBound, lower, upper)
      return a...Swift.max(a, inside(range.upperBound, lower, upper))
    }
    var result = self
    let least = Swift.min(Swift.max(diceCount.lowerBound, 1), 6)
    result.diceCount = least...Swift.min(Swift.max(diceCount.upperBound, least), 6)
    result.width = Swift.min(Swift.max(width, 32), 4096)
    result.height = Swift.min(Swift.max(height, 32), 4096)
    result.frameRate = inside(frameRate, 1, 240)
    result.exposureTime = limit(exposureTime, 0, 1)
    result.cameraDrift = limit(cameraDrift, 0, 10)
    result.leadIn = limit(leadIn, 0, 10)
    result.hold = limit(hold, 0, 10)
    result.dieSize = limit(dieSize, 10, 90)
    result.cameraElevation = limit(cameraElevation, 40, 90)
    return result
  }

  /// The options of the table and of the dice.
  var sceneOptions: SceneOptions {
    SceneOptions(
      diceCount: diceCount, dieSize: dieSize, cameraElevation: cameraElevation,
      hasDistractors: style == .varied, aspectRatio: Double(width) / Double(height), style: style
    ).limited
  }
}

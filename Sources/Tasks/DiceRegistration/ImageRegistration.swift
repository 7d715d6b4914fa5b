internal import DiceNumerics

/// Measures how far the picture moved from frame to frame, by phase correlation.
///
/// Feed it with luminance planes that are reduced to 128 by 64 samples:
///
///     var registration = try ImageRegistration()
///     let motion = try registration.update(
///       luminance: plane, pixelsPerColumn: 1920 / 128, pixelsPerRow: 1080 / 64)
///     let events = tracker.update(with: observations, at: time, cameraMotion: motion)
///
/// With `F` the spectrum of this frame and `K` that of a key frame, the shift is the place of the peak of
///
///     r = DFT⁻¹(G · F · K* / (|F · K*| + ε)),    G = e^(−(f / 0.15)²), f in cycles per sample
///
/// found to a fraction of a sample by a parabola through the logarithms of the peak and its
/// neighbours on each axis (`r` is a Gaussian where only the picture moved). The motion is the
/// difference between this shift and the last frame's, so that errors do not add up while the camera
/// stays near its place. A new key frame is taken when the shift exceeds an eighth of a side, after
/// 90 frames, or when the frame no longer resembles it: then the last frame takes its place.
///
/// Before that, each sample is taken less the mean of its surroundings and over their standard deviation, and the borders
/// are faded out. So a table with a faint grain says as much as a hand of the same area that moves over it: what
/// moves in front of a background makes a peak of its own, which is lower as long as it covers less than about half
/// of the picture. The confidence is the height of the peak,
/// where 0.4 of a perfect one counts as 1, times the share by which it exceeds the highest other one:
/// 0 for flat pictures, near 0 for unrelated ones and for patterns that repeat.
public struct ImageRegistration: Sendable {
  /// The columns of the reduced plane.
  public let width: Int
  /// The rows of the reduced plane.
  public let height: Int
  /// The largest shift against a key frame that is found, as a share of the sides: 1/4.
  public static let maximumShift = 0.25

  private var transform: PlaneTransform
  private let fading: (x: [Float], y: [Float])
  private var weights: [Float]
  /// The height of the peak of a plane with itself.
  private let perfectPeak: Float
  private var plane: [Float]
  private var surroundings: Surroundings
  private var current: PlaneSpectrum
  private var last: PlaneSpectrum
  private var key: PlaneSpectrum
  private var product: PlaneSpectrum
  private var age = 0
  private var hasFrame = false
  private var fullSize = (width: 0, height: 0)
  /// The last frame's shift against the key frame, in samples.
  private var lastX = 0.0
  private var lastY = 0.0

  /// A registration that has seen nothing, on planes of the given size.
  ///
  /// 128 by 64 suits 16:9. Swap the sides for a portrait picture.
  ///
  /// - Throws: ``ImageRegistrationError/planeSizeOutOfRange(width:height:)`` unless both sides are
  ///   powers of two in 16...512.
  public init(width: Int = 128, height: Int = 64) throws(ImageRegistrationError) {
    let sides = [16, 32, 64, 128, 256, 512]
    guard sides.contains(width), sides.contains(height) else {
      throw .planeSizeOutOfRange(width: width, height: height)
    }
    self.width = width
    self.height = height
    transform = PlaneTransform(width: width, height: height)
    fading = (Self.fading(width), Self.fading(height))
    weights = []
    var total: Float = 0
    for u in 0...width / 2 {
      for v in 0..<height {
        let x = Double(u) / Double(width)
        let y = Double(min(v, height - v)) / Double(height)
        // The mean is no structure.
        let weight = u == 0 && v == 0 ? 0 : Float(exponential(-(x * x + y * y) / 0.0225))
        weights.append(weight)
        // Columns inside stand for their mirror images as well.
        total += u == 0 || u == width / 2 ? weight : 2 * weight
      }
    }
    perfectPeak = total
    plane = [Float](repeating: 0, count: width * height)
    surroundings = Surroundings(width: width, height: height)
    current = PlaneSpectrum(count: transform.spectrumCount)
    last = current
    key = current
    product = current
  }

  /// Takes in a frame's luminance, reduced to ``width`` by ``height``.
  ///
  /// - Parameters:
  ///   - luminance: The plane, row by row without gaps.
  ///   - pixelsPerColumn: How many pixels of the full frame a column stands for, positive.
  ///   - pixelsPerRow: How many pixels of the full frame a row stands for, positive.
  /// - Returns: The motion since the last frame in pixels of the full frame. ``CameraMotion/zero``
  ///   for the first frame and where the scale changes.
  /// - Throws: ``ImageRegistrationError`` where the sizes do not fit.
  public mutating func update(
    luminance: [UInt8], pixelsPerColumn: Double, pixelsPerRow: Double
  ) throws(ImageRegistrationError) -> CameraMotion {
    guard luminance.count == width * height else {
      throw .planeByteCount(found: luminance.count, required: width * height)
    }
    guard pixelsPerColumn > 0, pixelsPerRow > 0, pixelsPerColumn <= 1e5, pixelsPerRow <= 1e5 else {
      throw .scaleOutOfRange(pixelsPerColumn: pixelsPerColumn, pixelsPerRow: pixelsPerRow)
    }
    prepare(luminance)
    transform.forward(plane, into: &current)
    defer { swap(&last, &current) }
    let size = (
      Int(pixelsPerColumn * Double(width) * 16), Int(pixelsPerRow * Double(height) * 16)
    )
    guard hasFrame, size == fullSize else {
      hasFrame = true
      fullSize = size
      takeKey()
      return .zero
    }
    age += 1
    var shift = correlate(with: key)
    var x = shift.x - lastX
    var y = shift.y - lastY
    lastX = shift.x
    lastY = shift.y
    if shift.confidence < 0.3 {
      shift = correlate(with: last)
      x = shift.x
      y = shift.y
      takeKey()
    } else if age >= 90 || shift.x.magnitude > Double(width) / 8
      || shift.y.magnitude > Double(height) / 8
    {
      takeKey()
    }
    guard shift.confidence > 0 else { return .zero }
    return CameraMotion(
      x: x * pixelsPerColumn, y: y * pixelsPerRow, confidence: shift.confidence)
  }

  /// Forgets all frames.
  public mutating func reset() {
    hasFrame = false
  }

  private mutating func takeKey() {
    key = current
    age = 0
    lastX = 0
    lastY = 0
  }

  /// The plane, each sample less the mean of its surroundings and over their standard deviation, faded out at its
  /// borders.
  ///
  /// Where the surroundings are plain, a deviation of two levels, the least that is taken, keeps their noise low.
  private mutating func prepare(_ luminance: [UInt8]) {
    for row in 0..<height {
      surroundings.move(to: row, of: luminance)
      for column in stride(from: 0, to: width, by: 4) {
        let place = row * width + column
        let samples = Self.four(luminance, place) { (sample) in Float(sample) }
        let count = Self.four(surroundings.counts, column) { $0 }
        let mean = Self.four(surroundings.values, column) { $0 } / count
        let spread = Self.four(surroundings.squares, column) { $0 } / count - mean * mean
        let variance = spread.replacing(with: 0, where: spread .< 0)
        let value =
          (samples - mean) / (variance + 4).squareRoot()
          * Self.four(fading.x, column) { $0 } * fading.y[row]
        plane[place] = value[0]
        plane[place + 1] = value[1]
        plane[place + 2] = value[2]
        plane[place + 3] = value[3]
      }
    }
  }

  /// Four neighbours of a row.
  @inline(__always)
  private static func four<Sample>(
    _ row: [Sample], _ first: Int, _ number: (Sample) -> Float
  ) -> SIMD4<Float> {
    SIMD4(
      number(row[first]), number(row[first + 1]), number(row[first + 2]), number(row[first + 3]))
  }

  /// 1 in the middle, and down to 0 in the outer quarters along a cosine (a Tukey window).
  private static func fading(_ count: Int) -> [Float] {
    var result: [Float] = []
    for index in 0..<count {
      let place = Double(min(index, count - 1 - index)) + 0.5
      let share = min(place / (Double(count) / 4), 1)
      result.append(Float((1 - sineAndCosine(turns: share / 2).cosine) / 2))
    }
    return result
  }

  // MARK: - Correlation

  private mutating func correlate(
    with other: PlaneSpectrum
  ) -> (x: Double, y: Double, confidence: Float) {
    let count = transform.spectrumCount
    var total: Float = 0
    for index in 0..<count {
      let real =
        current.real[index] * other.real[index] + current.imaginary[index] * other.imaginary[index]
      let imaginary =
        current.imaginary[index] * other.real[index] - current.real[index] * other.imaginary[index]
      product.real[index] = real
      product.imaginary[index] = imaginary
      total += (real * real + imaginary * imaginary).squareRoot()
    }
    // A contrast of one level in 256 is the least that counts as structure.
    let samples = Float(width * height)
    guard total > samples * samples * 0.05 else { return (0, 0, 0) }
    let floor = 0.2 * total / Float(count)
    for index in 0..<count {
      let real = product.real[index]
      let imaginary = product.imaginary[index]
      let scale = weights[index] / ((real * real + imaginary * imaginary).squareRoot() + floor)
      product.real[index] = real * scale
      product.imaginary[index] = imaginary * scale
    }
    transform.inverse(&product, into: &plane)
    return findPeak()
  }

  private func value(_ x: Int, _ y: Int) -> Float {
    plane[(y & (height - 1)) * width + (x & (width - 1))]
  }

  private func findPeak() -> (x: Double, y: Double, confidence: Float) {
    let reachX = Int(Double(width) * Self.maximumShift)
    let reachY = Int(Double(height) * Self.maximumShift)
    var peak = (x: 0, y: 0, height: value(0, 0))
    for y in -reachY...reachY {
      for x in -reachX...reachX where value(x, y) > peak.height {
        peak = (x, y, value(x, y))
      }
    }
    guard peak.height > 0, peak.x.magnitude < reachX, peak.y.magnitude < reachY else {
      return (0, 0, 0)
    }
    var second: Float = 0
    for y in -reachY...reachY {
      for x in -reachX...reachX
      where (x - peak.x).magnitude > 5 || (y - peak.y).magnitude > 5 {
        second = max(second, value(x, y))
      }
    }
    let x = Self.vertex(value(peak.x - 1, peak.y), peak.height, value(peak.x + 1, peak.y))
    let y = Self.vertex(value(peak.x, peak.y - 1), peak.height, value(peak.x, peak.y + 1))
    let sharpness = min(peak.height / perfectPeak / 0.4, 1)
    return (
      Double(peak.x) + x, Double(peak.y) + y,
      max(sharpness * (1 - second / peak.height), 0)
    )
  }

  /// Where a parabola through the logarithms of three heights has its top, −0.5...0.5.
  private static func vertex(_ left: Float, _ middle: Float, _ right: Float) -> Double {
    guard left > 0, right > 0 else { return 0 }
    let l = naturalLogarithm(Double(max(left / middle, 1e-6)))
    let r = naturalLogarithm(Double(max(right / middle, 1e-6)))
    let curvature = l + r
    guard curvature < 0 else { return 0 }
    return min(max(0.5 * (l - r) / curvature, -0.5), 0.5)
  }
}

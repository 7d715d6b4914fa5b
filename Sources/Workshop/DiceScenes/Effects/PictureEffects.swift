internal import DiceNumerics

/// What the camera does to the light: lens, sensor, development and storage.
///
/// Lengths in pixels count for a picture whose longer side is 640 pixels and grow with it.
struct PictureEffects: Hashable, Sendable {
  /// Exposure correction as a factor.
  var exposure: Float = 1
  /// How far the exposure follows the mean brightness, 0 to 1.
  var metering: Float = 0.6
  /// The most and the least light that the brightest die's top face may give, 1 is white.
  var brightest: Float = 0.9
  var darkest: Float = 0.15
  var whiteBalance = Vector3(1, 1, 1)
  var contrast: Float = 0
  var saturation: Float = 1
  /// Stray light that lifts the blacks.
  var haze: Float = 0
  /// Loss of light in the corners, 0 to 1.
  var vignette: Float = 0
  /// The radius of a round field of view in halves of the longer side; none where it is 0.
  var apertureRadius: Float = 0
  var apertureCenter = Vector2.zero
  /// Standard deviation of the blur of the whole picture.
  var blur: Float = 0
  /// Standard deviation of the blur far from the plane of focus.
  var defocus: Float = 0
  /// The share of the depth range that is in focus, as a place in it, 0 (near) to 1 (far).
  var focus: Float = 0.5
  var motion = Vector2.zero
  /// The share of bright light that spreads over the picture, and the standard deviation of its haze.
  var bloomShare: Float = 0
  var bloomRadius: Float = 6
  /// How much larger red is than blue at the border, as a share.
  var aberration: Float = 0
  var shotNoise: Float = 0
  var readNoise: Float = 0
  /// How much the noise is smeared, 0 to 1.
  var grain: Float = 0
  var sharpening: Float = 0
  /// How many times coarser the sensor is than the picture.
  var coarseness: Float = 1
  var isGray = false
  /// JPEG quality from 5 to 95; not compressed where it is 0.
  var jpegQuality: Int = 0
}

/// Three planes of linear light with the depth of each pixel.
struct LightField {
  let width: Int
  let height: Int
  var planes: [[Float]]
  var depth: [Float]
  /// The mean luminance of the top faces of the brightest die, 0 where there is none.
  var faceLight: Float = 0

  init(width: Int, height: Int) {
    self.width = width
    self.height = height
    let empty = [Float](repeating: 0, count: width * height)
    planes = [empty, empty, empty]
    depth = empty
  }

  /// - Precondition: there are three planes, and they and the depth have `width * height` elements.
  init(width: Int, height: Int, planes: [[Float]], depth: [Float]) {
    precondition(
      planes.count == 3 && depth.count == width * height
        && planes.allSatisfy { $0.count == width * height }, "planes of the picture's size")
    self.width = width
    self.height = height
    self.planes = planes
    self.depth = depth
  }

  /// Calls a function with a plane to change, without a copy.
  @inline(__always)
  mutating func updatePlane(_ channel: Int, _ body: (inout [Float]) -> Void) {
    var plane: [Float] = []
    swap(&plane, &planes[channel])
    body(&plane)
    swap(&plane, &planes[channel])
  }
}

extension PictureEffects {
  /// Develops linear light into a picture's samples, `[height, width, 3]`.
  ///
  /// - Parameters:
  ///   - factor: the exposure; metered from the field where it is nil.
  func develop(
    _ field: consuming LightField, seed: UInt64, exposure factor: Float? = nil
  ) -> [UInt8] {
    var random = SceneRandom(seed: seed ^ 0x5EED_0F0E_F0EC_7500)
    let scale = Float(max(field.width, field.height)) / 640
    expose(&field, factor ?? exposureFactor(of: field))
    if defocus > 0.05 { defocus(&field, scale: scale) }
    if blur * scale > 0.15 {
      let gaussian = GaussianBlur(deviation: blur * scale)
      let (width, height) = (field.width, field.height)
      for channel in 0..<3 {
        field.updatePlane(channel) { gaussian.apply(to: &$0, width: width, height: height) }
      }
    }
    if bloomShare > 0 { bloom(&field, scale: scale) }
    if length(motion) * scale > 0.5 { smear(&field, motion * scale) }
    if abs(aberration) > 1e-5 { fringe(&field) }
    if coarseness > 1.05 { coarsen(&field) }
    if shotNoise > 0 || readNoise > 0 { addNoise(&field, &random) }
    tone(&field)
    if sharpening > 0.01 { sharpen(&field, scale: scale) }
    quantize(&field)
    if jpegQuality > 0 {
      BlockCompression(quality: jpegQuality).apply(
        to: &field.planes, width: field.width, height: field.height)
    }
    if isGray {
      // A gray camera has one channel.
      field.planes[0] = field.planes[1]
      field.planes[2] = field.planes[1]
    }
    return samples(of: field)
  }

  /// What the light is multiplied by, metered from a picture.
  func exposureFactor(of field: LightField) -> Float {
    let count = field.width * field.height
    var sum: Float = 0
    var samples: Float = 0
    for index in stride(from: 0, to: count, by: 7) {
      let light =
        0.2126 * field.planes[0][index] + 0.7152 * field.planes[1][index]
        + 0.0722 * field.planes[2][index]
      sum += min(light, 4)
      samples += 1
    }
    let mean = max(sum / max(samples, 1), 0.004)
    let metered = exposure * power(0.3 / mean, metering)
    var factor = min(metered, 60)
    if field.faceLight > 0.0005 {
      // A picture in which the dice drown or burn out shows nothing.
      factor = max(factor, min(darkest / field.faceLight, 60))
      factor = min(factor, brightest / field.faceLight)
    }
    return factor
  }

  private func expose(_ field: inout LightField, _ factor: Float) {
    let gain = whiteBalance * factor
    let width = field.width
    let middle = Vector2(Float(width), Float(field.height)) * 0.5
    let inverse = 1 / (Float(max(width, field.height)) * 0.5)
    // Of the columns, from the middle on.
    let across = (0..<width).map { (Float($0) + 0.5 - middle.x) * inverse }
    let squares = across.map { $0 * $0 }
    var shares = [Float](repeating: 1, count: width)
    var lifts = [Float](repeating: haze, count: width)
    for y in 0..<field.height {
      let py = (Float(y) + 0.5 - middle.y) * inverse
      if vignette > 0 {
        shares.updateEights { index, _ in
          let loss = (squares.eight(at: index) + py * py) * vignette
          return 1 - loss / (1 + loss)
        }
      }
      if apertureRadius > 0 {
        for x in 0..<width {
          let reach = length(Vector2(across[x], py) - apertureCenter)
          let inside = smoothStep(apertureRadius + 0.02, apertureRadius - 0.02, reach)
          let square = squares[x] + py * py
          let share = 1 - vignette * square / (1 + vignette * square)
          shares[x] = share * (0.03 + 0.97 * inside * (1 - 0.4 * reach * reach))
          lifts[x] = haze * (0.2 + 0.8 * inside)
        }
      }
      for channel in 0..<3 {
        field.updatePlane(channel) { plane in
          let start = y * width
          let channelGain = gain[channel]
          for x in stride(from: 0, to: width - 7, by: 8) {
            plane.store(
              plane.eight(at: start + x) * channelGain * shares.eight(at: x) + lifts.eight(at: x),
              at: start + x)
          }
          for x in (width / 8 * 8)..<width {
            plane[start + x] = plane[start + x] * channelGain * shares[x] + lifts[x]
          }
        }
      }
    }
  }

  private func addNoise(_ field: inout LightField, _ random: inout SceneRandom) {
    let (width, height) = (field.width, field.height)
    var noise = [Float](repeating: 0, count: width * height)
    let hasGrain = grain > 0.05
    let blur = GaussianBlur(deviation: 0.35 + 0.75 * grain)
    let strength = hasGrain ? 1 + 2.6 * grain : 1
    let shot = shotNoise * shotNoise
    let read = readNoise * readNoise
    for channel in 0..<3 {
      if !(isGray && channel > 0) {
        for index in noise.indices {
          // About normal: the sum of four uniform numbers.
          let bits = random.next()
          let pairs = (bits & 0xFFFF_0000_FFFF) + ((bits >> 16) & 0xFFFF_0000_FFFF)
          let sum = UInt32(truncatingIfNeeded: pairs) &+ UInt32(truncatingIfNeeded: pairs >> 32)
          noise[index] = (Float(sum) * 0x1p-16 - 2) * 1.7320508
        }
        if hasGrain { blur.apply(to: &noise, width: width, height: height) }
      }
      field.updatePlane(channel) { plane in
        plane.updateEights { index, value in
          let light = value.maximum(Eight(repeating: 0))
          return light + noise.eight(at: index) * strength * (light * shot + read).roots
        }
      }
    }
  }

  /// Saturation, shoulder, the sRGB curve and contrast; afterwards the planes hold 0 to 1.
  private func tone(_ field: inout LightField) {
    let curve = ToneCurve(contrast: contrast)
    let saturation = isGray ? 0 : self.saturation
    var planes: [[Float]] = []
    swap(&planes, &field.planes)
    var (red, green, blue) = (planes[0], planes[1], planes[2])
    planes = []
    for index in stride(from: 0, to: red.count, by: 8) {
      let r = red.eight(at: index)
      let g = green.eight(at: index)
      let b = blue.eight(at: index)
      let gray = r * 0.2126 + g * 0.7152 + b * 0.0722
      red.store(curve.values(gray + (r - gray) * saturation), at: index)
      green.store(curve.values(gray + (g - gray) * saturation), at: index)
      blue.store(curve.values(gray + (b - gray) * saturation), at: index)
    }
    field.planes = [red, green, blue]
  }

  /// Rounds 0 to 1 to whole numbers from 0 to 255.
  private func quantize(_ field: inout LightField) {
    for channel in 0..<3 {
      field.updatePlane(channel) { plane in
        plane.updateEights { _, value in (value.saturated * 255).nearestWholes }
      }
    }
  }

  /// The whole numbers of three planes, side by side.
  private func samples(of field: LightField) -> [UInt8] {
    let count = field.width * field.height
    let (red, green, blue) = (field.planes[0], field.planes[1], field.planes[2])
    return unsafe [UInt8](unsafeUninitializedCapacity: count * 3) { samples, filled in
      for start in stride(from: 0, to: count, by: 8) {
        let r = SIMD8<UInt8>(truncatingIfNeeded: red.eight(at: start).wholes)
        let g = SIMD8<UInt8>(truncatingIfNeeded: green.eight(at: start).wholes)
        let b = SIMD8<UInt8>(truncatingIfNeeded: blue.eight(at: start).wholes)
        for lane in 0..<min(8, count - start) {
          let index = (start + lane) * 3
          unsafe samples[index] = r[lane]
          unsafe samples[index + 1] = g[lane]
          unsafe samples[index + 2] = b[lane]
        }
      }
      filled = count * 3
    }
  }
}

/// Linear light to a stored sample, by table.
struct ToneCurve {
  /// Values at steps of the square root, where the curve is nearly straight, each with the way to the
  /// next one.
  private let steps: [SIMD2<Float>]

  init(contrast: Float) {
    let values: [Float] = (0...1024).map { step in
      let root = Float(step) / 1024 * 2
      var x = root * root
      let knee: Float = 0.75
      if x > knee { x = knee + (1 - knee) * (1 - exponential(-(x - knee) / (1 - knee))) }
      let encoded = x <= 0.0031308 ? 12.92 * x : 1.055 * power(x, 1 / 2.4) - 0.055
      let bent = encoded * encoded * (3 - 2 * encoded)
      return saturate(mix(encoded, bent, contrast))
    }
    steps = (0..<1024).map { SIMD2(values[$0], values[$0 + 1] - values[$0]) }
  }

  /// What is stored of eight amounts of light.
  @inline(__always)
  func values(_ light: Eight) -> Eight {
    let places = (light.maximum(Eight(repeating: 0)).roots * 512).minimum(
      Eight(repeating: 1023.5))
    // At a whole place either neighbour gives the same value.
    let low = (places - 0.5).nearestWholes
    let indices = low.wholes
    var values = Eight(repeating: 0)
    var ways = values
    for lane in 0..<8 {
      let step = steps[Int(indices[lane] & 1023)]
      values[lane] = step.x
      ways[lane] = step.y
    }
    return values + ways * (places - low)
  }
}

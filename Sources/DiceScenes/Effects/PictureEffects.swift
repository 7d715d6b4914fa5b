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

  /// Replaces every colour by what a function makes of it.
  @inline(__always)
  mutating func forEachPixel(_ body: (Vector3) -> Vector3) {
    var red: [Float] = []
    var green: [Float] = []
    var blue: [Float] = []
    swap(&red, &planes[0])
    swap(&green, &planes[1])
    swap(&blue, &planes[2])
    for index in red.indices {
      let c = body(Vector3(red[index], green[index], blue[index]))
      red[index] = c.x
      green[index] = c.y
      blue[index] = c.z
    }
    swap(&red, &planes[0])
    swap(&green, &planes[1])
    swap(&blue, &planes[2])
  }
}

extension PictureEffects {
  /// Develops linear light into a picture's samples, `[height, width, 3]`.
  ///
  /// - Parameters:
  ///   - factor: the exposure; metered from the field where it is nil.
  func develop(_ field: LightField, seed: UInt64, exposure factor: Float? = nil) -> [UInt8] {
    var field = field
    var random = SceneRandom(seed: seed ^ 0x5EED_0F0E_F0EC_7500)
    let scale = Float(max(field.width, field.height)) / 640
    expose(&field, factor ?? exposureFactor(of: field))
    if defocus > 0.05 { defocus(&field, scale: scale) }
    if blur * scale > 0.15 {
      for channel in 0..<3 { gaussianBlur(&field.planes[channel], field, blur * scale) }
    }
    if length(motion) * scale > 0.5 { smear(&field, motion * scale) }
    if abs(aberration) > 1e-5 { fringe(&field) }
    if coarseness > 1.05 { coarsen(&field) }
    if shotNoise > 0 || readNoise > 0 { addNoise(&field, &random) }
    tone(&field)
    if sharpening > 0.01 { sharpen(&field, scale: scale) }
    var samples = quantize(field)
    if jpegQuality > 0 {
      BlockCompression(quality: jpegQuality).apply(
        to: &samples, width: field.width, height: field.height)
      if isGray {
        for index in 0..<(field.width * field.height) {
          let value = samples[index * 3 + 1]
          samples[index * 3] = value
          samples[index * 3 + 2] = value
        }
      }
    }
    return samples
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
    let longer = Float(max(field.width, field.height)) * 0.5
    let middle = Vector2(Float(field.width), Float(field.height)) * 0.5
    let width = field.width
    var x = 0
    var y = 0
    let inverse = 1 / longer
    field.forEachPixel { c in
      let px = (Float(x) + 0.5 - middle.x) * inverse
      let py = (Float(y) + 0.5 - middle.y) * inverse
      x += 1
      if x == width {
        x = 0
        y += 1
      }
      let square = px * px + py * py
      var factor = 1 - vignette * square / (1 + vignette * square)
      var lift = haze
      if apertureRadius > 0 {
        let reach = length(Vector2(px, py) - apertureCenter)
        let inside = smoothStep(apertureRadius + 0.02, apertureRadius - 0.02, reach)
        factor *= 0.03 + 0.97 * inside * (1 - 0.4 * reach * reach)
        lift *= 0.2 + 0.8 * inside
      }
      return c * gain * factor + Vector3(repeating: lift)
    }
  }

  private func addNoise(_ field: inout LightField, _ random: inout SceneRandom) {
    let count = field.width * field.height
    var planeNoise = [Float](repeating: 0, count: count)
    for channel in 0..<3 {
      if !(isGray && channel > 0) {
        for index in 0..<count {
          let bits = random.next()
          let sum =
            Float(bits & 0xFFFF) + Float((bits >> 16) & 0xFFFF) + Float((bits >> 32) & 0xFFFF)
            + Float(bits >> 48)
          planeNoise[index] = (sum * 0x1p-16 - 2) * 1.7320508
        }
        if grain > 0.05 {
          gaussianBlur(&planeNoise, field, 0.35 + 0.75 * grain)
          let restore = 1 + 2.6 * grain
          for index in 0..<count { planeNoise[index] *= restore }
        }
      }
      var plane: [Float] = []
      swap(&plane, &field.planes[channel])
      let shot = shotNoise * shotNoise
      let read = readNoise * readNoise
      for index in 0..<count {
        let light = max(plane[index], 0)
        plane[index] = light + planeNoise[index] * (shot * light + read).squareRoot()
      }
      swap(&plane, &field.planes[channel])
    }
  }

  /// Saturation, shoulder, the sRGB curve and contrast; afterwards the planes hold 0 to 1.
  private func tone(_ field: inout LightField) {
    let curve = ToneCurve(contrast: contrast)
    let saturation = isGray ? 0 : self.saturation
    field.forEachPixel { c in
      let gray = luminance(c)
      let mixed = mix(Vector3(repeating: gray), c, saturation)
      return Vector3(curve.value(mixed.x), curve.value(mixed.y), curve.value(mixed.z))
    }
  }

  private func quantize(_ field: LightField) -> [UInt8] {
    let count = field.width * field.height
    var samples = [UInt8](repeating: 0, count: count * 3)
    for channel in 0..<3 {
      let plane = field.planes[channel]
      for index in 0..<count {
        samples[index * 3 + channel] = UInt8(saturate(plane[index]) * 255 + 0.5)
      }
    }
    return samples
  }
}

/// Linear light to a stored sample, by table.
struct ToneCurve {
  private var table: [Float]

  init(contrast: Float) {
    // Indexed by the square root, where the curve is nearly straight.
    table = (0...1024).map { step in
      let root = Float(step) / 1024 * 2
      var x = root * root
      let knee: Float = 0.75
      if x > knee { x = knee + (1 - knee) * (1 - exponential(-(x - knee) / (1 - knee))) }
      let encoded = x <= 0.0031308 ? 12.92 * x : 1.055 * power(x, 1 / 2.4) - 0.055
      let bent = encoded * encoded * (3 - 2 * encoded)
      return saturate(mix(encoded, bent, contrast))
    }
  }

  @inline(__always)
  func value(_ light: Float) -> Float {
    guard light > 0 else { return 0 }
    let place = min(light.squareRoot() * 512, 1023.5)
    let index = Int(place)
    let low = table[index]
    return low + (table[index + 1] - low) * (place - Float(index))
  }
}

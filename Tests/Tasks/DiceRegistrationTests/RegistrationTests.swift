import TestSupport
import DiceNumerics
import Testing

@testable import DiceRegistration

/// Phase correlation on textures made of waves, which can be shifted by any amount exactly.
@Suite struct RegistrationTests {
  struct Texture {
    var waves: [(x: Double, y: Double, phase: Double, height: Double)] = []

    init(seed: UInt64) {
      var random = SeededGenerator(seed: seed)
      for _ in 0..<60 {
        waves.append(
          (
            random.uniform(-0.18...0.18), random.uniform(-0.18...0.18), random.uniform(0...1),
            random.uniform(2...7)
          ))
      }
    }

    func plane(
      shiftX: Double, shiftY: Double, width: Int = 128, height: Int = 64, gain: Double = 1,
      level: Double = 128, pitch: Double = 1
    ) -> [UInt8] {
      var sums = [Double](repeating: 0, count: width * height)
      for wave in waves {
        for row in 0..<height {
          for column in 0..<width {
            let turns =
              (wave.x * (Double(column) - shiftX) + wave.y * (Double(row) - shiftY)) / pitch
              + wave.phase
            let fraction = turns - turns.rounded(.down)
            // A parabola pair comes close enough to a sine.
            let t = fraction < 0.5 ? fraction : fraction - 0.5
            let value = 16 * t * (0.5 - t)
            sums[row * width + column] += wave.height * (fraction < 0.5 ? value : -value)
          }
        }
      }
      return sums.map { UInt8(min(max(level + gain * $0, 0), 255)) }
    }
  }

  static func noisy(_ plane: [UInt8], _ amount: Double, seed: UInt64) -> [UInt8] {
    var random = SeededGenerator(seed: seed)
    return plane.map { UInt8(min(max(Double($0) + amount * random.normal(), 0), 255)) }
  }

  static func motion(_ first: [UInt8], _ second: [UInt8]) throws -> CameraMotion {
    var registration = try ImageRegistration()
    try expectEqual(
      registration.update(luminance: first, pixelsPerColumn: 1, pixelsPerRow: 1), .zero)
    return try registration.update(luminance: second, pixelsPerColumn: 1, pixelsPerRow: 1)
  }

  @Test func transformsMatchTheDefinition() {
    var random = SeededGenerator(seed: 1)
    let plane = (0..<8 * 16).map { _ in Float(random.uniform(-1...1)) }
    var transform = PlaneTransform(width: 16, height: 8)
    var spectrum = PlaneSpectrum(count: transform.spectrumCount)
    transform.forward(plane, into: &spectrum)
    for u in 0...8 {
      for v in 0..<8 {
        var real = 0.0
        var imaginary = 0.0
        for y in 0..<8 {
          for x in 0..<16 {
            let turns = Double(u * x % 16) / 16 + Double(v * y % 8) / 8
            let (sine, cosine) = sineAndCosine(turns: turns.truncatingRemainder(dividingBy: 1))
            real += Double(plane[y * 16 + x]) * cosine
            imaginary -= Double(plane[y * 16 + x]) * sine
          }
        }
        #expect(abs(real - Double(spectrum.real[u * 8 + v])) < 1e-4)
        #expect(abs(imaginary - Double(spectrum.imaginary[u * 8 + v])) < 1e-4)
      }
    }
    var back = [Float](repeating: .nan, count: 128)
    transform.inverse(&spectrum, into: &back)
    for index in 0..<128 { #expect(abs(back[index] / 128 - plane[index]) < 1e-5) }
  }

  @Test func findsShiftsToAFifthOfASample() throws {
    var worst = 0.0
    var random = SeededGenerator(seed: 2)
    for seed in 1...12 {
      let texture = Texture(seed: UInt64(seed))
      let x = seed % 3 == 0 ? Double(seed) : random.uniform(-12...12)
      let y = seed % 3 == 0 ? -4 : random.uniform(-7...7)
      let motion = try Self.motion(
        texture.plane(shiftX: 0, shiftY: 0), texture.plane(shiftX: x, shiftY: y))
      worst = max(worst, abs(motion.x - x), abs(motion.y - y))
      #expect(motion.confidence > 0.5, "seed \(seed)")
    }
    #expect(worst < 0.2, "\(worst)")
  }

  @Test func noiseAndBrightnessChangeLittle() throws {
    let texture = Texture(seed: 5)
    let first = Self.noisy(texture.plane(shiftX: 0, shiftY: 0), 4, seed: 1)
    let second = Self.noisy(
      texture.plane(shiftX: 2.3, shiftY: -1.4, gain: 0.7, level: 150), 4, seed: 2)
    let motion = try Self.motion(first, second)
    #expect(abs(motion.x - 2.3) < 0.2 && abs(motion.y + 1.4) < 0.2, "\(motion)")
    #expect(motion.confidence > 0.3)
  }

  @Test func windowsEndAtTheBordersOfThePlane() {
    let (width, height) = (32, 16)
    let plane = Self.noisy(
      [UInt8](repeating: 128, count: width * height), 60, seed: 5)
    var surroundings = Surroundings(width: width, height: height)
    // The second plane finds nothing of the first one left.
    for _ in 0..<2 {
      for row in 0..<height {
        surroundings.move(to: row, of: plane)
        for column in 0..<width {
          var sums = (count: Float(0), values: Float(0), squares: Float(0))
          for y in max(row - 4, 0)...min(row + 4, height - 1) {
            for x in max(column - 4, 0)...min(column + 4, width - 1) {
              let value = Float(plane[y * width + x])
              sums = (sums.count + 1, sums.values + value, sums.squares + value * value)
            }
          }
          let found = (
            count: surroundings.counts[column], values: surroundings.values[column],
            squares: surroundings.squares[column]
          )
          #expect(found == sums, "row \(row), column \(column)")
        }
      }
    }
  }

  @Test func flatPicturesAndUnrelatedOnesAreNotTrusted() throws {
    let flat = [UInt8](repeating: 90, count: 128 * 64)
    try expectEqual(Self.motion(flat, flat).confidence, 0)
    let texture = Texture(seed: 6).plane(shiftX: 0, shiftY: 0)
    try expectEqual(Self.motion(texture, flat).confidence, 0)
    for seed in 1...5 {
      let first = Self.noisy(flat, 40, seed: UInt64(seed))
      let motion = try Self.motion(first, Self.noisy(flat, 40, seed: UInt64(seed + 50)))
      #expect(motion.confidence < 0.2, "\(motion)")
    }
  }

  @Test func aSmallMovingThingIsNoMotionOfTheCamera() throws {
    let texture = Texture(seed: 7).plane(shiftX: 0, shiftY: 0)
    func frame(_ place: Int) -> [UInt8] {
      var plane = texture
      for row in 20..<32 {
        for column in place..<place + 12 { plane[row * 128 + column] = row % 4 < 2 ? 250 : 10 }
      }
      return plane
    }
    let motion = try Self.motion(frame(40), frame(46))
    #expect(motion.distance < 0.2 && motion.confidence > 0.3, "\(motion)")
  }

  /// A dark hand with folds, on a seventh of the picture of a table with a faint grain that moves otherwise.
  @Test func aFaintTableSaysMoreThanAStrongHandOfASmallerArea() throws {
    let (table, hand) = (Texture(seed: 11), Texture(seed: 12))
    func frame(_ tableShift: Double, _ handShift: Int) -> [UInt8] {
      var plane = table.plane(shiftX: tableShift, shiftY: 0, gain: 0.25, level: 170)
      let folds = hand.plane(shiftX: 0, shiftY: 0, gain: 0.5, level: 90)
      for row in 28..<64 {
        for column in 40..<72 {
          plane[row * 128 + column + handShift] = folds[row * 128 + column]
        }
      }
      return plane
    }
    let motion = try Self.motion(frame(0, 0), frame(1.5, -5))
    #expect(abs(motion.x - 1.5) < 0.3 && abs(motion.y) < 0.3, "\(motion)")
  }

  @Test func errorsDoNotAddUpOverManyFrames() throws {
    let texture = Texture(seed: 8)
    var registration = try ImageRegistration()
    var sumX = 0.0
    var sumY = 0.0
    for frame in 0...60 {
      let x = 0.31 * Double(frame)
      let y = 2 * sineAndCosine(turns: Double(frame) / 60).sine
      let plane = Self.noisy(texture.plane(shiftX: x, shiftY: y), 3, seed: UInt64(frame))
      let motion = try registration.update(
        luminance: plane, pixelsPerColumn: 15, pixelsPerRow: 16.875)
      sumX += motion.x
      sumY += motion.y
    }
    // 18.6 samples, by way of two key frames.
    #expect(abs(sumX - 18.6 * 15) < 0.4 * 15, "\(sumX / 15)")
    #expect(abs(sumY) < 0.4 * 16.875, "\(sumY / 16.875)")
  }

  @Test func sizesThatDoNotFitAreRefused() throws {
    #expect(throws: ImageRegistrationError.self) { try ImageRegistration(width: 100, height: 64) }
    #expect(throws: ImageRegistrationError.self) { try ImageRegistration(width: 128, height: 8) }
    var registration = try ImageRegistration()
    #expect(throws: ImageRegistrationError.planeByteCount(found: 3, required: 8192)) {
      try registration.update(luminance: [1, 2, 3], pixelsPerColumn: 1, pixelsPerRow: 1)
    }
    let plane = [UInt8](repeating: 0, count: 8192)
    for scale in [0, -1, Double.nan, .infinity] {
      #expect(throws: ImageRegistrationError.self) {
        try registration.update(luminance: plane, pixelsPerColumn: scale, pixelsPerRow: 1)
      }
    }
  }

  @Test func aSceneIsStillAfterAWhileWithoutMotion() throws {
    var stability = SceneStability()
    let still = CameraMotion(x: 0.4, y: -0.3, confidence: 0.9)
    for frame in 0...9 {
      #expect(!stability.isStill)
      stability.update(frame % 2 == 0 ? still : .fixed, at: .milliseconds(33 * frame))
    }
    stability.update(.fixed, at: .milliseconds(330))
    #expect(stability.isStill)
    stability.update(CameraMotion(x: 7, y: 0, confidence: 0.9), at: .milliseconds(363))
    #expect(!stability.isStill && stability.displacement.x > 7)
    for frame in 12...21 { stability.update(.fixed, at: .milliseconds(33 * frame)) }
    #expect(stability.isStill)
    stability.update(.zero, at: .milliseconds(33 * 22))
    #expect(!stability.isStill)
    stability.update(.fixed, at: .zero)
    #expect(!stability.isStill && stability.displacement == (0, 0))
  }
}

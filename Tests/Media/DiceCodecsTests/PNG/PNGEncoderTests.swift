import DiceGeometry
import TestSupport
import Testing

@testable import DiceImaging
@testable import DiceCodecs

struct PNGEncoderTests {
  private static func image(
    width: Int, height: Int, format: PixelImage.Format, seed: UInt64, noise: Int = 20
  ) -> PixelImage {
    var generator = SeededGenerator(seed: seed)
    var samples: [UInt8] = []
    for y in 0..<height {
      for x in 0..<width {
        for channel in 0..<format.channelCount {
          let value = 3 * x + 2 * y * (channel + 1) + Int.random(in: 0...noise, using: &generator)
          samples.append(UInt8(truncatingIfNeeded: value))
        }
      }
    }
    return PixelImage(width: width, height: height, format: format, samples: samples)
  }

  @Test(arguments: Deflate.Level.allCases)
  func decodesToAnEqualPicture(compression: Deflate.Level) throws {
    let sizes = [(1, 1), (1, 9), (9, 1), (5, 4), (16, 16), (17, 3), (33, 17), (200, 150)]
    for (index, (width, height)) in sizes.enumerated() {
      for format in [PixelImage.Format.gray, .rgb, .rgba] {
        let image = Self.image(width: width, height: height, format: format, seed: UInt64(index))
        let file = PNGEncoder.encode(image, compression: compression)
        try expectEqual(PNGDecoder.decode(file), image)
        try expectEqual(PNGDecoder.decodeHeader(file).format, format)
      }
    }
  }

  @Test(arguments: ImageOrientation.allCases)
  func keepsTheOrientation(orientation: ImageOrientation) throws {
    var image = Self.image(width: 3, height: 2, format: .rgb, seed: 1)
    image.orientation = orientation
    try expectEqual(PNGDecoder.decode(PNGEncoder.encode(image)).orientation, orientation)
  }

  @Test func usesTheFilterWithTheSmallestSumOfMagnitudes() throws {
    var generator = SeededGenerator(seed: 4)
    var chosen: Set<UInt8> = []
    for trial in 0..<200 {
      let distance = [1, 3, 4][trial % 3]
      let count = distance * Int.random(in: 1...40, using: &generator)
      let step = Int.random(in: 0...9, using: &generator)
      let noise = Int.random(in: 0...4, using: &generator)
      func row(_ y: Int) -> [UInt8] {
        (0..<count).map {
          let value = $0 / distance * step + y * (trial % 7) * 5
          return UInt8(truncatingIfNeeded: value + Int.random(in: 0...noise, using: &generator))
        }
      }
      let above = row(0)
      var current = row(1)
      if trial % 4 == 3 {
        for index in distance..<max(distance, count) {
          current[index] = UInt8((Int(current[index - distance]) + Int(above[index])) / 2)
        }
      }
      var chooser = PNGFilterChooser(rowByteCount: count, distance: distance)
      var output: [UInt8] = []
      chooser.append(current[...], above: trial % 5 == 0 ? nil : above[...], to: &output)

      // The definition, byte by byte.
      let up = trial % 5 == 0 ? [UInt8](repeating: 0, count: count) : above
      let candidates = (0..<5).map { filter in
        (0..<count).map { index -> UInt8 in
          let a = index >= distance ? Int(current[index - distance]) : 0
          let b = Int(up[index])
          let c = index >= distance ? Int(up[index - distance]) : 0
          let p = [0, a, b, (a + b) / 2, PNGFilter.paethPredictor(a, b, c)][filter]
          return current[index] &- UInt8(p)
        }
      }
      let sums = candidates.map { $0.reduce(0) { $0 + Int(Int8(bitPattern: $1).magnitude) } }
      let best = sums.firstIndex(of: sums.min()!)!
      expectEqual(output, [UInt8(best)] + candidates[best])
      chosen.insert(output[0])
    }
    expectEqual(chosen, [0, 1, 2, 3, 4])
  }

  @Test func followsTheDefinitionOfThePaethPredictor() {
    for a in stride(from: 0, through: 255, by: 15) {
      for b in stride(from: 0, through: 255, by: 5) {
        for c in 0...255 {
          let p = a + b - c
          let candidates = [a, b, c]
          let nearest = candidates.min { abs(p - $0) < abs(p - $1) }
          expectEqual(PNGFilter.paethPredictor(a, b, c), nearest)
        }
      }
    }
  }

  @Test func compressesSmoothPicturesWell() {
    let image = Self.image(width: 200, height: 200, format: .rgb, seed: 2, noise: 0)
    #expect(PNGEncoder.encode(image).count < image.samples.count / 40)
    let noisy = Self.image(width: 200, height: 200, format: .rgb, seed: 2, noise: 3)
    let sizes = Deflate.Level.allCases.map { PNGEncoder.encode(noisy, compression: $0).count }
    #expect(sizes.dropFirst().allSatisfy { $0 < sizes[0] / 2 }, "\(sizes)")
  }
}

import DiceImaging
import Testing

@testable import DiceScenes

@Suite struct SceneRendererTests {
  /// FNV-1a over the samples.
  private func checksum(_ image: PixelImage) -> UInt64 {
    var hash: UInt64 = 0xcbf2_9ce4_8422_2325
    for sample in image.samples { hash = (hash ^ UInt64(sample)) &* 0x100_0000_01b3 }
    return hash
  }

  @Test func sameSeedGivesTheSamePictureAndTruth() {
    for options in [SceneOptions.fixture, .training] {
      let first = SceneRenderer.render(
        .random(seed: 77, options: options), width: 96, height: 96)
      let second = SceneRenderer.render(
        .random(seed: 77, options: options), width: 96, height: 96)
      #expect(first == second)
    }
  }

  @Test func differentSeedsGiveDifferentPictures() {
    var checksums: Set<UInt64> = []
    var means: [Float] = []
    for seed in 0..<24 {
      let picture = SceneRenderer.render(
        .random(seed: UInt64(seed), options: .training), width: 64, height: 64
      ).image
      checksums.insert(checksum(picture))
      var sum: Float = 0
      for sample in picture.samples { sum += Float(sample) }
      means.append(sum / Float(picture.samples.count))
    }
    #expect(checksums.count == 24)
    let low = means.min() ?? 0
    let high = means.max() ?? 0
    #expect(high - low > 40, "brightness varies from \(low) to \(high)")
  }

  @Test func samplersRepeatTheirSequence() {
    var first = SceneSampler(seed: 3, options: .training)
    var second = SceneSampler(seed: 3, options: .training)
    var seeds: Set<UInt64> = []
    for _ in 0..<5 {
      let scene = first.next()
      #expect(scene.seed == second.next().seed)
      seeds.insert(scene.seed)
    }
    #expect(seeds.count == 5)
  }

  @Test(arguments: [(1, 1), (1, 300), (300, 1), (17, 33), (200, 64)])
  func anySizeIsDrawn(width: Int, height: Int) {
    let rendered = SceneRenderer.render(
      .random(seed: 5, options: .training), width: width, height: height)
    #expect(rendered.image.width == width && rendered.image.height == height)
    #expect(rendered.image.format == .rgb)
  }

  @Test func foolishOptionsAreBroughtIntoRange() {
    let options = SceneOptions(
      diceCount: -5...2, dieSize: 0...100000, cameraElevation: -90...500, hasDistractors: true,
      aspectRatio: .nan, style: .varied)
    for seed in 0..<12 {
      let scene = DiceScene.random(seed: UInt64(seed), options: options)
      #expect(scene.diceCount <= 2)
      let rendered = SceneRenderer.render(scene, width: 48, height: 48)
      #expect(rendered.image.samples.count == 48 * 48 * 3)
    }
  }

  /// Counts the pips of a die seen from above by their colour, without knowing the scene.
  private func pipCount(_ rendered: RenderedScene, _ truth: DieTruth) -> Int {
    let image = rendered.image
    let left = Int(truth.topFace.minX)
    let top = Int(truth.topFace.minY)
    let width = Int(truth.topFace.width)
    let height = Int(truth.topFace.height)
    func colour(_ x: Int, _ y: Int) -> SIMD3<Float> {
      let index = ((top + y) * image.width + left + x) * 3
      return SIMD3(
        Float(image.samples[index]), Float(image.samples[index + 1]),
        Float(image.samples[index + 2]))
    }
    // The body's colour is the median around the middle of the face, pips cover less than half.
    var reds: [Float] = []
    var greens: [Float] = []
    var blues: [Float] = []
    for y in height / 4..<height * 3 / 4 {
      for x in width / 4..<width * 3 / 4 {
        let c = colour(x, y)
        reds.append(c.x)
        greens.append(c.y)
        blues.append(c.z)
      }
    }
    let body = SIMD3(
      reds.sorted()[reds.count / 2], greens.sorted()[greens.count / 2],
      blues.sorted()[blues.count / 2])
    // The disc that fits into the face, whatever its yaw.
    let radius = Float(min(width, height)) * 0.5 * 0.74
    var isPip = [Bool](repeating: false, count: width * height)
    for y in 0..<height {
      for x in 0..<width {
        let dx = Float(x) + 0.5 - Float(width) * 0.5
        let dy = Float(y) + 0.5 - Float(height) * 0.5
        guard dx * dx + dy * dy < radius * radius else { continue }
        let d = colour(x, y) - body
        isPip[y * width + x] = (d * d).sum().squareRoot() > 70
      }
    }
    var blobs = 0
    var stack: [Int] = []
    for start in isPip.indices where isPip[start] {
      var size = 0
      stack = [start]
      isPip[start] = false
      while let index = stack.popLast() {
        size += 1
        let x = index % width
        let y = index / width
        for (nx, ny) in [(x - 1, y), (x + 1, y), (x, y - 1), (x, y + 1)]
        where nx >= 0 && ny >= 0 && nx < width && ny < height && isPip[ny * width + nx] {
          isPip[ny * width + nx] = false
          stack.append(ny * width + nx)
        }
      }
      if size > width * height / 400 { blobs += 1 }
    }
    return blobs
  }

  @Test func pipsCountedInThePictureGiveTheValue() throws {
    let options = SceneOptions(
      diceCount: 1...1, dieSize: 150...150, cameraElevation: 90...90, hasDistractors: false,
      style: .plain)
    var seen: [Int: Int] = [:]
    for seed in 0..<30 {
      let rendered = SceneRenderer.render(
        .random(seed: UInt64(seed), options: options), width: 400, height: 400)
      let truth = try #require(rendered.dice.first)
      #expect(pipCount(rendered, truth) == truth.value, "seed \(seed)")
      seen[truth.value, default: 0] += 1
    }
    #expect(seen.count == 6, "every value occurs")
  }

  @Test func grayPicturesHaveThreeEqualSamples() {
    var found = 0
    for seed in 0..<80 {
      let scene = DiceScene.random(seed: UInt64(seed), options: .training)
      guard scene.effects.isGray else { continue }
      found += 1
      let samples = SceneRenderer.render(scene, width: 40, height: 40).image.samples
      for index in stride(from: 0, to: samples.count, by: 3) {
        #expect(samples[index] == samples[index + 1] && samples[index] == samples[index + 2])
      }
      if found == 2 { break }
    }
    #expect(found > 0)
  }
}

import DiceImaging
import TestSupport
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
      expectEqual(first, second)
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
    expectEqual(checksums.count, 24)
    let low = means.min() ?? 0
    let high = means.max() ?? 0
    #expect(high - low > 40, "brightness varies from \(low) to \(high)")
  }

  @Test(arguments: [(1, 1), (1, 300), (300, 1), (17, 33), (200, 64)])
  func anySizeIsDrawn(width: Int, height: Int) {
    let rendered = SceneRenderer.render(
      .random(seed: 5, options: .training), width: width, height: height)
    #expect(rendered.image.width == width && rendered.image.height == height)
    expectEqual(rendered.image.format, .rgb)
  }

  @Test func foolishOptionsAreBroughtIntoRange() {
    let options = SceneOptions(
      diceCount: -5...2, dieSize: 0...100000, cameraElevation: -90...500, hasDistractors: true,
      aspectRatio: .nan, style: .varied)
    for seed in 0..<12 {
      let scene = DiceScene.random(seed: UInt64(seed), options: options)
      #expect(scene.diceCount <= 2)
      let rendered = SceneRenderer.render(scene, width: 48, height: 48)
      expectEqual(rendered.image.samples.count, 48 * 48 * 3)
    }
  }

  @Test func hardNegativesAreManyAndNoneOfThemIsADie() {
    var things = 0
    for seed in 0..<20 {
      let scene = DiceScene.random(seed: UInt64(seed), options: .hardNegatives)
      expectEqual(scene.diceCount, 0)
      things += scene.props.count + scene.decals.count
      let rendered = SceneRenderer.render(scene, width: 40, height: 40)
      #expect(rendered.dice.isEmpty)
    }
    #expect(things > 60)
  }

  /// Counts the pips on the top face as blobs that differ from the face's most common colour.
  private func pipCount(_ scene: DiceScene, _ image: PixelImage) -> Int {
    let width = image.width
    let height = image.height
    let labels = SceneRenderer.labels(of: scene, width: width, height: height)
    func colour(_ index: Int) -> SIMD3<Float> {
      SIMD3(
        Float(image.samples[index * 3]), Float(image.samples[index * 3 + 1]),
        Float(image.samples[index * 3 + 2]))
    }
    // Pixels of the top face that are not at its rim.
    // Far enough inside to leave out the bevel, which is shaded unlike the face.
    let reach = 4
    var inner: [Int] = []
    for y in reach..<(height - reach) {
      for x in reach..<(width - reach) {
        let isInner = [(-reach, -reach), (reach, -reach), (-reach, reach), (reach, reach)]
          .allSatisfy { labels[(y + $0.1) * width + x + $0.0] & 1 == 1 }
        if isInner { inner.append(y * width + x) }
      }
    }
    // Pips cover less than half of a face: the median is the body's colour.
    var body = SIMD3<Float>()
    for channel in 0..<3 {
      body[channel] = inner.map { colour($0)[channel] }.sorted()[inner.count / 2]
    }
    func difference(_ index: Int) -> Float {
      let d = colour(index) - body
      return (d * d).sum().squareRoot()
    }
    let limit = (inner.map(difference).max() ?? 0) * 0.5
    var isPip = [Bool](repeating: false, count: width * height)
    for index in inner { isPip[index] = difference(index) > limit }
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
      if size > inner.count / 250 { blobs += 1 }
    }
    return blobs
  }

  @Test func pipsCountedInThePictureGiveTheValue() throws {
    let options = SceneOptions(
      diceCount: 1...1, dieSize: 150...150, cameraElevation: 90...90, hasDistractors: false,
      style: .plain)
    var seen: [Int: Int] = [:]
    for seed in 0..<24 {
      let scene = DiceScene.random(seed: UInt64(seed), options: options)
      let rendered = SceneRenderer.render(scene, width: 280, height: 280)
      let truth = try #require(rendered.dice.first)
      expectEqual(truth.visibility, 1)
      expectEqual(pipCount(scene, rendered.image), truth.value, "seed \(seed)")
      seen[truth.value, default: 0] += 1
    }
    expectEqual(seen.count, 6, "every value occurs")
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

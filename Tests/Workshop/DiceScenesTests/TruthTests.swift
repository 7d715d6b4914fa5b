import DiceGeometry
import TestSupport
import Testing

@testable import DiceScenes

/// The extent of a label in a picture of labels.
private struct LabelExtent {
  var minX = Int.max
  var minY = Int.max
  var maxX = Int.min
  var maxY = Int.min
  var count = 0

  mutating func include(_ x: Int, _ y: Int) {
    minX = min(minX, x)
    minY = min(minY, y)
    maxX = max(maxX, x)
    maxY = max(maxY, y)
    count += 1
  }
}

@Suite struct TruthTests {
  /// Boxes from a picture of labels that is `factor` times larger, in pixels of the small one.
  private func extents(of scene: DiceScene, width: Int, height: Int, factor: Int)
    -> (top: [LabelExtent], whole: [LabelExtent])
  {
    let labels = SceneRenderer.labels(of: scene, width: width * factor, height: height * factor)
    var top = [LabelExtent](repeating: LabelExtent(), count: scene.diceCount)
    var whole = top
    for y in 0..<(height * factor) {
      for x in 0..<(width * factor) {
        let label = labels[y * width * factor + x]
        guard label > 0 else { continue }
        whole[label / 2 - 1].include(x, y)
        if label & 1 == 1 { top[label / 2 - 1].include(x, y) }
      }
    }
    return (top, whole)
  }

  private func differs(_ box: BoundingBox, _ extent: LabelExtent, factor: Int) -> Double {
    let scale = Double(factor)
    return max(
      max(
        abs(box.minX - Double(extent.minX) / scale), abs(box.minY - Double(extent.minY) / scale)),
      max(
        abs(box.maxX - Double(extent.maxX + 1) / scale),
        abs(box.maxY - Double(extent.maxY + 1) / scale)))
  }

  @Test(arguments: [UInt64(1), 7, 16, 23, 31, 40, 58, 66, 71, 90])
  func boxesAreWithinOnePixelOfABruteForceRender(seed: UInt64) throws {
    let scene = DiceScene.random(seed: seed, options: .training)
    try check(scene, width: 320, height: 320)
  }

  @Test(arguments: [UInt64(3), 4, 5, 6])
  func boxesOfWidePicturesAreWithinOnePixelOfABruteForceRender(seed: UInt64) throws {
    var options = SceneOptions.training
    options.aspectRatio = 1.6
    options.diceCount = 3...25
    let scene = DiceScene.random(seed: seed, options: options)
    try check(scene, width: 320, height: 200)
  }

  @Test(arguments: [Float(-0.014), 0.011])
  func boxesFollowTheRollOfTheCamera(turns: Float) throws {
    for seed: UInt64 in [7, 31] {
      let level = DiceScene.random(seed: seed, options: .training)
      var rolled = level
      let turn = Rotation.turn(about: level.camera.forward, turns: turns)
      rolled.camera.right = turn.toWorld(level.camera.right)
      rolled.camera.down = turn.toWorld(level.camera.down)
      try check(rolled, width: 320, height: 320)
      let before = SceneRenderer.truths(of: level, width: 320, height: 320)
      let after = SceneRenderer.truths(of: rolled, width: 320, height: 320)
      #expect(before.map { $0.topFace } != after.map { $0.topFace })
    }
  }

  @Test func mostSlantedCamerasAreHeldAFewDegreesOffTheLevel() {
    var options = SceneOptions.training
    options.cameraElevation = 30...70
    var few = 0
    var sides: Set<Bool> = []
    for seed in 0..<100 {
      let camera = DiceScene.random(seed: UInt64(seed), options: options).camera
      // How far the picture's horizontal rises, over how far it could.
      let slope = camera.right.z / (1 - camera.forward.z * camera.forward.z).squareRoot()
      if abs(slope) > 0.005 && abs(slope) < 0.17 {
        few += 1
        sides.insert(slope > 0)
      }
    }
    #expect(few > 60, "\(few) of 100")
    expectEqual(sides.count, 2)
  }

  private func check(_ scene: DiceScene, width: Int, height: Int) throws {
    let factor = 3
    let (top, whole) = extents(of: scene, width: width, height: height, factor: factor)
    let truths = SceneRenderer.truths(of: scene, width: width, height: height)
    let values = scene.values
    // Truths come in the order of the dice, without those that cannot be seen.
    var next = 0
    var compared = 0
    for index in 0..<scene.diceCount {
      let hasTruth =
        next < truths.count && top[index].count > 0
        && differs(truths[next].topFace, top[index], factor: factor) < 1.01
      if hasTruth {
        let truth = truths[next]
        expectEqual(truth.value, values[index])
        #expect(
          differs(truth.wholeDie, whole[index], factor: factor) < 1.01,
          "die \(index): \(truth.wholeDie) \(whole[index])")
        next += 1
        compared += 1
      } else if top[index].count > 0 {
        Issue.record(
          "die \(index) is seen as \(top[index]) but \(next < truths.count ? "\(truths[next])" : "missing")"
        )
        next += 1
      }
    }
    #expect(compared > 0)
    expectEqual(next, truths.count)
  }

  @Test func boxesLieInsideThePicture() {
    var checked = 0
    for seed in 100..<140 {
      let scene = DiceScene.random(seed: UInt64(seed), options: .training)
      for truth in SceneRenderer.truths(of: scene, width: 160, height: 120) {
        for box in [truth.topFace, truth.wholeDie] {
          #expect(box.minX >= 0 && box.minY >= 0)
          #expect(box.maxX <= 160 && box.maxY <= 120)
          #expect(box.width > 0 && box.height > 0)
        }
        #expect(truth.wholeDie.minX <= truth.topFace.minX + 1e-6)
        #expect(truth.wholeDie.maxY >= truth.topFace.maxY - 1e-6)
        #expect((1...6).contains(truth.value))
        #expect(truth.visibility > 0 && truth.visibility <= 1)
        checked += 1
      }
    }
    #expect(checked > 100)
  }

  @Test func aDieAloneIsFullyVisibleAndItsBoxGrowsWithThePicture() throws {
    let options = SceneOptions(
      diceCount: 1...1, dieSize: 80...80, cameraElevation: 60...60, hasDistractors: false,
      style: .plain)
    let scene = DiceScene.random(seed: 9, options: options)
    let small = try #require(SceneRenderer.truths(of: scene, width: 320, height: 320).first)
    let large = try #require(SceneRenderer.truths(of: scene, width: 640, height: 640).first)
    expectEqual(small.visibility, 1)
    #expect(abs(large.topFace.width - 2 * small.topFace.width) < 0.5)
    #expect(abs(large.topFace.minY - 2 * small.topFace.minY) < 0.5)
    // About as large as asked for: 80 pixels where the picture is 640 wide, foreshortened in height.
    #expect(large.topFace.width > 60 && large.topFace.width < 130)
  }
}

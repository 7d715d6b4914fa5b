import TestSupport
import Testing

@testable import DiceScenes

@Suite struct LightTests {
  /// Calls a function for each pixel of a scene's picture that shows the ground.
  private func forEachGroundPixel(
    _ stage: Stage,
    _ body: (_ x: Int, _ y: Int, _ tile: (left: Int, top: Int), Candidates, Ray, Hit) -> Void
  ) {
    PictureTracer(stage).forEachTile { columns, rows, candidates in
      for y in rows {
        for x in columns {
          let ray = stage.camera.ray(Float(x) + 0.5, Float(y) + 0.5)
          let hit = stage.trace(ray, among: candidates.visible)
          guard hit.target == .ground else { continue }
          body(x, y, (columns.lowerBound, rows.lowerBound), candidates, ray, hit)
        }
      }
    }
  }

  @Test func interpolatedShadowsAreCloseToTracedOnes() {
    for seed: UInt64 in [2, 11, 12, 40] {
      let stage = Stage(.random(seed: seed, options: .training), width: 160, height: 160)
      var lights: [Int: TileLights] = [:]
      var sum: Float = 0
      var most: Float = 0
      var count: Float = 0
      forEachGroundPixel(stage) { x, y, tile, candidates, ray, hit in
        let place = ray.point(at: hit.distance)
        let key = tile.top * 1000 + tile.left
        var finder =
          lights[key]
          ?? TileLights(stage, left: tile.left, top: tile.top, candidates: candidates)
        let found = finder.light(column: x - tile.left, row: y - tile.top, at: place)
        lights[key] = finder
        let exact = stage.groundLight(at: place, candidates: candidates)
        let way = found.red - exact.red
        let difference = max(abs(found.open - exact.open), (way * way).max().squareRoot())
        sum += difference
        most = max(most, difference)
        count += 1
      }
      #expect(count > 0)
      #expect(sum / max(count, 1) < 0.004, "seed \(seed): \(sum / count) on average")
      #expect(most < 0.3, "seed \(seed): \(most) at most")
    }
  }

  @Test func interpolatedShadingIsCloseToThatOfEachPoint() {
    var covered = 0
    for seed: UInt64 in [2, 11, 12, 40] {
      let stage = Stage(.random(seed: seed, options: .training), width: 160, height: 160)
      var shadings: [Int: TileShading?] = [:]
      var sum: Float = 0
      var count: Float = 0
      forEachGroundPixel(stage) { x, y, tile, candidates, ray, hit in
        let key = tile.top * 1000 + tile.left
        let known =
          shadings[key]
          ?? TileShading(stage, left: tile.left, top: tile.top, candidates: candidates)
        shadings[key] = known
        guard let shading = known else { return }
        let point = stage.groundPoint(ray, distance: hit.distance, candidates: candidates)
        var relief = point.sample
        relief.gloss = max(relief.gloss, 0.02)
        relief.slope = Vector2(0.1, 0)
        // Highlights on it change from point to point.
        #expect(!shading.covers(relief))
        guard shading.covers(point.sample) else { return }
        let values = shading.row(Float(y - tile.top) + 0.5).values(Float(x - tile.left) + 0.5)
        let light = GroundLight.unhindered
        let found = stage.shadeEvenly(point.sample, occlusion: point.occlusion, light, values)
        let exact = stage.shade(point, light, candidates)
        let way = found - exact
        sum += length(way) / (length(exact) + 0.05)
        count += 1
        #expect(abs(values.sizes.y / hit.distance - 1) < 0.02)
      }
      guard count > 0 else { continue }
      covered += 1
      #expect(sum / count < 0.01, "seed \(seed): \(sum / count) on average")
    }
    #expect(covered > 1)
  }

  @Test func lampsInARowAreThoseOfTheScene() {
    let scene = DiceScene.random(seed: 8, options: .training)
    let stage = Stage(scene, width: 64, height: 64)
    let p = Vector3(0.4, -1.2, 0.3)
    let view = stage.lampRow.view(from: p)
    expectEqual(stage.lampRow.count, scene.lights.count)
    for (lane, light) in scene.lights.enumerated() {
      #expect(length(view.direction(lane) - normalized(light.position - p)) < 1e-5)
    }
    for lane in scene.lights.count..<4 {
      #expect(stage.lampRow.red[lane] == 0 && stage.lampRow.blue[lane] == 0)
    }
  }
}

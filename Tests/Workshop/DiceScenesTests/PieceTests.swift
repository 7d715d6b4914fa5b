import TestSupport
import Testing

@testable import DiceScenes

@Suite struct PieceTests {
  @Test func everyKindOccursAndOtherStylesHaveNone() {
    var kinds: Set<PieceKind> = []
    for seed in 0..<40 {
      let scene = DiceScene.random(seed: UInt64(seed), options: .gamePieces)
      kinds.formUnion(scene.pieces.map(\.kind))
      expectEqual(scene.diceCount, 0)
      expectEqual(Set(scene.pieces.map(\.prop)).count, scene.pieces.count)
      #expect(scene.pieces.allSatisfy { scene.props.indices.contains($0.prop) })
      #expect(DiceScene.random(seed: UInt64(seed), options: .training).pieces.isEmpty)
    }
    expectEqual(kinds, Set(PieceKind.ofGames))
    expectEqual(Set(PieceKind.allCases.map(\.label)).count, PieceKind.allCases.count)
  }

  /// What the picture's own rays meet, one for each pixel.
  private func seen(_ stage: Stage, _ prop: Int) -> (minX: Int, minY: Int, maxX: Int, maxY: Int)? {
    var found: (minX: Int, minY: Int, maxX: Int, maxY: Int)?
    let all = Array(stage.solids.indices)
    for y in 0..<stage.height {
      for x in 0..<stage.width {
        let hit = stage.trace(stage.camera.ray(Float(x) + 0.5, Float(y) + 0.5), among: all)
        guard hit.target == .solid, hit.index == stage.diceCount + prop else { continue }
        let old = found ?? (x, y, x, y)
        found = (min(old.minX, x), min(old.minY, y), max(old.maxX, x), max(old.maxY, y))
      }
    }
    return found
  }

  @Test func boxesEncloseWhatRaysMeet() throws {
    var compared = 0
    var hidden = 0
    for seed in 0..<6 {
      let scene = DiceScene.random(seed: UInt64(seed), options: .gamePieces)
      let stage = Stage(scene, width: 80, height: 80)
      let finder = TruthFinder(stage)
      for piece in scene.pieces {
        let truth = finder.truth(of: piece)
        guard let pixels = seen(stage, piece.prop) else {
          // Less than a pixel, or nothing.
          #expect((truth?.boundingBox.width ?? 0) < 2 || (truth?.boundingBox.height ?? 0) < 2)
          continue
        }
        let box = try #require(truth).boundingBox
        // A pixel's ray goes through its middle: what is seen reaches up to a pixel beyond.
        #expect(box.x <= Double(pixels.minX) + 0.5 && box.x > Double(pixels.minX) - 1.01)
        #expect(box.y <= Double(pixels.minY) + 0.5 && box.y > Double(pixels.minY) - 1.01)
        #expect(box.maxX >= Double(pixels.maxX) + 0.5 && box.maxX < Double(pixels.maxX) + 2.01)
        #expect(box.maxY >= Double(pixels.maxY) + 0.5 && box.maxY < Double(pixels.maxY) + 2.01)
        compared += 1
        if let truth, truth.visibility < 1 { hidden += 1 }
      }
    }
    #expect(compared > 15 && hidden > 0, "\(compared), \(hidden) in part")
  }

  @Test func renderedScenesSayWhatIsInThem() {
    let scene = DiceScene.random(seed: 2, options: .gamePieces)
    let rendered = SceneRenderer.render(scene, width: 64, height: 48)
    #expect(rendered.dice.isEmpty && !rendered.pieces.isEmpty)
    for piece in rendered.pieces {
      #expect(piece.visibility > 0 && piece.visibility <= 1)
      #expect(piece.boundingBox.x >= 0 && piece.boundingBox.maxX <= 64)
      #expect(piece.boundingBox.y >= 0 && piece.boundingBox.maxY <= 48)
      #expect(!piece.boundingBox.isEmpty)
    }
  }

  @Test func distanceToAPawnIsNoMoreThanTheWayToIt() {
    let body = Body(kind: .pawn, extent: Vector3(0.45, 0.45, 0.7), rounding: 0)
    var random = SceneRandom(seed: 4)
    var hits = 0
    for _ in 0..<400 {
      let start = Vector3(random.number(-2, 2), random.number(-2, 2), random.number(-2, 2))
      let goal = Vector3(
        random.number(-0.4, 0.4), random.number(-0.4, 0.4), random.number(-0.7, 0.7))
      guard body.distance(start) > 0 else { continue }
      let direction = normalized(goal - start)
      guard let way = body.firstHit(from: start, along: direction, speed: 1) else { continue }
      #expect(body.distance(start) <= way + 1e-3)
      // Rays that graze it end a little before it.
      #expect(body.distance(start + direction * way) < 2e-2)
      hits += 1
    }
    #expect(hits > 200, "\(hits)")
  }
}

internal import DiceImaging
internal import DiceGeometry

/// Draws scenes by ray tracing on the processor.
///
/// One ray a pixel, more where neighbouring pixels differ; solids are found by sphere tracing
/// inside tiles of the picture that they can touch. Deterministic and free of shared state: render
/// several scenes at once from several threads.
public enum SceneRenderer {
  /// Draws a scene and computes its ground truth.
  ///
  /// - Parameters:
  ///   - width: columns of the picture; the scene's camera fits the longer side of any size.
  ///   - height: rows of the picture.
  /// - Precondition: both are within 1 ... 8192.
  /// - Complexity: about `width * height`.
  public static func render(_ scene: DiceScene, width: Int, height: Int) -> RenderedScene {
    precondition(
      (1...8192).contains(width) && (1...8192).contains(height),
      "a picture has 1 to 8192 rows and columns")
    let stage = Stage(scene, width: width, height: height)
    let field = PictureTracer(stage).light()
    let samples = scene.effects.develop(field, seed: scene.seed)
    let finder = TruthFinder(stage)
    let dice = finder.indexedTruths().map { index, truth in
      var truth = truth
      truth.legibility = finder.legibility(ofDie: index, samples: samples)
      return truth
    }
    let image = PixelImage(width: width, height: height, format: .rgb, samples: samples)
    return RenderedScene(
      image: image, dice: dice,
      pieces: scene.pieces.compactMap { finder.truth(of: $0, samples: samples) })
  }

  /// The ground truth of a scene at a picture size, without drawing it.
  ///
  /// - Precondition: both sizes are within 1 ... 8192.
  public static func truths(of scene: DiceScene, width: Int, height: Int) -> [DieTruth] {
    precondition(
      (1...8192).contains(width) && (1...8192).contains(height),
      "a picture has 1 to 8192 rows and columns")
    return TruthFinder(Stage(scene, width: width, height: height)).truths()
  }

  /// For each pixel's centre, which die is seen there and whether its top face is.
  ///
  /// An element is 0 where no die is seen, else `2 * (index + 1)` for the die's index in the scene,
  /// plus 1 on its top face. Rows from top to bottom, `width * height` elements.
  ///
  /// - Precondition: both sizes are within 1 ... 8192.
  public static func labels(of scene: DiceScene, width: Int, height: Int) -> [Int] {
    precondition(
      (1...8192).contains(width) && (1...8192).contains(height),
      "a picture has 1 to 8192 rows and columns")
    let stage = Stage(scene, width: width, height: height)
    var labels = [Int](repeating: 0, count: width * height)
    PictureTracer(stage).forEachTile { columns, rows, candidates in
      for y in rows {
        for x in columns {
          let ray = stage.camera.ray(Float(x) + 0.5, Float(y) + 0.5)
          let hit = stage.trace(ray, among: candidates.visible)
          guard hit.target == .solid, hit.index < stage.diceCount else { continue }
          let local = stage.solids[hit.index].toLocal(ray.point(at: hit.distance))
          labels[y * width + x] =
            2 * (hit.index + 1) + (stage.isTopFace(hit.index, local: local) ? 1 : 0)
        }
      }
    }
    return labels
  }
}

public import DiceGeometry

/// What is true of one game piece in a picture.
public struct PieceTruth: Hashable, Sendable {
  /// What it is.
  public var kind: PieceKind
  /// The box of what can be seen of it, in pixels with the origin at the top-left corner, inside the
  /// picture; right to half a pixel.
  public var boundingBox: BoundingBox
  /// The share of its outline that can be seen, above 0 and at most 1: what is hidden by another
  /// thing or lies beyond the border of the picture is missing.
  public var visibility: Double
  /// What counts on a die with numerals; nil for other pieces, and where nothing of it can be seen.
  public var numeral: NumeralTruth?

  /// The truth about one piece.
  public init(
    kind: PieceKind, boundingBox: BoundingBox, visibility: Double, numeral: NumeralTruth? = nil
  ) {
    self.kind = kind
    self.boundingBox = boundingBox
    self.visibility = visibility
    self.numeral = numeral
  }
}

extension TruthFinder {
  /// Pixels from one tried ray to the next.
  private static var step: Float { 0.5 }

  /// The truth about a piece, nil where nothing of it can be seen.
  ///
  /// Rays through points of the picture, half a pixel apart, are followed to the piece.
  ///
  /// - Parameters:
  ///   - samples: the picture, `[height, width, 3]`, which says how legible numerals are; without one
  ///     nothing is said of them.
  /// - Complexity: O(pixels of the piece), four rays for each.
  func truth(of piece: ScenePiece, samples: [UInt8]? = nil) -> PieceTruth? {
    let index = stage.diceCount + piece.prop
    guard stage.solids.indices.contains(index), let limits = limits(of: stage.solids[index])
    else { return nil }
    let solid = stage.solids[index]
    let blockers = blockers(of: index)
    let step = Self.step
    var (whole, seen) = (0, 0)
    var box = PixelBounds()
    var top = samples == nil ? nil : NumeralFinder(solid, stage.scene)
    for y in stride(from: limits.minY + step / 2, to: limits.maxY, by: step) {
      for x in stride(from: limits.minX + step / 2, to: limits.maxX, by: step) {
        let ray = stage.camera.ray(x, y)
        guard let distance = solid.firstHit(ray) else { continue }
        whole += 1
        let point = ray.point(at: distance)
        let isSeen = isInside(Vector2(x, y)) && !isHidden(point - ray.origin, blockers)
        top?.count(point, seenAt: isSeen ? Vector2(x, y) : nil, step: step)
        guard isSeen else { continue }
        seen += 1
        box.include(Vector2(x - step / 2, y - step / 2))
        box.include(Vector2(x + step / 2, y + step / 2))
      }
    }
    guard seen > 0 else { return nil }
    return PieceTruth(
      kind: piece.kind, boundingBox: box.boundingBox(width: stage.width, height: stage.height),
      visibility: Double(seen) / Double(whole),
      numeral: top.flatMap { numeral($0, blockers: blockers, samples: samples ?? []) })
  }

  /// Whole pixels around the sphere that holds a solid; nil where that is behind the camera.
  ///
  /// They reach beyond the picture by one of its sizes at most.
  private func limits(of solid: Solid) -> PixelBounds? {
    var box = PixelBounds()
    let radius = solid.boundingRadius * 1.05
    for x: Float in [-1, 0, 1] {
      for y: Float in [-1, 0, 1] {
        for z: Float in [-1, 0, 1] {
          let corner = solid.center + Vector3(x, y, z) * radius
          guard let pixel = stage.camera.project(corner) else { return nil }
          box.include(pixel)
        }
      }
    }
    let (width, height) = (Float(stage.width), Float(stage.height))
    box.minX = max(box.minX - 1, -width).rounded(.down)
    box.minY = max(box.minY - 1, -height).rounded(.down)
    box.maxX = min(box.maxX + 1, 2 * width).rounded(.up)
    box.maxY = min(box.maxY + 1, 2 * height).rounded(.up)
    return box.isValid ? box : nil
  }
}

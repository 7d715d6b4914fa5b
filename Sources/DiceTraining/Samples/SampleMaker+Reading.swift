internal import DiceGeometry
internal import DiceKernelTemplates
internal import DiceWeights

/// Samples for a reader: places where a die is, or might be thought to be, scaled so that it would
/// have the size that readers expect.
///
/// Half of the samples show what a detector proposed, and nearly all of those from pictures without
/// dice; of the others most lie around a die, rightly placed or beside it, and the rest anywhere. What a sample shows, and whether it counts as a die,
/// follows from the truth alone (``DetectionLoss/assignForReading(_:)``).
extension SampleMaker {
  /// A place in a picture and the length, in its pixels, that is shown as one die.
  private struct Spot {
    var x: Float
    var y: Float
    var side: Float
  }

  /// Puts a spot of the picture into the middle of the sample.
  func placeForReading(
    _ picture: TrainingPicture, in tile: Tile, using random: inout TrainingRandom
  ) -> Placement {
    let spot = spot(of: picture, using: &random)
    let angle = angle(
      quarter: augmentation.quarterTurns ? random.index(4) : 0, using: &random)
    return Placement(
      source: (spot.x, spot.y),
      target: (Float(tile.columns.count) / 2, Float(tile.rows.count) / 2), angle: angle,
      scale: NetworkDescription.readerDieSide / spot.side, stretch: stretch(using: &random),
      isMirrored: random.chance(augmentation.flip))
  }

  /// The ruler that tells how far down in its picture the place in a sample's middle lies.
  ///
  /// Not exactly: a place that always had the same mark would be known by it.
  func ruler(
    of placement: Placement, _ picture: TrainingPicture, height: Int,
    using random: inout TrainingRandom
  ) -> PlaceRuler {
    let (pictureWidth, pictureHeight) = (Float(picture.width), Float(picture.height))
    let down = placement.inverted(
      placement.sourceX - pictureWidth / 2, placement.sourceY - pictureHeight / 2
    ).y
    let share = placement.step / max(pictureWidth, pictureHeight)
    return PlaceRuler(
      y: random.chance(augmentation.placeLoss)
        ? random.between(-0.5, 0.5)
        : down * share + random.between(-augmentation.placeShift, augmentation.placeShift),
      height: height)
  }

  /// Draws a ruler over the left edge of a sample whose pixels are 0...1.
  func draw(_ ruler: PlaceRuler, into map: FeatureMap, index: Int) {
    ruler.forEachPixel { (column, row, value) in
      map.row(row, of: index).store(
        SIMD4<Float>(value, value, value, 0), at: column * map.pixelStep)
    }
  }

  private func spot(of picture: TrainingPicture, using random: inout TrainingRandom) -> Spot {
    let kind = random.unit()
    if kind < (picture.truths.isEmpty ? 0.9 : 0.5), !picture.proposals.isEmpty {
      let box = picture.proposals[random.index(picture.proposals.count)]
      return spot(
        x: Float(box.centerX), y: Float(box.centerY), side: Float(max(box.width, box.height)),
        nearest: 0, farthest: 0.1, size: 1.15, using: &random)
    }
    if kind < 0.92, !picture.truths.isEmpty {
      let die = picture.truths[random.index(picture.truths.count)]
      // A third lies beside the die, where its sides are.
      let isBeside = random.chance(0.35)
      return spot(
        x: die.centerX, y: die.centerY, side: max(die.width, die.height),
        nearest: isBeside ? 0.5 : 0, farthest: isBeside ? 1.1 : 0.33, size: 1.5, using: &random)
    }
    let longest = Float(max(picture.width, picture.height))
    return Spot(
      x: random.unit() * Float(picture.width), y: random.unit() * Float(picture.height),
      side: longest * 0.02 * power(15, random.unit()))
  }

  /// A spot around a box.
  ///
  /// - Parameters:
  ///   - nearest: the least distance along the axis on which it is farther, in sides of the box.
  ///   - farthest: the greatest.
  ///   - size: the greatest factor between the spot's side and the box's, either way.
  private func spot(
    x: Float, y: Float, side: Float, nearest: Float, farthest: Float, size: Float,
    using random: inout TrainingRandom
  ) -> Spot {
    let reach = random.between(nearest, farthest) * (random.chance(0.5) ? 1 : -1)
    let across = random.between(-abs(reach), abs(reach))
    let isHorizontal = random.chance(0.5)
    let bound = naturalLogarithm(size)
    return Spot(
      x: x + side * (isHorizontal ? reach : across), y: y + side * (isHorizontal ? across : reach),
      side: max(2, side * exponential(random.between(-bound, bound))))
  }
}

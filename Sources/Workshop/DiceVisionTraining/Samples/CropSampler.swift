internal import DiceDetection
internal import DiceGeometry
internal import DiceKernelTemplates
internal import DiceTraining

/// Makes varied crops for a second-stage classifier: places where a die is, or might be thought to be,
/// scaled so that it would have the size that the classifier expects.
///
/// Half of the samples show what a detector proposed, and nearly all of those from pictures without
/// dice; of the others most lie around a die, rightly placed or beside it, and the rest anywhere. What
/// a sample shows, and whether it counts as a die, follows from the truth alone (``CropAssignment``).
struct CropSampler {
  let augmentation: Augmentation
  /// How long the longer side of a die is in the classifier's input, in pixels.
  let dieSide: Float
  let rules: PixelRules

  /// The middle of a crop in a picture and the length, in its pixels, that is shown as one die.
  struct Spot {
    var x: Double
    var y: Double
    var side: Double
  }

  /// Fills a sample and returns its dice.
  ///
  /// - Parameter pick: draws a picture; called again where nobody could read what is in the middle.
  func make(
    into input: SampleInput, using random: inout TrainingRandom,
    pick: (inout TrainingRandom) -> TrainingPicture
  ) -> [TruthBox] {
    var picture = pick(&random)
    var spot = spot(of: picture, using: &random)
    for _ in 0..<4 where isUnreadable(picture, at: spot) {
      picture = pick(&random)
      spot = self.spot(of: picture, using: &random)
    }
    return draw(picture, around: spot, into: input, using: &random)
  }

  /// Whether the die in the middle is one that nobody can read, so that the sample would count for nothing.
  private func isUnreadable(_ picture: TrainingPicture, at spot: Spot) -> Bool {
    var nearest = spot.side * Double(CropAssignment.beyondReach)
    var isUnreadable = false
    for truth in picture.truths {
      let distance = max(
        abs(Double(truth.centerX) - spot.x), abs(Double(truth.centerY) - spot.y))
      guard distance < nearest else { continue }
      nearest = distance
      isUnreadable = truth.classIndex == nil
    }
    return isUnreadable
  }

  /// Fills a sample with what lies around a spot of a picture, varied, and returns its dice.
  func draw(
    _ picture: TrainingPicture, around spot: Spot, into input: SampleInput,
    using random: inout TrainingRandom
  ) -> [TruthBox] {
    let canvas = SampleCanvas(input)
    let tile = MosaicTile(columns: 0..<input.width, rows: 0..<input.height)
    let placement = place(spot, in: tile, using: &random)
    let change = ColorChange(augmentation, using: &random)
    if placement.step > 0.5, random.chance(augmentation.coarseness), let half = picture.half {
      canvas.draw(
        half, at: placement.halved, in: tile, change, paddingValue: rules.paddingValue)
    } else {
      canvas.draw(picture, at: placement, in: tile, change, paddingValue: rules.paddingValue)
    }
    var truths: [TruthBox] = []
    for truth in picture.truths {
      let box = placement.transform(truth, in: tile) { (visibleShare, _) in
        // What a crop shows was enlarged: what counts is the size in the picture.
        visibleShare >= augmentation.minimumVisibility
          && max(truth.width, truth.height) >= augmentation.minimumSide
      }
      if let box { truths.append(box) }
    }
    canvas.degrade(augmentation, using: &random)
    canvas.normalize(rules)
    return truths
  }

  /// Puts a spot of a picture into the middle of the sample.
  private func place(
    _ spot: Spot, in tile: MosaicTile, using random: inout TrainingRandom
  ) -> Placement {
    let angle = augmentation.angle(
      quarter: augmentation.quarterTurns ? random.index(4) : 0, using: &random)
    return Placement(
      source: (spot.x, spot.y),
      target: (Double(tile.columns.count) / 2, Double(tile.rows.count) / 2), angle: angle,
      scale: Double(dieSide) / spot.side, stretch: augmentation.stretch(using: &random),
      isMirrored: random.chance(augmentation.flip))
  }

  private func spot(of picture: TrainingPicture, using random: inout TrainingRandom) -> Spot {
    let kind = random.unit()
    if kind < (picture.truths.isEmpty ? 0.9 : 0.5), !picture.proposals.isEmpty {
      let box = picture.proposals[random.index(picture.proposals.count)]
      return spot(
        x: box.midX, y: box.midY, side: max(box.width, box.height),
        nearest: 0, farthest: 0.1, size: 1.15, using: &random)
    }
    if kind < 0.92, !picture.truths.isEmpty {
      let die = picture.truths[random.index(picture.truths.count)]
      // A third lies beside the die, where its sides are.
      let isBeside = random.chance(0.35)
      return spot(
        x: Double(die.centerX), y: Double(die.centerY), side: Double(max(die.width, die.height)),
        nearest: isBeside ? 0.5 : 0, farthest: isBeside ? 1.1 : 0.33, size: 1.5, using: &random)
    }
    let longest = Double(max(picture.width, picture.height))
    return Spot(
      x: Double(random.unit()) * Double(picture.width),
      y: Double(random.unit()) * Double(picture.height),
      side: longest * 0.02 * Double(power(15, random.unit())))
  }

  /// A spot around a box.
  ///
  /// - Parameters:
  ///   - nearest: the least distance along the axis on which it is farther, in sides of the box.
  ///   - farthest: the greatest.
  ///   - size: the greatest factor between the spot's side and the box's, either way.
  private func spot(
    x: Double, y: Double, side: Double, nearest: Float, farthest: Float, size: Float,
    using random: inout TrainingRandom
  ) -> Spot {
    let reach = random.between(nearest, farthest) * (random.chance(0.5) ? 1 : -1)
    let across = random.between(-abs(reach), abs(reach))
    let isHorizontal = random.chance(0.5)
    let bound = naturalLogarithm(size)
    return Spot(
      x: x + side * Double(isHorizontal ? reach : across),
      y: y + side * Double(isHorizontal ? across : reach),
      side: max(2, side * Double(exponential(random.between(-bound, bound)))))
  }
}

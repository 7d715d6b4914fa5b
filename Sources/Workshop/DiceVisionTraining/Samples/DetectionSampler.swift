internal import DiceKernelTemplates
internal import DiceTraining

/// Makes varied samples of whole pictures, of parts of pictures and of four pictures in one: pixels
/// into the network's input, dice into its pixels.
struct DetectionSampler {
  var augmentation: Augmentation
  /// The side of the network's input that scale 1 fits a picture into; a sample may be smaller and
  /// then shows a part.
  let referenceSide: Int
  let rules: PixelRules

  /// Fills a sample and returns its dice.
  ///
  /// - Parameter pick: draws a picture; called once, or four times for a mosaic.
  func make(
    into input: SampleInput, using random: inout TrainingRandom,
    pick: (inout TrainingRandom) -> TrainingPicture
  ) -> [TruthBox] {
    let canvas = SampleCanvas(input)
    var truths: [TruthBox] = []
    for tile in tiles(width: input.width, height: input.height, using: &random) {
      let picture = pick(&random)
      let placement = place(picture, in: tile, using: &random)
      let change = ColorChange(augmentation, using: &random)
      canvas.draw(picture, at: placement, in: tile, change, paddingValue: rules.paddingValue)
      for truth in picture.truths {
        let box = placement.transform(truth, in: tile) { (visibleShare, side) in
          visibleShare >= augmentation.minimumVisibility && side >= augmentation.minimumSide
        }
        if let box { truths.append(box) }
      }
    }
    canvas.degrade(augmentation, using: &random)
    canvas.normalize(rules)
    return truths
  }

  private func tiles(width: Int, height: Int, using random: inout TrainingRandom) -> [MosaicTile] {
    guard random.chance(augmentation.mosaic) else {
      return [MosaicTile(columns: 0..<width, rows: 0..<height)]
    }
    let column = Int(Float(width) * random.between(0.3, 0.7))
    let row = Int(Float(height) * random.between(0.3, 0.7))
    return [
      MosaicTile(columns: 0..<column, rows: 0..<row),
      MosaicTile(columns: column..<width, rows: 0..<row),
      MosaicTile(columns: 0..<column, rows: row..<height),
      MosaicTile(columns: column..<width, rows: row..<height),
    ]
  }

  private func place(
    _ picture: TrainingPicture, in tile: MosaicTile, using random: inout TrainingRandom
  ) -> Placement {
    let (width, height) = (Double(picture.width), Double(picture.height))
    let (tileWidth, tileHeight) = (Double(tile.columns.count), Double(tile.rows.count))
    let quarter = augmentation.quarterTurns ? random.index(4) : 0
    let angle = augmentation.angle(quarter: quarter, using: &random)
    let turned = quarter % 2 == 1
    let side = Double(referenceSide)
    let fit = min(side / width, side / height)
    let (low, high) = (augmentation.scale.lowerBound, augmentation.scale.upperBound)
    let scale =
      fit * Double(low < high ? low * power(high / low, random.unit()) : low)
    let stretch = augmentation.stretch(using: &random)
    let isMirrored = random.chance(augmentation.flip)
    let shownWidth = (turned ? height : width) * scale
    let shownHeight = (turned ? width : height) * scale
    let freeX = abs(tileWidth - shownWidth) / 2
    let freeY = abs(tileHeight - shownHeight) / 2
    let isFixed = low == high && augmentation.rotation == 0
    /// A random value no greater than a bound, either way.
    func within(_ bound: Double) -> Double { bound * Double(random.between(-1, 1)) }
    var shiftX = isFixed ? 0 : within(freeX)
    var shiftY = isFixed ? 0 : within(freeY)
    // Where a part of the picture is shown, it is mostly one with a die: the die's centre, less
    // that of the picture, is brought to a random place of the tile.
    if !picture.truths.isEmpty, shownWidth > tileWidth || shownHeight > tileHeight,
      random.chance(augmentation.dieInView)
    {
      let die = picture.truths[random.index(picture.truths.count)]
      let turn = Placement(
        source: (0, 0), target: (0, 0), angle: angle, scale: scale, stretch: stretch,
        isMirrored: isMirrored)
      let (x, y) = turn.inverted(Double(die.centerX) - width / 2, Double(die.centerY) - height / 2)
      if shownWidth > tileWidth { shiftX = within(0.4 * tileWidth) - x }
      if shownHeight > tileHeight { shiftY = within(0.4 * tileHeight) - y }
    }
    return Placement(
      source: (width / 2, height / 2),
      target: (
        Double(tile.columns.lowerBound) + tileWidth / 2 + shiftX,
        Double(tile.rows.lowerBound) + tileHeight / 2 + shiftY
      ), angle: angle, scale: scale, stretch: stretch, isMirrored: isMirrored)
  }
}

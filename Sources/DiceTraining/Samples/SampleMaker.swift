internal import DiceGeometry
internal import DiceKernelTemplates

/// Makes varied samples from pictures: pixels into the network's input map, dice into its pixels.
struct SampleMaker {
  /// What the samples are for.
  let task: TrainingTask
  var augmentation: Augmentation
  /// The side of the network's input that scale 1 fits a picture into; a sample may be smaller and
  /// then shows a part.
  let referenceSide: Int
  /// The sample that fills what no picture covers, 0...255.
  let paddingValue: UInt8
  /// The factor and offset of each channel, as in the weight file's input rules.
  let scales: SIMD3<Float>
  let biases: SIMD3<Float>
  /// Whether blue comes first in the network's input.
  let isBlueFirst: Bool

  /// A rectangle of the input, in whole pixels.
  struct Tile {
    var columns: Range<Int>
    var rows: Range<Int>
  }

  /// Fills picture `index` of the input map and returns its dice.
  ///
  /// - Parameter pick: draws a picture; called once, or four times for a mosaic. A sample for a
  ///   reader shows one place of one picture.
  func make(
    into map: FeatureMap, index: Int, using random: inout TrainingRandom,
    pick: (inout TrainingRandom) -> TrainingPicture
  ) -> [TruthBox] {
    var truths: [TruthBox] = []
    var ruler: PlaceRuler?
    for tile in tiles(width: map.width, height: map.height, using: &random) {
      let picture = pick(&random)
      let placement =
        switch task {
        case .detection: place(picture, in: tile, using: &random)
        case .reading: placeForReading(picture, in: tile, using: &random)
        }
      if task == .reading {
        ruler = self.ruler(of: placement, picture, height: map.height, using: &random)
      }
      let change = ColorChange(augmentation, using: &random)
      if task == .reading, placement.step > 0.5, random.chance(augmentation.coarseness),
        let half = picture.half
      {
        draw(half, placement.halved, tile, change, into: map, index: index)
      } else {
        draw(picture, placement, tile, change, into: map, index: index)
      }
      for truth in picture.truths {
        if let box = transform(truth, placement, tile) { truths.append(box) }
      }
    }
    if random.chance(augmentation.blur) { blur(map, index: index) }
    if random.chance(augmentation.noise) {
      addNoise(
        map, index: index, deviation: random.unit() * augmentation.noiseDeviation,
        using: &random)
    }
    if let ruler { draw(ruler, into: map, index: index) }
    normalize(map, index: index)
    return truths
  }

  private func tiles(width: Int, height: Int, using random: inout TrainingRandom) -> [Tile] {
    guard task == .detection, random.chance(augmentation.mosaic) else {
      return [Tile(columns: 0..<width, rows: 0..<height)]
    }
    let column = Int(Float(width) * random.between(0.3, 0.7))
    let row = Int(Float(height) * random.between(0.3, 0.7))
    return [
      Tile(columns: 0..<column, rows: 0..<row), Tile(columns: column..<width, rows: 0..<row),
      Tile(columns: 0..<column, rows: row..<height),
      Tile(columns: column..<width, rows: row..<height),
    ]
  }

  // MARK: Placement

  /// The map from the input to the picture, and its inverse's linear part.
  ///
  /// `picture = [a b; c d] (input - target) + source`
  struct Placement {
    var a: Float
    var b: Float
    var c: Float
    var d: Float
    var targetX: Float
    var targetY: Float
    var sourceX: Float
    var sourceY: Float
    /// Picture pixels for each input pixel.
    var step: Float

    /// The placement that turns the picture by `angle` about `source`, scales it, and brings
    /// `source` to `target`: `input = R(angle) S (picture - source) + target`.
    ///
    /// - Parameters:
    ///   - scale: input pixels for each picture pixel.
    ///   - stretch: by how much more the width is scaled than the height.
    ///   - isMirrored: whether left and right change sides before the turn.
    init(
      source: (x: Float, y: Float), target: (x: Float, y: Float), angle: Float, scale: Float,
      stretch: Float, isMirrored: Bool
    ) {
      let root = stretch.squareRoot()
      let (scaleX, scaleY) = (scale * root * (isMirrored ? -1 : 1), scale / root)
      let (cosAngle, sinAngle) = (cosine(angle), sine(angle))
      (a, b) = (cosAngle / scaleX, sinAngle / scaleX)
      (c, d) = (-sinAngle / scaleY, cosAngle / scaleY)
      (targetX, targetY) = target
      (sourceX, sourceY) = source
      step = 1 / scale
    }

    /// Where the linear part's inverse brings a vector of the picture, in the input.
    func inverted(_ x: Float, _ y: Float) -> (x: Float, y: Float) {
      let determinant = a * d - b * c
      return ((d * x - b * y) / determinant, (a * y - c * x) / determinant)
    }

    /// The same placement of a picture of half the width and height.
    var halved: Placement {
      var placement = self
      placement.a /= 2
      placement.b /= 2
      placement.c /= 2
      placement.d /= 2
      placement.sourceX /= 2
      placement.sourceY /= 2
      placement.step /= 2
      return placement
    }
  }

  /// A random turn: quarters and a little more, in radians.
  func angle(quarter: Int, using random: inout TrainingRandom) -> Float {
    Float(quarter) * .pi / 2
      + random.between(-augmentation.rotation, augmentation.rotation) * .pi / 180
  }

  /// By how much more the width is scaled than the height.
  func stretch(using random: inout TrainingRandom) -> Float {
    let bound = naturalLogarithm(max(1, augmentation.aspect))
    return exponential(random.between(-bound, bound))
  }

  private func place(
    _ picture: TrainingPicture, in tile: Tile, using random: inout TrainingRandom
  ) -> Placement {
    let (width, height) = (Float(picture.width), Float(picture.height))
    let (tileWidth, tileHeight) = (Float(tile.columns.count), Float(tile.rows.count))
    let quarter = augmentation.quarterTurns ? random.index(4) : 0
    let angle = angle(quarter: quarter, using: &random)
    let turned = quarter % 2 == 1
    let side = Float(referenceSide)
    let fit = min(side / width, side / height)
    let (low, high) = (augmentation.scale.lowerBound, augmentation.scale.upperBound)
    let scale =
      fit * (low < high ? low * power(high / low, random.unit()) : low)
    let stretch = stretch(using: &random)
    let isMirrored = random.chance(augmentation.flip)
    let shownWidth = (turned ? height : width) * scale
    let shownHeight = (turned ? width : height) * scale
    let freeX = abs(tileWidth - shownWidth) / 2
    let freeY = abs(tileHeight - shownHeight) / 2
    let isFixed = low == high && augmentation.rotation == 0
    var shiftX = isFixed ? 0 : random.between(-freeX, freeX)
    var shiftY = isFixed ? 0 : random.between(-freeY, freeY)
    // Where a part of the picture is shown, it is mostly one with a die: the die's centre, less
    // that of the picture, is brought to a random place of the tile.
    if !picture.truths.isEmpty, shownWidth > tileWidth || shownHeight > tileHeight,
      random.chance(augmentation.dieInView)
    {
      let die = picture.truths[random.index(picture.truths.count)]
      let turn = Placement(
        source: (0, 0), target: (0, 0), angle: angle, scale: scale, stretch: stretch,
        isMirrored: isMirrored)
      let (x, y) = turn.inverted(die.centerX - width / 2, die.centerY - height / 2)
      if shownWidth > tileWidth { shiftX = random.between(-0.4, 0.4) * tileWidth - x }
      if shownHeight > tileHeight { shiftY = random.between(-0.4, 0.4) * tileHeight - y }
    }
    return Placement(
      source: (width / 2, height / 2),
      target: (
        Float(tile.columns.lowerBound) + tileWidth / 2 + shiftX,
        Float(tile.rows.lowerBound) + tileHeight / 2 + shiftY
      ), angle: angle, scale: scale, stretch: stretch, isMirrored: isMirrored)
  }

  /// The box of a die in the input, or nil where too little is visible to be told from background.
  ///
  /// A die turned with its box keeps its extent along the axes as an ellipse does; the corners of a
  /// turned box would enclose far more than the die.
  func transform(
    _ truth: TrainingPicture.Truth, _ placement: Placement, _ tile: Tile
  ) -> TruthBox? {
    let (x, y) = placement.inverted(
      truth.centerX - placement.sourceX, truth.centerY - placement.sourceY)
    let (centerX, centerY) = (x + placement.targetX, y + placement.targetY)
    let ((ia, ic), (ib, id)) = (placement.inverted(1, 0), placement.inverted(0, 1))
    func extent(_ x: Float, _ y: Float) -> Float {
      (x * x * truth.width * truth.width + y * y * truth.height * truth.height).squareRoot()
    }
    let (width, height) = (extent(ia, ib), extent(ic, id))
    let left = max(centerX - width / 2, Float(tile.columns.lowerBound))
    let right = min(centerX + width / 2, Float(tile.columns.upperBound))
    let top = max(centerY - height / 2, Float(tile.rows.lowerBound))
    let bottom = min(centerY + height / 2, Float(tile.rows.upperBound))
    guard right - left > 1, bottom - top > 1 else { return nil }
    let visible = (right - left) * (bottom - top) / (width * height)
    guard visible > 0.1 else { return nil }
    // What a reader sees was enlarged: what counts there is the size in the picture.
    let side =
      task == .reading ? max(truth.width, truth.height) : max(width, height)
    let isReadable =
      visible >= augmentation.minimumVisibility && side >= augmentation.minimumSide
    return TruthBox(
      centerX: (left + right) / 2, centerY: (top + bottom) / 2, width: right - left,
      height: bottom - top, classIndex: isReadable ? truth.classIndex : nil,
      boxWeight: truth.boxWeight)
  }

  // MARK: Pixels, 0...1 until they are normalised

  private func draw(
    _ picture: TrainingPicture, _ placement: Placement, _ tile: Tile, _ change: ColorChange,
    into map: FeatureMap, index: Int
  ) {
    if placement.step >= 2, let half = picture.half {
      draw(half, placement.halved, tile, change, into: map, index: index)
      return
    }
    let padding = SIMD4<Float>(repeating: Float(paddingValue) / 255)
    let (width, height) = (Float(picture.width), Float(picture.height))
    // Four samples for each pixel where the picture is made smaller, else one.
    let isReduced = placement.step > 1.05
    let (quarterA, quarterB) = (placement.a / 4, placement.b / 4)
    let (quarterC, quarterD) = (placement.c / 4, placement.d / 4)
    for row in tile.rows {
      let target = map.row(row, of: index)
      let dy = Float(row) + 0.5 - placement.targetY
      for column in tile.columns {
        let dx = Float(column) + 0.5 - placement.targetX
        let x = placement.a * dx + placement.b * dy + placement.sourceX
        let y = placement.c * dx + placement.d * dy + placement.sourceY
        var color = padding
        if x >= 0, y >= 0, x < width, y < height {
          if isReduced {
            color = picture.color(x: x - quarterA - quarterB, y: y - quarterC - quarterD)
            color += picture.color(x: x + quarterA - quarterB, y: y + quarterC - quarterD)
            color += picture.color(x: x - quarterA + quarterB, y: y - quarterC + quarterD)
            color += picture.color(x: x + quarterA + quarterB, y: y + quarterC + quarterD)
            color *= 0.25
          } else {
            color = picture.color(x: x, y: y)
          }
          color = change(color * (1 / 255))
        }
        target.store(color, at: column * map.pixelStep)
      }
    }
  }

  /// A binomial blur of three by three pixels; the outermost pixels stay.
  private func blur(_ map: FeatureMap, index: Int) {
    typealias Pixel = SIMD4<Float>
    var above = [Pixel](repeating: .zero, count: map.width)
    var here = above
    func load(_ row: Int, _ pixels: inout [Pixel]) {
      let source = map.row(row, of: index)
      for column in 0..<map.width {
        pixels[column] = source.vector(at: column * map.pixelStep, as: Pixel.self)
      }
    }
    load(0, &above)
    for row in 1..<map.height - 1 {
      load(row, &here)
      let target = map.row(row, of: index)
      let below = map.row(row + 1, of: index)
      func column(_ x: Int) -> Pixel {
        above[x] + here[x] * 2 + below.vector(at: x * map.pixelStep, as: Pixel.self)
      }
      for x in 1..<map.width - 1 {
        target.store(
          (column(x - 1) + column(x) * 2 + column(x + 1)) * (1 / 16), at: x * map.pixelStep)
      }
      swap(&above, &here)
    }
  }

  /// Adds noise of a triangular distribution, each channel on its own.
  private func addNoise(
    _ map: FeatureMap, index: Int, deviation: Float, using random: inout TrainingRandom
  ) {
    // The sum of two uniform values in 0..<65536 has the deviation 65536 / √6.
    let factor = deviation * Float(6).squareRoot() / 65536
    for row in 0..<map.height {
      let target = map.row(row, of: index)
      for column in 0..<map.width {
        let (first, second) = (random.next(), random.next())
        let noise =
          SIMD4<Float>(
            Float((first & 0xFFFF) + (first >> 16 & 0xFFFF)),
            Float((first >> 32 & 0xFFFF) + (first >> 48)),
            Float((second & 0xFFFF) + (second >> 16 & 0xFFFF)), 65536) - 65536
        var color = target.vector(at: column * map.pixelStep, as: SIMD4<Float>.self)
        color = limited(color + noise * factor)
        target.store(color, at: column * map.pixelStep)
      }
    }
  }

  /// From 0...1 to the values that the network's input rules ask for.
  private func normalize(_ map: FeatureMap, index: Int) {
    let scale = SIMD4<Float>(scales * 255, 0)
    let bias = SIMD4<Float>(biases, 0)
    for row in 0..<map.height {
      let target = map.row(row, of: index)
      for column in 0..<map.width {
        var color = target.vector(at: column * map.pixelStep, as: SIMD4<Float>.self)
        if isBlueFirst { color = SIMD4(color[2], color[1], color[0], 0) }
        target.store(color * scale + bias, at: column * map.pixelStep)
      }
    }
  }
}

internal import DiceGeometry
internal import DiceTraining
internal import DiceVisionTraining

/// A sample that pieces of pictures are pasted into, with the people that it shows.
struct PeopleCanvas {
  private let canvas: SampleCanvas
  private let colors: Augmentation
  private let paddingValue: UInt8
  private let width: Int
  private let height: Int
  /// The people so far, in pixels of the sample.
  private(set) var truths: [TruthBox] = []

  init(_ input: SampleInput, _ colors: Augmentation, paddingValue: UInt8) {
    canvas = SampleCanvas(input)
    self.colors = colors
    self.paddingValue = paddingValue
    (width, height) = (input.width, input.height)
  }

  private var side: Double { Double(min(width, height)) }

  /// Fills the sample with the photo of a person, some of it outside.
  mutating func show(_ person: PastedPerson, using random: inout TrainingRandom) {
    // Now and then the lower part lies outside, as of somebody at a table.
    let isNear = random.chance(0.3)
    let length = side * Double(isNear ? random.between(0.8, 2.2) : random.between(0.35, 1))
    let scale = length / max(person.box.width, person.box.height)
    let reach = max(0, side - length) / 2 + 0.1 * side
    var target = (
      x: Double(width) / 2 + reach * Double(random.between(-1, 1)),
      y: Double(height) / 2 + reach * Double(random.between(-1, 1))
    )
    if isNear {
      let own = person.box.height * scale
      let below = own * Double(random.between(0.25, 0.6))
      target.y = max(Double(height) - own / 2 + below, own / 2 + 0.05 * side)
    }
    let placement = Placement(
      source: (person.box.midX, person.box.midY), target: target,
      angle: random.between(-10, 10) * .pi / 180, scale: scale,
      stretch: random.between(0.85, 1.18), isMirrored: random.chance(0.5))
    let tile = MosaicTile(columns: 0..<width, rows: 0..<height)
    canvas.draw(
      person.picture, at: placement, in: tile, ColorChange(colors, using: &random),
      paddingValue: random.chance(0.7) ? paddingValue : UInt8(random.index(256)))
    Self.add(person, placement, tile, to: &truths)
  }

  /// Fills the sample with a part of a picture without people.
  mutating func fill(_ picture: TrainingPicture, using random: inout TrainingRandom) {
    let (w, h) = (Double(picture.width), Double(picture.height))
    let least = max(Double(width) / w, Double(height) / h)
    let scale = least * Double(exponential(random.between(0, 1.4)))
    let (spanX, spanY) = (w - Double(width) / scale, h - Double(height) / scale)
    canvas.draw(
      picture,
      at: Placement(
        source: (
          w / 2 + spanX * Double(random.between(-0.5, 0.5)),
          h / 2 + spanY * Double(random.between(-0.5, 0.5))
        ), target: (Double(width) / 2, Double(height) / 2), angle: 0, scale: scale, stretch: 1,
        isMirrored: random.chance(0.5)),
      in: MosaicTile(columns: 0..<width, rows: 0..<height), ColorChange(colors, using: &random),
      paddingValue: paddingValue)
  }

  /// Pastes a person with some surroundings, anywhere and at any size.
  mutating func paste(_ person: PastedPerson, using random: inout TrainingRandom) {
    let length = side * 0.1 * Double(exponential(random.between(0, 2.1)))
    let margin = Double(random.between(1, 1.5))
    let piece = person.box.scaledAboutCenter(by: margin).clipped(
      to: BoundingBox(
        x: 0, y: 0, width: Double(person.picture.width), height: Double(person.picture.height)))
    paste(
      piece, of: person.picture, scale: length / max(person.box.width, person.box.height),
      using: &random
    ) { Self.add(person, $0, $1, to: &$2) }
  }

  /// Pastes a person without what is around, anywhere and at any size.
  ///
  /// - Returns: whether enough joints are known for a shape.
  mutating func pasteShape(of person: PastedPerson, using random: inout TrainingRandom) -> Bool {
    let length = side * 0.1 * Double(exponential(random.between(0, 2.5)))
    let scale = length / max(person.box.width, person.box.height)
    let (w, h) = (person.box.width * scale, person.box.height * scale)
    let x = Double(random.unit()) * (Double(width) - w / 3) + w / 6
    let y = Double(random.unit()) * (Double(height) - h / 3) + h / 6
    let placement = Placement(
      source: (person.box.midX, person.box.midY), target: (x, y),
      angle: 8 * random.normal() * .pi / 180, scale: scale, stretch: random.between(0.9, 1.1),
      isMirrored: random.chance(0.5))
    guard let shape = BodyShape(of: person.places, at: placement) else { return false }
    guard let tile = shape.tile(width: width, height: height) else { return true }
    cover(tile)
    canvas.blend(person.picture, of: shape, at: placement, ColorChange(colors, using: &random))
    Self.add(
      person, placement, MosaicTile(columns: 0..<width, rows: 0..<height), to: &truths)
    return true
  }

  /// Pastes a part of a picture without people.
  mutating func pastePiece(of picture: TrainingPicture, using random: inout TrainingRandom) {
    let (w, h) = (Double(picture.width), Double(picture.height))
    let share = Double(random.between(0.15, 1))
    let piece = BoundingBox(
      x: w * (1 - share) * Double(random.unit()), y: h * (1 - share) * Double(random.unit()),
      width: w * share * Double(random.between(0.4, 1)),
      height: h * share * Double(random.between(0.4, 1)))
    let length = side * 0.1 * Double(exponential(random.between(0, 2.1)))
    paste(piece, of: picture, scale: length / max(piece.width, piece.height), using: &random) {
      (_, _, _) in
    }
  }

  /// Pastes what lies beside a person.
  mutating func pasteSurroundings(
    of person: PastedPerson, using random: inout TrainingRandom
  ) {
    guard !person.surroundings.isEmpty else { return }
    let piece = person.surroundings[random.index(person.surroundings.count)]
    let length = side * 0.1 * Double(exponential(random.between(0, 2.1)))
    paste(
      piece, of: person.picture, scale: length / max(piece.width, piece.height), using: &random
    ) { (_, _, _) in }
  }

  private mutating func paste(
    _ piece: BoundingBox, of picture: TrainingPicture, scale: Double,
    using random: inout TrainingRandom,
    _ done: (Placement, MosaicTile, inout [TruthBox]) -> Void
  ) {
    let (w, h) = (piece.width * scale, piece.height * scale)
    // Up to a third of the piece lies outside.
    let x = Double(random.unit()) * (Double(width) - w / 3) + w / 6
    let y = Double(random.unit()) * (Double(height) - h / 3) + h / 6
    let columns = max(0, Int(x - w / 2))..<min(width, Int(x + w / 2))
    let rows = max(0, Int(y - h / 2))..<min(height, Int(y + h / 2))
    guard columns.count > 3, rows.count > 3 else { return }
    let tile = MosaicTile(columns: columns, rows: rows)
    let placement = Placement(
      source: (piece.midX, piece.midY), target: (x, y), angle: 0, scale: scale, stretch: 1,
      isMirrored: random.chance(0.5))
    cover(tile)
    canvas.draw(
      picture, at: placement, in: tile, ColorChange(colors, using: &random),
      paddingValue: paddingValue)
    done(placement, tile, &truths)
  }

  /// People of whom a piece hides much are no longer asked for.
  private mutating func cover(_ tile: MosaicTile) {
    let piece = BoundingBox(
      minX: Double(tile.columns.lowerBound), minY: Double(tile.rows.lowerBound),
      maxX: Double(tile.columns.upperBound), maxY: Double(tile.rows.upperBound))
    truths = truths.compactMap { (truth) in
      let box = BoundingBox(
        midX: Double(truth.centerX), midY: Double(truth.centerY), width: Double(truth.width),
        height: Double(truth.height))
      let hidden = box.clipped(to: piece).area / box.area
      if hidden > 0.85 { return nil }
      var left = truth
      if hidden > 0.35 { left.classIndex = nil }
      return left
    }
  }

  private static func add(
    _ person: PastedPerson, _ placement: Placement, _ tile: MosaicTile,
    to truths: inout [TruthBox]
  ) {
    let box = person.box
    let truth = TruthBox(
      centerX: Float(box.midX), centerY: Float(box.midY), width: Float(box.width),
      height: Float(box.height), classIndex: 0)
    let placed = placement.transform(truth, in: tile) { (visibleShare, side) in
      visibleShare >= 0.35 && side >= 16
    }
    if let placed { truths.append(placed) }
  }
}

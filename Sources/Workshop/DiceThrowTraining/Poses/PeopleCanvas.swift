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

  /// Fills the sample with the photo of a person and of whoever else is in it, some of it outside.
  mutating func show(_ person: PastedPerson, using random: inout TrainingRandom) {
    // Now and then the lower part lies outside, as of somebody at a table.
    let isNear = random.chance(0.3)
    let length = side * Double(isNear ? random.between(0.8, 2.2) : random.between(0.35, 1))
    let scale = length / max(person.body.box.width, person.body.box.height)
    let reach = max(0, side - length) / 2 + 0.1 * side
    var target = (
      x: Double(width) / 2 + reach * Double(random.between(-1, 1)),
      y: Double(height) / 2 + reach * Double(random.between(-1, 1))
    )
    if isNear {
      let own = person.body.box.height * scale
      let below = own * Double(random.between(0.25, 0.6))
      target.y = max(Double(height) - own / 2 + below, own / 2 + 0.05 * side)
    }
    let placement = Placement(
      source: (person.body.box.midX, person.body.box.midY), target: target,
      angle: random.between(-10, 10) * .pi / 180, scale: scale,
      stretch: random.between(0.85, 1.18), isMirrored: random.chance(0.5))
    let tile = MosaicTile(columns: 0..<width, rows: 0..<height)
    canvas.draw(
      person.photo.picture, at: placement, in: tile, ColorChange(colors, using: &random),
      paddingValue: random.chance(0.7) ? paddingValue : UInt8(random.index(256)))
    Self.add(person.photo, placement, tile, to: &truths)
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
    let piece = person.body.box.scaledAboutCenter(by: margin).clipped(
      to: BoundingBox(
        x: 0, y: 0, width: Double(person.photo.picture.width),
        height: Double(person.photo.picture.height)))
    paste(
      piece, of: person.photo.picture,
      scale: length / max(person.body.box.width, person.body.box.height),
      using: &random
    ) { Self.add(person.photo, $0, $1, to: &$2) }
  }

  /// Pastes a person without what is around, anywhere and at any size.
  ///
  /// - Returns: whether enough joints are known for a shape.
  mutating func pasteShape(of person: PastedPerson, using random: inout TrainingRandom) -> Bool {
    let length = side * 0.1 * Double(exponential(random.between(0, 2.5)))
    let scale = length / max(person.body.box.width, person.body.box.height)
    let (w, h) = (person.body.box.width * scale, person.body.box.height * scale)
    let x = Double(random.unit()) * (Double(width) - w / 3) + w / 6
    let y = Double(random.unit()) * (Double(height) - h / 3) + h / 6
    return pasteShape(of: person, at: (x, y), scale: scale, using: &random)
  }

  /// Pastes two to five people without what is around: they stand beside each other, some of them in front of
  /// others.
  mutating func pasteGroup(
    using random: inout TrainingRandom,
    _ person: (inout TrainingRandom) -> PastedPerson
  ) {
    let length = side * 0.15 * Double(exponential(random.between(0, 1.9)))
    let ground = Double(random.unit()) * Double(height) * 0.8 + length / 2
    let count = 2 + random.index(4)
    var x = Double(random.unit()) * Double(width) * 0.5
    for _ in 0..<count {
      let person = person(&random)
      let own = length * Double(random.between(0.8, 1.2))
      let scale = own / max(person.body.box.width, person.body.box.height)
      let (w, h) = (person.body.box.width * scale, person.body.box.height * scale)
      let y = ground + 0.1 * length * Double(random.normal()) - h / 2
      _ = pasteShape(of: person, at: (x, y), scale: scale, using: &random)
      x += w * Double(random.between(0.4, 1.5))
      if x > Double(width) { x -= Double(width) }
    }
  }

  /// Pastes a person without what is around.
  ///
  /// - Returns: whether enough joints are known for a shape.
  private mutating func pasteShape(
    of person: PastedPerson, at target: (x: Double, y: Double), scale: Double,
    using random: inout TrainingRandom
  ) -> Bool {
    let placement = Placement(
      source: (person.body.box.midX, person.body.box.midY), target: target,
      angle: 8 * random.normal() * .pi / 180, scale: scale, stretch: random.between(0.9, 1.1),
      isMirrored: random.chance(0.5))
    guard let shape = BodyShape(of: person.body.places, at: placement) else { return false }
    guard shape.tile(width: width, height: height) != nil else { return true }
    let (w, h) = (person.body.box.width * scale, person.body.box.height * scale)
    // Who stands in front hides about this much of what is in the box.
    cover(
      BoundingBox(midX: target.x, midY: target.y, width: w, height: h), share: Self.shapeShare)
    canvas.blend(
      person.photo.picture, of: shape, at: placement, ColorChange(colors, using: &random))
    Self.add(
      person.body.box, classIndex: 0, placement,
      MosaicTile(columns: 0..<width, rows: 0..<height), to: &truths)
    return true
  }

  /// How much of the box around a person the person covers.
  private static let shapeShare = 0.6

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

  /// Pastes what lies beside the people of a photo.
  mutating func pasteSurroundings(
    of photo: PeoplePhoto, using random: inout TrainingRandom
  ) {
    guard !photo.surroundings.isEmpty else { return }
    let piece = photo.surroundings[random.index(photo.surroundings.count)]
    let length = side * 0.1 * Double(exponential(random.between(0, 2.1)))
    paste(
      piece, of: photo.picture, scale: length / max(piece.width, piece.height), using: &random
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
    cover(
      BoundingBox(
        minX: Double(tile.columns.lowerBound), minY: Double(tile.rows.lowerBound),
        maxX: Double(tile.columns.upperBound), maxY: Double(tile.rows.upperBound)), share: 1)
    canvas.draw(
      picture, at: placement, in: tile, ColorChange(colors, using: &random),
      paddingValue: paddingValue)
    done(placement, tile, &truths)
  }

  /// People of whom much is hidden are no longer asked for.
  ///
  /// - Parameters:
  ///   - piece: what is pasted over them, in pixels of the sample.
  ///   - share: how much of the piece is opaque.
  private mutating func cover(_ piece: BoundingBox, share: Double) {
    truths = truths.compactMap { (truth) in
      let box = BoundingBox(
        midX: Double(truth.centerX), midY: Double(truth.centerY), width: Double(truth.width),
        height: Double(truth.height))
      let hidden = share * box.clipped(to: piece).area / box.area
      if hidden > 0.85 { return nil }
      var left = truth
      if hidden > 0.35 { left.classIndex = nil }
      return left
    }
  }

  /// Adds everybody who is in a photo, or may be.
  private static func add(
    _ photo: PeoplePhoto, _ placement: Placement, _ tile: MosaicTile, to truths: inout [TruthBox]
  ) {
    for body in photo.bodies { add(body.box, classIndex: 0, placement, tile, to: &truths) }
    for box in photo.doubtful { add(box, classIndex: nil, placement, tile, to: &truths) }
  }

  private static func add(
    _ box: BoundingBox, classIndex: Int?, _ placement: Placement, _ tile: MosaicTile,
    to truths: inout [TruthBox]
  ) {
    let truth = TruthBox(
      centerX: Float(box.midX), centerY: Float(box.midY), width: Float(box.width),
      height: Float(box.height), classIndex: classIndex)
    let placed = placement.transform(truth, in: tile) { (visibleShare, side) in
      visibleShare >= 0.25 && side >= 16
    }
    if let placed { truths.append(placed) }
  }
}

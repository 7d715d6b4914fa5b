internal import DiceNumerics
internal import DiceGeometry
public import DiceParallel
public import DiceTraining
internal import DiceVisionTraining
public import DiceWeights
internal import ThrowVisionKit

/// Teaches a network to find the joints of one person: varied crops of photos.
public struct PoseTask: LearningTask {
  /// What a sample says of each joint.
  public typealias Target = [JointTarget]

  /// How crops are varied.
  public let variation: PoseVariation
  /// How samples and loss come about, as text.
  public let identity: String
  /// The photos and labels.
  public let parts: [TrainingPart]

  private let people: [LearntPerson]
  private let figures: FigurePeople?
  private let figureShare: Float
  private let rules: PixelRules
  private let inputSide: Int
  private let loss: JointMapLoss

  /// A task.
  ///
  /// - Parameters:
  ///   - description: the network.
  ///   - dataset: the people to learn from; their pictures are read.
  ///   - variation: how crops are varied.
  ///   - figures: drawn people to learn from besides; nil for none.
  ///   - figureShare: the share of samples that show them, 0...1.
  ///   - deviation: how far around a label the network is to put its guess, in shares of the input's side.
  ///   - pool: threads that decode.
  /// - Throws: what keeps it from learning.
  public init(
    _ description: NetworkDescription, _ dataset: PoseDataset,
    variation: PoseVariation = PoseVariation(), figures: FigurePeople? = nil,
    figureShare: Float = 0.15, deviation: Float = 1 / 32, pool: WorkerPool
  ) throws(PoseDatasetError) {
    guard !dataset.people.isEmpty, let input = description.inputs.first,
      let rules = input.imageRules
    else { throw .empty }
    self.rules = PixelRules(rules)
    self.variation = variation
    inputSide = input.shape.width
    loss = JointMapLoss(deviation: deviation)
    let decoded = pool.map(count: dataset.people.count) { (index) in
      do throws(PoseDatasetError) {
        return Result<LearntPerson, PoseDatasetError>.success(
          try LearntPerson(dataset.people[index]))
      } catch { return .failure(error) }
    }
    var people: [LearntPerson] = []
    for result in decoded { people.append(try result.get()) }
    self.people = people
    self.figures = figures
    self.figureShare = figureShare
    identity =
      "poses \(variation) \(deviation)" + (figures == nil ? "" : ", figures \(figureShare)")
    var words: [UInt8] = []
    for person in dataset.people { words += Array("\(person.image) \(person.places)".utf8) }
    parts = [TrainingPart("people", fingerprint: XXHash64.hash(words))]
  }

  /// The number of people to learn from.
  public var personCount: Int { people.count }

  /// A varied crop around a person.
  public func makeSample(
    into inputs: [SampleInput], at moment: TrainingMoment, using random: inout TrainingRandom
  ) -> Target {
    let person =
      if let figures, random.chance(figureShare) { figures.person(using: &random) } else {
        people[random.index(people.count)]
      }
    let side = Double(inputs[0].width)
    let place = variation.place(
      person, side: side, isPlain: moment.isInLast(share: variation.plainShare), using: &random)
    let placement = place.placement
    let canvas = SampleCanvas(inputs[0])
    let covering = draw(person, at: place, on: canvas, using: &random)
    place.part?.hide(on: canvas, at: placement, paddingValue: rules.paddingValue, using: &random)
    variation.cutOut(canvas, using: &random)
    canvas.degrade(variation.colors, using: &random)
    canvas.normalize(rules)
    var target = Target(repeating: .unknown, count: PoseHead.labels.count)
    for (index, point) in person.places.enumerated() {
      guard let point else { continue }
      var said = place.target(point, side: side)
      if case .place(let share) = said {
        let (x, y) = (share.x * Float(side), share.y * Float(side))
        let seen = covering.reduce(Float(1)) { $0 * (1 - $1.opacity(x: x, y: y)) }
        if seen < 0.5 { said = .unknown }
      }
      target[place.isMirrored ? PoseHead.mirrored[index] : index] = said
    }
    return target
  }

  /// Draws a person, by chance among others.
  ///
  /// - Returns: the shapes of those in front of the person.
  private func draw(
    _ person: LearntPerson, at place: PoseVariation.Place, on canvas: SampleCanvas,
    using random: inout TrainingRandom
  ) -> [BodyShape] {
    func drawWhole(_ person: LearntPerson, _ placement: Placement) {
      canvas.draw(
        person.picture, at: placement, variation.colors,
        isCoarse: random.chance(variation.colors.coarseness), paddingValue: rules.paddingValue,
        using: &random)
    }
    guard random.chance(variation.companyShare) else {
      drawWhole(person, place.placement)
      return []
    }
    let side = Double(canvas.input.width)
    let others = (0..<1 + random.index(2)).map { (_) -> (LearntPerson, Placement) in
      let other = people[random.index(people.count)]
      return (
        other, variation.companion(other, near: person, at: place, side: side, using: &random)
      )
    }
    let own = random.chance(0.5) ? BodyShape(of: person.places, at: place.placement) : nil
    if let own {
      // The first other's photo is behind all.
      drawWhole(others[0].0, others[0].1)
      blend(Array(others.dropFirst()))
      canvas.blend(
        person.picture, of: own, at: place.placement, ColorChange(variation.colors, using: &random))
      return []
    }
    drawWhole(person, place.placement)
    return blend(others)

    @discardableResult
    func blend(_ others: [(LearntPerson, Placement)]) -> [BodyShape] {
      others.compactMap { (other, placement) in
        guard let shape = BodyShape(of: other.places, at: placement) else { return nil }
        canvas.blend(
          other.picture, of: shape, at: placement, ColorChange(variation.colors, using: &random))
        return shape
      }
    }
  }

  /// The cross entropy of each joint's map, and the share of joints near their label.
  public func loss(
    of outputs: [TrainingOutput], targets: [Target], pool: WorkerPool
  ) -> LossParts {
    loss.evaluate(outputs[0], targets: targets, pool: pool)
  }
}

/// A person to learn from, with the picture.
struct LearntPerson: Sendable {
  let picture: TrainingPicture
  let places: [PixelPoint?]
  /// The middle of the person's box, and its longer side, around the outline.
  let center: PixelPoint
  let side: Double
  /// Whether the box is wider than high.
  let isWide: Bool

  /// A labelled person, whose picture is read.
  init(_ person: PoseDataset.Person) throws(PoseDatasetError) {
    let picture = TrainingPicture(
      try PoseDataset.picture(at: person.path), truths: [], isReducible: true)
    guard let learnt = LearntPerson(picture, places: person.places) else { throw .empty }
    self = learnt
  }

  /// Somebody in a picture; nil where the joints have no box.
  init?(_ picture: TrainingPicture, places: [PixelPoint?]) {
    self.picture = picture
    self.places = places
    guard let box = PoseDataset.Person(path: "", image: "", places: places).jointBox else {
      return nil
    }
    (center, side) = PersonPart.crop(of: box)
    isWide = box.width > box.height
  }
}

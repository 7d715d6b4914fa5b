internal import DiceGeometry
public import DiceParallel
public import DiceTraining
internal import DiceVisionTraining
public import DiceWeights
internal import ThrowVisionKit

/// Teaches a network to find the joints of one person: varied crops of photos.
public struct PoseTask: LearningTask {
  /// Where each joint of a sample is, in shares of the input's sides; nil for one that is not labelled or
  /// lies outside.
  public typealias Target = [SIMD2<Float>?]

  /// How crops are varied.
  public let variation: PoseVariation
  /// How samples and loss come about, as text.
  public let identity: String
  /// The photos and labels.
  public let parts: [TrainingPart]

  private let people: [LearntPerson]
  private let rules: PixelRules
  private let inputSide: Int
  private let loss: JointMapLoss

  /// A task.
  ///
  /// - Parameters:
  ///   - description: the network.
  ///   - dataset: the people to learn from; their pictures are read.
  ///   - variation: how crops are varied.
  ///   - deviation: how far around a label the network is to put its guess, in shares of the input's side.
  ///   - pool: threads that decode.
  /// - Throws: what keeps it from learning.
  public init(
    _ description: NetworkDescription, _ dataset: PoseDataset,
    variation: PoseVariation = PoseVariation(), deviation: Float = 1 / 32, pool: WorkerPool
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
    identity = "poses \(variation) \(deviation)"
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
    let person = people[random.index(people.count)]
    let side = Double(inputs[0].width)
    let placement = variation.place(
      person, side: side, isPlain: moment.isInLast(share: variation.plainShare), using: &random)
    let canvas = SampleCanvas(inputs[0])
    canvas.draw(
      person.picture, at: placement.placement, variation.colors,
      isCoarse: random.chance(variation.colors.coarseness), paddingValue: rules.paddingValue,
      using: &random)
    variation.cutOut(canvas, using: &random)
    canvas.degrade(variation.colors, using: &random)
    canvas.normalize(rules)
    var target = Target(repeating: nil, count: PoseHead.labels.count)
    for (index, place) in person.places.enumerated() {
      guard let place else { continue }
      let point = placement.placement.transform(place.x, place.y)
      guard point.x >= 0, point.x < side, point.y >= 0, point.y < side else { continue }
      target[placement.isMirrored ? PoseHead.mirrored[index] : index] = SIMD2(
        Float(point.x / side), Float(point.y / side))
    }
    return target
  }

  /// The cross entropy of each joint's map, and the share of joints near their label.
  public func loss(
    of outputs: [TrainingOutput], targets: [Target], pool: WorkerPool
  ) -> LossParts {
    loss.evaluate(outputs[0], targets: targets, pool: pool)
  }
}

/// A person to learn from, with the picture.
final class LearntPerson: Sendable {
  let picture: TrainingPicture
  let places: [PixelPoint?]
  /// The middle of the person's box, and its longer side, around the outline.
  let center: PixelPoint
  let side: Double

  init(_ person: PoseDataset.Person) throws(PoseDatasetError) {
    picture = TrainingPicture(
      try PoseDataset.picture(at: person.path), truths: [], isReducible: true)
    places = person.places
    guard let box = person.jointBox else { throw .empty }
    center = box.center
    side = max(box.width, box.height) * PoseConstants.outlineScale
  }
}

internal import DiceNumerics
internal import DiceGeometry
public import DiceImaging
public import DiceParallel
public import DiceTraining
internal import DiceVisionTraining
public import DiceWeights
internal import ThrowVisionKit

/// Teaches a network to find people: labelled people pasted into pictures without any, and whole photos of one.
///
/// Some are pasted with what is around them, some by their shape. Pieces without people are pasted, too, so that the
/// edges of a piece teach nothing.
public struct PeopleTask: LearningTask {
  /// The people of a sample.
  public typealias Target = PeopleTarget

  /// How samples and loss come about, as text.
  public let identity: String
  /// The photos and labels.
  public let parts: [TrainingPart]

  private let network: GridNetwork
  private let people: [PastedPerson]
  private let uprightPeople: [PastedPerson]
  private let backgrounds: [TrainingPicture]
  private let colors: Augmentation

  /// A task.
  ///
  /// - Parameters:
  ///   - description: the network.
  ///   - dataset: the people to learn from; their pictures are read.
  ///   - backgrounds: pictures without people.
  ///   - unlabelled: what looks for people whom the labels do not name; nil for nothing.
  ///   - pool: threads that decode.
  /// - Throws: what keeps it from learning.
  public init(
    _ description: NetworkDescription, _ dataset: PoseDataset, backgrounds: [PixelImage],
    unlabelled: UnlabelledPeople? = nil, pool: WorkerPool
  ) throws(PoseDatasetError) {
    guard !dataset.people.isEmpty, !backgrounds.isEmpty else { throw .empty }
    do throws(VisionTrainingError) { network = try GridNetwork(description) } catch {
      throw .network("\(error)")
    }
    let groups = dataset.byPicture
    let decoded = pool.map(count: groups.count) { (index) in
      do throws(PoseDatasetError) {
        return Result<PeoplePhoto, PoseDatasetError>.success(
          try PeoplePhoto(groups[index], besides: unlabelled))
      } catch { return .failure(error) }
    }
    var people: [PastedPerson] = []
    var (labelledCount, doubtfulCount) = (0, 0)
    for result in decoded {
      let photo = try result.get()
      people += photo.bodies.map { PastedPerson(photo: photo, body: $0) }
      labelledCount += photo.labelledCount
      doubtfulCount += photo.doubtful.count
    }
    guard !people.isEmpty else { throw .empty }
    self.people = people
    self.doubtfulCount = doubtfulCount
    unlabelledCount = people.count - labelledCount
    let upright = people.filter(\.body.isUpright)
    uprightPeople = upright.isEmpty ? people : upright
    self.backgrounds = backgrounds.map {
      TrainingPicture($0, truths: [], isReducible: true)
    }
    colors = PoseVariation().colors
    identity = "people in groups \(colors)\(unlabelled == nil ? "" : ", and without labels")"
    var words: [UInt8] = []
    for person in dataset.people { words += Array("\(person.image) \(person.places)".utf8) }
    parts = [
      TrainingPart("people", fingerprint: XXHash64.hash(words)),
      TrainingPart("backgrounds", fingerprint: UInt64(backgrounds.count)),
    ]
  }

  /// The number of people to learn from.
  public var personCount: Int { people.count }
  /// How many of them the labels do not name.
  public let unlabelledCount: Int
  /// The number of places where somebody may be and nothing is learnt.
  public let doubtfulCount: Int

  /// Objectness begins low.
  public func initialBias(ofOutput output: Int) -> [Float]? {
    network.initialBias(ofOutput: output)
  }

  /// A photo of a person, or a picture with pieces pasted into it.
  public func makeSample(
    into inputs: [SampleInput], at moment: TrainingMoment, using random: inout TrainingRandom
  ) -> Target {
    var canvas = PeopleCanvas(inputs[0], colors, paddingValue: network.rules.paddingValue)
    if random.chance(0.4) {
      canvas.show(person(using: &random), using: &random)
    } else {
      canvas.fill(backgrounds[random.index(backgrounds.count)], using: &random)
      for _ in 0..<random.index(4) {
        if random.chance(0.5) {
          canvas.pasteSurroundings(of: people[random.index(people.count)].photo, using: &random)
        } else {
          canvas.pastePiece(of: backgrounds[random.index(backgrounds.count)], using: &random)
        }
      }
      if random.chance(0.3) {
        canvas.pasteGroup(using: &random) { uprightPeople[$0.index(uprightPeople.count)] }
      } else if random.chance(0.7) {
        for _ in 0...random.index(4) {
          let person = person(using: &random)
          if random.chance(0.4) || !canvas.pasteShape(of: person, using: &random) {
            canvas.paste(person, using: &random)
          }
        }
      }
    }
    let finished = SampleCanvas(inputs[0])
    finished.degrade(colors, using: &random)
    finished.normalize(network.rules)
    return PeopleTarget(boxes: canvas.truths)
  }

  /// Anybody; half of the time somebody upright, since most people are.
  private func person(using random: inout TrainingRandom) -> PastedPerson {
    let chosen = random.chance(0.5) ? uprightPeople : people
    return chosen[random.index(chosen.count)]
  }

  /// The loss of boxes and of whether there are people.
  public func loss(
    of outputs: [TrainingOutput], targets: [Target], pool: WorkerPool
  ) -> LossParts {
    var parts = network.loss(of: outputs, targets: targets.map(\.boxes), pool: pool) {
      DetectionAssignment(grids: $0).roles($1)
    }
    parts.measures.append(LossParts.Part("right", parts["overlap"] ?? 0))
    return parts
  }
}

/// The people of a sample.
public struct PeopleTarget: Sendable {
  let boxes: [TruthBox]
}

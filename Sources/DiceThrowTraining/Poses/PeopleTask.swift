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
  private let backgrounds: [TrainingPicture]
  private let colors: Augmentation

  /// A task.
  ///
  /// - Parameters:
  ///   - description: the network.
  ///   - dataset: the people to learn from; their pictures are read.
  ///   - backgrounds: pictures without people.
  ///   - pool: threads that decode.
  /// - Throws: what keeps it from learning.
  public init(
    _ description: NetworkDescription, _ dataset: PoseDataset, backgrounds: [PixelImage],
    pool: WorkerPool
  ) throws(PoseDatasetError) {
    guard !dataset.people.isEmpty, !backgrounds.isEmpty else { throw .empty }
    do throws(VisionTrainingError) { network = try GridNetwork(description) } catch {
      throw .network("\(error)")
    }
    let decoded = pool.map(count: dataset.people.count) { (index) in
      do throws(PoseDatasetError) {
        return Result<PastedPerson, PoseDatasetError>.success(
          try PastedPerson(dataset.people[index]))
      } catch { return .failure(error) }
    }
    var people: [PastedPerson] = []
    for result in decoded { people.append(try result.get()) }
    self.people = people
    self.backgrounds = backgrounds.map {
      TrainingPicture($0, truths: [], isReducible: true)
    }
    colors = PoseVariation().colors
    identity = "people by shape \(colors)"
    var words: [UInt8] = []
    for person in dataset.people { words += Array("\(person.image) \(person.places)".utf8) }
    parts = [
      TrainingPart("people", fingerprint: XXHash64.hash(words)),
      TrainingPart("backgrounds", fingerprint: UInt64(backgrounds.count)),
    ]
  }

  /// The number of people to learn from.
  public var personCount: Int { people.count }

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
      canvas.show(people[random.index(people.count)], using: &random)
    } else {
      canvas.fill(backgrounds[random.index(backgrounds.count)], using: &random)
      for _ in 0..<random.index(4) {
        if random.chance(0.5) {
          canvas.pasteSurroundings(of: people[random.index(people.count)], using: &random)
        } else {
          canvas.pastePiece(of: backgrounds[random.index(backgrounds.count)], using: &random)
        }
      }
      let count = random.chance(0.25) ? 0 : 1 + random.index(4)
      for _ in 0..<count {
        let person = people[random.index(people.count)]
        if random.chance(0.4) || !canvas.pasteShape(of: person, using: &random) {
          canvas.paste(person, using: &random)
        }
      }
    }
    let finished = SampleCanvas(inputs[0])
    finished.degrade(colors, using: &random)
    finished.normalize(network.rules)
    return PeopleTarget(boxes: canvas.truths)
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

/// A person to be pasted, with the picture.
final class PastedPerson: Sendable {
  let picture: TrainingPicture
  /// Where the joints are, in the picture's pixels.
  let places: [PixelPoint?]
  /// The outline, in the picture's pixels.
  let box: BoundingBox
  /// Parts of the picture beside the person.
  let surroundings: [BoundingBox]

  init(_ person: PoseDataset.Person) throws(PoseDatasetError) {
    guard let joints = person.jointBox else { throw .empty }
    places = person.places
    let image = try PoseDataset.picture(at: person.path)
    picture = TrainingPicture(image, truths: [], isReducible: true)
    let (width, height) = (Double(image.width), Double(image.height))
    let frame = BoundingBox(x: 0, y: 0, width: width, height: height)
    box = joints.scaledAboutCenter(by: PoseConstants.outlineScale).clipped(to: frame)
    let hidden = joints.scaledAboutCenter(by: 1.25).clipped(to: frame)
    surroundings = [
      BoundingBox(minX: 0, minY: 0, maxX: hidden.minX, maxY: height),
      BoundingBox(minX: hidden.maxX, minY: 0, maxX: width, maxY: height),
      BoundingBox(minX: 0, minY: 0, maxX: width, maxY: hidden.minY),
      BoundingBox(minX: 0, minY: hidden.maxY, maxX: width, maxY: height),
    ].filter { min($0.width, $0.height) >= 16 }
  }
}

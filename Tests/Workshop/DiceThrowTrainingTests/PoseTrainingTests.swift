import DiceCodecs
import DiceFiles
import DiceGeometry
import DiceImaging
import DiceParallel
import DicePoses
import DiceThrowFilms
import DiceVisionTraining
import DiceWeights
import TestSupport
import Testing

@testable import DiceThrowTraining
@testable import DiceTraining
@testable import ThrowVisionKit

@Suite struct JointMapLossTests {
  private static let pool = WorkerPool(threadCount: 2)

  private static func output() -> TrainingOutput {
    func map() -> BatchMap {
      BatchMap(sampleCount: 2, height: 3, width: 4, channelCount: 8)
    }
    let output = TrainingOutput(name: "joints", values: map(), gradients: map())
    var random = TrainingRandom(3)
    for sample in 0..<2 {
      for row in 0..<3 {
        for column in 0..<4 {
          let pixel = output.value(sample, row, column)
          for channel in 0..<8 { pixel.store(random.normal(), at: channel) }
        }
      }
    }
    return output
  }

  @Test func gradientsAgreeWithDifferences() {
    let output = Self.output()
    let targets: [[JointTarget]] = [
      [.place(SIMD2(0.3, 0.7)), .unknown], [.outside, .place(SIMD2(0.5, 0.5))],
    ]
    let loss = JointMapLoss(deviation: 0.15)
    func value() -> Float { loss.evaluate(output, targets: targets, pool: Self.pool).total }
    _ = value()
    var gradients: [[Float]] = []
    for sample in 0..<2 {
      var numbers: [Float] = []
      for place in 0..<12 {
        for channel in 0..<8 {
          numbers.append(output.gradient(sample, place / 4, place % 4).scalar(at: channel))
        }
      }
      gradients.append(numbers)
    }
    var checked = 0
    for sample in 0..<2 {
      for place in 0..<12 {
        for channel in 0..<8 {
          let pixel = output.value(sample, place / 4, place % 4)
          let old = pixel.scalar(at: channel)
          pixel.store(old + 1e-2, at: channel)
          let high = value()
          pixel.store(old - 1e-2, at: channel)
          let low = value()
          pixel.store(old, at: channel)
          let gradient = gradients[sample][place * 8 + channel]
          #expect(abs((high - low) / 2e-2 - gradient) < 1e-3)
          if sample == 0, channel >= 4 { expectEqual(gradient, 0) }
          checked += 1
        }
      }
    }
    expectEqual(checked, 192)
  }
}

@Suite struct PoseDatasetTests {
  let folder: SampleFolder

  init() throws { folder = try SampleFolder() }

  private func write(_ annotations: String) throws {
    _ = try folder.write(annotations, to: "annotations.json")
  }

  private static let names = """
    ["rightAnkle", "rightKnee", "rightHip", "leftHip", "leftKnee", "leftAnkle", "rightWrist", \
    "rightElbow", "rightShoulder", "leftShoulder", "leftElbow", "leftWrist", "neck", "topOfHead"]
    """

  private static func person(_ seen: Int = 14) -> String {
    let joints = (0..<14).map { "[\(10 + $0), \(20 + 2 * $0), \($0 < seen ? 2 : 0)]" }
    return "{\"joints\": [\(joints.joined(separator: ", "))]}"
  }

  @Test func jointsAreSortedByNameAndHiddenOnesLeftOut() throws {
    try write(
      "{\"joints\": \(Self.names), \"images\": [{\"image\": \"a.jpg\", \"people\": "
        + "[\(Self.person(13)), \(Self.person(1))]}]}")
    let dataset = try PoseDataset(folder: folder.path)
    // The second one has no box.
    expectEqual(dataset.people.count, 1)
    let person = try #require(dataset.people.first)
    #expect(person.image == "a.jpg" && person.path.hasSuffix("images/a.jpg"))
    let wrist = try #require(PoseDataset.labels.firstIndex(of: "leftWrist"))
    expectEqual(person.places[wrist], PixelPoint(x: 21, y: 42))
    expectEqual(person.places[PoseHead.top], nil)
    expectEqual(person.jointBox, BoundingBox(x: 10, y: 20, width: 12, height: 24))
    // From the left shoulder (19, 38) to the right hip (12, 24).
    let square: Double = 7 * 7 + 14 * 14
    expectEqual(person.torso, square.squareRoot())
  }

  @Test func everyPictureIsInOneOfTwoParts() {
    var people: [PoseDataset.Person] = []
    for index in 1..<200 {
      let places: [PixelPoint?] = [PixelPoint(x: 0, y: 0), PixelPoint(x: 5, y: Double(index))]
      people.append(PoseDataset.Person(path: "", image: "\(index / 2).jpg", places: places))
    }
    let dataset = PoseDataset(people)
    let (left, kept) = (dataset.part(isLeftOut: true), dataset.part(isLeftOut: false))
    expectEqual(left.people.count + kept.people.count, 199)
    #expect((8...40).contains(left.people.count))
    #expect(Set(left.people.map(\.image)).isDisjoint(with: kept.people.map(\.image)))
  }

  @Test(arguments: [
    "{", "[]", "{\"joints\": [\"neck\"], \"images\": 3}",
    "{\"joints\": [\"neck\"], \"images\": [{\"image\": \"a\"}]}",
    "{\"joints\": [\"neck\"], \"images\": [{\"image\": \"a\", \"people\": [{}]}]}",
    "{\"joints\": [\"neck\"], \"images\": [{\"image\": \"a\", \"people\": [{\"joints\": []}]}]}",
    "{\"joints\": [\"neck\"], \"images\": [{\"image\": \"a\", \"people\": [{\"joints\": [[1, 2]]}]}]}",
    "{\"joints\": [\"neck\"], \"images\": [{\"image\": \"a\", \"people\": "
      + "[{\"joints\": [[1e9, 2, 2]]}]}]}",
  ])
  func brokenLabelsAreRefused(_ text: String) throws {
    try write(text)
    #expect(throws: PoseDatasetError.self) { try PoseDataset(folder: folder.path) }
  }

  @Test func aFolderWithoutLabelsIsRefused() {
    #expect(throws: PoseDatasetError.self) { try PoseDataset(folder: folder.path) }
  }
}

@Suite struct PoseSampleTests {
  private static let description = NetworkDescription.poses(inputSide: 64)
  /// Whole people by themselves, in their own colours.
  private static let variation: PoseVariation = {
    var variation = PoseVariation()
    variation.colors = .none
    variation.cutOutShare = 0
    variation.partShare = 0
    variation.companyShare = 0
    return variation
  }()

  /// A sample of a task by a seed's chance.
  private static func sample(
    of task: PoseTask, _ seed: UInt64
  ) -> (input: SampleInput, target: PoseTask.Target) {
    let map = BatchMap(sampleCount: 1, height: 64, width: 64, channelCount: 3)
    let input = SampleInput(map: map, sample: 0)
    var random = TrainingRandom(seed)
    let target = task.makeSample(
      into: [input], at: TrainingMoment(step: 1, stepCount: 100), using: &random)
    return (input, target)
  }

  /// A picture with a red square at the left wrist and a blue one at the right.
  private static func dataset(_ folder: SampleFolder) throws -> PoseDataset {
    let (width, height) = (200, 160)
    var samples = [UInt8](repeating: 60, count: 3 * width * height)
    for (x, y, channel) in [(60, 50, 2), (140, 110, 0)] {
      for row in y - 5..<y + 5 {
        for column in x - 5..<x + 5 {
          for c in 0..<3 { samples[3 * (row * width + column) + c] = c == channel ? 255 : 0 }
        }
      }
    }
    let image = PixelImage(width: width, height: height, format: .rgb, samples: samples)
    let path = try folder.write(PNGEncoder.encode(image), to: "a.png")
    var places = [PixelPoint?](repeating: nil, count: PoseDataset.labels.count)
    for (label, x, y) in [("leftWrist", 140.0, 110.0), ("rightWrist", 60, 50)] {
      places[try #require(PoseDataset.labels.firstIndex(of: label))] = PixelPoint(x: x, y: y)
    }
    return PoseDataset([PoseDataset.Person(path: path, image: "a.png", places: places)])
  }

  @Test func labelsGoWithThePictureAndSidesChangeInTheMirror() throws {
    let folder = try SampleFolder()
    let task = try PoseTask(
      Self.description, Self.dataset(folder), variation: Self.variation,
      pool: WorkerPool(threadCount: 1))
    let left = try #require(PoseDataset.labels.firstIndex(of: "leftWrist"))
    let right = try #require(PoseDataset.labels.firstIndex(of: "rightWrist"))
    var (seen, mirrored) = (0, 0)
    for seed in 0..<40 as Range<UInt64> {
      let (input, target) = Self.sample(of: task, seed)
      expectEqual(target.count, PoseDataset.labels.count)
      guard case .place(let first) = target[left], case .place(let second) = target[right] else {
        continue
      }
      func redness(_ place: SIMD2<Float>) -> Float {
        let (row, column) = (min(63, Int(place.y * 64)), min(63, Int(place.x * 64)))
        return input[row, column, 0] - input[row, column, 2]
      }
      // The person's left hand is red; in a mirror it is a right one.
      let values = (redness(first), redness(second))
      #expect(values.0 * values.1 < 0, "\(seed) \(values)")
      if values.0 < 0 { mirrored += 1 }
      seen += 1
    }
    #expect(seen > 20 && mirrored > 5 && mirrored < seen - 5, "\(seen) \(mirrored)")
  }

  @Test func drawnPeopleAreLearntFromWithTheirJoints() throws {
    let folder = try SampleFolder()
    // Red, without a figure's colours: what is drawn is not red.
    let red = [UInt8](repeating: 0, count: 3 * 90 * 70).enumerated().map {
      $0.offset % 3 == 0 ? UInt8(255) : 0
    }
    let figures = try FigurePeople(
      backgrounds: [PixelImage(width: 90, height: 70, format: .rgb, samples: red)])
    let task = try PoseTask(
      Self.description, Self.dataset(folder), variation: Self.variation, figures: figures,
      figureShare: 1,
      pool: WorkerPool(threadCount: 1))
    #expect(
      task.identity
        != (try PoseTask(
          Self.description, Self.dataset(folder), variation: Self.variation,
          pool: WorkerPool(threadCount: 1)
        )).identity)
    var (places, hits) = (0, 0)
    for seed in 0..<30 as Range<UInt64> {
      let (input, target) = Self.sample(of: task, seed)
      // All joints of a figure are known.
      #expect(!target.contains(.unknown), "\(seed)")
      for case .place(let place) in target {
        let (row, column) = (min(63, Int(place.y * 64)), min(63, Int(place.x * 64)))
        places += 1
        if input[row, column, 0] - input[row, column, 1] < 2 { hits += 1 }
      }
    }
    #expect(places > 350 && Double(hits) > 0.9 * Double(places), "\(hits) of \(places)")
    #expect(throws: PoseDatasetError.empty) { try FigurePeople(backgrounds: []) }
    // Each label is the joint of its name, on the person's own side.
    for seed in 0..<5 as Range<UInt64> {
      var (random, same) = (TrainingRandom(seed), TrainingRandom(seed))
      let person = figures.person(using: &random)
      let picture = FigurePicture(over: figures.piece(using: &same), using: &same)
      for (place, label) in zip(person.places, PoseDataset.labels) {
        guard let joint = Joint(name: label) else {
          expectEqual(place, picture.topOfHead)
          continue
        }
        if joint != .neck { expectEqual(place, picture.pose[joint]?.location, "\(label)") }
      }
    }
  }

  @Test func networksHaveTheSizesThatAreSaid() throws {
    let joints = try NetworkDescription.poses().validated()
    #expect((70_000_000...80_000_000).contains(joints.multiplyAddCount))
    #expect((1_000_000...1_300_000).contains(joints.parameterCount))
    let people = try NetworkDescription.people().validated()
    #expect((45_000_000...55_000_000).contains(people.multiplyAddCount))
    #expect((150_000...250_000).contains(people.parameterCount))
  }

  @Test func confidencesAreFittedToWhatIsRight() {
    var random = TrainingRandom(5)
    var samples: [(mass: Float, isNear: Bool)] = []
    for _ in 0..<4000 {
      let mass = random.between(0.05, 0.95)
      let logit = naturalLogarithm(mass / (1 - mass))
      samples.append((mass, random.chance(logistic(0.7 * logit - 0.5))))
    }
    let fit = PoseCalibration.fit(samples)
    #expect(abs(fit.slope - 0.7) < 0.15 && abs(fit.offset + 0.5) < 0.15, "\(fit)")
    #expect(PoseCalibration.fit([]).slope == 1 && PoseCalibration.fit([]).offset == 0)
    let all = PoseCalibration.fit([(0.9, true), (0.95, true)])
    #expect(all.slope.isFinite && all.offset.isFinite && all.slope > 0)
  }
}

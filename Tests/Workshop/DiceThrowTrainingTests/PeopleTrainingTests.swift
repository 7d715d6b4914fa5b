import DiceCodecs
import DiceGeometry
import DiceImaging
import DiceParallel
import DiceWeights
import TestSupport
import Testing

@testable import DiceThrowTraining
@testable import DiceTraining
@testable import DiceVisionTraining
@testable import ThrowVisionKit

/// Photos of people made of dots: left joints red, right ones blue, neck and top of the head green.
@Suite struct PeopleTrainingTests {
  /// Where each joint of somebody upright is, in tenths of the height, from the middle of the top.
  private static let places: [String: (x: Double, y: Double)] = [
    "leftShoulder": (1, 2), "rightShoulder": (-1, 2), "leftElbow": (1.7, 3.5),
    "rightElbow": (-1.7, 3.5), "leftWrist": (1.8, 5), "rightWrist": (-1.8, 5), "leftHip": (0.8, 5),
    "rightHip": (-0.8, 5), "leftKnee": (0.9, 7.5), "rightKnee": (-0.9, 7.5), "leftAnkle": (1, 10),
    "rightAnkle": (-1, 10), "neck": (0, 1.8), PoseHead.topOfHead: (0, 0),
  ]

  private static func person(
    x: Double, top: Double, height: Double, path: String = "", upsideDown: Bool = false
  ) -> PoseDataset.Person {
    PoseDataset.Person(
      path: path, image: path,
      places: PoseDataset.labels.map { (label) in
        places[label].map {
          PixelPoint(
            x: x + $0.x * height / 10, y: top + (upsideDown ? 10 - $0.y : $0.y) * height / 10)
        }
      })
  }

  /// A photo with a dot at each joint of each person.
  private static func write(
    _ people: [PoseDataset.Person], width: Int, height: Int, to name: String, _ folder: SampleFolder
  ) throws -> String {
    var samples = [UInt8](repeating: 0, count: 3 * width * height)
    for person in people {
      for (label, place) in zip(PoseDataset.labels, person.places) {
        guard let place else { continue }
        let channel = label.hasPrefix("left") ? 0 : label.hasPrefix("right") ? 2 : 1
        for row in Int(place.y) - 6..<Int(place.y) + 6 {
          for column in Int(place.x) - 6..<Int(place.x) + 6
          where (0..<height).contains(row) && (0..<width).contains(column) {
            samples[3 * (row * width + column) + channel] = 255
          }
        }
      }
    }
    let image = PixelImage(width: width, height: height, format: .rgb, samples: samples)
    return try folder.write(PNGEncoder.encode(image), to: name)
  }

  @Test func peopleOfOnePictureBelongTogether() {
    let people = ["a", "b", "a", "c", "b"].enumerated().map {
      Self.person(x: Double($0.offset), top: 0, height: 100, path: $0.element)
    }
    let groups = PoseDataset(people).byPicture
    expectEqual(groups.map { $0.map(\.path) }, [["a", "a"], ["b", "b"], ["c"]])
    expectEqual(groups[1].map { $0.places[PoseHead.neck]?.x }, [1, 4])
  }

  @Test func whoIsUprightHasHipsBelowTheNeckAndKneesBelowThem() {
    func body(_ person: PoseDataset.Person) -> PeoplePhoto.Body {
      PeoplePhoto.Body(places: person.places, box: BoundingBox(x: 0, y: 0, width: 1, height: 1))
    }
    let standing = Self.person(x: 50, top: 10, height: 100)
    #expect(body(standing).isUpright)
    #expect(!body(Self.person(x: 50, top: 10, height: 100, upsideDown: true)).isUpright)
    var sitting = body(standing)
    sitting.places[PoseHead.leftKnee] = sitting.places[PoseHead.leftHip]
    #expect(!sitting.isUpright)
    var cutOff = body(standing)
    (cutOff.places[PoseHead.leftKnee], cutOff.places[PoseHead.rightKnee]) = (nil, nil)
    #expect(cutOff.isUpright)
    cutOff.places[PoseHead.neck] = nil
    #expect(!cutOff.isUpright)
  }

  @Test func allLabelledPeopleOfAPhotoAreSomebody() throws {
    let folder = try SampleFolder()
    let people = [60.0, 210].map { Self.person(x: $0, top: 30, height: 160) }
    let path = try Self.write(people, width: 400, height: 220, to: "a.png", folder)
    let photo = try PeoplePhoto(
      people.map { PoseDataset.Person(path: path, image: "a", places: $0.places) }, besides: nil)
    #expect(photo.bodies.count == 2 && photo.doubtful.isEmpty)
    // To the right of the first one stands the second.
    expectEqual(photo.surroundings.count, 1)
    for strip in photo.surroundings {
      #expect(
        photo.bodies.allSatisfy { $0.box.clipped(to: strip).area < 0.06 * $0.box.area })
    }
  }

  @Test func whoeverIsLabelledOutsideThePhotoIsLeftOut() throws {
    let folder = try SampleFolder()
    let inside = Self.person(x: 60, top: 30, height: 160)
    let outside = Self.person(x: 5000, top: 30, height: 160)
    let path = try Self.write([inside], width: 400, height: 220, to: "a.png", folder)
    func labelled(_ people: [PoseDataset.Person]) -> PoseDataset {
      PoseDataset(
        people.map { PoseDataset.Person(path: path, image: "a", places: $0.places) })
    }
    let photo = try PeoplePhoto(labelled([outside, inside]).people, besides: nil)
    #expect(photo.bodies.count == 1 && photo.labelledCount == 1)
    #expect(photo.bodies[0].box.maxX < 150)
    let pool = WorkerPool(threadCount: 1)
    let background = PixelImage(
      width: 64, height: 64, format: .rgb, samples: [UInt8](repeating: 90, count: 3 * 4096))
    let task = try PeopleTask(
      .people(inputSide: 64), labelled([outside, inside]), backgrounds: [background], pool: pool)
    #expect(task.personCount == 1 && task.unlabelledCount == 0)
    #expect(throws: PoseDatasetError.empty) {
      try PeopleTask(
        .people(inputSide: 64), labelled([outside]), backgrounds: [background], pool: pool)
    }
  }

  @Test func whoHasNoLabelIsFound() throws {
    let folder = try SampleFolder()
    let labelled = Self.person(x: 70, top: 20, height: 180)
    let other = Self.person(x: 290, top: 20, height: 180)
    let path = try Self.write(
      [labelled, other], width: 400, height: 220, to: "a.png", folder)
    let person = PoseDataset.Person(path: path, image: "a", places: labelled.places)
    let alone = try PeoplePhoto([person], besides: nil)
    #expect(alone.bodies.count == 1 && alone.surroundings.contains { $0.maxX == 400 })
    let finder = try UnlabelledPeople(jointWeights: DotNetworks.joints())
    let photo = try PeoplePhoto([person], besides: finder)
    // The network says little of where somebody ends, but that there is somebody it does.
    let places = photo.bodies.dropFirst().map(\.box) + photo.doubtful
    let right = BoundingBox(minX: 150, minY: 0, maxX: 400, maxY: 220)
    #expect(places.contains { $0.clipped(to: right).area > 0.9 * $0.area })
    for strip in photo.surroundings {
      #expect(places.allSatisfy { $0.clipped(to: strip).area <= 0.05 * $0.area })
    }
    let black = PixelImage(
      width: 90, height: 90, format: .rgb, samples: [UInt8](repeating: 0, count: 3 * 8100))
    #expect(try finder.find(in: black, besides: []).isEmpty)
  }

  @Test func looksCoverAPhotoAndSmallPhotosGetFew() {
    let windows = UnlabelledPeople.windows(width: 300, height: 200)
    #expect((40...200).contains(windows.count))
    for window in windows {
      #expect((0...300).contains(window.midX) && (0...200).contains(window.midY))
      #expect(window.height >= 32 && window.height <= 221)
    }
    // Whoever is half as high as the photo is seen by a window a sixth of the height away.
    for x in stride(from: 20.0, through: 280, by: 20) {
      let nearest = windows.filter { (90...110).contains($0.height) }.map {
        abs($0.midX - x)
      }.min()
      #expect((nearest ?? 1000) <= 25)
    }
    #expect(UnlabelledPeople.windows(width: 20, height: 20).isEmpty)
    #expect(UnlabelledPeople.windows(width: 1, height: 1).isEmpty)
  }

  @Test func groupsStandBesideEachOtherAndAreAskedFor() throws {
    let folder = try SampleFolder()
    let drawn = Self.person(x: 70, top: 20, height: 180)
    let path = try Self.write([drawn], width: 140, height: 220, to: "a.png", folder)
    let photo = try PeoplePhoto(
      [PoseDataset.Person(path: path, image: "a", places: drawn.places)], besides: nil)
    let person = PastedPerson(photo: photo, body: photo.bodies[0])
    var sizes: [Int] = []
    for seed in 0..<40 as Range<UInt64> {
      let map = BatchMap(sampleCount: 1, height: 128, width: 128, channelCount: 3)
      var canvas = PeopleCanvas(SampleInput(map: map, sample: 0), .none, paddingValue: 114)
      var random = TrainingRandom(seed)
      canvas.pasteGroup(using: &random) { (_) in person }
      let truths = canvas.truths
      sizes.append(truths.count)
      #expect(truths.count <= 5)
      let heights = truths.filter {
        $0.centerY - $0.height / 2 > 1 && $0.centerY + $0.height / 2 < 127
      }.map(\.height)
      if let least = heights.min(), let most = heights.max() { #expect(most < 2 * least) }
      for truth in truths {
        #expect(truth.classIndex == 0 || truth.classIndex == nil)
        #expect((0...128).contains(truth.centerX) && (0...128).contains(truth.centerY))
      }
    }
    #expect(sizes.count(where: { $0 >= 2 }) > 20, "\(sizes)")
  }

  @Test func aTaskCountsWhomItFoundAndItsSamplesAreReproducible() throws {
    let folder = try SampleFolder()
    let labelled = Self.person(x: 70, top: 20, height: 180)
    let other = Self.person(x: 290, top: 20, height: 180)
    let path = try Self.write([labelled, other], width: 400, height: 220, to: "a.png", folder)
    let dataset = PoseDataset([
      PoseDataset.Person(path: path, image: "a", places: labelled.places)
    ])
    let background = PixelImage(
      width: 64, height: 64, format: .rgb, samples: [UInt8](repeating: 90, count: 3 * 4096))
    let pool = WorkerPool(threadCount: 2)
    let task = try PeopleTask(
      .people(inputSide: 64), dataset, backgrounds: [background],
      unlabelled: UnlabelledPeople(jointWeights: DotNetworks.joints()), pool: pool)
    expectEqual(task.personCount, 1 + task.unlabelledCount)
    #expect(task.unlabelledCount + task.doubtfulCount > 0)
    let plain = try PeopleTask(
      .people(inputSide: 64), dataset, backgrounds: [background], pool: pool)
    #expect(plain.unlabelledCount == 0 && plain.doubtfulCount == 0 && plain.personCount == 1)
    #expect(task.identity != plain.identity)
    for seed in 0..<12 as Range<UInt64> {
      var results: [[Float]] = []
      for _ in 0..<2 {
        let map = BatchMap(sampleCount: 1, height: 64, width: 64, channelCount: 3)
        let input = SampleInput(map: map, sample: 0)
        var random = TrainingRandom(seed)
        let target = task.makeSample(
          into: [input], at: TrainingMoment(step: 1, stepCount: 10), using: &random)
        var numbers = target.boxes.flatMap { [$0.centerX, $0.centerY, $0.width, $0.height] }
        for row in 0..<64 { for column in 0..<64 { numbers.append(input[row, column, 1]) } }
        results.append(numbers)
      }
      #expect(results[0] == results[1] && results[0].allSatisfy(\.isFinite))
    }
  }
}

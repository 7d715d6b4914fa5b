import DiceCodecs
import DiceGeometry
import DiceImaging
import DiceParallel
import DiceVisionTraining
import DiceWeights
import TestSupport
import Testing

@testable import DiceThrowTraining
@testable import DiceTraining
@testable import ThrowVisionKit

/// Somebody who stands upright in a picture of 200 by 320 pixels, seen from the front.
private enum Standing {
  static let size = (width: 200, height: 320)

  /// By index of the labels: left shoulder, right shoulder, … neck, top of the head.
  static let places: [PixelPoint?] = [
    (130, 90), (70, 90), (140, 130), (60, 130), (145, 165), (55, 165), (118, 170), (82, 170),
    (120, 225), (80, 225), (122, 280), (78, 280), (100, 80), (100, 35),
  ].map { PixelPoint(x: $0.0, y: $0.1) }

  /// A data set with one such person for each colour: all of the picture has it, but for a white spot at each joint.
  static func dataset(_ folder: SampleFolder, colors: [[UInt8]]) throws -> PoseDataset {
    var people: [PoseDataset.Person] = []
    for (index, color) in colors.enumerated() {
      var samples: [UInt8] = []
      for _ in 0..<size.width * size.height { samples += color }
      for place in places.compactMap({ $0 }) {
        for y in Int(place.y) - 4...Int(place.y) + 4 {
          for x in Int(place.x) - 4...Int(place.x) + 4 {
            for channel in 0..<3 { samples[3 * (y * size.width + x) + channel] = 255 }
          }
        }
      }
      let image = PixelImage(
        width: size.width, height: size.height, format: .rgb, samples: samples)
      let path = try folder.write(PNGEncoder.encode(image), to: "\(index).png")
      people.append(PoseDataset.Person(path: path, image: "\(index).png", places: places))
    }
    return PoseDataset(people)
  }
}

@Suite struct PersonPartTests {
  @Test func aPartLiesOnOneSideOfALine() throws {
    var count = 0
    for seed in 0..<200 as Range<UInt64> {
      var random = TrainingRandom(seed)
      guard let part = PersonPart(of: Standing.places, using: &random) else { continue }
      count += 1
      let shown = Standing.places.compactMap { $0 }.filter(part.shows)
      #expect((4..<14).contains(shown.count))
      for place in shown {
        #expect(part.box.minX <= place.x && place.x <= part.box.maxX)
        #expect(part.box.minY <= place.y && place.y <= part.box.maxY)
      }
      let whole = try #require(
        PoseDataset.Person(path: "", image: "", places: Standing.places).jointBox)
      #expect(part.box.area < whole.area)
    }
    #expect(count > 150)
  }

  @Test func aBoxReachesToWhereBonesAreCut() throws {
    // Of a standing person cut between hips and knees something of the thighs is left.
    var checked = 0
    for seed in 0..<400 as Range<UInt64> {
      var random = TrainingRandom(seed)
      guard let part = PersonPart(of: Standing.places, using: &random),
        !part.shows(PixelPoint(x: 120, y: 225)), !part.shows(PixelPoint(x: 80, y: 225)),
        part.shows(PixelPoint(x: 118, y: 170)), part.shows(PixelPoint(x: 82, y: 170)),
        part.shows(PixelPoint(x: 118, y: 185)), part.shows(PixelPoint(x: 82, y: 185))
      else { continue }
      #expect(part.box.maxY > 184 && part.box.maxY < 226)
      checked += 1
    }
    #expect(checked > 10)
  }

  @Test func tooFewJointsAreNoPart() {
    var random = TrainingRandom(1)
    let few = Standing.places.enumerated().map { $0.offset < 3 ? $0.element : nil }
    for _ in 0..<50 { #expect(PersonPart(of: few, using: &random) == nil) }
    #expect(PersonPart(of: [PixelPoint?](repeating: nil, count: 14), using: &random) == nil)
  }

  /// Samples with a white spot at each place that is given, on the person's colour.
  private static func check(
    part: Float, company: Float, _ body: (_ input: SampleInput, _ target: [JointTarget]) -> Void
  ) throws {
    let folder = try SampleFolder()
    var variation = PoseVariation()
    variation.colors = .none
    variation.cutOutShare = 0
    variation.partShare = part
    variation.companyShare = company
    let task = try PoseTask(
      NetworkDescription.poses(inputSide: 96),
      Standing.dataset(folder, colors: [[200, 20, 20], [20, 20, 200]]), variation: variation,
      pool: WorkerPool(threadCount: 1))
    for seed in 0..<150 as Range<UInt64> {
      let map = BatchMap(sampleCount: 1, height: 96, width: 96, channelCount: 3)
      let input = SampleInput(map: map, sample: 0)
      var random = TrainingRandom(seed)
      body(
        input,
        task.makeSample(
          into: [input], at: TrainingMoment(step: 1, stepCount: 100), using: &random))
    }
  }

  /// The least of three colours at a place or beside it: high at white spots alone.
  private static func whiteness(_ input: SampleInput, _ place: SIMD2<Float>) -> Float {
    let (row, column) = (min(95, Int(place.y * 96)), min(95, Int(place.x * 96)))
    var most = -Float.infinity
    for y in max(0, row - 1)...min(95, row + 1) {
      for x in max(0, column - 1)...min(95, column + 1) {
        most = max(most, (0..<3).map { input[y, x, $0] }.min() ?? most)
      }
    }
    return most
  }

  @Test func whatIsCutOffIsSaidToLieOutside() throws {
    var (placed, outside) = (0, 0)
    try Self.check(part: 1, company: 0) { (input, target) in
      for joint in target {
        switch joint {
        case .place(let place):
          placed += 1
          #expect(Self.whiteness(input, place) > 0)
        case .outside: outside += 1
        case .unknown: break
        }
      }
    }
    #expect(placed > 500 && outside > 300, "\(placed) \(outside)")
  }

  @Test func labelsAreThoseOfOnePersonAmongOthers() throws {
    var (placed, unknown, mixed) = (0, 0, 0)
    try Self.check(part: 0, company: 1) { (input, target) in
      for case .place(let place) in target {
        placed += 1
        // Up to half of a joint may be hidden; the padding is at -0.22.
        #expect(Self.whiteness(input, place) > -0.15)
      }
      unknown += target.count { $0 == .unknown }
      // Both colours are seen where the other one stands near.
      var colors: (red: Bool, blue: Bool) = (false, false)
      for row in 0..<96 {
        for column in 0..<96 {
          let difference = input[row, column, 0] - input[row, column, 2]
          if difference > 1 { colors.red = true }
          if difference < -1 { colors.blue = true }
        }
      }
      if colors.red && colors.blue { mixed += 1 }
    }
    #expect(placed > 500 && unknown > 20 && mixed > 30, "\(placed) \(unknown) \(mixed)")
  }

  @Test func aBodyCoversItsBonesAndLittleElse() throws {
    let placement = Placement(
      source: (0, 0), target: (0, 0), angle: 0, scale: 1, stretch: 1, isMirrored: false)
    let shape = try #require(BodyShape(of: Standing.places, at: placement))
    for place in Standing.places.compactMap({ $0 }) {
      expectEqual(shape.opacity(x: Float(place.x), y: Float(place.y)), 1)
    }
    expectEqual(shape.opacity(x: 100, y: 130), 1)
    #expect(shape.opacity(x: 20, y: 40) == 0 && shape.opacity(x: 190, y: 300) == 0)
    let tile = try #require(shape.tile(width: 200, height: 320))
    for y in 0..<320 {
      for x in 0..<200 where !tile.rows.contains(y) || !tile.columns.contains(x) {
        expectEqual(shape.opacity(x: Float(x) + 0.5, y: Float(y) + 0.5), 0)
      }
    }
    let few = Standing.places.enumerated().map { $0.offset < 4 ? $0.element : nil }
    #expect(BodyShape(of: few, at: placement) == nil)
  }

  @Test func peopleAreCutOffBelowTheHips() throws {
    let person = PoseDataset.Person(path: "a", image: "a", places: Standing.places)
    let cut = try #require(person.cutBelowHips)
    expectEqual(cut.rowCount, 179)
    expectEqual(cut.cutOff, [8, 9, 10, 11])
    #expect(cut.places.count { $0 != nil } == 10 && cut.torso == person.torso)
    var lying = person
    lying.places = Standing.places.map { $0.map { PixelPoint(x: $0.y, y: $0.x) } }
    expectEqual(lying.cutBelowHips, nil)
    let folder = try SampleFolder()
    let dataset = try Standing.dataset(folder, colors: [[1, 2, 3]]).cutBelowHips
    let picture = try PoseDataset.picture(of: dataset.people[0])
    #expect((picture.width, picture.height) == (200, 179))
  }
}

import DiceParallel
import DiceThrowFilms
import DiceTraining
import TestSupport
import Testing

@testable import DiceThrowTraining
@testable import DiceTrajectories

@Suite struct FlightTrainingTests {
  /// Films of a park with the given seeds.
  private static func looks(seeds: ClosedRange<UInt64>) -> FlightLooks {
    var looks = FlightLooks()
    for seed in seeds { looks.add(FlightLooks(FlightLesson(FlightFilm(.park, seed: seed)))) }
    return looks
  }

  @Test func pathsInFilmsAreNamedByWhatFliesThere() {
    let looks = Self.looks(seeds: 3001...3002)
    expectEqual(looks.inputs.count, looks.count * FlightNetwork.inputCount)
    expectEqual(looks.things.flatMap(\.looks).sorted(), Array(0..<looks.count))
    let flights = (3001...3002).reduce(0) { $0 + FlightFilm(.park, seed: $1).flights.count }
    #expect((1...flights).contains(looks.thingCount(thrown: true)))
    #expect(looks.thingCount(thrown: false) > 0)
    // The library's own network knows nearly all of them apart by their greatest scores.
    let right = looks.things.count { (thing) in
      let scores = thing.looks.map { (look) in
        var inputs = FlightNetwork.Inputs()
        let start = look * FlightNetwork.inputCount
        for value in looks.inputs[start..<start + FlightNetwork.inputCount] {
          inputs.append(Double(value))
        }
        return FlightNetwork.bundled.score(inputs)
      }
      return (scores.max() ?? 0 > 1) == thing.isThrown
    }
    #expect(Double(right) > 0.9 * Double(looks.things.count))
  }

  @Test func filmsGiveTheSameLooksOnAnyNumberOfThreads() throws {
    var films = FlightFilms()
    (films.parkCount, films.gardenCount, films.sessionCount) = (1, 1, 0)
    var counts: [Int] = []
    let two = try #require(
      FlightLooks(of: films, pool: WorkerPool(threadCount: 2)) {
        counts.append($0)
        return true
      })
    expectEqual(counts, [2])
    let one = try #require(FlightLooks(of: films, pool: WorkerPool(threadCount: 1)))
    #expect(one.count > 0 && one.inputs == two.inputs)
    #expect(FlightLooks(of: films, pool: WorkerPool(threadCount: 1)) { (_) in false } == nil)
  }

  @Test func aBagInTheAirIsSeenWhereItIsDrawn() throws {
    let film = ThrowFilm([ThrowFilm.Plan(.underhand, .board)], seed: 3)
    let flight = film.throwsInOrder[0]
    let frames = (0..<film.frameCount).filter { film.sight(ofThrow: 0, frame: $0) != nil }
    let times = frames.map { film.time(of: $0) }
    #expect(times.allSatisfy { $0 >= flight.releaseTime && $0 <= flight.landingTime + 1e-9 })
    #expect(frames.count > 10 && frames == Array(frames[0]...frames[frames.count - 1]))
    let renderer = ThrowFilmRenderer(film, seed: 3)
    // Orange before a room without any.
    let middle = frames[frames.count / 2]
    let sight = try #require(film.sight(ofThrow: 0, frame: middle))
    let picture = renderer.frame(middle)
    let start = 3 * (Int(sight.y) * picture.width + Int(sight.x))
    #expect(picture.samples[start] > picture.samples[start + 2] + 60)
    #expect(sight.isVisible && sight.radius > 2)
  }

  /// Looks at things of which the thrown ones have a greater first input in one look of three.
  private static func drawn(_ count: Int, seed: UInt64) -> FlightLooks {
    var random = TrainingRandom(seed)
    var looks = FlightLooks()
    for index in 0..<count {
      let isThrown = index.isMultiple(of: 4)
      looks.add(
        FlightLooks(
          (0..<3).map { (look) in
            (0..<FlightNetwork.inputCount).map { (input) in
              random.normal() + (isThrown && look == 1 && input == 0 ? 5 : 0)
            }
          }, isThrown: isThrown))
    }
    return looks
  }

  @Test func aNetworkLearnsWhatItsGreatestScoreIsToTell() throws {
    var training = FlightTraining()
    training.options.batchSize = 64
    training.options.sampleCount = 64 * 300
    training.threadCount = 1
    var losses: [Float] = []
    let network = try training.train(on: Self.drawn(400, seed: 1)) {
      losses.append($0.loss.total)
      return true
    }
    #expect(losses.count == 300 && losses[299] < 0.5 * losses[0])
    let others = Self.drawn(200, seed: 2)
    let right = others.things.count { (thing) in
      let scores = thing.looks.map { (look) in
        var inputs = FlightNetwork.Inputs()
        for input in 0..<FlightNetwork.inputCount {
          inputs.append(Double(others.inputs[look * FlightNetwork.inputCount + input]))
        }
        return network.score(inputs)
      }
      return (scores.max() ?? 0 > 1) == thing.isThrown
    }
    #expect(right > 180)
    // A greater threshold lowers the score by as much.
    training.threshold += 0.75
    let stricter = try training.train(on: Self.drawn(400, seed: 1))
    #expect(abs(network.bias - stricter.bias - 0.75) < 1e-9)
  }

  @Test func withoutThrownThingsOrOthersNothingIsLearnt() {
    var thrown = FlightLooks()
    #expect(throws: FlightTrainingError.nothingThrown) { try FlightTask(thrown) }
    thrown.add(FlightLooks([[Float](repeating: 0, count: 50)], isThrown: true))
    #expect(throws: FlightTrainingError.nothingElse) { try FlightTask(thrown) }
    #expect(throws: FlightTrainingError.stopped) {
      try FlightTraining().train(on: Self.drawn(8, seed: 1)) { (_) in false }
    }
  }

  @Test func aNetworkIsWrittenAsSwift() {
    let network = FlightNetwork(
      bias: 1.234567, least: [-2, 0.00001], greatest: [3, 4],
      weights: [Double](repeating: 0.5, count: 20),
      units: [FlightNetwork.Unit(bias: -1, weight: 2, inputs: [7, 8.25])])
    let half = [String](repeating: "0.5,", count: 20)
    let expected = """
      // swift-format-ignore-file
      // Made by `dicevision train flights`.

      extension FlightNetwork {
        /// The network that verdicts use.
        ///
        /// Its score is greater than 1 for what is taken for thrown.
        package static let bundled = FlightNetwork(
          bias: 1.2346,
          least: [
            -2.0, 1e-05,
          ],
          greatest: [
            3.0, 4.0,
          ],
          weights: [
            \(half.prefix(18).joined(separator: " "))
            \(half.suffix(2).joined(separator: " "))
          ],
          units: [
          Unit(bias: -1.0, weight: 2.0, inputs: [
            7.0, 8.25,
          ]),
        ])
      }

      """
    expectEqual(network.source, expected)
    expectEqual(FlightNetwork.bundled.rounded, FlightNetwork.bundled)
  }

  @Test(arguments: [
    (0.0, 0.0), (1.234567, 1.2346), (-0.000123456, -0.00012346), (99999.9, 100_000),
    (1_234_567, 1_234_600), (0.5, 0.5),
  ])
  func numbersAreWrittenWithFiveDigits(_ value: Double, _ expected: Double) {
    var network = FlightNetwork.refusing
    network.bias = value
    expectEqual(network.rounded.bias, expected)
  }

  @Test func aRefusingNetworkFindsNothingInAFilm() {
    let film = FlightFilm(.park, seed: 3004)
    let found = FlightAccuracy.accuracies(of: [.refusing, .bundled], in: film)
    #expect(found[0].found == 0 && found[0].wrong == 0 && found[0].thrown == found[1].thrown)
    #expect(found[1].found > 0 && found[1].found <= found[1].thrown)
    expectEqual(found[1], FlightAccuracy(of: film))
    var sum = found[0]
    sum.add(found[1])
    #expect(sum.thrown == 2 * found[0].thrown && sum.found == found[1].found)
    #expect(abs(sum.minutes - 2.0 / 6) < 1e-9)
  }
}

extension FlightLooks {
  /// A single thing.
  fileprivate init(_ inputs: [[Float]], isThrown: Bool) {
    self.init(
      inputs: inputs.flatMap { $0 },
      things: [Thing(isThrown: isThrown, weight: 1, looks: Array(inputs.indices))])
  }
}

import DiceImaging
import TestSupport
import Testing

@testable import DiceThrowFilms

@Suite struct FlightFilmTests {
  static let settings = [FlightFilm.Setting.garden, .park]

  @Test(arguments: settings) func flightsLieInTheFilmAndInThePicture(_ setting: FlightFilm.Setting)
  {
    var (flightCount, sightCount) = (0, 0)
    for seed in 1...12 as ClosedRange<UInt64> {
      let film = FlightFilm(setting, seed: seed)
      #expect(film.setting == setting && film.seed == seed)
      #expect(setting.rates.contains(film.framesPerSecond))
      expectEqual(film.frameCount, Int(film.duration * film.framesPerSecond))
      for flight in film.flights {
        flightCount += 1
        #expect(film.things.indices.contains(flight.thing))
        #expect(flight.time.lowerBound >= 0 && flight.speed > 0)
        var seen = 0
        for frame in 0..<film.frameCount {
          let sight = film.sight(of: flight, frame: frame)
          guard flight.time.contains(film.time(of: frame)) else {
            expectEqual(sight, nil)
            continue
          }
          guard let sight else { continue }
          #expect(sight.radius > 0)
          let isInside =
            sight.x >= 0 && sight.y >= 0 && sight.x < Double(film.width)
            && sight.y < Double(film.height)
          if sight.isVisible {
            #expect(isInside)
            seen += 1
          }
        }
        sightCount += seen
      }
    }
    #expect(flightCount > 10 && sightCount > 100, "\(flightCount) \(sightCount)")
  }

  @Test func thingsFallAsTheyAreThrown() {
    var count = 0
    for seed in 1...20 as ClosedRange<UInt64> {
      let film = FlightFilm(.garden, seed: seed)
      for flight in film.flights {
        let step = 1e-4
        let first = flight.path.place(at: flight.time.lowerBound)
        let next = flight.path.place(at: flight.time.lowerBound + step)
        let way = next - first
        #expect(abs((way * way).sum().squareRoot() / step - flight.speed) < 0.02 * flight.speed)
        // Air takes from gravity's pull and adds to it, but never turns it round.
        let middle = 0.5 * (flight.time.lowerBound + flight.time.upperBound)
        let (a, b, c) = (
          flight.path.place(at: middle - 0.02), flight.path.place(at: middle),
          flight.path.place(at: middle + 0.02)
        )
        let fall = (a + c - b - b) / (0.02 * 0.02)
        #expect((-20.0 ... -3).contains(fall.z), "\(fall)")
        count += 1
      }
    }
    #expect(count > 10)
  }

  @Test func aSeedGivesTheSameFilmAndAnotherOneAnother() {
    let films = [8, 8, 9].map { FlightFilm(.park, seed: $0) }
    expectEqual(films[0].flights, films[1].flights)
    #expect(films[0].flights != films[2].flights)
    let (first, second) = (FlightFilmRenderer(films[0]), FlightFilmRenderer(films[1]))
    let frame = first.frame(30)
    _ = second.frame(2)
    expectEqual(second.frame(30), frame)
    #expect(frame.width == 640 && frame.height == 360 && frame.format == .gray)
    #expect(FlightFilmRenderer(films[2]).frame(30) != frame)
  }

  @Test func framesOutsideTheFilmShowNoFlight() {
    let film = FlightFilm(.garden, seed: 3)
    let renderer = FlightFilmRenderer(film)
    for frame in [-1, film.frameCount + 1000] {
      expectEqual(renderer.frame(frame).samples.count, 640 * 360)
      for flight in film.flights { expectEqual(film.sight(of: flight, frame: frame), nil) }
    }
  }
}

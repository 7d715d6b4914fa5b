import DiceGeometry
import TestSupport
import Testing

@testable import DiceScenes

struct TableFilmTests {
  private static func film(
    _ dice: [TableFilm.PlacedDie], wallHeight: Double = 0, seed: UInt64 = 7
  ) -> TableFilm {
    TableFilm(
      seed: seed,
      options: ThrowOptions(width: 240, height: 180, dieSize: 40...42, cameraElevation: 55...57),
      side: 6, wallHeight: wallHeight, dice: dice)
  }

  @Test func diceLieAsTold() throws {
    let film = Self.film(
      [
        TableFilm.PlacedDie(value: 2, place: SIMD2(0.3, 0.3)),
        TableFilm.PlacedDie(value: 5, place: .zero, turns: 0.1, pose: .stacked),
        TableFilm.PlacedDie(value: 4, place: SIMD2(0.9, 0.6), pose: .leaning(degrees: 30)),
        TableFilm.PlacedDie(value: 6, place: SIMD2(0.5, 0.75)),
      ], wallHeight: 1)
    let seen = film.dice(ofFrame: 0)
    expectEqual(seen.filter { $0.index > 0 }.map(\.truth.value), [5, 4, 6])
    let field = try PlayingField(
      corners: film.field(ofFrame: 0), size: PlayingField.Size(width: 6, height: 6))
    for die in seen {
      let place = try #require(field.shares(of: die.foot))
      // The stacked die stands on the first one; the leaning one touches the right wall.
      let expected = die.index == 1 ? SIMD2(0.3, 0.3) : film.dice[die.index].place
      #expect(abs(place.y - expected.y) < 0.01)
      if die.index != 2 { #expect(abs(place.x - expected.x) < 0.01) }
      if die.index == 2 { #expect(place.x > 0.85 && place.x < 0.9) }
      // A top face is seen above where its die stands.
      #expect(die.truth.topFace.midY < die.foot.y)
    }
    let heights = seen.map { $0.foot.y - $0.truth.topFace.midY }
    let (stacked, flat) = (
      heights[try #require(seen.firstIndex { $0.index == 1 })],
      heights[try #require(seen.firstIndex { $0.index == 3 })]
    )
    #expect(stacked > 1.7 * flat)
  }

  @Test func theCameraMovesTheFieldAndTheMaskFollowsTheDice() {
    let film = Self.film([TableFilm.PlacedDie(value: 3, place: SIMD2(0.5, 0.5))])
    let (first, later) = (film.frame(0), film.frame(20))
    expectEqual(first, Self.film(film.dice).frame(0))
    #expect(first.field.isConvex && first.field.signedArea > 0)
    #expect(first.field.greatestCornerDistance(to: later.field) > 1)
    #expect(first.image != later.image)
    let mask = film.mask(ofFrame: 20)
    let columns = mask.indices.filter { mask[$0] == 0 }.map { Double($0 % 240) + 0.5 }
    let rows = mask.indices.filter { mask[$0] == 0 }.map { Double($0 / 240) + 0.5 }
    #expect(columns.count > 200 && mask.allSatisfy { $0 <= 0 })
    let truth = later.dice[0].truth.wholeDie
    #expect(abs((columns.min() ?? 0) - truth.minX) < 1.5)
    #expect(abs((columns.max() ?? 0) - truth.maxX) < 1.5)
    #expect(abs((rows.min() ?? 0) - truth.minY) < 1.5)
    #expect(abs((rows.max() ?? 0) - truth.maxY) < 1.5)
  }

  @Test func noiseIsAnotherOneInEachFrame() {
    // Noise that stayed would be all that is seen of a plain table, and would show a camera at rest.
    let film = TableFilm(
      seed: 7, options: ThrowOptions(width: 64, height: 48, cameraDrift: 0...0),
      dice: [TableFilm.PlacedDie(value: 3, place: SIMD2(0.5, 0.5))])
    let (first, second) = (film.frame(0), film.frame(1))
    expectEqual(first.field, second.field)
    let changed = zip(first.image.samples, second.image.samples).count { $0 != $1 }
    #expect(changed > 64 * 48, "\(changed) of \(64 * 48 * 3)")
    expectEqual(film.frame(1).image, second.image)
  }
}

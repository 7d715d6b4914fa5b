import AnyDice
import BenchmarkSupport
import DiceGeometry
import DiceImaging
import DiceParallel
import DiceRolls
import DiceScenes
import DiceVisionKit

/// Dice of 4 to 20 sides that lie on a table before a camera in somebody's hand: how soon they are told, and how
/// often right, beside what the detector sees in the first frame alone.
struct AnyDiceMeasurement {
  let table: Table

  private static let framesPerSecond = 15
  private static let frameCount = 38
  private static let (width, height) = (640, 480)
  /// How far the camera strays, in pixels.
  private static let reach = 16

  /// What is true of a die, in pixels of the whole picture.
  private struct Truth: Sendable {
    /// What counts; nil where nobody could read it, or where it is not in view all the time.
    var face: DieFace?
    var box: BoundingBox
  }

  /// How the dice of a table are read.
  private struct Reading: Sendable {
    var right = 0
    /// Dice read as something else, and what is no die.
    var wrong = 0
    var isExact = false
  }

  private struct Film: Sendable {
    var diceCount = 0
    var first = Reading()
    var roll = Reading()
    /// Seconds until the roll is told; nil where it is not.
    var delay: Double?
    var revisionCount = 0
  }

  /// - Throws: what the detector throws.
  init(_ settings: Settings) throws {
    let detector = try DiceDetector(.anyDice, configuration: .init(threadCount: 1))
    let pool = WorkerPool(threadCount: settings.threadCount)
    var table = Table(
      "\(settings.count) rendered tables each from seed \(settings.seed) on, \(Self.width) x \(Self.height), "
        + "\(Self.framesPerSecond) frames a second, with a hand-held camera;\n"
        + "told within 1 s and within 2.5 s of the first frame",
      [
        .init("dice", "dice on the table"), .init("told1", "told in 1 s"), .init("told", "told"),
        .init("revisions", "revised"), .init("count", "dice"),
        .init("rightFirst", "right in a frame"), .init("wrongFirst", "wrong"),
        .init("exactFirst", "tables exact"), .init("rightRoll", "right in the roll"),
        .init("wrongRoll", "wrong"), .init("exactRoll", "rolls exact"),
      ])
    for (row, dice) in [1...1, 2...3, 4...7].enumerated() {
      let films = try pool.map(count: settings.count) { index in
        Result {
          try Self.film(
            seed: settings.seed + UInt64(row * 1_000_000 + index), dice: dice, detector)
        }
      }.map { try $0.get() }
      func sum(_ count: (Film) -> Int) -> Table.Cell { .count(films.reduce(0) { $0 + count($1) }) }
      table.append(
        .text(dice.count == 1 ? "1" : "\(dice.lowerBound) to \(dice.upperBound)"),
        sum { $0.delay ?? .infinity <= 1 ? 1 : 0 }, sum { $0.delay == nil ? 0 : 1 },
        sum { $0.revisionCount }, sum { $0.diceCount }, sum { $0.first.right },
        sum { $0.first.wrong }, sum { $0.first.isExact ? 1 : 0 }, sum { $0.roll.right },
        sum { $0.roll.wrong }, sum { $0.roll.isExact ? 1 : 0 })
    }
    self.table = table
  }

  private static func film(
    seed: UInt64, dice: ClosedRange<Int>, _ detector: DiceDetector
  ) throws -> Film {
    let options = SceneOptions(
      diceCount: 0...0, dieSize: 38...128, cameraElevation: 25...90, hasDistractors: true,
      aspectRatio: Double(width) / Double(height), style: .varied, polyhedra: dice,
      polyhedronLabels: .values)
    let scene = SceneRenderer.render(
      .random(seed: seed, options: options), width: width + 2 * reach, height: height + 2 * reach)
    let view = BoundingBox(
      x: Double(2 * reach), y: Double(2 * reach), width: Double(width - 2 * reach),
      height: Double(height - 2 * reach))
    let truths = scene.pieces.map { (piece) in
      let numeral = piece.numeral
      let box = numeral?.boundingBox ?? piece.boundingBox
      let counts =
        numeral.map { $0.visibility >= 0.5 && $0.legibility.isSufficient } ?? false
        && box.clipped(to: view) == box
      return Truth(
        face: counts ? numeral.flatMap { DieFace(label: "\($0.kind)-\($0.face)") } : nil, box: box)
    }
    var film = Film()
    film.diceCount = truths.count { $0.face != nil }
    var configuration = RollFollower.Configuration()
    configuration.tracker.requiresMotion = false
    var follower = try RollFollower(configuration: configuration)
    var chance = Chance(state: seed &* 0x9E6C_63D0_876A_0003)
    var offset = SIMD2(Double(reach), Double(reach))
    var speed = SIMD2<Double>()
    for frame in 0..<frameCount {
      let corner = SIMD2(Int(offset.x.rounded()), Int(offset.y.rounded()))
      let picture = crop(scene.image, at: corner, &chance)
      let time = Duration.seconds(frame) / framesPerSecond
      if frame == 0 {
        let seen = try detector.detect(in: picture).observations.map {
          (DieFace(kind: $0.kind, value: $0.value), $0.boundingBox)
        }
        film.first = reading(of: seen, truths, at: corner)
      }
      let events = try picture.withFrame { (frame) throws(DetectorError) in
        try follower.follow(frame, with: detector, at: time)
      }
      for event in events {
        switch event {
        case .rollEnded(let roll) where film.delay == nil:
          film.delay = time / .seconds(1)
          film.roll = reading(of: roll, truths, at: corner)
        case .resultRevised(let roll):
          film.revisionCount += 1
          film.roll = reading(of: roll, truths, at: corner)
        default: break
        }
      }
      // As hands drift.
      speed += SIMD2(chance.next() - 0.5, chance.next() - 0.5) * 2
      speed *= 0.85
      offset += speed
      for axis in 0..<2 { offset[axis] = min(max(offset[axis], 0), Double(2 * reach)) }
    }
    return film
  }

  private static func reading(of roll: Roll, _ truths: [Truth], at corner: SIMD2<Int>) -> Reading {
    reading(
      of: roll.dice.map { (die) in
        (die.value.map { DieFace(kind: die.kind, value: $0) }, die.boundingBox)
      }, truths, at: corner)
  }

  /// Pairs what was read with the dice that it overlaps most.
  private static func reading(
    of dice: [(face: DieFace?, box: BoundingBox)], _ truths: [Truth], at corner: SIMD2<Int>
  ) -> Reading {
    var reading = Reading()
    var paired: Set<Int> = []
    for die in dice {
      let box = die.box.translated(x: Double(corner.x), y: Double(corner.y))
      let best = truths.indices.max {
        truths[$0].box.intersectionOverUnion(with: box)
          < truths[$1].box.intersectionOverUnion(with: box)
      }
      guard let best, truths[best].box.intersectionOverUnion(with: box) >= 0.35 else {
        reading.wrong += 1
        continue
      }
      guard let face = truths[best].face else { continue }
      // A second reading of a die is wrong, whatever it says.
      guard paired.insert(best).inserted else {
        reading.wrong += 1
        continue
      }
      if die.face == face { reading.right += 1 } else { reading.wrong += 1 }
    }
    reading.isExact = reading.wrong == 0 && reading.right == truths.count { $0.face != nil }
    return reading
  }

  /// What the camera sees of a picture, with noise of its own.
  private static func crop(
    _ image: PixelImage, at corner: SIMD2<Int>, _ chance: inout Chance
  ) -> PixelImage {
    var samples: [UInt8] = []
    samples.reserveCapacity(3 * width * height)
    for row in 0..<height {
      let start = 3 * ((row + corner.y) * image.width + corner.x)
      for sample in image.samples[start..<start + 3 * width] {
        let noisy = Double(sample) + 8 * (chance.next() - 0.5)
        samples.append(UInt8(min(max(noisy, 0), 255)))
      }
    }
    return PixelImage(width: width, height: height, format: .rgb, samples: samples)
  }
}

import TestSupport
import Testing

@testable import DiceGameKit

@Suite struct TouchingDigitTests {
  /// The pieces of a picture that is dark where there is ink.
  private static func pieces(
    width: Int, height: Int, ink: (_ row: Int, _ column: Int) -> Bool
  ) -> InkPieces {
    var samples: [UInt8] = []
    for row in 0..<height {
      for column in 0..<width { samples.append(ink(row, column) ? 0 : 255) }
    }
    return InkPieces(
      PictureGround(samples, width: width, height: height, polarity: .darkOnLight))
  }

  /// Two rings with lines 5 pixels wide, side by side, whose middles are some pixels apart.
  private static func rings(apart: Int) -> InkPieces {
    pieces(width: 120, height: 70) { row, column in
      [35, 35 + apart].contains { middle in
        let (x, y) = (Float(column - middle), Float(row - 35))
        return (17.5...22.5).contains((x * x + y * y).squareRoot())
      }
    }
  }

  @Test func aWayLeadsBetweenRoundSidesThatTouch() {
    let pieces = Self.rings(apart: 41).pieces
    #expect(pieces.count == 1)
    let seams = InkSeams(pieces[0])
    let found = seams.best(5, leastArea: 4)
    let middle = pieces[0].width / 2 / seams.cell
    #expect(found.contains { seam in seam.columns.allSatisfy { abs($0 - middle) <= 3 } })
  }

  @Test func waysDoNotCross() {
    let seams = InkSeams(Self.rings(apart: 41).pieces[0]).best(9, leastArea: 4)
    #expect(seams.count > 2)
    for (one, other) in zip(seams, seams.dropFirst()) {
      #expect(zip(one.columns, other.columns).allSatisfy { $0 <= $1 })
    }
  }

  @Test func linesThatRunTogetherAreOfBothDigits() {
    var ink = Self.rings(apart: 40)
    let area = ink.pieces[0].area
    let parts = PieceCuts.parts(of: ink.pieces[0], unit: 45)
    #expect(parts.flatMap(\.runs).reduce(0) { $0 + $1.columns.count } == area)
    #expect(parts.contains { !$0.shared.isEmpty })
    for part in parts {
      for run in part.shared {
        // What is shared is ink of other parts.
        #expect(!part.runs.contains { $0.row == run.row && $0.columns.overlaps(run.columns) })
      }
    }
    ink.replace(0, with: parts)
    for index in ink.pieces.indices {
      let raster = ink.raster(of: [index])
      #expect(raster.width >= ink.pieces[index].width + 2)
      #expect(raster.ink.allSatisfy { (0...1).contains($0) })
    }
  }

  @Test func digitsThatTouchAreRead() throws {
    let reader = try PictureNumberReader()
    var samples: [UInt8] = []
    for row in 0..<70 {
      for column in 0..<120 {
        let isInk = [38, 74].contains { middle in
          let (x, y) = (Float(column - middle) * 1.15, Float(row - 35) * 0.9)
          return (18...23).contains((x * x + y * y).squareRoot())
        }
        samples.append(isInk ? 0 : 255)
      }
    }
    let number = try #require(
      try reader.numbers(in: NumberPicture(width: 120, height: 70, gray: samples)).first)
    #expect(number.text == "00")
  }

  @Test func inkOfAnyShapeIsCut() {
    var random = SeededGenerator(seed: 3)
    for (width, height) in [(9, 9), (200, 12), (12, 200), (97, 64)] {
      let noise = (0..<width * height).map { _ in random.next() % 3 > 0 }
      let ink = Self.pieces(width: width, height: height) { noise[$0 * width + $1] }
      for piece in ink.pieces {
        for unit: Float in [6, 40, 400] {
          let parts = PieceCuts.parts(of: piece, unit: unit)
          #expect((1...15).contains(parts.count))
          #expect(parts.flatMap(\.runs).reduce(0) { $0 + $1.columns.count } == piece.area)
        }
      }
    }
  }

  @Test func aCutLowersConfidence() {
    let said: [Float] = [0.9] + [Float](repeating: 0.01, count: 9)
    let whole = Calibration.pictures.probabilities(said, value: 0, certainty: 0.9)
    let cut = Calibration.pictures.probabilities(said, value: 0, certainty: 0.9, cutCount: 2)
    #expect(cut[0] < whole[0])
    #expect(
      Calibration.pictures.probabilities(said, value: 0, certainty: 0.2)[0] < whole[0])
  }
}

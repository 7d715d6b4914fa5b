import DiceGeometry
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
    expectEqual(pieces.count, 1)
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
    expectEqual(parts.flatMap(\.runs).reduce(0) { $0 + $1.columns.count }, area)
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
    expectEqual(number.text, "00")
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
          expectEqual(parts.flatMap(\.runs).reduce(0) { $0 + $1.columns.count }, piece.area)
        }
      }
    }
  }

  @Test func confidenceFollowsWhatIsSaid() {
    let calibration = PictureCalibration()
    let sure = calibration.confidence(of: 0.9, none: 0.01, certainty: 0.9)
    #expect(calibration.confidence(of: 0.6, none: 0.01, certainty: 0.9) < sure)
    #expect(calibration.confidence(of: 0.8, none: 0.1, certainty: 0.9) < sure)
    #expect(calibration.confidence(of: 0.9, none: 0.01, certainty: 0.2) < sure)
    // Nothing said leaves the range.
    for (said, none, certainty) in [
      (Float(0), Float(0), 0.0), (0, 1, 1), (1, 0, 1), (1, 1, 0.5),
    ] {
      let found = calibration.confidence(of: said, none: none, certainty: certainty)
      #expect(found > 0 && found < 1)
    }
  }

  @Test func aNumberIsMoreLikelyOneThanNot() throws {
    let search = try PieceSearch(
      Self.rings(apart: 41), reader: PictureDigitReader(), costs: PictureNumberReader.Costs())
    func texts(_ doubts: [Double], isCut: Bool = true) -> [String] {
      var layout = PictureLayout(search: search, factor: 1)
      for (index, doubt) in doubts.enumerated() {
        let digit = PictureDigit(
          value: 2 + index, confidence: 0.5, probabilities: [Float](repeating: 0.05, count: 10),
          box: BoundingBox(x: 30 * Double(index), y: 0, width: 20, height: 40))
        layout.add(digit, doubt: doubt, isCut: isCut)
      }
      return layout.numbers().map(\.text)
    }
    expectEqual(texts([-3]), ["2"])
    #expect(texts([1]).isEmpty)
    // A sure digit vouches for a doubtful one beside it.
    expectEqual(texts([-3, 1]), ["23"])
    #expect(texts([-1, 3]).isEmpty)
    expectEqual(texts([-1, 3], isCut: false), ["23"])
    #expect(texts([2.5], isCut: false).isEmpty)
  }

  @Test func stemsOfLettersAreNoOnes() throws {
    let reader = try PictureNumberReader()
    for pen in [3, 5, 8] {
      var samples: [UInt8] = []
      for row in 0..<90 {
        for column in 0..<90 {
          let isInside = (20..<70).contains(row) && (25..<65).contains(column)
          let isStem = column < 25 + pen || column >= 65 - pen
          let isBar = (45..<45 + pen).contains(row)
          samples.append(isInside && (isStem || isBar) ? 0 : 255)
        }
      }
      #expect(try reader.numbers(in: NumberPicture(width: 90, height: 90, gray: samples)).isEmpty)
    }
  }
}

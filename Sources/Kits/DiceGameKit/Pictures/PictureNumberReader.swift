internal import DiceNumerics

/// Reads numbers in pictures: photos and scans of what was written on paper, and canvases.
///
/// ```swift
/// let reader = try PictureNumberReader()
/// let picture = try NumberPicture(width: 640, height: 480, gray: samples)
/// for number in try reader.numbers(in: picture) { print(number.text, number.box) }
/// ```
///
/// Ink may be dark on light or light on dark; light may be uneven. A reader is a value that shares its
/// networks with its copies; any number of threads may use one at once.
public struct PictureNumberReader: Sendable {
  /// The longer side that pictures are reduced to, about, in pixels.
  static let workingSide = 1600

  private let reader: PictureDigitReader
  package var costs = Costs()

  /// What the search reckons with, as logarithms.
  package struct Costs: Sendable {
    /// Of ink as large as a digit that belongs to none.
    package var none = 3.0
    /// Of a gap as high as the digits within a group.
    package var gap = 4.0
    /// Of each cut between two digits.
    package var cut = 1.0
    /// Of each cut between a digit and ink that belongs to none.
    package var cutFromNone = 2.0
    /// Of a digit that is less than three fifths as high as the others, for each tenth.
    package var size = 0.8
    /// How much more doubtful a one is that was cut from other ink: stems of letters look like ones.
    package var cutOne = 2.0
    /// How doubtful digits of a number are at most, in the mean, where none of them was cut from other
    /// ink; where one was, a number has to be more likely one than none.
    package var doubt = 1.0
  }

  package init(reader: PictureDigitReader) { self.reader = reader }

  /// The numbers of a picture in reading order: rows from top to bottom, each from left to right.
  ///
  /// - Throws: where memory does not suffice for one more call at the same time as others.
  /// - Complexity: O(pixels), and some millions of multiply-adds for each part of the ink.
  public func numbers(
    in picture: NumberPicture
  ) throws(DigitClassifierError) -> [PictureNumber] {
    let (samples, width, height, factor) = Self.reduced(picture)
    let darkness = PictureGround.darkness(samples, width: width, height: height)
    var best: [PictureNumber] = []
    var greatest: Float = -1
    for polarity in PictureGround.Polarity.allCases {
      // Where it is clear which one it is, the other is not tried.
      if polarity == .darkOnLight ? darkness < -0.5 : darkness > 0.5 { continue }
      let ground = PictureGround(samples, width: width, height: height, polarity: polarity)
      let numbers = try numbers(on: ground, factor: factor)
      let sum = numbers.reduce(Float(0)) { $0 + $1.confidence * Float($1.digits.count) }
      if sum > greatest { (best, greatest) = (numbers, sum) }
    }
    return best
  }

  /// The means of squares of pixels, so that a picture is not much larger than it is worked on.
  private static func reduced(
    _ picture: NumberPicture
  ) -> (samples: [UInt8], width: Int, height: Int, factor: Int) {
    let factor = (max(picture.width, picture.height) + workingSide - 1) / workingSide
    guard factor > 1 else { return (picture.samples, picture.width, picture.height, 1) }
    let width = (picture.width + factor - 1) / factor
    let height = (picture.height + factor - 1) / factor
    var samples = [UInt8](repeating: 0, count: width * height)
    var sums = [Int](repeating: 0, count: width)
    for row in 0..<height {
      for column in 0..<width { sums[column] = 0 }
      let lines = row * factor..<min((row + 1) * factor, picture.height)
      for line in lines {
        var (place, rest) = (0, factor)
        for column in 0..<picture.width {
          if rest == 0 { (place, rest) = (place + 1, factor) }
          sums[place] += Int(picture.samples[line * picture.width + column])
          rest -= 1
        }
      }
      for column in 0..<width {
        let covered = min((column + 1) * factor, picture.width) - column * factor
        let count = covered * lines.count
        samples[row * width + column] = UInt8((sums[column] + count / 2) / count)
      }
    }
    return (samples, width, height, factor)
  }

  /// The pieces of ink, cut where they are wide, and the lines that they are in.
  static func pieces(on ground: PictureGround) -> (ink: InkPieces, rows: [PieceRows.Row]) {
    var ink = InkPieces(ground)
    let rows = PieceRows(pieces: ink.pieces).rows()
    var cutRows: [PieceRows.Row] = []
    var cellCount = 0
    for row in rows {
      var cut = row
      for member in row.members {
        cellCount += InkSeams.cellCount(of: ink.pieces[member])
        guard cellCount <= InkSeams.cellLimit else { break }
        let parts = PieceCuts.parts(of: ink.pieces[member], unit: row.unit)
        guard parts.count > 1 else { continue }
        let first = ink.pieces.count
        ink.replace(member, with: parts)
        cut.members += first..<ink.pieces.count
      }
      cutRows.append(cut)
    }
    return (ink, cutRows)
  }

  private func numbers(
    on ground: PictureGround, factor: Int
  ) throws(DigitClassifierError) -> [PictureNumber] {
    let (ink, cutRows) = Self.pieces(on: ground)
    var search = PieceSearch(ink, reader: reader, costs: costs)
    var numbers: [PictureNumber] = []
    for row in cutRows {
      let choices = try search.choices(of: row.members, unit: row.unit)
      var layout = PictureLayout(search: search, factor: Double(factor))
      for choice in choices {
        if let (digit, doubt) = try self.digit(choice, of: search, factor: Double(factor)) {
          layout.add(digit, doubt: doubt, isCut: choice.cutCount > 0)
        } else {
          layout.addOther(choice.members)
        }
      }
      numbers += layout.numbers()
    }
    return PictureLayout.ordered(PictureLayout.withoutSpecks(numbers))
  }

  /// A digit and how doubtful it is; nil for none.
  private func digit(
    _ choice: PieceSearch.Choice, of search: PieceSearch, factor: Double
  ) throws(DigitClassifierError) -> (digit: PictureDigit, doubt: Double)? {
    guard choice.digit != nil else { return nil }
    let found = try reader.probabilities(
      of: DigitBitmap(search.ink.raster(of: choice.members)))
    var value = 0
    for other in 1..<10 where found[other] > found[value] { value = other }
    let certainty = exponential(
      naturalLogarithm(max(choice.certainty, 1e-12)) / Double(choice.digitCount))
    let probabilities = Calibration.probabilities(
      Array(found[0..<10]), value: value,
      confidence: PictureCalibration().confidence(
        of: found[value], none: found[10], certainty: certainty))
    var doubt = PictureCalibration.logOdds(Double(found[10]))
    if value == 1, choice.cutCount > 0 { doubt += costs.cutOne }
    let digit = PictureDigit(
      value: value, confidence: probabilities[value], probabilities: probabilities,
      box: PictureLayout.box(search.box(choice.members), factor: factor))
    return (digit, doubt)
  }
}

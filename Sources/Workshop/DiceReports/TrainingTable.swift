package import DiceFiles

/// The tables of a training run, as they are kept beside it.
package struct TrainingTable: Hashable {
  /// A line of the table of the run.
  package struct Row: Hashable {
    package var step: Int
    package var imageCount: Int
    package var learningRate: Double
    package var loss: Double
    package var boxLoss: Double
    package var objectnessLoss: Double
    package var classificationLoss: Double
    package var overlap: Double
    package var imagesPerSecond: Double
  }

  /// A measurement on pictures that are not learned from.
  package struct Validation: Hashable {
    package var step: Int
    package var dieCount: Int
    package var rightCount: Int
    package var photoCount: Int
    package var exactPhotoCount: Int
    package var missedCount: Int
    package var confusedCount: Int
    package var falsePositiveCount: Int
    package var at50: Double
    package var at50To95: Double

    /// A measurement.
    package init(
      step: Int, dieCount: Int, rightCount: Int, photoCount: Int, exactPhotoCount: Int,
      missedCount: Int, confusedCount: Int, falsePositiveCount: Int, at50: Double, at50To95: Double
    ) {
      self.step = step
      self.dieCount = dieCount
      self.rightCount = rightCount
      self.photoCount = photoCount
      self.exactPhotoCount = exactPhotoCount
      self.missedCount = missedCount
      self.confusedCount = confusedCount
      self.falsePositiveCount = falsePositiveCount
      self.at50 = at50
      self.at50To95 = at50To95
    }

    /// For programs.
    package var json: JSONValue {
      [
        "step": JSONValue(step), "dieCount": JSONValue(dieCount),
        "rightCount": JSONValue(rightCount), "photoCount": JSONValue(photoCount),
        "exactPhotoCount": JSONValue(exactPhotoCount), "missedCount": JSONValue(missedCount),
        "confusedCount": JSONValue(confusedCount),
        "falsePositiveCount": JSONValue(falsePositiveCount),
        "averagePrecisionAt50": .number(NumberText.rounded(at50, decimals: 5)),
        "averagePrecisionAt50To95": .number(NumberText.rounded(at50To95, decimals: 5)),
      ]
    }

    /// The names of the columns.
    package static let header =
      "step,dice,dice_right,photos,photos_exactly_right,missed,confused,false_positives,ap50,ap50_95"

    /// The line of the table.
    package var line: String {
      let counts = [
        step, dieCount, rightCount, photoCount, exactPhotoCount, missedCount, confusedCount,
        falsePositiveCount,
      ].map { "\($0)" }
      let shares = [at50, at50To95].map { NumberText.fixed($0, decimals: 5) }
      return (counts + shares).joined(separator: ",")
    }
  }

  /// The most points of a curve; more lines are averaged in groups.
  static let pointLimit = 600

  /// The lines of the run's table.
  package var rows: [Row] = []
  /// The measurements.
  package var validations: [Validation] = []

  /// Empty tables.
  package init() {}

  /// The rows of a file with comma-separated values; lines that are no rows are passed over.
  package static func rows(of bytes: [UInt8]) -> [Row] {
    lines(of: bytes, columnCount: 9).map { cells in
      Row(
        step: Int(cells[0]), imageCount: Int(cells[1]), learningRate: cells[2], loss: cells[3],
        boxLoss: cells[4], objectnessLoss: cells[5], classificationLoss: cells[6],
        overlap: cells[7], imagesPerSecond: cells[8])
    }
  }

  /// The measurements of a file with comma-separated values.
  package static func validations(of bytes: [UInt8]) -> [Validation] {
    lines(of: bytes, columnCount: 10).map { cells in
      Validation(
        step: Int(cells[0]), dieCount: Int(cells[1]), rightCount: Int(cells[2]),
        photoCount: Int(cells[3]), exactPhotoCount: Int(cells[4]), missedCount: Int(cells[5]),
        confusedCount: Int(cells[6]), falsePositiveCount: Int(cells[7]), at50: cells[8],
        at50To95: cells[9])
    }
  }

  private static func lines(of bytes: [UInt8], columnCount: Int) -> [[Double]] {
    var result: [[Double]] = []
    for line in bytes.split(separator: 0x0A) {
      let cells = line.split(separator: UInt8(ascii: ","), omittingEmptySubsequences: false)
        .compactMap { NumberText.number(String(decoding: $0, as: UTF8.self)) }
      // Counts of steps and the like are whole and fit.
      guard cells.count == columnCount, cells.allSatisfy({ $0.magnitude < 0x1p53 }) else {
        continue
      }
      result.append(cells)
    }
    return result
  }

  /// The rows in at most `pointLimit` groups of neighbours, each the mean of its rows at its last
  /// step.
  var condensedRows: [Row] {
    let size = (rows.count + Self.pointLimit - 1) / Self.pointLimit
    guard size > 1 else { return rows }
    return stride(from: 0, to: rows.count, by: size).map { start in
      let group = rows[start..<min(start + size, rows.count)]
      let count = Double(group.count)
      func mean(_ value: (Row) -> Double) -> Double { group.reduce(0) { $0 + value($1) } / count }
      let last = group[group.endIndex - 1]
      return Row(
        step: last.step, imageCount: last.imageCount, learningRate: mean { $0.learningRate },
        loss: mean { $0.loss }, boxLoss: mean { $0.boxLoss },
        objectnessLoss: mean { $0.objectnessLoss },
        classificationLoss: mean { $0.classificationLoss }, overlap: mean { $0.overlap },
        imagesPerSecond: mean { $0.imagesPerSecond })
    }
  }
}

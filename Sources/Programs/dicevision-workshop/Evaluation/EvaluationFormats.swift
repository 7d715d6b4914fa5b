internal import DiceCommandLine
internal import DiceEvaluation

/// What an evaluation found, die by die, for other programs.
enum EvaluationFormats {
  /// The columns of the table.
  static let columns = [
    "set", "image", "outcome", "label", "value", "confidence", "x", "y", "box_width",
    "box_height",
  ]
  /// The columns that follow where labels tell kinds of dice.
  static let kindColumns = ["label_kind", "value_kind"]

  /// A table with a row for each die that was labelled or detected.
  static func table(
    _ sets: [EvaluationSet], labels: [String], threshold: Double
  ) -> String {
    let kinds = KindAccuracy.kinds(of: labels)
    var text = CSVTable.row(columns + (kinds == nil ? [] : kindColumns))
    for set in sets {
      for image in set.images {
        for outcome in image.outcomes(confidenceThreshold: threshold) {
          let box = outcome.reading?.boundingBox ?? outcome.truth?.boundingBox ?? .zero
          let kindFields = kinds.map { kinds in
            [outcome.truth?.classIndex, outcome.reading?.classIndex].map { index in
              index.map { kinds[$0].rawValue } ?? ""
            }
          }
          text += CSVTable.row(
            [
              set.name, image.name, word(for: outcome.kind),
              outcome.truth.map { labels[$0.classIndex] } ?? "",
              outcome.reading.map { labels[$0.classIndex] } ?? "",
              outcome.reading.map { CSVTable.field(ofConfidence: $0.confidence) } ?? "",
            ] + CSVTable.fields(of: box) + (kindFields ?? []))
        }
      }
    }
    return text
  }

  private static func word(for kind: ReadingOutcome.Kind) -> String {
    switch kind {
    case .right: "right"
    case .confused: "confused"
    case .missed: "missed"
    case .falsePositive: "false_positive"
    }
  }

  /// All detections of a set in COCO's format, with the numbers that its annotations have.
  ///
  /// Pictures and values without numbers of their own are counted from 1, as `convert-annotations`
  /// does. A value that the annotations have no category for is left out: it could not be compared.
  static func results(
    of set: EvaluationSet, _ input: LabelledSet, labels: [String]
  ) -> String {
    var numbers: [String: Int] = [:]
    for (index, picture) in input.pictures.enumerated() {
      numbers[picture.name] = input.identifiers.map { $0.images[index] } ?? index + 1
    }
    let categories = labels.enumerated().map { index, label in
      input.identifiers.map { $0.category(of: label) } ?? index + 1
    }
    var records: [String] = []
    for image in set.images {
      guard let number = numbers[image.name] else { continue }
      for detection in image.detections {
        guard let category = categories[detection.classIndex] else { continue }
        records.append(
          COCOResults.record(
            image: number, name: image.name, category: category, box: detection.boundingBox,
            confidence: detection.confidence))
      }
    }
    let format = ResultFormat.coco
    return format.beginning(columns: [])
      + (records.isEmpty ? "" : format.separator(isFirst: true)) + COCOResults.joined(records)
      + format.end
  }
}

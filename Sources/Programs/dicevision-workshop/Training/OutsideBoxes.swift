internal import DiceEvaluation
internal import DiceFiles
internal import DiceVisionTraining

/// Labelled boxes whose middle lies outside their picture, where no die can be.
struct OutsideBoxes {
  private var count = 0
  private var first: String?

  /// Counts a box.
  ///
  /// - Parameter picture: the picture's name, where it is known.
  private mutating func add(
    midX: Double, midY: Double, width: Int, height: Int, picture: String?
  ) {
    if (0...Double(width)).contains(midX), (0...Double(height)).contains(midY) { return }
    count += 1
    first = first ?? picture
  }

  /// Counts those of a picture to learn from.
  mutating func add(_ picture: TrainingPicture) {
    for truth in picture.truths {
      add(
        midX: Double(truth.centerX), midY: Double(truth.centerY), width: picture.width,
        height: picture.height, picture: nil)
    }
  }

  /// Counts those of a picture.
  mutating func add(_ image: EvaluatedImage) {
    guard let width = image.width, let height = image.height else { return }
    for truth in image.groundTruth {
      add(
        midX: truth.boundingBox.midX, midY: truth.boundingBox.midY, width: width,
        height: height, picture: image.name)
    }
  }

  /// What to tell of them; nil where there are none.
  var note: String? {
    if count == 0 { return nil }
    let boxes = NumberText.count(count, "labelled box has its", "labelled boxes have their")
    let place = first.map { ", the first of them in \(quoted($0))" } ?? ""
    return "\(boxes) middle outside the picture\(place): x and y of a label are the middle of its "
      + "box, in pixels of the upright picture."
  }
}

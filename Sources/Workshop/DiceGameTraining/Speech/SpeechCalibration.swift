internal import DiceGameKit
internal import DiceTraining
public import DiceWeights

/// Finds how a network's confidences become the share of numbers that are right, and writes it into its
/// weight file.
public struct SpeechCalibration: Hashable, Sendable {
  /// What the logarithm of the odds is multiplied with.
  public private(set) var slope: Float = 1
  /// What is added to it.
  public private(set) var offset: Float = 0

  /// Fits a logistic curve to answers: the least cross-entropy, by Newton's method.
  ///
  /// Without both right and wrong ones confidences stay as they are.
  public init(_ answers: [SpeechAccuracy.Answer]) {
    let rightCount = answers.count { $0.isRight }
    guard rightCount > 0, rightCount < answers.count else { return }
    let points = answers.map { (x: Double(ConfidenceScale.logOdds($0.confidence)), y: $0.isRight) }
    var (a, b) = (1.0, 0.0)
    for _ in 0..<50 {
      // A small pull towards a slope of 1 keeps few answers from being believed too much.
      var (ga, gb, haa, hab, hbb) = (a - 1, b, 1.0, 0.0, 1.0)
      for point in points {
        let p = Double(logistic(Float(a * point.x + b)))
        let difference = p - (point.y ? 1 : 0)
        let weight = max(p * (1 - p), 1e-6)
        ga += difference * point.x
        gb += difference
        haa += weight * point.x * point.x
        hab += weight * point.x
        hbb += weight
      }
      let determinant = haa * hbb - hab * hab
      guard determinant > 1e-9 else { break }
      let (da, db) = ((hbb * ga - hab * gb) / determinant, (haa * gb - hab * ga) / determinant)
      // Half steps do not overshoot.
      a -= 0.5 * da
      b -= 0.5 * db
      a = min(max(a, 0.05), 20)
      b = min(max(b, -20), 20)
    }
    (slope, offset) = (Float(a), Float(b))
  }

  /// A weight file whose confidences were measured, with these in their place.
  ///
  /// What the file said before of confidences is taken into account: answers are taken to be those of
  /// this file.
  ///
  /// - Parameters:
  ///   - file: the weight file that gave the answers.
  ///   - threshold: the least confidence of a number that is reported; nil for what the file says.
  public func applied(
    to file: WeightFile, threshold: Float? = nil
  ) throws(WeightFileError) -> WeightFile {
    var description = file.description
    guard !description.outputs.isEmpty, var head = description.outputs[0].head else { return file }
    let before = head.parameters.values(named: WordNetwork.confidenceName) ?? [1, 0]
    let (first, second) = (before.first ?? 1, before.count > 1 ? before[1] : 0)
    var changed = [
      NamedValues("\(WordNetwork.confidenceName)", [slope * first, slope * second + offset])
    ]
    if let threshold { changed.append(NamedValues("\(WordNetwork.thresholdName)", [threshold])) }
    head.parameters.removeAll { parameter in changed.contains { $0.name == parameter.name } }
    head.parameters += changed
    description.outputs[0].head = head
    return try file.with(description: description)
  }
}

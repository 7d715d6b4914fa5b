public import DiceGameKit
public import DiceParallel

/// How many pictures of digits a classifier reads right.
public struct DigitAccuracy: Hashable, Sendable {
  /// The pictures.
  public var count = 0
  /// The pictures that are read right.
  public var rightCount = 0
  /// For each digit, what its pictures are read as: `confusions[digit][reading]` pictures.
  public var confusions = [[Int]](repeating: [Int](repeating: 0, count: 10), count: 10)
  /// The indices of the pictures that are read wrongly, ascending.
  public var mistakes: [Int] = []

  /// The share of pictures that are read right, 0...1; 0 for no pictures.
  public var share: Double { count > 0 ? Double(rightCount) / Double(count) : 0 }

  /// Reads all pictures of a set.
  ///
  /// - Throws: what the classifier throws.
  public init(
    of classifier: DigitClassifier, on dataset: DigitDataset, pool: WorkerPool
  ) throws(DigitClassifierError) {
    let outcomes = pool.map(count: dataset.count) { index in
      do throws(DigitClassifierError) {
        return Result<Int, DigitClassifierError>.success(
          try classifier.classify(dataset.bitmaps[index]).digit)
      } catch { return .failure(error) }
    }
    for (index, outcome) in outcomes.enumerated() {
      let reading = try outcome.get()
      let digit = Int(dataset.digits[index])
      count += 1
      confusions[digit][reading] += 1
      if reading == digit { rightCount += 1 } else { mistakes.append(index) }
    }
  }
}

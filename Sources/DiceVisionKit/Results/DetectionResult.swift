/// The dice that were found in a picture.
public struct DetectionResult: Sendable {
  /// The dice from left to right, by the x of their centres in the upright picture.
  ///
  /// Where two are equal, from top to bottom; then the more confident one first.
  public var observations: [DieObservation]
  /// Columns of the upright picture.
  public var uprightWidth: Int
  /// Rows of the upright picture.
  public var uprightHeight: Int
  /// How long each stage took.
  public var timings: StageTimings

  /// A result of your own, for previews and tests.
  ///
  /// The order of the observations is kept.
  public init(
    observations: [DieObservation], uprightWidth: Int, uprightHeight: Int,
    timings: StageTimings = StageTimings()
  ) {
    self.observations = observations
    self.uprightWidth = uprightWidth
    self.uprightHeight = uprightHeight
    self.timings = timings
  }

  /// The number of dice.
  public var count: Int { observations.count }

  /// Whether no dice were found.
  public var isEmpty: Bool { observations.isEmpty }

  /// Whether two results have the same observations, whatever their identifiers and timings.
  public func hasSameContent(as other: DetectionResult) -> Bool {
    guard
      count == other.count, uprightWidth == other.uprightWidth,
      uprightHeight == other.uprightHeight
    else { return false }
    for index in observations.indices
    where !observations[index].hasSameContent(as: other.observations[index]) {
      return false
    }
    return true
  }
}

// MARK: - Numbers

extension DetectionResult {
  /// The values of the dice, from left to right.
  public var values: [Int] {
    var values: [Int] = []
    values.reserveCapacity(count)
    for observation in observations { values.append(observation.value) }
    return values
  }

  /// The sum of the values; 0 without dice.
  ///
  /// The nearest `Int` where the sum is outside its range, which values of dice never reach.
  public var sum: Int {
    var sum = 0
    for observation in observations {
      let (partial, overflow) = sum.addingReportingOverflow(observation.value)
      sum = overflow ? (observation.value < 0 ? .min : .max) : partial
    }
    return sum
  }

  /// The product of the values; 1 without dice, and nil where it is outside the range of `Int`
  /// (25 sixes are).
  public var product: Int? {
    for observation in observations where observation.value == 0 { return 0 }
    var product = 1
    for observation in observations {
      let (partial, overflow) = product.multipliedReportingOverflow(by: observation.value)
      if overflow { return nil }
      product = partial
    }
    return product
  }

  /// The greatest value minus the smallest; 0 for fewer than two dice.
  ///
  /// The nearest `Int` where the difference is outside its range.
  public var difference: Int {
    guard var least = observations.first?.value else { return 0 }
    var greatest = least
    for observation in observations {
      least = min(least, observation.value)
      greatest = max(greatest, observation.value)
    }
    let (difference, overflow) = greatest.subtractingReportingOverflow(least)
    return overflow ? .max : difference
  }

  /// How many dice show each value; values that none shows are left out.
  public var histogram: [Int: Int] {
    var counts: [Int: Int] = [:]
    for observation in observations { counts[observation.value, default: 0] += 1 }
    return counts
  }
}

// MARK: - Views

extension DetectionResult {
  /// The map from the boxes of this result to a view that shows the picture.
  ///
  /// - Returns: Nil where a side of the view is not positive and finite.
  public func viewTransform(
    viewWidth: Double, viewHeight: Double,
    contentMode: ViewTransform.ContentMode = .aspectFit,
    origin: CoordinateOrigin = .upperLeft, isMirrored: Bool = false
  ) -> ViewTransform? {
    ViewTransform(
      imageWidth: uprightWidth, imageHeight: uprightHeight, viewWidth: viewWidth,
      viewHeight: viewHeight, contentMode: contentMode, origin: origin, isMirrored: isMirrored)
  }
}
